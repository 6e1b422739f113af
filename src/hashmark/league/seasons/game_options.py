"""Options of a season's games, shared by season replays, what-ifs and validation.

They are the preset `recommended` of the rules (full penalties and timing, the goal-line deduction,
maximum usage, big plays, audibles as on the board), our short-field extension (E1, E2), the
overtime rules of the season and its touchback spot after kickoffs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.setup import PRESETS, season_touchback
from hashmark.league.data import schedule

ASSUMPTIONS_PAGE = "docs/explanation/how-true.md"
FORMATIONS_ASSUMPTION = (
    "formations: the play-by-play does not record them, so how often each is called is assumed and "
    "what each allows is fitted to gains by down and distance"
)
PLAYS_ASSUMPTION = (
    "draws and screens: the play-by-play does not name them, so our own rule sorts runs and passes"
)
SHORT_FIELD_ASSUMPTION = (
    "the short field: our extension of the rules, one chart for all teams, fitted to the season"
)
HOME_FIELD_ASSUMPTION = (
    "home-field advantage: our extension of the rules, the same in every stadium"
)
PLAN_ASSUMPTIONS = (FORMATIONS_ASSUMPTION, PLAYS_ASSUMPTION)  # assumptions in every real plan


def list_assumptions(overrides: Mapping[str, Any] | None = None) -> list[str]:
    """Return the assumptions in a season's game that are neither rules nor data.

    Every report lists them.
    """
    options_in_use = RULES.parse_options(season_options(0, overrides=overrides))
    assumptions = [*PLAN_ASSUMPTIONS]
    if options_in_use["short_field"]:
        assumptions.append(SHORT_FIELD_ASSUMPTION)
    if options_in_use["home_field"]:
        assumptions.append(HOME_FIELD_ASSUMPTION)
    return assumptions


def assumptions_note(overrides: Mapping[str, Any] | None = None) -> str:
    """Name the same assumptions in one line, with the page that explains them."""
    return format_assumptions(list_assumptions(overrides))


def format_assumptions(assumptions: Sequence[str]) -> str:
    """Name assumptions in one line, with the page that explains them."""
    names = [assumption.partition(":")[0] for assumption in assumptions]
    return f"Partly assumed: {', '.join(names)}. See {ASSUMPTIONS_PAGE}."


def season_options(
    season: int, playoff: bool = False, overrides: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return all options of a game of a season; the user's own options take precedence."""
    return {
        **PRESETS["recommended"],
        "short_field": True,
        "kick_touchback_spot": season_touchback(season),
        **schedule.overtime_options(season, playoff),
        **(overrides or {}),
    }
