"""Commands that need a solved pairing: they solve it, or say how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.cli import pairings
from hashmark.engine import registry
from hashmark.values import pairing_solver, pairing_table

RULES = registry.load("data-driven")


@pytest.fixture(autouse=True)
def solved(monkeypatch: pytest.MonkeyPatch) -> list[pairing_table.PairingTask]:
    """Count what is solved, and solve nothing."""
    tasks: list[pairing_table.PairingTask] = []

    def solve(task: pairing_table.PairingTask, **settings: Any) -> Path:
        tasks.append(task)
        return task.path

    monkeypatch.setattr(pairing_solver, "solve", solve)
    return tasks


@pytest.fixture
def _no_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pairing_table, "pairings_dir", lambda: tmp_path)


@pytest.mark.usefixtures("_no_tables")
def test_only_coaches_of_pairings_need_a_table(solved: list[pairing_table.PairingTask]) -> None:
    options = {"charts": "2008"}
    pairings.solve_for_coaches(RULES, options, ("human", "coach:book", None))
    assert not solved
    pairings.solve_for_coaches(RULES, options, ("human", "coach:rookie"))
    assert [task.rules.name for task in solved] == ["data-driven"]


@pytest.mark.usefixtures("_no_tables")
def test_both_teams_must_be_named() -> None:
    assert "name both teams" in get_refusal("solve", "data-driven", "ARI-2008")
    assert "real teams play data-driven" in get_refusal(
        "solve", "rapid-roll", "ARI-2008", "PIT-2008"
    )


def test_a_solved_pairing_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, solved: list[pairing_table.PairingTask]
) -> None:
    """The report has the value of a new game; what is solved already is not solved again."""
    from hashmark.values import sources
    from hashmark.values.value import Value

    class Source:
        description = "a table"

        def value(self, g: Any) -> Value:
            return Value(0.6, 0.0, 0.4, 0.02)

    path = tmp_path / "a.pairing"
    path.write_bytes(b"x")
    monkeypatch.setattr(pairing_table, "find", lambda rules, m: {})
    monkeypatch.setattr(pairing_table.PairingTask, "path", path)
    monkeypatch.setattr(sources, "solved_source", lambda rules, m: Source())
    shown = run_ok("solve", "data-driven", "ARI-2008", "PIT-2008").out
    assert "home wins 60.0 %" in shown
    assert not solved
    data = json.loads(run_ok("solve", "data-driven", "ARI-2008", "PIT-2008", "--json").out)
    assert (data["home"], data["exact"], data["bytes"]) == (0.6, False, 1)
