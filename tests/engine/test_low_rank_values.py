"""Low-rank value functions in plain Python: codes, regions, and what a file records."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from hashmark.engine import registry
from hashmark.engine.low_rank_values import LowRankValues, key_code, shipped_values

RULES = registry.load("fourth-down")


def shipped() -> LowRankValues:
    assert RULES.presentation.rules_page is not None
    content = (RULES.presentation.rules_page.parent / "values.bin").read_bytes()
    return LowRankValues(RULES, content)


def test_a_key_has_a_mixed_radix_code() -> None:
    digits = [[0, 1, 3], [2, -1, 10]]
    assert key_code([1, 99, -1], digits) == 0
    assert key_code([3, 0, 8], digits) == 29
    assert key_code([4, 0, 8], digits) == key_code([3, 0, 9], digits) == -1


def test_the_file_records_how_it_was_trained() -> None:
    training = shipped().training
    assert {"seed", "games", "test_seed", "test_games", "coaches", "rank"} <= set(training)
    assert training["seed"] != training["test_seed"]


def test_chances_are_probabilities() -> None:
    function, m = shipped(), RULES.new_match()
    for clock in (1, 9, 50, 133):
        for spot in (1, 35, 99):
            given = {"phase": "drive", "possession": "away", "clock": clock, "spot": spot}
            chances = function.chances(m, RULES.new_position(m, given))
            assert chances is not None
            assert min(chances) >= 0
            assert sum(chances) == pytest.approx(1)


def test_more_points_are_hardly_ever_worse() -> None:
    function, m = shipped(), RULES.new_match()
    worths = []
    for points in range(20):
        given = {"phase": "drive", "possession": "home", "period": 2, "clock": 40, "spot": 50,
                 "score": {"home": points, "away": 10}}  # fmt: skip
        chances = function.chances(m, RULES.new_position(m, given))
        assert chances is not None
        worths.append(chances[0] + chances[1] / 2)
    assert all(later > earlier - 0.01 for earlier, later in itertools.pairwise(worths))


def test_a_game_without_a_file_has_no_value_function(tmp_path: Path) -> None:
    assert not shipped_values(tmp_path).supports(RULES, RULES.new_match())
