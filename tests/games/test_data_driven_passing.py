"""Windows that plan coaches decline automatically: the same game in fewer steps."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.passing import step_past
from hashmark.sim.plain import Sampler
from hashmark.table.rules import NO_CALL
from hashmark.table.thinking import CoachTable

PLAN = RULES.coach("plan")


def decide(m: Any, g: Any, table: Sampler) -> int:
    if not RULES.questions[RULES.question(m, g)].calls:
        return NO_CALL
    with RULES.veiled(m, g, RULES.asked(m, g), CoachTable(table.luck)):
        return RULES.decide(PLAN, m, g)


@pytest.mark.parametrize("audibles", p.AUDIBLES)
def test_steps_past_windows_equal_single_steps(audibles: str) -> None:
    """After each longer step: the same position, dice and random stream as after single steps."""
    m = RULES.new_match({"home_plan": "2008:ARI", "away_plan": "bold", "audibles": audibles})
    start = RULES.new_position(m)
    passed = asked = 0
    for number in range(3):
        longer, single = start.copy(), start.copy()
        longer.table, single.table = Sampler(RULES, 7, number), Sampler(RULES, 7, number)
        while not RULES.is_over(longer):
            step_past(m, longer, decide(m, longer, longer.table))
            RULES.step(m, single, decide(m, single, single.table))
            while single.flat() != longer.flat():
                assert RULES.questions[RULES.question(m, single)].default == p.STAND
                before = single.table.luck.count
                RULES.step(m, single, decide(m, single, single.table))
                assert single.table.luck.count == before
                passed += 1
            assert single.table.counts == longer.table.counts
            asked += longer.asks in (p.ASK_OFFENCE_AUDIBLE, p.ASK_DEFENCE_AUDIBLE)
        assert RULES.is_over(single)
    assert (passed > 100) == (audibles == "board")
    assert (asked > 0) == (audibles != "off")
