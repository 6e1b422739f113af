"""Packed plans in a game's options: a log that carries one needs no other file."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import pytest

from fuzz.in_process import run_ok
from hashmark.engine.position_id import PositionEncoder
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.coaches import HOME_PLAN
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.check import check_plan
from hashmark.games.data_driven.plans.plan import (
    ENTRY_WIDTH,
    MAX_ENTRIES,
    PACKED_PREFIX,
    BrokenPlan,
)
from hashmark.games.data_driven.plans.text import pack, write_plan
from hashmark.session.fairness import verify_bytes
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.session.log import LogWriter
from hashmark.storage import search_path


def packed(raw: bytes) -> str:
    return PACKED_PREFIX + base64.urlsafe_b64encode(zlib.compress(raw)).decode()


def slot_rows(m: object, number: int) -> list[int]:
    size = MAX_ENTRIES * ENTRY_WIDTH
    rows: list[int] = m.plan_rows  # type: ignore[attr-defined]
    return rows[number * size : (number + 1) * size]


@pytest.mark.parametrize("name", ["book", "2008:ARI"])
def test_a_packed_plan_loads_as_the_same_plan(name: str) -> None:
    word = pack(plans.load(name))
    assert plans.load(word) == plans.load(name)
    with search_path.shipped_only():
        m = RULES.new_match({"home_plan": word})
    assert slot_rows(m, HOME_PLAN) == slot_rows(RULES.new_match({"home_plan": name}), HOME_PLAN)
    assert check_plan(word).to_json()["file"] == "the packed plan"


def play_log(path: Path, **options: object) -> bytes:
    """Return the log of a short game between coaches that follow plans."""
    seats = dict.fromkeys(("home", "away"), "coach:plan")
    given = {"charts": "2008", "quarter_seconds": 60, **options}
    header = Header(RULES.name, given, seats, seed=5, rules_version=RULES.version)
    writer = LogWriter.create(path, header)
    session = GameSession(header, header.new_game(), writer.write)
    while session.advance():
        pass
    writer.close()
    return path.read_bytes()


def test_a_game_with_a_packed_plan_equals_the_named_one_and_its_log_is_complete(
    tmp_path: Path,
) -> None:
    word = pack(plans.load("2008:ARI"))
    named_log = play_log(tmp_path / "named.log", home_plan="2008:ARI", neutral=True)
    packed_log = play_log(tmp_path / "whole.log", home_plan=word, neutral=True)

    def calls(log: bytes) -> list[str]:
        return [json.loads(line).get("call", "") for line in log.splitlines()[1:]]

    assert calls(named_log) == calls(packed_log)
    with search_path.shipped_only():
        verification = verify_bytes(packed_log, "whole.log")
    assert "every digest matches" in verification.message
    output = run_ok("replay", str(tmp_path / "whole.log")).out
    assert "home_plan plan:" in output
    assert max(map(len, output.splitlines())) < 400


@pytest.mark.parametrize(
    "word",
    [
        "plan:",
        "plan:!!!",
        "plan:AAAA",
        packed(b"\xff\xfe"),
        packed(b'format = "data-driven-plan/1"') + "AAAA",
        PACKED_PREFIX + base64.urlsafe_b64encode(zlib.compress(b"x")[:-3]).decode(),
    ],
)
def test_invalid_packed_plans_are_refused(word: str) -> None:
    with pytest.raises(BrokenPlan, match=r"is not a packed plan|not TOML"):
        plans.load(word)


def test_a_decompression_bomb_is_refused() -> None:
    bomb = packed(b"#" * (1 << 28))
    assert len(bomb) < 500_000
    with pytest.raises(BrokenPlan, match="is not a packed plan"):
        plans.load(bomb)


def test_a_fault_in_a_packed_plan_is_reported_with_its_place() -> None:
    text = write_plan(plans.load("book")).replace("punt = ", "pnt = ", 1)
    with pytest.raises(BrokenPlan, match=r"the packed plan: \[\[instead\]\].*did you mean 'punt'"):
        plans.load(packed(text.encode()))


def test_a_position_with_a_packed_plan_has_no_id() -> None:
    given = {"home_plan": pack(plans.load("2008:ARI"))}
    ids = PositionEncoder(RULES, given)
    assert ids.encode_or_none(RULES.new_position(RULES.new_match(given))) is None
    assert "home_plan is too long" in ids.no_id_reason
