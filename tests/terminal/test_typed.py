"""Numbers, names, and beginnings of names."""

from __future__ import annotations

import pytest

from fuzz.in_process import hashmark
from hashmark.table.errors import HashmarkError
from hashmark.terminal.typed import the_call

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
def test_what_is_meant(typed: str, meant: str) -> None:
    assert the_call(typed, CALLS) == meant


def test_a_name_that_no_list_shows_is_not_a_beginning() -> None:
    assert the_call("pooch-1", CALLS, {"pooch-1", "pooch-2"}) == "pooch-1"


def test_an_ambiguous_beginning_is_said_in_one_sentence() -> None:
    with pytest.raises(HashmarkError, match="'p' may be punt, pooch-5, pooch-10: type more of it"):
        the_call("p", CALLS)


def test_the_log_keeps_the_whole_name() -> None:
    said = hashmark("play", "fourth-down", "--seed", "5", said="pass\nq\n").out
    assert "calls pass-first" in said
