"""Windows that plan coaches decline automatically: the same game in fewer steps."""

from __future__ import annotations

import pytest

from hashmark.engine.coach_requests import CoachHandler
from hashmark.engine.rule_set import NO_CALL
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.skipped_audibles import step_past_audibles
from hashmark.sim.plain import SamplingHandler

PLAN = RULES.coach("plan")


def decide(m: Match, g: Position, table: SamplingHandler) -> int:
    if not RULES.questions[RULES.question(m, g)].calls:
        return NO_CALL
    with RULES.redacted(m, g, RULES.team_to_act(m, g), CoachHandler(table.coach_stream)):
        return RULES.decide(PLAN, m, g)


@pytest.mark.parametrize("audibles", p.AUDIBLE_MODES)
def test_steps_past_windows_equal_single_steps(audibles: str) -> None:
    """After each longer step: the same position, dice and random stream as after single steps."""
    m = RULES.new_match({"home_plan": "2008:ARI", "away_plan": "bold", "audibles": audibles})
    start = RULES.new_position(m)
    passed = asked = 0
    for number in range(3):
        longer, single = start.copy(), start.copy()
        longer.handler, single.handler = (
            SamplingHandler(RULES, 7, number),
            SamplingHandler(RULES, 7, number),
        )
        while not RULES.is_over(longer):
            step_past_audibles(m, longer, decide(m, longer, longer.handler))
            RULES.step(m, single, decide(m, single, single.handler))
            while single.flat() != longer.flat():
                assert RULES.questions[RULES.question(m, single)].default == p.STAND
                before = single.handler.coach_stream.word_count
                RULES.step(m, single, decide(m, single, single.handler))
                assert single.handler.coach_stream.word_count == before
                passed += 1
            assert single.handler.counts == longer.handler.counts
            asked += longer.asks in (p.ASK_OFFENSE_AUDIBLE, p.ASK_DEFENSE_AUDIBLE)
        assert RULES.is_over(single)
    assert (passed > 100) == (audibles == "board")
    assert (asked > 0) == (audibles != "off")
