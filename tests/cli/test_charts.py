"""Tests of `hashmark charts check`, `show` and `export`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_command, run_ok
from hashmark.games.data_driven.charts import files as charts


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """The invented teams with an invalid cell."""
    text = (charts.SHIPPED / "invented.toml").read_text(encoding="utf-8")
    path = tmp_path / "broken.toml"
    path.write_text(text.replace('"QT"', '"QX"', 1), encoding="utf-8")
    return path


def test_check_lists_every_column() -> None:
    output = run_ok("charts", "check", "invented").out
    assert "\nOTTERS\n" in output
    assert "offence.line-plunge" in output
    assert output.splitlines()[-1].startswith("invented.toml: 2 teams, 0 errors, ")
    data = json.loads(run_ok("charts", "check", "invented", "--json").out)
    assert (data["faults"], data["missing"]) == ([], [])
    assert data["columns"]["OTTERS"][0]["column"] == "offence.line-plunge"


def test_check_locates_faults(broken: Path) -> None:
    done = run_command(["charts", "check", str(broken)])
    assert done.status == 1
    assert done.out.startswith("error: broken.toml")
    assert "'QX' is not a result of a chart" in done.out
    data = json.loads(run_command(["charts", "check", str(broken), "--json"]).out)
    assert len(data["faults"]) == 1


def test_show_prints_charts_or_writes_a_sheet(tmp_path: Path) -> None:
    output = run_ok("charts", "show", "invented", "OTTERS").out
    assert "line-plunge" in output
    out = tmp_path / "otters.txt"
    run_ok("charts", "show", "invented", "OTTERS", "--out", str(out))
    assert out.read_text(encoding="utf-8").strip()


def test_export_has_a_row_for_each_cell() -> None:
    rows = list(csv.DictReader(run_ok("charts", "export", "invented").out.splitlines()))
    assert {row["team"] for row in rows} == {"league", *charts.load("invented").teams}
    column = [row for row in rows if (row["team"], row["column"]) == ("OTTERS", "line-plunge")]
    offence = [row["row"] for row in column if row["chart"] == "offence"]
    assert offence == [str(row) for row in range(10, 40)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "nowhere"), "no chart file 'nowhere'"),
        (("show", "invented", "OTERS"), "unknown team in invented.toml 'OTERS'"),
        (("show", "invented", "OTTERS", "--out", "x.doc"), "sheet format '.doc'"),
        (("export", "nowhere"), "no chart file 'nowhere'"),
    ],
)
def test_invalid_arguments_are_refused(arguments: tuple[str, ...], said: str) -> None:
    assert said in get_refusal("charts", *arguments)
