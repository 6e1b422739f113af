"""Tests of typed calls: numbers, names and prefixes."""

from __future__ import annotations

import pytest

from fuzz.in_process import run_ok
from hashmark.errors import HashmarkError
from hashmark.terminal.call_parser import resolve_call

CALLS = ("punt", "pooch-5", "pooch-10", "field-goal")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1", "punt"),
        ("4", "field-goal"),
        ("f", "field-goal"),
        ("pu", "punt"),
        ("pooch-1", "pooch-10"),
        ("pooch-10", "pooch-10"),
        ("5", "5"),
        ("blitz", "blitz"),
        ("", ""),
    ],
)
def test_numbers_names_and_prefixes_are_resolved(typed: str, meant: str) -> None:
    assert resolve_call(typed, CALLS) == meant


def test_an_unlisted_name_is_not_a_prefix() -> None:
    assert resolve_call("pooch-1", CALLS, {"pooch-1", "pooch-2"}) == "pooch-1"


def test_an_ambiguous_prefix_is_refused() -> None:
    with pytest.raises(HashmarkError, match="'p' may be punt, pooch-5, pooch-10: type more of it"):
        resolve_call("p", CALLS)


def test_a_prefix_is_expanded_to_the_full_name() -> None:
    output = run_ok("play", "fourth-down", "--seed", "5", stdin_text="pass\nq\n").out
    assert "calls pass-first" in output
