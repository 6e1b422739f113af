"""Tests of `hashmark odds`: calls, whole plays, tables, and the likeliest positions."""

from __future__ import annotations

import io
import json
import sys
from contextlib import nullcontext
from pathlib import Path

import polars as pl
import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark import extras
from hashmark.cli.common import print_figures
from hashmark.cli.odds import PLAY_METHOD, STEP_METHOD, _run_engine
from hashmark.engine import registry
from hashmark.errors import TooManyOutcomes
from hashmark.odds.background_compile import OddsCompiler
from hashmark.odds.odds_tables import ASSUMPTIONS_NOTE, NO_DICE_NOTE
from hashmark.odds.outlook import QUICK_ENGINE
from hashmark.text.tables import format_fitting_table, format_table

FOURTH = '{"phase": "fourth-down", "possession": "away", "spot": 60, "to_go": 3}'
PLAIN = ("odds", "fourth-down", "--position", "-", "--engine", "plain")


def test_the_likeliest_outcomes_are_listed_and_the_rest_is_counted() -> None:
    output = run_ok(*PLAIN, "--call", "go-for-it", "--most", "2", stdin_text=FOURTH).out
    lines = output.splitlines()
    assert lines[-5:-1] == [
        "chance     then",
        "---------  ----------------------------------",
        "10.0000 %  Home starts a drive at the home 39",
        "10.0000 %  Home starts a drive at the home 38",
    ]
    assert lines[-1] == "14 more outcomes (80.0000 %); list them with --most or --json"


def test_a_next_position_shows_its_clock_and_score() -> None:
    """Record fields are only in `--json`."""
    given = '{"phase": "drive", "possession": "home", "spot": 30}'
    output = run_ok(*PLAIN, "--call", "balanced", "--most", "2", stdin_text=given).out
    assert output.splitlines()[-4:-1] == [
        "--------  --------------  -------  -------------------------",
        "4.5000 %  1st half 23:20  home +6  Home lines up for the try",
        "4.0500 %  1st half 23:40           Home: 4th & goal at the 2",
    ]
    data = json.loads(run_ok(*PLAIN, "--call", "balanced", "--json", stdin_text=given).out)
    assert data["outcomes"][0]["position"]["phase"] == "try"


def test_a_next_position_of_the_drill_shows_its_dice() -> None:
    command = ("odds", "two-minute-drill", "--position", "-", "--engine", "plain")
    output = run_ok(*command, "--call", "reroll:dta", stdin_text=REROLL).out.splitlines()
    assert sum(line.startswith("16.6667 %") for line in output) == 6
    assert any(line.endswith("d12=12, dta=4, dtb=6") for line in output)


def test_all_calls_are_compared() -> None:
    data = json.loads(run_ok(*PLAIN, "--json", stdin_text=FOURTH).out)
    assert [entry["call"] for entry in data] == ["go-for-it", "field-goal", "punt"]
    for entry in data:
        assert sum(outcome["p"] for outcome in entry["outcomes"]) == pytest.approx(1)


def test_json_has_figures_and_a_summary() -> None:
    data = json.loads(run_ok(*PLAIN, "--call", "punt", "--json", stdin_text=FOURTH).out)
    assert set(data) == {"rules", "team", "call", "summary", "outcomes", "figures"}
    assert data["figures"]["their_ball_chance"] == 1
    assert data["figures"]["fourth_down_spot"] is None


def test_the_drill_shows_the_win_probability() -> None:
    dice = {"d4": 2, "d6a": 3, "d6b": 5, "d8": 7, "dta": 1, "dtb": 4}
    given = json.dumps({"phase": "referee", "clock": 9, "dice": {**dice, "d6b": None, "d10": 9}})
    command = ("odds", "two-minute-drill", "--position", "-", "--engine", "plain")
    data = json.loads(run_ok(*command, "--json", stdin_text=given).out)
    assert all(0 <= one["win_chance"] <= 1 for one in data)
    method, _, note, headings, *_ = run_ok(*command, stdin_text=given).out.splitlines()
    assert method == STEP_METHOD
    assert note == ASSUMPTIONS_NOTE
    assert headings.split("  ")[0] == "call"
    assert "WP (est.)" in headings


def test_too_many_outcomes_are_shown_by_parts_at_once() -> None:
    """Nothing is compiled for it."""
    output = run_ok("odds", "two-minute-drill").out
    assert output.splitlines()[:2] == [
        STEP_METHOD,
        "The dice have more than 3,000 outcomes. Odds of each part:",
    ]


REROLL = json.dumps(
    {
        "phase": "reroll",
        "clock": 30,
        "spot": 25,
        "dice": {"d4": 3, "d6a": 6, "d6b": 1, "d8": 4, "d10": 8, "d12": 12, "dta": 6, "dtb": 6},
    }
)


