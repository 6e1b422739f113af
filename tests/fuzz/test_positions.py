"""Set-up positions: some fuzzing, saved cases, and impossible positions that are refused."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.errors import InvalidPosition
from hashmark.sim import simulate

from . import positions
from .harness import assert_no_findings, find_fault, saved_cases
from .positions import GAMES, any_value, compare, encode_case, fuzzer_of, match_of, pool

BY_GAME = pytest.mark.parametrize("name", GAMES)


@pytest.mark.parametrize("path", saved_cases("positions"), ids=lambda path: path.stem)
def test_saved_cases_have_no_fault(path: Path) -> None:
    assert find_fault(positions.FUZZER, path.read_bytes()) is None


@BY_GAME
def test_positions_of_real_games_are_accepted(name: str) -> None:
    rules = registry.load(name)
    for options, position in (entry for group in pool(name) for entry in group[:20]):
        g = rules.new_position(match_of(name, json.dumps(options)), position)
        assert g.to_json() == position


@BY_GAME
def test_fuzzed_positions_have_no_fault(name: str) -> None:
    assert_no_findings(fuzzer_of(name), seed=1, cases=60)


def compare_engines(name: str, seed: int, cases: int) -> None:
    """Compare the engines; compile first, because that takes longer than a case may."""
    simulate(name, 1, home="random", away="random")
    assert_no_findings(fuzzer_of(name, compare), seed, cases)


@BY_GAME
def test_engines_agree_on_set_up_positions(name: str) -> None:
    compare_engines(name, seed=2, cases=40)


@pytest.mark.long
@BY_GAME
def test_many_fuzzed_positions_have_no_fault(name: str) -> None:
    assert_no_findings(fuzzer_of(name), seed=3, cases=20_000)
    compare_engines(name, seed=4, cases=4000)


@pytest.mark.long
@BY_GAME
def test_changing_any_key_at_any_question_makes_no_fault(name: str) -> None:
    """Change one key at a time, every key, at every question."""
    rules = registry.load(name)
    random = Random(f"sweep {name}")
    for group in pool(name):
        for key, kind in rules.position.fields.items():
            for _ in range(12):
                options, position = random.choice(group)
                changed = {**position, key: any_value(kind, random)}
                case = {"rules": name, "options": options, "position": changed}
                problem = find_fault(
                    fuzzer_of(name), encode_case({**case, "coach": "random", "game": 1})
                )
                assert problem is None, f"{key} {changed[key]!r}: {problem}"


SCRIMMAGE = {"phase": "scrimmage", "possession": "home", "spot": 30}


@pytest.mark.parametrize(
    ("name", "position", "message"),
    [
        (
            "data-driven",
            {"asks": "play"},
            "play is not asked in phase coin-toss; allowed: coin, toss",
        ),
        ("data-driven", {"asks": "formation"}, "formation is not asked in phase coin-toss"),
        (
            "data-driven",
            {**SCRIMMAGE, "return_foul": "off-5"},
            "return_foul does not apply in asks",
        ),
        ("data-driven", {**SCRIMMAGE, "asks": "penalty"}, "play: nothing cannot be in progress"),
        ("data-driven", {**SCRIMMAGE, "extension": 1}, "extension does not apply in asks play"),
        ("data-driven", {**SCRIMMAGE, "clock": 901}, "clock 901: period 1 has only 900 seconds"),
        ("two-minute-drill", {"phase": "special"}, "needs faces for d4, dta and dtb"),
        ("two-minute-drill", {"gain": 3}, "gain does not apply in phase scrimmage"),
        ("rapid-roll", {"window": "clock"}, "needs roll, the number about to go on the clock line"),
        ("rapid-roll", {**SCRIMMAGE, "carrier": "home"}, "carrier does not apply in window none"),
        ("rapid-roll", {**SCRIMMAGE, "window": "magic"}, "needs call, roll, play and carrier"),
        (
            "roll-for-yardage",
            {"line": {"home": [7, 0, 0, 0, 0]}},
            "line.home adds up to 7",
        ),
    ],
)
def test_impossible_positions_are_refused(
    name: str, position: dict[str, Any], message: str
) -> None:
    rules = registry.load(name)
    with pytest.raises(InvalidPosition, match=message):
        rules.new_position(rules.new_match(), position)


@pytest.mark.parametrize("name", GAMES)
def test_scores_leave_room_for_the_game(name: str) -> None:
    """Refuse a score if 32 bits could not hold it and the points still to come."""
    rules = registry.load(name)
    m = rules.new_match()
    with pytest.raises(InvalidPosition, match="2147483647 is not between 0 and 999999"):
        rules.new_position(m, {"score": {"home": 2**31 - 1}})
    with pytest.raises(InvalidPosition, match=r"score\.away: 999999 is more than"):
        rules.new_position(m, {"score": {"away": 999_999}})
    assert rules.new_position(m, {"score": {"home": 9999}}).score[0] == 9999
