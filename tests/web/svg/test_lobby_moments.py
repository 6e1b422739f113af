"""Moments in the lobby: real drives of every game, which move for a few seconds only."""

from __future__ import annotations

import re

import pytest

from hashmark.engine import registry
from hashmark.web.svg.lobby_moments import MAX_SECONDS, Hop, Moment, draw_moment, find_moment


@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_a_drive_to_a_touchdown(name: str) -> None:
    moment = find_moment(registry.load(name))
    assert moment is not None
    assert moment.is_touchdown
    assert moment.yards >= 40
    for hop, following in zip(moment.hops, moment.hops[1:], strict=False):
        assert hop.end == following.start
        assert hop.dice


@pytest.mark.parametrize("name", registry.names())
def test_a_moment_moves_for_less_than_five_seconds(name: str) -> None:
    """Longer movement would need a button that stops it (WCAG 2.2.2)."""
    picture = draw_moment(registry.load(name))
    assert picture is not None
    assert "repeatCount" not in picture
    starts = [float(text) for text in re.findall(r'begin="([\d.]+)s;', picture)]
    assert max(starts) <= MAX_SECONDS < 5
    assert 'class="resting"' in picture
    assert "style=" not in picture


def test_what_is_worth_showing() -> None:
    long_drive = Moment(0, (Hop(20, 50, ()), Hop(50, 80, ()), Hop(80, 100, ())))
    assert long_drive.is_good
    assert not Moment(0, long_drive.hops[:2]).is_good
    assert not Moment(0, (Hop(20, 100, ()),)).is_good
    assert not Moment(0, (Hop(90, 94, ()), Hop(94, 97, ()), Hop(97, 100, ()))).is_good
