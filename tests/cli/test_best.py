"""Tests of `hashmark best`: the table of calls, its words and its JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.engine.position_id import encode_position
from hashmark.engine.rule_set import RuleSet
from hashmark.values import sources
from values.enumerated import Enumerated

FOURTH: dict[str, Any] = {
    "phase": "fourth-down",
    "period": 2,
    "clock": 2,
    "possession": "home",
    "spot": 70,
    "to_go": 4,
    "score": {"home": 20, "away": 22},
}
COMMAND = ("best", "fourth-down", "--position", "-")


@pytest.fixture(autouse=True)
def _enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    def source_of(rules: RuleSet, options: Any, *, tie: float = 0.5, **_: Any) -> Enumerated:
        return Enumerated(rules, rules.new_match(options), tie)

    monkeypatch.setattr(sources, "source_of", source_of)


def run_best(*more: str, **changed: Any) -> str:
    return run_ok(*COMMAND, *more, stdin_text=json.dumps({**FOURTH, **changed})).out


def test_the_calls_can_be_written_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    data = json.loads(run_best("--json", "--out", str(path)))
    table = pl.read_csv(path)
    assert table.columns == ["call", "home_wp", "tie", "away_wp", "loss", "loss_se"]
    assert table["call"][0] == data["best"]
    assert table["loss"].is_sorted()


def test_the_best_call_comes_first_and_others_show_their_loss() -> None:
    lines = run_best().splitlines()
    assert lines[1].startswith("Win probability after the best call: home ")
    head = next(index for index, line in enumerate(lines) if line.startswith("call "))
    assert lines[head].split("  ")[-1].strip() == "vs. best"
    assert lines[head + 2].endswith("best")
    assert all("-" in line for line in lines[head + 3 : head + 5])
    text = " ".join(lines)
    assert " beats " in text
    assert "of the time; here it succeeds" in text


def test_json_has_every_call() -> None:
    data = json.loads(run_best("--json"))
    assert data["team"] == "home"
    assert {one["call"] for one in data["calls"]} == {"go-for-it", "field-goal", "punt"}


def test_the_value_of_a_tie_changes_the_best_call() -> None:
    """Three points behind, an almost certain field goal would only tie the game."""
    given = {"score": {"home": 19, "away": 22}, "spot": 90, "to_go": 9, "clock": 1}
    level = json.loads(run_best("--json", "--tie", "1", **given))
    nothing = json.loads(run_best("--json", "--tie", "0", **given))
    assert level["best"] == "field-goal"
    assert nothing["best"] == "go-for-it"


def test_output_says_if_the_call_does_not_matter() -> None:
    output = run_best(score={"home": 60, "away": 0})
    assert "All calls are within 0.5 percentage points of each other." in output
    assert " same\n" in output
    over = {"phase": "drive", "clock": 1, "spot": 50, "to_go": None}
    assert "home 100.0 %" in run_best(**over, score={"home": 60, "away": 0})


def test_position_accepts_an_id() -> None:
    from hashmark.engine import registry

    rules = registry.load("fourth-down")
    text = encode_position(rules, {}, rules.new_position(rules.new_match(), FOURTH))
    assert run_ok("best", "fourth-down", "--position", text).out == run_best()


@pytest.mark.parametrize("tie", ["-0.1", "1.5", "nan"])
def test_a_tie_value_outside_0_to_1_is_refused(tie: str) -> None:
    assert "expected a number from 0 to 1" in get_refusal("best", "fourth-down", "--tie", tie)


def test_a_finished_position_is_refused() -> None:
    assert "is over" in get_refusal(*COMMAND, stdin_text='{"phase": "over"}')
