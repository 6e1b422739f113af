"""Tests that every output names what is invented: in text, on pages and in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.in_process import run_ok
from hashmark.cli import charts_resample
from hashmark.games.data_driven.charts import files as charts
from hashmark.league.seasons import bootstrap_ratings_file, game_options

NAMED = (
    game_options.FORMATIONS_ASSUMPTION,
    game_options.PLAYS_ASSUMPTION,
    game_options.SHORT_FIELD_ASSUMPTION,
)
CHANGE = ("--pass-rate", "+10%")
REPORTS: dict[str, tuple[str, ...]] = {
    "season": ("season", "2008", "--runs", "5"),
    "verify": ("charts", "verify", "2008", "--seasons", "10"),
    "change": ("whatif", "2008", "ARI", "--runs", "5", *CHANGE),
    "answered": ("whatif", "2008", "ARI", "--runs", "5", *CHANGE, "--answered"),
    "scan": ("whatif", "2008", "ARI", "--runs", "5", "--scan"),
    "best": ("whatif", "2008", "ARI", "--runs", "5", "--best", "--budget", "2"),
}


SLOW = ("scan", "best")  # half of their output is checked in `test_whatif.py`


@pytest.mark.parametrize(
    "which",
    [pytest.param(sentence, marks=[pytest.mark.long] * (sentence in SLOW)) for sentence in REPORTS],
)
def test_every_report_says_what_is_invented(
    which: str, league_folder: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    given = (*REPORTS[which], "--charts", str(league_folder))
    output = run_ok(*given, "--html", str(page)).out
    data = json.loads(run_ok(*given, "--json").out)
    assert data["invented"] == [*NAMED]
    note = game_options.format_assumptions(NAMED)
    assert note.startswith("Partly assumed: formations, draws and screens, the short field. See ")
    assert " ".join(output.split()).count(note) == 1
    assert note in page.read_text(encoding="utf-8")


def test_ratings_of_rebuilt_charts_name_what_is_invented(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The shipped rebuilds, printed as the command prints its own."""
    shipped = bootstrap_ratings_file.read(charts.SHIPPED / "2008.rebuilds.json")
    charts_resample._print_result(shipped, as_json=False)
    words = capsys.readouterr().out.split()
    assert " ".join(words).endswith(game_options.assumptions_note())
    charts_resample._print_result(shipped, as_json=True)
    assert json.loads(capsys.readouterr().out)["invented"] == game_options.list_assumptions()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((), True),
        (("-o", "short_field=true"), True),
        (("-o", "short_field=false"), False),
    ],
)
def test_the_short_field_is_named_if_it_is_on(
    given: tuple[str, ...], named: bool, league_folder: Path
) -> None:
    output = run_ok(*REPORTS["change"], "--charts", str(league_folder), *given).out
    assert ("the short field" in " ".join(output.split())) is named


def test_a_real_plan_names_what_is_invented() -> None:
    for name in (("2008", "ARI"), ("ARI", "2008"), ("2008:ARI",)):
        output = run_ok("plan", "show", *name).out
        data = json.loads(run_ok("plan", "show", *name, "--json").out)
        assert data["invented"] == [*game_options.PLAN_ASSUMPTIONS]
        assert output.endswith(
            f"\n{game_options.format_assumptions(game_options.PLAN_ASSUMPTIONS)}\n"
        )


def test_a_user_plan_has_nothing_invented() -> None:
    assert "Partly assumed" not in run_ok("plan", "show", "book").out
    assert json.loads(run_ok("plan", "show", "book", "--json").out)["invented"] == []
