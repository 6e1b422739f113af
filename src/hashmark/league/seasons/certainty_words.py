"""How sure it is who was best, in sentences and in rows of a table."""

from __future__ import annotations

from collections.abc import Callable

from hashmark.league.seasons.certainty import NO, OPEN, SURE, YES, Certainty, TeamCertainty
from hashmark.table.readable import PLUS_MINUS

Code = Callable[[str], str]  # a team's code of the time

HEADINGS = (
    "team",
    "rating",
    "dice",
    "games",
    "strength",
    "P(best)",
    "title",
)
PAGE_HEADINGS = (
    "Team",
    "Rating",
    "Error by dice",
    "Error by games",
    "Strength",
    "Chance of best",
    "Title",
)
NAMED = 3  # teams whose chances the sentence tells
WORTH_A_ROW = 0.005  # chance to have been best, or to win the title


def rows(certainty: Certainty, code: Code, champion: str | None = None) -> list[tuple[str, ...]]:
    """A row for every team that may have been best or won a title, and for the champion."""
    return [
        (
            code(one.team),
            f"{one.rating:+.1f}",
            f"{PLUS_MINUS} {one.dice:.1f}",
            f"{PLUS_MINUS} {one.error:.1f}",
            f"{one.strength:+.1f} {PLUS_MINUS} {one.spread:.1f}",
            f"{one.best:.1%}",
            f"{one.title:.1%}",
        )
        for one in certainty.teams()
        if max(one.best, one.title) >= WORTH_A_ROW or one.team == champion
    ]


def legend(certainty: Certainty, games: int) -> str:
    """What the columns of the rows are."""
    return (
        f"From {certainty.number} rebuilds of charts and plans, each of the season's games drawn "
        "again with replacement. rating: points a game in the round robin; dice: its error by the "
        f"dice; games: its error by the {games} games that charts are made of. strength: what is "
        "to be expected on the scale of ratings, one season's luck taken out "
        f"({certainty.reliability:.0%} of the ratings' variance is real). P(best): the chance that "
        "no team was stronger. title: share of titles over rebuilds and dice."
    )


def who(certainty: Certainty, games: int, code: Code) -> str:
    """Who was best, with chances."""
    first, *others = certainty.teams()
    then = ", ".join(f"{code(one.team)} {one.best:.0%}" for one in others[: NAMED - 1])
    said = (
        f"The team that was most likely best is {code(first.team)}, with a chance of "
        f"{first.best:.0%} ({then})"
    )
    if first.best >= SURE:
        return f"{said}."
    return (
        f"{said}: no team comes to {SURE:.0%}, so who was best cannot be known from {games} games."
    )


def luck(one: TeamCertainty, games: int, dice: float) -> str:
    """The two errors of a rating that was played with an error of the dice, and whose they are."""
    return (
        f"{PLUS_MINUS} {one.error:.1f} by the luck of the {games} games that its charts are made "
        f"of, {PLUS_MINUS} {dice:.1f} by our dice"
    )


def best_won(certainty: Certainty, champion: str, games: int, code: Code) -> str:
    """Whether the best team won: one of three answers, with the chances."""
    chance = certainty.team(champion).best
    answer = certainty.verdict(champion)
    again = certainty.verdicts(champion)
    told = {
        YES: "yes",
        NO: "no",
        OPEN: f"that cannot be known from {games} games",
    }[answer]
    return (
        f"Did the best team win? {told[0].upper()}{told[1:]}: the chance that {code(champion)} was "
        f"the best team is {chance:.0%}, that another was {1 - chance:.0%}, and {SURE:.0%} would "
        f"settle it. Another season of these teams would say yes in {again[YES]:.0%}, no in "
        f"{again[NO]:.0%}, and leave it open in {again[OPEN]:.0%}."
    )


def dice_only(reason: str) -> str:
    """What a reader must know where there are no rebuilds."""
    return (
        "The errors given are those of the dice alone. How far ratings are off because charts are "
        f"made of one season's games is not told here: {reason}."
    )
