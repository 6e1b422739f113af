"""News go to whoever has begun to listen last, and to nobody else."""

from __future__ import annotations

from hashmark.table import news


def test_the_last_listener_hears() -> None:
    outer: list[str] = []
    inner: list[str] = []
    news.say("nobody hears this")
    with news.heard_by(outer.append):
        with news.heard_by(inner.append):
            news.say("one")
        news.say("two")
    news.say("three")
    assert (outer, inner) == (["two"], ["one"])