def test_steps_are_shown_even_if_whole_plays_are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are quick, the whole plays of the drill are not, and parts do not replace them."""
    monkeypatch.setattr(extras, "has", lambda library: False)
    done = run_ok("odds", "two-minute-drill", "--position", "-", stdin_text=REROLL)
    assert [line.split()[0] for line in done.out.splitlines()[5:]] == [
        "stand",
        "reroll:dta",
        "reroll:dtb",
        "reroll:dta,dtb",
    ]
    assert done.err == ""


@pytest.mark.parametrize("by_parts", [False, True])
def test_only_steps_fall_back_to_parts(by_parts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    engines: list[str] = []

    def work(engine: str) -> str:
        engines.append(engine)
        if engine == QUICK_ENGINE:
            raise TooManyOutcomes("too many")
        return engine

    monkeypatch.setattr(extras, "has", lambda library: True)
    monkeypatch.setattr(OddsCompiler, "is_ready", lambda self: True)
    with pytest.raises(TooManyOutcomes) if by_parts else nullcontext():
        _run_engine(registry.load("two-minute-drill"), "auto", work, by_parts)
    assert engines == [QUICK_ENGINE] if by_parts else [QUICK_ENGINE, "compiled"]


def test_compiling_is_announced_as_in_all_commands(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(OddsCompiler, "is_ready", lambda self: False)
    monkeypatch.setattr(OddsCompiler, "wait", lambda self: None)
    with caplog.at_level("INFO", "hashmark.progress"):
        assert _run_engine(registry.load("fourth-down"), "compiled", str.upper) == "COMPILED"
    assert caplog.messages == [
        "compiling fourth-down for odds (once; it can take a minute or more)"
    ]


class Terminal(io.StringIO):
    """Standard output that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_figures_are_fitted_to_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    headings, rows = ("call", "first down", "their ball"), [("go-for-it", "35.0%", "65.0%")]
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys, "stdout", out := Terminal())
    print_figures(headings, rows)
    assert out.getvalue().splitlines() == format_fitting_table(headings, rows, 20)
    assert "columns not shown:\n  their ball" in out.getvalue()
    monkeypatch.setattr(sys, "stdout", plain := io.StringIO())
    print_figures(headings, rows)
    assert plain.getvalue().splitlines() == format_table(headings, rows)


def test_output_says_if_nothing_is_rolled() -> None:
    given = '{"phase": "choice", "toss_winner": "home"}'
    command = ("odds", "roll-for-yardage", "--position", "-", "--engine", "plain")
    assert run_ok(*command, stdin_text=given).out == f"{NO_DICE_NOTE}\n"
    output = run_ok(*command, "--call", "receive", stdin_text=given).out
    assert output.startswith(f"{NO_DICE_NOTE}\n")
    assert "100.0000 %" in output


@pytest.mark.parametrize("rules", ["fourth-down", "roll-for-yardage", "rapid-roll", "data-driven"])
def test_a_coin_toss_has_outcomes_and_no_figures(rules: str) -> None:
    command = ("odds", rules, "--position", "-", "--engine", "plain")
    output = run_ok(*command, stdin_text='{"phase": "coin-toss"}').out
    assert output.startswith(f"{STEP_METHOD}\n\nchance ")


SECRET = '{"phase": "scrimmage", "possession": "home", "spot": 40}'


@pytest.mark.parametrize("arguments", [(), ("--call", "draw"), ("--json",)], ids=str)
def test_odds_of_one_secret_call_are_refused(arguments: tuple[str, ...]) -> None:
    command = ("odds", "data-driven", "--position", "-", *arguments)
    assert get_refusal(*command, stdin_text=SECRET).endswith(
        "both coaches call in secret here: use --call NAME --against NAME for one pair of calls, "
        "or --table for all"
    )


def test_expected_points_of_a_down_are_shown_with_their_method() -> None:
    command = ("odds", "data-driven", "--position", "-", "--engine", "plain", "--call", "kneel")
    lines = run_ok(*command, stdin_text=SECRET).out.splitlines()
    assert " ".join(lines[:2]) == PLAY_METHOD
    assert lines[2].startswith("Next-score EP: +1.")
    assert lines[2].endswith(" for the offense (nflverse, by down, distance and spot).")
    data = json.loads(run_ok(*command, "--json", stdin_text=SECRET).out)
    assert 1 < data["next_score_ep"] < 2
    assert data["summary"]["mean_points"] == data["summary"]["expected_points"] == 0
    closing = SECRET.replace("}", ', "period": 2, "clock": 60}')
    assert "next_score_ep" not in json.loads(run_ok(*command, "--json", stdin_text=closing).out)


@pytest.mark.parametrize(
    ("rules", "given", "key"),
    [
        ("fourth-down", '{"possession": "home", "spot": 30}', "possession"),
        ("roll-for-yardage", '{"spot": 30}', "spot"),
        ("rapid-roll", '{"possession": "away", "spot": 55}', "spot"),
        ("rapid-roll", '{"down": 3}', "down"),
        ("data-driven", '{"down": 2, "to_go": 7}', "down"),
        ("two-minute-drill", '{"winner": "home"}', "winner"),
    ],
)
def test_a_position_of_another_phase_must_name_it(rules: str, given: str, key: str) -> None:
    message = get_refusal("odds", rules, "--position", "-", stdin_text=given)
    assert f"position: {key}" in message
    assert "phase" in message


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--against", "blitz"), "--against needs --call"),
        (("--table",), "no secret calls in this position"),
        (("--call", "punt", "--against", "blitz"), "does not answer punt with a secret call"),
    ],
)
def test_against_needs_calls_that_are_answered_in_secret(
    arguments: tuple[str, ...], said: str
) -> None:
    assert said in get_refusal(*PLAIN, *arguments, stdin_text=FOURTH)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_odds_can_be_written_as_a_table(tmp_path: Path, suffix: str) -> None:
    read = pl.read_csv if suffix == "csv" else pl.read_parquet
    path = tmp_path / f"calls.{suffix}"
    done = run_ok(*PLAIN, "--out", str(path), stdin_text=FOURTH)
    assert done.err == f"wrote {path}\n"
    calls = read(path)
    assert calls["call"].to_list() == ["go-for-it", "field-goal", "punt"]
    run_ok(*PLAIN, "--call", "punt", "--out", str(path), stdin_text=FOURTH)
    outcomes = read(path)
    assert outcomes["chance"].sum() == pytest.approx(1)
    assert {"call", "chance", "phase", "spot", "home_score"} <= set(outcomes.columns)


def test_odds_by_parts_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "parts.csv"
    assert "outcomes" in get_refusal("odds", "two-minute-drill", "--out", str(path))
    assert not path.exists()
