"""The options of a season's game: seasons, what-ifs and checks all play with these.

The preset `recommended` of the rules (penalties and timing in full, the goal-line deduction,
maximum usage, big plays, audibles as on the board), the overtime of the season, and the spot of
its touchbacks: the 20 to 2015, the 25 since 2016, the 30 in 2024, the 35 since 2025. The rules
know one spot for all touchbacks; most are of kickoffs, so theirs is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.games.data_driven.setup import PRESETS
from hashmark.league.facts import schedule


def touchback_spot(season: int) -> int:
    """Where a kickoff's touchback brought the ball."""
    for since, spot in ((2025, 35), (2024, 30), (2016, 25)):
        if season >= since:
            return spot
    return 20


def options(
    season: int, playoff: bool = False, given: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """All options of a game of a season; those that the user gives count first."""
    return {
        **PRESETS["recommended"],
        "touchback_spot": touchback_spot(season),
        **schedule.options(season, playoff),
        **(given or {}),
    }
