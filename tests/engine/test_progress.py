"""Progress notices go to the innermost listener only."""

from __future__ import annotations

from hashmark.engine import progress


def test_only_the_innermost_listener_receives_notices() -> None:
    outer: list[str] = []
    inner: list[str] = []
    progress.notify("nobody hears this")
    with progress.send_to(outer.append):
        with progress.send_to(inner.append):
            progress.notify("one")
        progress.notify("two")
    progress.notify("three")
    assert (outer, inner) == (["two"], ["one"])
