"""The options of a season's game: seasons, what-ifs and checks all play with these.

The preset `recommended` of the rules (penalties and timing in full, the goal-line deduction,
maximum usage, big plays, audibles as on the board), our extension of the short field (E1, E2), the
overtime of the season, and where its kickoffs' touchbacks brought the ball.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.games.data_driven.setup import PRESETS, season_touchback
from hashmark.league.facts import schedule

FORMATIONS_INVENTED = (
    "formations are not in the play-by-play: how often each is called is assumed, what each gives "
    "up is fitted to gains by down and distance"
)
SHORT_FIELD_INVENTED = (
    "the short field is our extension of the rules, one chart for all teams, fitted to the season"
)


def invented(given: Mapping[str, Any] | None = None) -> list[str]:
    """What in a season's game is no rule and no fact; every report says so."""
    short = str(options(0, given=given)["short_field"]).lower() == "true"
    return [FORMATIONS_INVENTED, *([SHORT_FIELD_INVENTED] if short else [])]


def invented_note(given: Mapping[str, Any] | None = None) -> str:
    """The same in a line."""
    return f"Invented: {'; '.join(invented(given))}."


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
