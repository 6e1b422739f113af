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
from hashmark.number_text import percent
from hashmark.sanitize import PLUS_MINUS

TeamCodeLookup = Callable[[str], str]  # returns a team's code in that season

HEADINGS = ("team", "rating", "dice SE", "sampling SE", "strength", "P(best)", "title")
PAGE_HEADINGS = (
    "Team",
    "Rating",
    "Dice SE",
    "Sampling SE",
    "Strength",
    "Probability of best",
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
            percent(team.best, 1),
            percent(team.title, 1),
        )
        for team in certainty.teams()
        if max(team.best, team.title) >= MIN_ROW_CHANCE or team.team == champion
    ]


def table_legend(certainty: Certainty, games: int) -> str:
    """Return the legend of the columns."""
    return (
        f"Bootstrap: charts and plans rebuilt {certainty.rebuild_count} times from games resampled "
        "with replacement. rating: the margin, measured when the bootstrap was made. dice SE, "
        f"sampling SE: its standard errors from the dice and from the {games}-game sample. "
        "strength: rating shrunk toward the league mean "
        f"({percent(certainty.reliability)} of the variance of ratings is real), ± its standard "
        "deviation. P(best): probability that no team was stronger. title: share of titles over "
        "all rebuilds."
    )


def best_team_sentence(certainty: Certainty, games: int, code: TeamCodeLookup) -> str:
    """Return a sentence naming the most likely best teams with their probabilities."""
    first, *others = certainty.teams()
    runners_up = ", ".join(
        f"{code(team.team)} {percent(team.best)}" for team in others[: MAX_NAMED_TEAMS - 1]
    )
    text = (
        f"Most likely the best team: {code(first.team)}, probability {percent(first.best)} "
        f"({runners_up}; bootstrap, {certainty.rebuild_count} rebuilds)"
    )
    if first.best >= KNOWN_PROBABILITY:
        return f"{text}."
    return (
        f"{text}. No team reaches {percent(KNOWN_PROBABILITY)}: {games} games are too few to tell."
    )


def errors_phrase(team: TeamCertainty, games: int, dice_error: float) -> str:
    """Return a phrase with a rating's two standard errors: sampled games and dice."""
    return (
        f"standard error {team.error:.1f} from the {games}-game sample and {dice_error:.1f} from "
        "the dice"
    )


def best_team_won_sentence(
    certainty: Certainty, champion: str, games: int, code: TeamCodeLookup
) -> str:
    """Return a sentence on whether the best team won: yes, no or unknown, with probabilities."""
    chance = certainty.team(champion).best
    answer = certainty.verdict(champion)
    shares = certainty.verdict_shares(champion)
    text = {
        YES: "Yes",
        NO: "No",
        UNKNOWN: f"{games} games cannot tell",
    }[answer]
    return (
        f"Did the best team win? {text}: {code(champion)}, the champion, was the best team with "
        f"probability {percent(chance)} (yes from {percent(KNOWN_PROBABILITY)}, no up to "
        f"{percent(1 - KNOWN_PROBABILITY)}). Replays of the season would answer yes in "
        f"{percent(shares[YES])}, no in {percent(shares[NO])} and leave it open in "
        f"{percent(shares[UNKNOWN])}."
    )


def dice_only_note(reason: str) -> str:
    """Return the note for reports without a bootstrap."""
    return (
        "Errors cover the dice only; the sampling error of charts made from one season is unknown "
        f"here: {reason}."
    )
