"""`hashmark simulate` in plain Python: the report, JSON, rows and positions to begin with."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from fuzz.in_process import hashmark, refused

PLAIN = ("simulate", "fourth-down", "--engine", "plain", "--games", "20", "--seed", "7")


def test_the_report_and_its_json() -> None:
    told = hashmark(*PLAIN, "--away", "coach:bold")
    read = json.loads(hashmark(*PLAIN, "--away", "bold", "--json").out)
    assert "home (book) wins" in told.out
    assert "away (bold) wins" in told.out
    assert f"digest {read['digest']}" in told.out
    assert read["home_wins"] + read["away_wins"] + read["ties"] == 20


def test_a_game_alone_is_told_of_one_side() -> None:
    drill = ("simulate", "two-minute-drill", "--engine", "plain", "--games", "2")
    said = hashmark(*drill).out
    assert "away" not in said
    assert "lost " in said
    assert "away (book) wins" in hashmark(*drill, "-o", "reply=true").out
    assert "away_wins" in json.loads(hashmark(*drill, "--json").out)


def test_a_row_for_each_game(tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    done = hashmark(*PLAIN, "--out", str(out))
    assert done.err == f"wrote {out}\n"
    assert len(list(csv.DictReader(out.read_text().splitlines()))) == 20
    assert hashmark(*PLAIN, "--out", str(out)).err == f"replaced {out}\n"


def test_games_may_begin_anywhere() -> None:
    late = '{"phase": "drive", "possession": "home", "spot": 30, "period": 2, "clock": 10}'
    read = json.loads(hashmark(*PLAIN, "--position", "-", "--json", said=late).out)
    whole = json.loads(hashmark(*PLAIN, "--json").out)
    assert read["home_points"] < whole["home_points"]
    assert "position" in refused(*PLAIN, "--position", "-", said='{"spot": 140}')
