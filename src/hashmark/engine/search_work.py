"""Plain work space of a coach that looks ahead: positions that its rules may change."""

from __future__ import annotations

from hashmark.engine.dice import Pool
from hashmark.engine.effects import EffectHandler
from hashmark.engine.record import PositionRecord, PositionT


class SearchHandler(EffectHandler):
    """Effect handler of a work space: a search sets its dice, and its events are ignored.

    Dice that it does not set come up as their first outcome, as they do in compiled searches.
    """

    def roll(self, g: PositionRecord, pool: Pool, team: int) -> int:
        return pool.odds[0][0]


def plain_work(position: type[PositionT], size: int) -> list[PositionT]:
    """Return a work space of this many positions."""
    work = [position() for _ in range(size)]
    for g in work:
        g.handler = SearchHandler()
    return work
