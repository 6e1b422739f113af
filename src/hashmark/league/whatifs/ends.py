"""What the rules make of a play's result and of its flags, asked of the rules themselves.

A result of the Priority Chart is played out by `scrimmage.resolve`, trapped passers, containment
and recoveries with it, and every way that it can go is enumerated. It is asked on the own 1 for
gains and on the opponents' 1 for losses, so that no goal line is in the way: what comes out
holds for every place on the field. What home field makes of a gain (`heard`) and then the short
field (`left`) comes after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.cells import is_number, kind_of, number_of
from hashmark.games.data_driven.charts.layout import CHAINS
from hashmark.games.data_driven.downs import set_first_down
from hashmark.games.data_driven.home_field import is_heard
from hashmark.games.data_driven.scrimmage import resolve
from hashmark.games.data_driven.short_field import (
    OPEN_FIELD,
    is_checked,
    is_measured,
    shortened,
    situation,
)
from hashmark.games.data_driven.verdict import enforce, judge_def_5x, judge_def_15
from hashmark.odds.plain import Path, ways
from hashmark.table.record import HOME

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOWEST, HIGHEST = -99, 110  # yards from the line that a result may have
YARDS = range(LOWEST, HIGHEST + 1)
WIDTH = len(YARDS)
# A run or a catch, intercepted, fumbled away, a scramble, kept otherwise: each has yards.
GAIN, PICKED, LOST, SCRAMBLE, KEPT = range(5)
INCOMPLETE_AT = 5 * WIDTH
RESULTS = 5 * WIDTH + 1
FAR, NEAR = 1, 99  # spots: the whole field before the offence, and behind it

Enforced = tuple[int, int, int]  # down, to go, spot
Stops = tuple[tuple[tuple[int, float], ...], ...]  # cells with chances, of the short-field charts

Crowd = tuple[float, float]  # E3: how often a gain is a yard longer, and shorter


def place(kind: int, yards: int) -> int:
    """Where a result with yards stands in a table of results."""
    return kind * WIDTH + min(max(yards, LOWEST), HIGHEST) - LOWEST


def snapped(team: int, spot: int) -> Any:
    """A play of this team in progress, here; no rule about a single play applies to it."""
    g = p.Position()
    g.phase, g.possession, g.holder, g.play = p.SCRIMMAGE, team, team, t.SHORT
    set_first_down(g, spot)
    return g


# --- Results -----------------------------------------------------------------------------


End = tuple[int, float]  # its place in the table of results, and its chance


def ends(m: Any, offence: int, cell: int) -> Sequence[End]:
    """Every end of a result that counts, on a field without a short one and without a crowd.

    Yards, touchdowns, incomplete passes and interceptions ask no chart of a team: they are played
    out once for all matches.
    """
    if m.short_field or m.home_field or not (is_number(cell) or kind_of(cell) in CERTAIN):
        return list(_played_out(m, offence, cell))
    key = (offence, cell, m.goal_line_deduction)
    if key not in _known:
        _known[key] = list(_played_out(m, offence, cell))
    return _known[key]


CERTAIN = (c.TD, c.INC, c.INT)
_known: dict[tuple[int, int, int], Sequence[End]] = {}


def _played_out(m: Any, offence: int, cell: int) -> Iterator[End]:
    for spot in (FAR, NEAR):
        g = snapped(offence, spot)
        for chance, after, _ in ways(RULES, g, lambda one: resolve(m, one, cell)):
            kind, yards = _end(after, spot, cell)
            if (yards > 0) == (spot == FAR):
                incomplete = after.result == p.ENDS_INCOMPLETE
                yield INCOMPLETE_AT if incomplete else place(kind, yards), float(chance)


def _end(g: Any, spot: int, cell: int) -> tuple[int, int]:
    """Who has the ball after a result, and how far from the line he got it.

    A scramble that is fumbled and recovered counts as a scramble: E1, which does not look at
    fumbles, is then laid over it. It is one play in some thousands.
    """
    if g.way == p.INTERCEPTED:
        picked = 0 if g.result == p.ENDS_TOUCHDOWN else 100 - g.start
        return PICKED, picked - spot
    if g.holder != g.possession:
        return LOST, g.gain
    if is_number(cell) or kind_of(cell) == c.TD:
        return GAIN, g.gain
    return SCRAMBLE if g.way == p.SCRAMBLED else KEPT, g.gain


# --- Home field and the short field --------------------------------------------------------


def heard(crowd: Crowd, at: Enforced, worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """E3: what gains are worth if each is worth so much without the yard of the crowd."""
    if not any(crowd):
        return worth
    g = snapped(HOME, at[2])
    made = worth.copy()
    for yards in YARDS:
        if is_heard(g, yards):
            here = yards - LOWEST
            for yard, chance in zip((1, -1), crowd, strict=True):
                made[here] += chance * (worth[here + yard] - worth[here])
    return made


def left(
    stops: Stops, way: int, at: Enforced, stands: NDArray[np.float64], missed: float
) -> NDArray[np.float64]:
    """E1, E2: what gains are worth if each is worth `stands` where it ends.

    `at` is down, yards to go and spot. What is checked, and what is left of it, the rules say.
    """
    if not stops:
        return stands
    g = snapped(HOME, at[2])
    g.down, g.to_go, g.way = at[0], at[1], way
    made = stands.copy()
    where, column = situation(g), int(way == p.COMPLETED)
    if is_measured(g, g.to_go):
        here = g.to_go - LOWEST
        chains = stops[2 * CHAINS + column]
        made[here] = sum(part * stands[here + number_of(cell)] for cell, part in chains)
    if where == OPEN_FIELD:
        return made
    whole = made.copy()  # what is not cut is measured
    for yards in YARDS:
        if is_checked(g, yards):
            made[yards - LOWEST] = sum(
                part * (missed if kind_of(cell) == c.INC else _of(stands, whole, g, yards, cell))
                for cell, part in stops[2 * where + column]
            )
    return made


def _of(
    cut: NDArray[np.float64], whole: NDArray[np.float64], g: Any, yards: int, cell: int
) -> float:
    remains = shortened(g, yards, cell)
    return float((cut if remains < yards else whole)[max(remains, LOWEST) - LOWEST])


# --- Flags -------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def enforced(foul: int, down: int, to_go: int, spot: int) -> Enforced:
    """R73 to R75: the situation after a foul is walked off from the line of scrimmage."""
    g = snapped(HOME, spot)
    g.table = Path(RULES)
    g.down, g.to_go = down, to_go
    enforce(g, foul)
    return g.down, g.to_go, g.spot


JUDGED = {p.DEF_15: judge_def_15, p.DEF_5X: judge_def_5x}


@lru_cache(maxsize=1024)
def walked_off(foul: int, play: int, spot: int) -> tuple[int, ...]:
    """R83, R84: where a foul without a choice brings the first down.

    First after a turnover or a safety, then after a play that ended on each yard line.
    """
    found = [_judged(foul, play, spot, p.ENDS_SAFETY, 0)]
    return (*found, *(_judged(foul, play, spot, p.ENDS_DOWN, at) for at in range(1, 100)))


def _judged(foul: int, play: int, spot: int, result: int, at: int) -> int:
    g = snapped(HOME, spot)
    g.table = Path(RULES)
    g.play, g.foul, g.result, g.at = play, foul, result, at
    JUDGED[foul](g)
    return int(g.spot)
