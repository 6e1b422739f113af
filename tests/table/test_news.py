"""Progress notices go to the innermost listener only."""

from __future__ import annotations

from hashmark.table import news


def test_only_the_innermost_listener_receives_notices() -> None:
    outer: list[str] = []
    inner: list[str] = []
    news.say("nobody hears this")
    with news.heard_by(outer.append):
        with news.heard_by(inner.append):
            news.say("one")
        news.say("two")
    news.say("three")
    assert (outer, inner) == (["two"], ["one"])
