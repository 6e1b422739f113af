"""Scenarios: the worked examples of every rule set, and what makes a scenario fail."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hashmark.errors import HashmarkError
from hashmark.session import scenario
from hashmark.storage import search_path

FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.json"))
ALL = [
    pytest.param(path, one, id=str(one.get("id")))
    for path in FILES
    for one in scenario.read_scenarios(path)
]

DRIVE: dict[str, Any] = {
    "id": "drive",
    "rules": "fourth-down",
    "start": {"phase": "drive", "possession": "home", "spot": 30, "clock": 150},
    "calls": {"home": ["balanced"]},
    "dice": {"home": [14, 8, 6]},
    "expect": {"spot": 75, "down": 4, "to_go": 6},
}


@pytest.mark.parametrize(("path", "one"), ALL)
def test_every_scenario_passes(path: Path, one: Mapping[str, Any]) -> None:
    with search_path.search_beside(path):
        outcome = scenario.run_scenario(one)
    assert outcome.ok, outcome


def test_differences_are_named() -> None:
    outcome = scenario.run_scenario({**DRIVE, "expect": {"spot": 74, "score": {"home": 3}}})
    assert outcome.diff == ["spot: expected 74, got 75", "score.home: expected 3, got 0"]


def test_expected_events_must_occur_in_order() -> None:
    events = ["drives home 45 31 75", "faces fourth home 6 75"]
    assert scenario.run_scenario({**DRIVE, "events": events}).ok
    assert scenario.run_scenario({**DRIVE, "events": events[1:]}).ok
    for wrong in (
        events[::-1],
        ["drives home 45 31 76"],
        ["drives away 45 31 75"],
        [*events, events[1]],
    ):
        diff = scenario.run_scenario({**DRIVE, "events": wrong}).diff
        assert len(diff) == 1
        assert "got drives home 45 31 75, faces fourth home 6 75" in diff[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"events": "drives"}, "events: expected a list of lines"),
        ({"events": [1]}, "events: expected a list of lines"),
        ({"rules": "forth-down"}, "did you mean 'fourth-down'"),
        ({"options": {"punt-touchbak": "twenty"}}, "did you mean 'punt-touchback'"),
        ({"options": {"punt-touchback": "ten"}}, "allowed: twenty, goal-line"),
        ({"dice": {"home": [14, 8, 6, 9]}}, "left over: home dice 9"),
        ({"dice": {"home": [14, 8]}}, "home has no more dice for a d10"),
        ({"dice": {"home": [21, 8, 6]}}, "a d20 cannot show 21, only 1 to 20"),
        ({"dice": {"home": [14, 8, "6"]}}, "cannot show '6'"),
        ({"dice": {"home": [True, 8, 6]}}, "cannot show True"),
        ({"dice": {"hime": [1]}}, "did you mean 'home'"),
        ({"calls": {"home": ["balanced", "punt", "punt"]}}, "left over: home calls punt"),
        ({"calls": {"home": ["balance"]}}, "did you mean 'balanced'"),
        ({"calls": "balanced"}, "calls: expected an object"),
        ({"start": []}, "start: expected an object"),
        ({"start": {"spot": 140}}, "position.spot: 140 is not between 1 and 99"),
        ({"start": {"clock": -1}}, "position.clock: -1 is not between 0 and 180"),
        ({"start": {"sport": 1}}, "did you mean 'spot'"),
        ({"start": {"phase": "drive"}}, "phase drive needs possession"),
        (
            {"start": {"phase": "drive", "possession": "home", "spot": 3, "clock": 0}},
            "a clock above 0",
        ),
        ({"expects": {}}, "did you mean 'expect'"),
        ({"error": "x"}, "either expect or error"),
    ],
)
def test_broken_scenarios_say_what_is_wrong(change: dict[str, Any], message: str) -> None:
    outcome = scenario.run_scenario({**DRIVE, **change})
    assert not outcome.ok
    assert message in str(outcome.error)


def test_a_missing_expected_error_fails() -> None:
    without_expect = {key: value for key, value in DRIVE.items() if key != "expect"}
    assert "expected the error" in str(
        scenario.run_scenario({**without_expect, "error": "no"}).error
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: not JSON"),
        ('{"a": 1}', "JSON list"),
        ("[1]", "number 1 is not"),
        ("1" * 5000, "not JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
    ids=["torn", "object", "numbers", "long number", "deep"],
)
def test_unreadable_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(HashmarkError, match=message):
        scenario.read_scenarios(path)
    with pytest.raises(HashmarkError, match="cannot read"):
        scenario.read_scenarios(tmp_path / "missing.json")


@pytest.mark.parametrize(
    ("start", "position"),
    [
        (
            {"phase": "over", "score": {"home": 7}},
            {"clock": 0, "winner": "home", "possession": None},
        ),
        ({"phase": "over"}, {"winner": "tie", "spot": None}),
        (
            {"phase": "drive", "possession": "away", "spot": 20, "untimed": True, "down": 1},
            {"untimed": False, "down": None, "received_first": "home"},
        ),
        ({"phase": "try", "possession": "away", "spot": 98, "to_go": 3}, {"to_go": None}),
        (
            {"phase": "fourth-down", "possession": "away", "spot": 95, "to_go": 9},
            {"down": 4, "to_go": 5},
        ),
    ],
)
def test_set_up_positions_are_normalized(start: dict[str, Any], position: dict[str, Any]) -> None:
    outcome = scenario.run_scenario(
        {"id": "x", "rules": "fourth-down", "start": start, "expect": position}
    )
    assert outcome.ok, outcome


def test_a_winner_must_fit_the_score() -> None:
    start = {"phase": "over", "score": {"home": 7}, "winner": "away"}
    outcome = scenario.run_scenario(
        {"id": "x", "rules": "fourth-down", "start": start, "expect": {}}
    )
    assert "contradicts the score" in str(outcome.error)


def test_an_internal_error_fails_only_its_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario, "_play", lambda one: 1 / 0)
    assert "Hashmark failed: ZeroDivisionError" in str(scenario.run_scenario(DRIVE).error)
