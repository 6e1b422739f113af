"""Tests of `hashmark simulate` in plain Python: the report, JSON, rows and starting positions."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from fuzz.in_process import get_refusal, run_ok

PLAIN = ("simulate", "fourth-down", "--engine", "plain", "--games", "20", "--seed", "7")


def test_the_report_and_its_json_agree() -> None:
    output = run_ok(*PLAIN, "--away", "coach:bold")
    data = json.loads(run_ok(*PLAIN, "--away", "bold", "--json").out)
    assert "home (book) wins" in output.out
    assert "away (bold) wins" in output.out
    assert f"digest {data['digest']}" in output.out
    assert data["home_wins"] + data["away_wins"] + data["ties"] == 20


def test_a_solo_game_reports_one_side() -> None:
    drill = ("simulate", "two-minute-drill", "--engine", "plain", "--games", "2")
    output = run_ok(*drill).out
    assert "away" not in output
    assert "lost " in output
    assert "away (book) wins" in run_ok(*drill, "-o", "reply=true").out
    assert "away_wins" in json.loads(run_ok(*drill, "--json").out)


def test_the_file_has_a_row_for_each_game(tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    done = run_ok(*PLAIN, "--out", str(out))
    assert done.err == f"wrote {out}\n"
    assert len(list(csv.DictReader(out.read_text().splitlines()))) == 20
    assert run_ok(*PLAIN, "--out", str(out)).err == f"replaced {out}\n"


def test_games_may_begin_in_any_position() -> None:
    late = '{"phase": "drive", "possession": "home", "spot": 30, "period": 2, "clock": 10}'
    data = json.loads(run_ok(*PLAIN, "--position", "-", "--json", stdin_text=late).out)
    whole = json.loads(run_ok(*PLAIN, "--json").out)
    assert data["home_points"] < whole["home_points"]
    assert "position" in get_refusal(*PLAIN, "--position", "-", stdin_text='{"spot": 140}')
