"""Windows that a coach with a plan lets pass: a loop that plays many games spends no step on them.

At the table everybody who may spend an audible is asked (R112). A coach that follows a plan stands
unless he sees a mismatch against him, and draws no number for that. Between two such coaches most
windows can only pass; here they do, by the same rules, before the step goes on.
"""

from __future__ import annotations

from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.audibles import answer_audible, is_mismatched
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.rules import answer_call, run_stages
from hashmark.table.rule import rule


@rule
def stands(m: Match, g: Position, side: int) -> bool:
    """Whether a coach with a plan keeps to his call whatever the plan says: he sees no reason."""
    return m.audibles == p.BOARD and not is_mismatched(m, g, side)


@rule
def step_past(m: Match, g: Position, call: int) -> None:
    """A step, and with it those after it in which coaches with plans only let a window pass."""
    team = g.possession
    answer_call(m, g, call)
    if g.asks == p.ASK_OFFENCE_AUDIBLE and stands(m, g, p.OFFENCE):
        answer_audible(m, g, p.OFFENCE, p.STAND)
    if g.asks == p.ASK_DEFENCE_AUDIBLE and stands(m, g, p.DEFENCE):
        answer_audible(m, g, p.DEFENCE, p.STAND)
    run_stages(m, g, team)
