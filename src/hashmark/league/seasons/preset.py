"""The switches of the rules with which seasons are simulated.

The preset `recommended` of the rules (penalties and timing in full, the goal-line deduction,
maximum usage, big plays, audibles as on the board), the overtime of the season, and the spot of
its touchbacks: the 20 to 2015, the 25 since 2016, the 30 in 2024, the 35 since 2025. The rules
know one spot for all touchbacks; most are of kickoffs, so theirs is taken.
"""

from __future__ import annotations

from typing import Any

from hashmark.league.facts import schedule

RECOMMENDED: dict[str, Any] = {
    "mode": "full",
    "timing": "full",
    "goal_line_deduction": True,
    "max_usage": True,
    "big_play": True,
    "audibles": "board",
}


def touchback_spot(season: int) -> int:
    """Where a kickoff's touchback brought the ball."""
    for since, spot in ((2025, 35), (2024, 30), (2016, 25)):
        if season >= since:
            return spot
    return 20


def options(season: int, playoff: bool = False) -> dict[str, Any]:
    """All switches for a game of a season."""
    season_options = schedule.options(season, playoff)
    return {**RECOMMENDED, "touchback_spot": touchback_spot(season), **season_options}
