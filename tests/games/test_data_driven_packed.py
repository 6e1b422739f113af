"""Whole plans in a game's options: a log that carries one stands alone."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import pytest

from fuzz.in_process import hashmark
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.coaches import HOME_PLAN
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.check import check
from hashmark.games.data_driven.plans.plan import MOST_ROWS, PACKED, WIDTH, BrokenPlan
from hashmark.games.data_driven.plans.text import pack, write_plan
from hashmark.table import places
from hashmark.table.fairness import verify_bytes
from hashmark.table.header import Header
from hashmark.table.log import Writer
from hashmark.table.position_id import Ids
from hashmark.table.sitting import Sitting


def packed(raw: bytes) -> str:
    return PACKED + base64.urlsafe_b64encode(zlib.compress(raw)).decode()


def room(m: object, number: int) -> list[int]:
    size = MOST_ROWS * WIDTH
    rows: list[int] = m.plan_rows  # type: ignore[attr-defined]
    return rows[number * size : (number + 1) * size]


@pytest.mark.parametrize("name", ["book", "2008:ARI"])
def test_a_packed_plan_is_the_plan(name: str) -> None:
    word = pack(plans.load(name))
    assert plans.load(word) == plans.load(name)
    with places.only_shipped():
        m = RULES.new_match({"home_plan": word})
    assert room(m, HOME_PLAN) == room(RULES.new_match({"home_plan": name}), HOME_PLAN)
    assert check(word).to_json()["file"] == "the packed plan"


def log_of(path: Path, **options: object) -> bytes:
    """The log of a short game between coaches by their plans."""
    seats = dict.fromkeys(("home", "away"), "coach:plan")
    given = {"charts": "2008", "quarter_seconds": 60, **options}
    header = Header(RULES.name, given, seats, seed=5, rules_version=RULES.version)
    writer = Writer.create(path, header)
    sitting = Sitting(header, header.new_game(), writer.write)
    while sitting.proceed():
        pass
    writer.close()
    return path.read_bytes()


def test_a_game_by_it_is_the_game_by_its_name_and_its_log_stands_alone(tmp_path: Path) -> None:
    word = pack(plans.load("2008:ARI"))
    named = log_of(tmp_path / "named.log", home_plan="2008:ARI", neutral=True)
    whole = log_of(tmp_path / "whole.log", home_plan=word, neutral=True)

    def calls(log: bytes) -> list[str]:
        return [json.loads(line).get("call", "") for line in log.splitlines()[1:]]

    assert calls(named) == calls(whole)
    with places.only_shipped():
        found = verify_bytes(whole, "whole.log")
    assert "every digest fits" in found.sentence
    said = hashmark("replay", str(tmp_path / "whole.log")).out
    assert "home_plan plan:" in said
    assert max(map(len, said.splitlines())) < 400


@pytest.mark.parametrize(
    "word",
    [
        "plan:",
        "plan:!!!",
        "plan:AAAA",
        packed(b"\xff\xfe"),
        packed(b'format = "data-driven-plan/1"') + "AAAA",
        PACKED + base64.urlsafe_b64encode(zlib.compress(b"x")[:-3]).decode(),
    ],
)
def test_what_is_no_packed_plan_is_refused(word: str) -> None:
    with pytest.raises(BrokenPlan, match=r"is not a packed plan|not TOML"):
        plans.load(word)


def test_a_word_does_not_grow_without_end() -> None:
    bomb = packed(b"#" * (1 << 28))
    assert len(bomb) < 500_000
    with pytest.raises(BrokenPlan, match="is not a packed plan"):
        plans.load(bomb)


def test_a_fault_in_a_packed_plan_is_told_with_its_place() -> None:
    text = write_plan(plans.load("book")).replace("punt = ", "pnt = ", 1)
    with pytest.raises(BrokenPlan, match=r"the packed plan: \[\[instead\]\].*did you mean 'punt'"):
        plans.load(packed(text.encode()))


def test_a_position_with_a_whole_plan_has_no_id() -> None:
    given = {"home_plan": pack(plans.load("2008:ARI"))}
    ids = Ids(RULES, given)
    assert ids.if_any(RULES.new_position(RULES.new_match(given))) is None
    assert "home_plan is too long" in ids.lacking
