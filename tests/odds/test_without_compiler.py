"""Odds without a compiler: what plain Python lists in time, and a note on the rest."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from fuzz.in_process import run_ok
from hashmark import extras
from hashmark.errors import HashmarkError, TooManyOutcomes
from hashmark.games.rapid_roll import RULES
from hashmark.games.two_minute_drill import RULES as DRILL
from hashmark.odds import odds_tables, outlook, outlooks

M = RULES.new_match({})
MODULE = sys.modules["hashmark.odds.outlook"]  # the name in the package is the function's


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "has", lambda library: False)


def position() -> Any:
    """Return a scrimmage, which has short answers and very long ones."""
    start = {"phase": "scrimmage", "possession": "home", "spot": 30, "down": 1, "to_go": 10}
    return RULES.new_position(M, start)


@pytest.mark.usefixtures("bare")
def test_short_answers_do_not_depend_on_the_engine() -> None:
    g, code = position(), RULES.call_codes["sneak"]
    auto, plain = (outlook(RULES, M, g, code, engine, through=True) for engine in ("auto", "plain"))
    assert auto.to_json() == plain.to_json()


@pytest.mark.usefixtures("bare")
def test_the_compiled_engine_is_refused() -> None:
    with pytest.raises(HashmarkError, match=r"the compiled engine needs Numba.*`make fast`"):
        outlook(RULES, M, position(), "sneak", "compiled")


@pytest.mark.usefixtures("bare")
def test_calls_with_too_many_outcomes_are_named_in_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "MAX_UNCOMPILED_LEAVES", 40)
    calls = [RULES.call_codes[name] for name in ("sneak", "punt", "trick-pass")]
    found, many = outlooks(RULES, M, position(), calls, through=True)
    assert [one.name for one in found] == ["sneak"]
    assert list(many) == calls[1:]
    note = odds_tables.describe_omitted_calls(RULES, many)
    assert note == (
        "No odds for punt, trick-pass: the dice have more than 40 outcomes (`make fast` lists more)"
    )
    assert odds_tables.describe_omitted_calls(RULES, {}) == ""


PUNT = '{"phase": "scrimmage", "possession": "home", "spot": 30, "down": 4, "to_go": 10}'
LONG = (
    "hashmark: No figures for the whole play of punt: the dice have more than 500 outcomes "
    "(`make fast` lists more)\n"
)


@pytest.mark.usefixtures("bare")
def test_a_step_is_listed_although_its_play_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("MAX_QUICK_LEAVES", "MAX_UNCOMPILED_LEAVES"):
        monkeypatch.setattr(MODULE, limit, 500)
    command = ("odds", "rapid-roll", "--position", "-", "--call", "punt")
    done = run_ok(*command, stdin_text=PUNT)
    assert done.err == LONG
    assert ["chance", "clock", "scored", "then"] in [line.split() for line in done.out.split("\n")]
    done = run_ok(*command, "--json", stdin_text=PUNT)
    assert done.err == LONG
    read = json.loads(done.out)
    assert read["figures"] is None
    assert sum(one["p"] for one in read["outcomes"]) == pytest.approx(1)


@pytest.mark.usefixtures("bare")
def test_answers_whose_plays_are_too_long_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One leaf is allowed: `stand` leads on without dice, the other answers roll some."""
    monkeypatch.setattr(MODULE, "MAX_UNCOMPILED_LEAVES", 1)
    m = DRILL.new_match({})
    dice = {"d4": 3, "d6a": 6, "d6b": 1, "d8": 4, "d10": 8, "d12": 12, "dta": 6, "dtb": 6}
    g = DRILL.new_position(m, {"phase": "reroll", "clock": 30, "spot": 25, "dice": dice})
    calls = DRILL.legal_calls(m, g)
    found, many = odds_tables.call_outlooks(DRILL, m, g, calls, "auto")
    assert [one.name for one in found] == ["stand"]
    assert list(many) == calls[1:]
    assert all("lists more" in str(fault) for fault in many.values())


def test_the_plain_engine_has_its_own_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "MAX_PLAIN_LEAVES", 40)
    with pytest.raises(TooManyOutcomes, match=r"have more than 40 outcomes$"):
        outlook(RULES, M, position(), "punt", "plain")
