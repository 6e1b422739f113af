"""The process that does long work: what it hears, what it says, and that it goes when alone."""

from __future__ import annotations

import io
import json
import threading
from typing import Any

import pytest

from hashmark.club import works
from hashmark.club.hand import Hand
from web import counting


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(works, "KINDS", dict(works.KINDS))
    counting.known()


def said_about(**settings: Any) -> list[dict[str, Any]]:
    out = io.StringIO()
    hand = Hand(io.StringIO(), out)
    kept = settings.pop("kept", None)
    if settings.pop("stop", False):
        hand.stopped.set()
    read = counting.COUNT.read({"pause": 0, **settings})
    hand.do({"kind": "count", "settings": read, "kept": kept})
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_work_from_its_beginning_to_its_end() -> None:
    said = said_about(to=3)
    assert said[0] == {"progress": [1, 3]}
    assert [one["kept"] for one in said if "kept" in one] == ["1", "2", "3"]
    assert said[-2] == {"progress": [3, 3]}
    assert said[-1]["result"] == {"counted": 3, "from": 0}
    assert "<h1>Counted</h1>" in said[-1]["page"]


def test_one_that_goes_on() -> None:
    assert said_about(to=3, kept="2")[-1]["result"] == {"counted": 3, "from": 2}


def test_one_that_is_stopped() -> None:
    assert said_about(to=3, kept="1", stop=True)[-1] == {"interrupted": True}


def test_faults() -> None:
    assert said_about(then="fail")[-1] == {"failed": "it cannot be counted"}
    away = said_about(then="away")[-1]
    assert "do not answer just now" in away["failed"]
    assert "10.0.0.5" in away["why"]
    last = said_about(then="fault")[-1]
    assert "went wrong" in last["failed"]
    assert "nobody foresaw this" in last["fault"]


def test_when_its_input_ends_it_goes() -> None:
    left = threading.Event()
    hand = Hand(io.StringIO('{"stop": true}\n'), io.StringIO(), leave=lambda status: left.set())
    hand._listen()
    assert left.is_set()
    assert hand.stopped.is_set()
