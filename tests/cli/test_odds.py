"""`hashmark odds`: calls, whole plays, tables, and the likeliest positions."""

from __future__ import annotations

import json

import pytest

from fuzz.in_process import hashmark, refused

FOURTH = '{"phase": "fourth-down", "possession": "away", "spot": 60, "to_go": 3}'
PLAIN = ("odds", "fourth-down", "--position", "-", "--engine", "plain")


def test_the_likeliest_outcomes_are_listed_and_the_rest_is_counted() -> None:
    said = hashmark(*PLAIN, "--call", "go-for-it", "--most", "2", said=FOURTH).out
    lines = said.splitlines()
    assert sum("%" in line and "possession" in line for line in lines) <= 2
    assert lines[-1].startswith("and ")
    assert "more outcomes" in lines[-1]


def test_all_calls_are_compared() -> None:
    read = json.loads(hashmark(*PLAIN, "--json", said=FOURTH).out)
    assert [one["call"] for one in read] == ["go-for-it", "field-goal", "punt"]
    for one in read:
        assert sum(outcome["p"] for outcome in one["outcomes"]) == pytest.approx(1)


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
