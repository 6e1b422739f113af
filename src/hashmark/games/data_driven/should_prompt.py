"""Which windows of Data-Driven Football are worth a prompt.

A window closes by itself where hardly any coach would answer it differently. A player who wants
every prompt can turn them on (`ask always`).
"""

from __future__ import annotations

from hashmark.engine.record import ONE_SCORE_POINTS
from hashmark.engine.rule import rule
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.clock import LAST_QUARTER, LATE_IN_GAME_SECONDS, SHORT_PLAY_SECONDS
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.rules import team_to_act


@rule
def should_prompt(m: Match, g: Position) -> bool:
    """Return whether the open window is worth a prompt: an audible is left, or the clock counts."""
    team = team_to_act(m, g)
    if g.asks == p.ASK_OFFENSE_AUDIBLE:
        return g.audibles[team][p.OFFENSE] > 0
    if g.asks == p.ASK_DEFENSE_AUDIBLE:
        return g.audibles[team][p.DEFENSE] > 0
    lead = g.score[team] - g.score[1 - team]
    if g.asks == p.ASK_TEMPO and g.period == LAST_QUARTER and lead < -ONE_SCORE_POINTS:
        return g.clock > SHORT_PLAY_SECONDS
    return clock_counts(g) and (g.period < LAST_QUARTER or lead <= ONE_SCORE_POINTS)


@rule
def clock_counts(g: Position) -> bool:
    """R94 to R96: Return whether the last five minutes of a half run, less its shortest play."""
    ends_half = g.period == 2 or g.period >= LAST_QUARTER
    return ends_half and SHORT_PLAY_SECONDS < g.clock <= LATE_IN_GAME_SECONDS
