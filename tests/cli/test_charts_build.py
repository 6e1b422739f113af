"""Tests of `hashmark charts build` and `rebuild`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_command, run_ok
from hashmark.games.data_driven.charts import files as charts
from hashmark.league.charts import shipped_charts
from league.invented_plays import frame, run
from league.real_seasons import PLAYS_FOLDER, needs_plays


@needs_plays
def test_build_writes_charts_and_a_report(tmp_path: Path) -> None:
    out = tmp_path / "2008.toml"
    given = ("charts", "build", "2008", "--pbp", str(PLAYS_FOLDER / "pbp_2008.parquet"))
    done = run_ok(*given, "--out", str(out))
    assert "omitted: 378 kneels" in done.out
    assert "0 beyond the resolution of the dice" in done.out
    assert charts.check(out)[1] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("2030", "--pbp", "plays.parquet"), "plays.parquet lacks the column desc"),
        (("2030",), "no play-by-play of 2030"),
        (("2030", "--mode", "raw"), "unknown mode 'raw'"),
        (("2030", "--weeks", "some"), "'some'"),
        (("2030", "--out", "no/such/folder/x.toml"), "cannot write"),
    ],
)
def test_build_refuses_invalid_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HASHMARK_PBP", raising=False)
    frame(run()).drop("desc").write_parquet("plays.parquet")
    assert said in get_refusal("charts", "build", *arguments)


class FakeCharts:
    """Charts that need no building."""

    def text(self) -> str:
        return "made\n"

    def to_json(self) -> dict[str, object]:
        return {"season": 2008}


@pytest.fixture
def fake_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Build nothing; the shipped charts are files of the test."""
    monkeypatch.setattr(shipped_charts, "SHIPPED", tmp_path)
    monkeypatch.setattr(shipped_charts, "build_charts", lambda *_, **__: FakeCharts())
    (tmp_path / "pbp_2008.parquet").touch()
    (tmp_path / "pbp_2009.parquet").touch()
    (tmp_path / "2008.toml").write_text("made\n")
    (tmp_path / "2009.toml").write_text("otherwise\n")
    return tmp_path


def test_rebuild_reports_and_writes_differences(fake_charts: Path) -> None:
    given = ["charts", "rebuild", "--pbp", str(fake_charts), "--season", "2008", "--season", "2009"]
    checked = run_command([*given, "--check"])
    assert (checked.status, checked.out) == (1, "2008.toml: the same\n2009.toml: differs\n")
    assert (fake_charts / "2009.toml").read_text() == "otherwise\n"
    assert run_ok(*given).out == "2008.toml: the same\n2009.toml: written\n"
    assert (fake_charts / "2009.toml").read_text() == "made\n"
    assert run_ok(*given, "--check").out.count("the same") == 2


def test_every_shipped_season_can_be_rebuilt() -> None:
    assert [str(year) for year in shipped_charts.SEASONS] == sorted(
        path.stem for path in charts.SHIPPED.glob("20[0-9][0-9].toml")
    )


def test_build_prints_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hashmark.league.charts import build

    monkeypatch.setattr(build, "build_charts", lambda *_, **__: FakeCharts())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plays.csv").touch()
    data = json.loads(run_ok("charts", "build", "2008", "--pbp", "plays.csv", "--json").out)
    assert data == {"file": "2008.toml", "season": 2008}
    assert (tmp_path / "2008.toml").read_text() == "made\n"
