"""The solver of the blind game against the rules, played in plain Python.

The last boxes of a game are solved, and some states are compared with every way that every call can
go, enumerated by the plain rules.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from hashmark.engine.record import HOME
from hashmark.games.rapid_roll import RULES, blind_states, coaches
from hashmark.games.rapid_roll import position as p
from hashmark.odds.enumeration import enumerate_outcomes

pytestmark = pytest.mark.heavy

TOOLS = Path(__file__).parents[3] / "tools"
M = RULES.new_match()
BOXES = 5


@pytest.fixture(scope="module")
def solved() -> Any:
    """Return the solver module, the calls by slot, and the slices of the last boxes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TOOLS))
        transitions = import_module("rapid_roll_blind.transitions")
        solver_module = import_module("rapid_roll_blind.solver")
    solver = solver_module.Solver(transitions.build_transitions(M))
    slices = [solver.end_of_half([solver_module.by_score(0.5)])]
    for boxes in range(1, BOXES + 1):
        slices.append(solver.previous(slices[-1], boxes))
    return solver_module, transitions.SCRIMMAGE_CALLS, slices


def play_blind(g: Any, call: int) -> None:
    """Play a call with its windows as the blind game answers them."""
    RULES.step(M, g, call)
    while g.window != p.NONE:
        if g.window in (p.CLOCK_CHOICE, p.OTHER_CLOCK_CHOICE):
            call = p.NO_TIMEOUT
        elif g.window == p.SIDELINE_CHOICE:
            call = p.STAY_IN
        else:
            call = p.MAGIC_0 if g.window == p.MAGIC_CHOICE else coaches.answer_window(M, g, 7, 4)
        RULES.step(M, g, call)


def worth_after(solved: Any, g: Any, call: int) -> float:
    """Return the worth to home of a position after a play, from the slice of its time."""
    module, calls, slices = solved
    lead = g.score[HOME] - g.score[1 - HOME]
    if RULES.is_over(g) or g.period > 4:
        return 0.5 if lead == 0 else float(lead > 0)
    row, ours = blind_states.state_row(g), g.possession == HOME
    at = slices[g.clock][0]
    column = module.CENTER + (lead if ours else -lead)
    repeats = ours and at.best[row, column] >= 0 and calls[at.best[row, column]] == call
    worth = float((at.repeated if repeats and g.last_play == call else at.worth)[row, column])
    return worth if ours else 1 - worth


def worth_by_rules(solved: Any, start: dict[str, Any], calls: list[int]) -> float:
    """Return the worth of the best call, each enumerated by the plain rules."""
    g = RULES.new_position(M, {"possession": "home", "period": 4, **start})
    g.timeouts = [0, 0]
    best = 0.0
    for call in calls:
        outcomes = enumerate_outcomes(RULES, g, partial(play_blind, call=call))
        worths = ((chance, worth_after(solved, after, call)) for chance, after, _ in outcomes)
        best = max(best, sum(float(chance) * worth for chance, worth in worths))
    return best


RUNS_AND_KICKS = [p.LINE_RUN, p.END_RUN, p.SNEAK, p.REVERSE, p.PUNT, p.FIELD_GOAL]


@pytest.mark.parametrize("lead", [-4, 0, 2])
@pytest.mark.parametrize("boxes", [2, BOXES])
@pytest.mark.parametrize(
    ("start", "row"),
    [
        ({"phase": "scrimmage", "spot": 96, "down": 3, "to_go": 2}, (96, 3, 2)),
        ({"phase": "scrimmage", "spot": 71, "down": 4, "to_go": 9}, (71, 4, 9)),
        ({"phase": "kickoff"}, blind_states.KICKOFF_ROW),
    ],
)
def test_a_state_is_worth_its_best_call(
    solved: Any, start: dict[str, Any], row: Any, boxes: int, lead: int
) -> None:
    module, calls, slices = solved
    score = {"home": 20 + lead, "away": 20}
    if isinstance(row, tuple):
        row = blind_states.scrimmage_row(*row)
    column = module.CENTER + lead
    slot = slices[boxes][0].best[row, column]
    kicks = (p.KICK_OFF, p.ONSIDE)
    best = kicks[slot] if row == blind_states.KICKOFF_ROW else calls[slot]
    others = kicks if row == blind_states.KICKOFF_ROW else RUNS_AND_KICKS
    given = {**start, "clock": boxes, "score": score}
    found = float(slices[boxes][0].worth[row, column])
    assert worth_by_rules(solved, given, [best]) == pytest.approx(found, abs=2e-4)
    assert worth_by_rules(solved, given, [*others]) <= found + 2e-4
