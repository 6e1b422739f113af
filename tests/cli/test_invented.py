"""What is invented is said in the output itself: in text, on pages and in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.in_process import hashmark
from hashmark.cli import charts_resample
from hashmark.games.data_driven.charts import files as charts
from hashmark.league.seasons import preset, rebuilds

NAMED = (preset.FORMATIONS_INVENTED, preset.PLAYS_INVENTED, preset.SHORT_FIELD_INVENTED)
CHANGE = ("--pass-rate", "+10%")
REPORTS: dict[str, tuple[str, ...]] = {
    "season": ("season", "2008", "--runs", "5"),
    "verify": ("charts", "verify", "2008", "--seasons", "10"),
    "change": ("whatif", "2008", "ARI", "--runs", "5", *CHANGE),
    "answered": ("whatif", "2008", "ARI", "--runs", "5", *CHANGE, "--answered"),
    "scan": ("whatif", "2008", "ARI", "--runs", "5", "--scan"),
    "best": ("whatif", "2008", "ARI", "--runs", "5", "--best", "--budget", "2"),
}


SLOW = ("scan", "best")  # half of what they say is asked for in `test_whatif.py`


@pytest.mark.parametrize(
    "which", [pytest.param(one, marks=[pytest.mark.long] * (one in SLOW)) for one in REPORTS]
)
def test_every_report_says_what_is_invented(
    which: str, league_folder: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    given = (*REPORTS[which], "--charts", str(league_folder))
    told = hashmark(*given, "--html", str(page)).out
    said = json.loads(hashmark(*given, "--json").out)
    assert said["invented"] == [*NAMED]
    for one in NAMED:
        assert told.count(one) == 1
        assert one in page.read_text(encoding="utf-8")


def test_ratings_of_rebuilt_charts_say_so_too(capsys: pytest.CaptureFixture[str]) -> None:
    """The shipped rebuilds, told as the command tells those that it has made."""
    made = rebuilds.read(charts.SHIPPED / "2008.rebuilds.json")
    charts_resample._tell(made, as_json=False)
    assert capsys.readouterr().out.endswith(f"{preset.invented_note()}\n")
    charts_resample._tell(made, as_json=True)
    assert json.loads(capsys.readouterr().out)["invented"] == preset.invented()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((), True),
        (("-o", "short_field=true"), True),
        (("-o", "short_field=false"), False),
    ],
)
def test_the_short_field_is_named_where_it_is_on(
    given: tuple[str, ...], named: bool, league_folder: Path
) -> None:
    told = hashmark(*REPORTS["change"], "--charts", str(league_folder), *given).out
    assert (preset.SHORT_FIELD_INVENTED in told) is named


def test_a_real_plan_says_what_it_cannot_know() -> None:
    for name in (("ARI", "2008"), ("2008:ARI",)):
        told = hashmark("plan", "show", *name).out
        said = json.loads(hashmark("plan", "show", *name, "--json").out)
        assert said["invented"] == [*preset.OF_PLANS]
        assert told.endswith(f"\n{preset.as_note(preset.OF_PLANS)}\n")


def test_a_plan_of_ones_own_invents_nothing() -> None:
    assert "Invented" not in hashmark("plan", "show", "book").out
    assert json.loads(hashmark("plan", "show", "book", "--json").out)["invented"] == []
