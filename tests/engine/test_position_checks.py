"""Checks of positions that a user sets up."""

from __future__ import annotations

import pytest

from hashmark.engine.position_checks import PhaseFields, score_headroom
from hashmark.engine.record import MAX_POINTS
from hashmark.games.fourth_down import RULES


def test_a_field_is_refused_outside_its_phases() -> None:
    fields = PhaseFields(RULES.position, "phase", {"to_go": "fourth-down drive"})
    g = RULES.new_position(RULES.new_match())
    assert fields.describe_misplaced(g) is None
    g.to_go = 3
    assert fields.describe_misplaced(g) == (
        "to_go does not apply in phase coin-toss: it applies only in phase drive, fourth-down"
    )
    g.phase = fields.names.index("fourth-down")
    assert fields.describe_misplaced(g) is None


def test_an_unknown_phase_is_a_fault_of_the_declaration() -> None:
    with pytest.raises(ValueError, match="has no no-such-phase"):
        PhaseFields(RULES.position, "phase", {"to_go": "no-such-phase"})


def test_a_score_leaves_room_for_points_to_come() -> None:
    g = RULES.new_position(RULES.new_match())
    g.score[1] = MAX_POINTS - 8
    assert score_headroom(g, 8) is None
    assert score_headroom(g, 9) == (
        f"score.away: {MAX_POINTS - 8} is more than {MAX_POINTS - 9}, with time left to score"
    )
