"""Tests of `hashmark scenario`: several files, and differences."""

from __future__ import annotations

import json
from pathlib import Path

from fuzz.in_process import answer, hashmark, refused

SCENARIOS = Path(__file__).parents[1] / "scenarios"


def test_files_are_counted_together() -> None:
    files = [str(SCENARIOS / f"{name}.json") for name in ("fourth-down", "roll-for-yardage")]
    rows = [json.loads(hashmark("scenario", file, "--json").out) for file in files]
    output = hashmark("scenario", *files).out
    assert f"{sum(map(len, rows))} passed, 0 failed" in output


def test_a_failed_scenario_has_status_1(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"id": "x", "rules": "fourth-down", "expect": {"clock": 1}}]')
    done = answer(["scenario", str(path)])
    assert (done.status, done.err) == (1, "")
    assert "0 passed, 1 failed" in done.out


def test_a_file_without_scenarios_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}")
    assert "x.json" in refused("scenario", str(path))
