"""`hashmark odds`: calls, whole plays, tables, and the likeliest positions."""

from __future__ import annotations

import io
import json
import sys
from contextlib import nullcontext

import pytest

from fuzz.in_process import hashmark, refused
from hashmark.cli.common import print_figures
from hashmark.cli.odds import _worked_out
from hashmark.odds.advice import ASSUMED, NO_DICE
from hashmark.odds.outlook import QUICK
from hashmark.odds.warming import Warming
from hashmark.table import extras, news, registry
from hashmark.table.errors import TooManyOutcomes
from hashmark.telling.columns import fitting, table

FOURTH = '{"phase": "fourth-down", "possession": "away", "spot": 60, "to_go": 3}'
PLAIN = ("odds", "fourth-down", "--position", "-", "--engine", "plain")


def test_the_likeliest_outcomes_are_listed_and_the_rest_is_counted() -> None:
    said = hashmark(*PLAIN, "--call", "go-for-it", "--most", "2", said=FOURTH).out
    lines = said.splitlines()
    assert lines[-5:-1] == [
        "chance    then",
        "--------  ----------------------------------",
        "10.0000%  Home begins a drive at the home 39",
        "10.0000%  Home begins a drive at the home 38",
    ]
    assert lines[-1] == "and 14 more outcomes (80.0000%): see --most, --json"


def test_a_next_position_is_told_with_its_clock_and_score() -> None:
    """No field of a record is named; they are in --json."""
    given = '{"phase": "drive", "possession": "home", "spot": 30}'
    said = hashmark(*PLAIN, "--call", "balanced", "--most", "2", said=given).out
    assert said.splitlines()[-4:-1] == [
        "-------  --------------  -------  --------------------------------",
        "4.5000%  1st half 23:20  home +6  Home tries for the extra points",
        "4.0500%  1st half 23:40           Home: 4th and goal at the away 2",
    ]
    read = json.loads(hashmark(*PLAIN, "--call", "balanced", "--json", said=given).out)
    assert read["outcomes"][0]["position"]["phase"] == "try"


def test_dice_that_lie_there_belong_to_a_next_position_of_the_drill() -> None:
    command = ("odds", "two-minute-drill", "--position", "-", "--engine", "plain")
    said = hashmark(*command, "--call", "reroll:dta", said=REROLL).out.splitlines()
    assert sum(line.startswith("16.6667%") for line in said) == 6
    assert any(line.endswith("d12 12, dta 4, dtb 6") for line in said)


def test_all_calls_are_compared() -> None:
    read = json.loads(hashmark(*PLAIN, "--json", said=FOURTH).out)
    assert [one["call"] for one in read] == ["go-for-it", "field-goal", "punt"]
    for one in read:
        assert sum(outcome["p"] for outcome in one["outcomes"]) == pytest.approx(1)


def test_figures_stand_beside_the_summary() -> None:
    read = json.loads(hashmark(*PLAIN, "--call", "punt", "--json", said=FOURTH).out)
    assert set(read) == {"rules", "team", "call", "summary", "outcomes", "figures"}
    assert read["figures"]["their_ball_chance"] == 1
    assert read["figures"]["fourth_down_spot"] is None


def test_the_drill_tells_the_chance_to_win() -> None:
    dice = {"d4": 2, "d6a": 3, "d6b": 5, "d8": 7, "dta": 1, "dtb": 4}
    given = json.dumps({"phase": "referee", "clock": 9, "dice": {**dice, "d6b": None, "d10": 9}})
    command = ("odds", "two-minute-drill", "--position", "-", "--engine", "plain")
    read = json.loads(hashmark(*command, "--json", said=given).out)
    assert all(0 <= one["win_chance"] <= 1 for one in read)
    note, headings, *_ = hashmark(*command, said=given).out.splitlines()
    assert note == ASSUMED
    assert headings.split("  ")[0] == "call"
    assert "can win" in headings


def test_dice_that_fall_in_too_many_ways_are_told_by_their_parts_at_once() -> None:
    """Nothing is compiled for it."""
    said = hashmark("odds", "two-minute-drill").out
    assert said.startswith("These dice can fall in more than 3,000 ways; the odds of their parts:")


