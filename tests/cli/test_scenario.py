"""Tests of `hashmark scenario`: several files, and differences."""

from __future__ import annotations

import json
from pathlib import Path

from fuzz.in_process import get_refusal, run_command, run_ok

SCENARIOS = Path(__file__).parents[1] / "scenarios"


def test_files_are_counted_together() -> None:
    files = [str(SCENARIOS / f"{name}.json") for name in ("fourth-down", "roll-for-yardage")]
    rows = [json.loads(run_ok("scenario", file, "--json").out) for file in files]
    output = run_ok("scenario", *files).out
    assert f"{sum(map(len, rows))} passed, 0 failed" in output


def test_a_failed_scenario_has_status_1(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"id": "x", "rules": "fourth-down", "expect": {"clock": 1}}]')
    done = run_command(["scenario", str(path)])
    assert (done.status, done.err) == (1, "")
    assert "0 passed, 1 failed" in done.out


def test_a_file_without_scenarios_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}")
    assert "x.json" in get_refusal("scenario", str(path))
