"""Audible windows that plan coaches decline automatically, to save steps in bulk simulation.

In a game session every coach who can afford an audible is asked (R112). A coach that follows a plan
stands unless it sees a mismatch against its side, and draws no random number for that decision.
Between two plan coaches most windows can only be declined; `step_past_audibles` declines them by
the same rules within one step.
"""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.audibles import answer_audible, is_mismatched
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.rules import answer_call, run_stages


@rule
def always_stands(m: Match, g: Position, side: int) -> bool:
    """Return whether a plan coach stands regardless of its plan: no mismatch is visible."""
    return m.audibles == p.AUDIBLES_BOARD and not is_mismatched(m, g, side)


@rule
def step_past_audibles(m: Match, g: Position, call: int) -> None:
    """Take a step, and decline the audible windows after it that plan coaches always decline."""
    team = g.possession
    answer_call(m, g, call)
    if g.asks == p.ASK_OFFENSE_AUDIBLE and always_stands(m, g, p.OFFENSE):
        answer_audible(m, g, p.OFFENSE, p.STAND)
    if g.asks == p.ASK_DEFENSE_AUDIBLE and always_stands(m, g, p.DEFENSE):
        answer_audible(m, g, p.DEFENSE, p.STAND)
    run_stages(m, g, team)