REROLL = json.dumps(
    {
        "phase": "reroll",
        "clock": 30,
        "spot": 25,
        "dice": {"d4": 3, "d6a": 6, "d6b": 1, "d8": 4, "d10": 8, "d12": 12, "dta": 6, "dtb": 6},
    }
)


def test_plays_that_are_not_quick_are_no_reason_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are quick, the whole plays of the drill are not, and its parts are no way out."""
    monkeypatch.setattr(extras, "has", lambda library: False)
    done = hashmark("odds", "two-minute-drill", "--position", "-", said=REROLL)
    assert [line.split()[0] for line in done.out.splitlines()[3:]] == [
        "stand",
        "reroll:dta",
        "reroll:dtb",
        "reroll:dta,dtb",
    ]
    assert done.err == ""


@pytest.mark.parametrize("by_parts", [False, True])
def test_parts_are_the_way_out_of_steps_alone(
    by_parts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def work(how: str) -> str:
        tried.append(how)
        if how == QUICK:
            raise TooManyOutcomes("too many")
        return how

    monkeypatch.setattr(extras, "has", lambda library: True)
    monkeypatch.setattr(Warming, "is_ready", lambda self: True)
    with pytest.raises(TooManyOutcomes) if by_parts else nullcontext():
        _worked_out(registry.load("two-minute-drill"), "auto", work, by_parts)
    assert tried == [QUICK] if by_parts else [QUICK, "compiled"]


def test_compiling_is_announced_in_the_words_of_all_commands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Warming, "is_ready", lambda self: False)
    monkeypatch.setattr(Warming, "wait", lambda self: None)
    heard: list[str] = []
    with news.heard_by(heard.append):
        assert _worked_out(registry.load("fourth-down"), "compiled", str.upper) == "COMPILED"
    assert heard == ["compiling fourth-down for odds (once; it can take a minute or more)"]


class Terminal(io.StringIO):
    """A standard output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_figures_on_a_narrow_terminal_are_those_of_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    headings, rows = ("call", "first down", "their ball"), [("go-for-it", "35.0%", "65.0%")]
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys, "stdout", out := Terminal())
    print_figures(headings, rows)
    assert out.getvalue().splitlines() == fitting(headings, rows, 20)
    assert "left out here:\n  their ball" in out.getvalue()
    monkeypatch.setattr(sys, "stdout", plain := io.StringIO())
    print_figures(headings, rows)
    assert plain.getvalue().splitlines() == table(headings, rows)


def test_where_nothing_is_rolled_that_is_said() -> None:
    given = '{"phase": "choice", "toss_winner": "home"}'
    command = ("odds", "roll-for-yardage", "--position", "-", "--engine", "plain")
    assert hashmark(*command, said=given).out == f"{NO_DICE}\n"
    said = hashmark(*command, "--call", "receive", said=given).out
    assert said.startswith(f"{NO_DICE}\n")
    assert "100.0000%" in said


@pytest.mark.parametrize("rules", ["fourth-down", "roll-for-yardage", "rapid-roll", "data-driven"])
def test_a_coin_toss_has_outcomes_and_no_figures(rules: str) -> None:
    command = ("odds", rules, "--position", "-", "--engine", "plain")
    said = hashmark(*command, said='{"phase": "coin-toss"}').out
    assert said.startswith("chance ")


SECRET = '{"phase": "scrimmage", "possession": "home", "spot": 40}'


@pytest.mark.parametrize("arguments", [(), ("--call", "draw"), ("--json",)], ids=str)
def test_one_secret_call_has_no_odds(arguments: tuple[str, ...]) -> None:
    command = ("odds", "data-driven", "--position", "-", *arguments)
    assert refused(*command, said=SECRET).endswith(
        "both coaches call in secret here: --call NAME --against NAME gives the odds of two calls, "
        "--table those of all"
    )


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
def test_a_position_that_means_another_phase_must_name_it(rules: str, given: str, key: str) -> None:
    said = refused("odds", rules, "--position", "-", said=given)
    assert f"position: {key}" in said
    assert "phase" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--against", "blitz"), "--against needs --call"),
        (("--table",), "no call is answered by a secret call"),
        (("--call", "punt", "--against", "blitz"), "is not answered by a secret call"),
    ],
)
def test_calls_that_nobody_answers(arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(*PLAIN, *arguments, said=FOURTH)
