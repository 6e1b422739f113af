"""The options of a season's game: seasons, what-ifs and checks all play with these.

The preset `recommended` of the rules (penalties and timing in full, the goal-line deduction,
maximum usage, big plays, audibles as on the board), our extension of the short field (E1, E2), the
overtime of the season, and where its kickoffs' touchbacks brought the ball.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.setup import PRESETS, season_touchback
from hashmark.league.facts import schedule

FORMATIONS_INVENTED = (
    "formations are not in the play-by-play: how often each is called is assumed, what each gives "
    "up is fitted to gains by down and distance"
)
PLAYS_INVENTED = (
    "no play is named a draw or a screen there: which runs and passes count as such is our rule"
)
SHORT_FIELD_INVENTED = (
    "the short field is our extension of the rules, one chart for all teams, fitted to the season"
)
HOME_FIELD_INVENTED = "home field is our extension of the rules, the same on every ground"
OF_PLANS = (FORMATIONS_INVENTED, PLAYS_INVENTED)  # what no real plan can know


def invented(given: Mapping[str, Any] | None = None) -> list[str]:
    """What in a season's game is no rule and no fact; every report says so."""
    used = RULES.read_options(options(0, given=given))
    made = [*OF_PLANS]
    if used["short_field"]:
        made.append(SHORT_FIELD_INVENTED)
    if used["home_field"]:
        made.append(HOME_FIELD_INVENTED)
    return made


def invented_note(given: Mapping[str, Any] | None = None) -> str:
    """The same in a line."""
    return as_note(invented(given))


def as_note(made: Sequence[str]) -> str:
    """Things that are invented, as a sentence."""
    return f"Invented: {'; '.join(made)}."


def options(
    season: int, playoff: bool = False, given: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """All options of a game of a season; those that the user gives count first."""
    return {
        **PRESETS["recommended"],
        "short_field": True,
        "kick_touchback_spot": season_touchback(season),
        **schedule.options(season, playoff),
        **(given or {}),
    }
