"""Tests of `hashmark plan show`, `list`, `check` and `build`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_command, run_ok
from hashmark.games.data_driven.charts.files import SHIPPED
from league.real_seasons import PLAYS_FOLDER, needs_plays


def test_show_writes_a_file_to_edit(tmp_path: Path) -> None:
    out = tmp_path / "ari.plan.toml"
    run_ok("plan", "show", "ARI", "2008", "--out", str(out))
    assert "# 3rd & 7 to 10" in out.read_text(encoding="utf-8")
    run_ok("plan", "check", str(out))
    out.write_text(out.read_text(encoding="utf-8").replace("draw = ", "drew = "), encoding="utf-8")
    done = run_command(["plan", "check", str(out)])
    assert done.status == 1
    assert "ari.plan.toml: [[play]] number 1: unknown call 'drew': did you mean 'draw'" in done.out
    data = json.loads(run_command(["plan", "check", str(out), "--json"]).out)
    assert data["entries"] == {}
    assert "unknown call 'drew'" in data["fault"]


def test_check_counts_entries() -> None:
    output = run_ok("plan", "check", "book").out
    assert output.startswith("book: 0 warnings; entries: play ")
    assert json.loads(run_ok("plan", "check", "book", "--json").out)["fault"] is None


def test_show_in_words_and_as_json() -> None:
    output = run_ok("plan", "show", "ARI", "2008", "--section", "tempo").out
    assert "Tempo while the clock runs (tempo)" in output
    assert "Formations" not in output
    data = json.loads(run_ok("plan", "show", "book", "--json").out)
    assert data["numbers"] == {"return-depth": 4, "roll-inside": 6}
    assert data["sections"]["audible"] == [{"when": {}, "audible": 1}]
    some = json.loads(run_ok("plan", "show", "book", "--section", "try", "--json").out)
    assert list(some["sections"]) == ["try"]


def test_show_takes_season_and_team_in_both_orders() -> None:
    shown = run_ok("plan", "show", "2008", "ARI").out
    assert (
        shown == run_ok("plan", "show", "ARI", "2008").out == run_ok("plan", "show", "2008:ARI").out
    )
    assert "expected SEASON TEAM" in get_refusal("plan", "show", "ARI", "PIT")


def test_list_has_a_line_for_every_team() -> None:
    output = run_ok("plan", "list", "2008").out.splitlines()
    assert len(output) == 38
    assert output[3].startswith("2008:ARI")
    assert max(map(len, output)) <= 80
    data = json.loads(run_ok("plan", "list", "2008", "--json").out)
    assert len(data) == 33
    assert 0 < data["ARI"]["runs_on_1st_and_10"] < 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "XYZ", "2008"), "unknown team in 2008.plans.toml 'XYZ'"),
        (("show", "ARI", "1950"), "no season plan file '1950'"),
        (("show", "ARI", "2008", "--section", "plays"), "did you mean 'play'"),
        (("list", "1950"), "no season plan file '1950'"),
        (("build", "1950"), "no play-by-play of 1950"),
    ],
)
def test_invalid_arguments_are_refused_in_one_sentence(
    arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HASHMARK_PBP", raising=False)
    assert said in get_refusal("plan", *arguments)


@needs_plays
def test_build_writes_plans_and_figures(tmp_path: Path) -> None:
    out, figures = tmp_path / "made.plans.toml", tmp_path / "made.csv"
    data = str(PLAYS_FOLDER / "pbp_2008.parquet")
    given = ("2008", "--pbp", data, "--out", str(out), "--figures", str(figures))
    run_ok("plan", "build", *given)
    assert out.read_bytes() == (SHIPPED / "2008.plans.toml").read_bytes()
    assert figures.read_text(encoding="utf-8").startswith("team,side,games,wins,points")
