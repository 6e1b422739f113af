"""Tests of `hashmark solve`: refused arguments, reports, and solutions in the data directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.engine import registry
from hashmark.values import array_file, solution
from hashmark.values.value import Value

RULES = registry.load("fourth-down")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))


def write_solution(task: solution.SolveTask) -> Path:
    """Write a file that looks like a solution."""
    task.path.parent.mkdir(parents=True, exist_ok=True)
    with task.path.open("wb") as stream:
        array_file.write_arrays_and_footer(stream, 0, {"keys": np.zeros(3)}, {}, task.identity)
    return task.path


def test_a_game_must_be_named_and_solvable() -> None:
    assert "or list solutions with --info" in get_refusal("solve")
    assert "rapid-roll is too large to be solved" in get_refusal("solve", "rapid-roll")
    assert "--tie 3: expected a number from 0 to 1" in get_refusal(
        "solve", "fourth-down", "--tie", "3"
    )


def test_info_lists_solutions() -> None:
    assert "No solutions in" in run_ok("solve", "--info").out
    usual = write_solution(solution.SolveTask(RULES, RULES.new_match()))
    write_solution(solution.SolveTask(RULES, RULES.new_match({"late-half-ends": True}), 0.25))
    broken = usual.with_name("broken.solution")
    broken.write_bytes(b"nothing")
    output = run_ok("solve", "--info").out
    assert "late_half_ends=True" in output
    assert "default" in output
    assert "damaged" in output
    data = json.loads(run_ok("solve", "--info", "--json").out)
    assert {one["tie"] for one in data} == {0.5, 0.25, ""}


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"format": "hashmark-solution/1"}, "older format; unused"),
        ({"version": 0}, f"rules 0, now {RULES.version}; unused"),
        ({"rules": "no-such-game"}, "no-such-game (not installed)"),
    ],
)
def test_info_says_why_a_solution_is_unused(other: dict[str, Any], said: str) -> None:
    task = solution.SolveTask(RULES, RULES.new_match())
    write_solution(task)
    with task.path.with_name("old.solution").open("wb") as stream:
        array_file.write_arrays_and_footer(
            stream, 0, {"keys": np.zeros(3)}, {}, {**task.identity, **other}
        )
    output = run_ok("solve", "--info").out
    assert output.count("unused") + output.count("not installed") == 1
    assert said in output


def test_an_existing_solution_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class Known:
        def value(self, g: Any) -> Value:
            return Value(0.5, 0.1, 0.4)

    path = write_solution(solution.SolveTask(RULES, RULES.new_match()))
    monkeypatch.setattr(solution, "find", lambda rules, m, tie=0.5: Known())
    output = run_ok("solve", "fourth-down").out
    assert "home wins 50.0000 %, tie 10.0000 %, away wins 40.0000 %" in output
    assert path.name in output
    data = json.loads(run_ok("solve", "fourth-down", "--json").out)
    assert (data["home"], data["tie"], data["away"]) == (0.5, 0.1, 0.4)
