"""The options of a season's game: seasons, what-ifs and checks all play with these.

The preset `recommended` of the rules (penalties and timing in full, the goal-line deduction,
maximum usage, big plays, audibles as on the board), our extension of the short field (E1), the
overtime of the season, and the spot of
its touchbacks, which the game knows by the season.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.games.data_driven.setup import PRESETS, season_touchback
from hashmark.league.facts import schedule


def options(
    season: int, playoff: bool = False, given: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """All options of a game of a season; those that the user gives count first."""
    return {
        **PRESETS["recommended"],
        "short_field": True,
        "touchback_spot": season_touchback(season),
        **schedule.options(season, playoff),
        **(given or {}),
    }
