"""Text about the certainty of the best team: sentences and table rows."""

from __future__ import annotations

from collections.abc import Callable

from hashmark.league.seasons.certainty import (
    KNOWN_PROBABILITY,
    NO,
    UNKNOWN,
    YES,
    Certainty,
    TeamCertainty,
)
from hashmark.sanitize import PLUS_MINUS

TeamCodeLookup = Callable[[str], str]  # returns a team's code in that season

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
MAX_NAMED_TEAMS = 3  # teams that the sentence names
MIN_ROW_CHANCE = 0.005  # probability of being best or of winning the title


def table_rows(
    certainty: Certainty, code: TeamCodeLookup, champion: str | None = None
) -> list[tuple[str, ...]]:
    """Return a row for every team that may be best or win a title, and for the champion."""
    return [
        (
            code(team.team),
            f"{team.rating:+.1f}",
            f"{PLUS_MINUS} {team.dice:.1f}",
            f"{PLUS_MINUS} {team.error:.1f}",
            f"{team.strength:+.1f} {PLUS_MINUS} {team.spread:.1f}",
            f"{team.best:.1%}",
            f"{team.title:.1%}",
        )
        for team in certainty.teams()
        if max(team.best, team.title) >= MIN_ROW_CHANCE or team.team == champion
    ]


def table_legend(certainty: Certainty, games: int) -> str:
    """Return the legend of the columns."""
    return (
        f"From {certainty.rebuild_count} rebuilds of charts and plans, each of the season's games "
        "drawn again with replacement. rating: points a game in the round robin; dice: its error "
        f"by the dice; games: its error by the {games} games that charts are made of. strength: "
        "what is to be expected on the scale of ratings, one season's luck taken out "
        f"({certainty.reliability:.0%} of the ratings' variance is real). P(best): the chance that "
        "no team was stronger. title: share of titles over rebuilds and dice."
    )


def best_team_sentence(certainty: Certainty, games: int, code: TeamCodeLookup) -> str:
    """Return a sentence naming the most likely best teams with their probabilities."""
    first, *others = certainty.teams()
    runners_up = ", ".join(
        f"{code(team.team)} {team.best:.0%}" for team in others[: MAX_NAMED_TEAMS - 1]
    )
    text = (
        f"The team that was most likely best is {code(first.team)}, with a chance of "
        f"{first.best:.0%} ({runners_up})"
    )
    if first.best >= KNOWN_PROBABILITY:
        return f"{text}."
    return (
        f"{text}: no team comes to {KNOWN_PROBABILITY:.0%}, so who was best cannot be known from "
        f"{games} games."
    )


def errors_phrase(team: TeamCertainty, games: int, dice_error: float) -> str:
    """Return a phrase with a rating's two standard errors: sampled games and dice."""
    return (
        f"{PLUS_MINUS} {team.error:.1f} by the luck of the {games} games that its charts are made "
        f"of, {PLUS_MINUS} {dice_error:.1f} by our dice"
    )


def best_team_won_sentence(
    certainty: Certainty, champion: str, games: int, code: TeamCodeLookup
) -> str:
    """Return a sentence on whether the best team won: yes, no or unknown, with probabilities."""
    chance = certainty.team(champion).best
    answer = certainty.verdict(champion)
    shares = certainty.verdict_shares(champion)
    text = {
        YES: "yes",
        NO: "no",
        UNKNOWN: f"that cannot be known from {games} games",
    }[answer]
    return (
        f"Did the best team win? {text[0].upper()}{text[1:]}: the chance that {code(champion)} was "
        f"the best team is {chance:.0%}, that another was {1 - chance:.0%}, and "
        f"{KNOWN_PROBABILITY:.0%} would settle it. Another season of these teams would say yes in "
        f"{shares[YES]:.0%}, no in {shares[NO]:.0%}, and leave it open in {shares[UNKNOWN]:.0%}."
    )


def dice_only_note(reason: str) -> str:
    """Return the note for reports without rebuilds."""
    return (
        "The errors given are those of the dice alone. How far ratings are off because charts are "
        f"made of one season's games is not told here: {reason}."
    )
