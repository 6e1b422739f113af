"""Pairs that six dice can be turned to: each part of the search alone, against plain counting.

A search over many hands seldom combines the last face of a die with the last sum of a row of the
referee's table. Here every face is tried with made-up values: a number for what is reachable, 0
for everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import pytest

from hashmark.engine.generator import RandomStream
from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import best_use as use
from hashmark.games.two_minute_drill import lookahead as a
from hashmark.games.two_minute_drill.position import Position
from hashmark.games.two_minute_drill.search import WORK_SIZE

M, G = RULES.new_match(), Position()
TOPS = (4, 6, 8, 10, 12)
S = a.FIRST_SURVEY

FlagAndSide = tuple[int, int]  # the flag, and 1 if the side is odd


def work_space(faces: Sequence[int], tops: Sequence[int], defence: Sequence[int]) -> list[int]:
    """Return a hand of six dice with nothing placed and all survey values 0."""
    w = [0] * WORK_SIZE
    w[a.FACE : a.FACE + 4] = faces
    w[a.HIGHEST : a.HIGHEST + 4] = tops
    w[a.DEFENSE : a.DEFENSE + 2] = defence
    w[a.ONLY_OT] = w[a.ONLY_DT] = w[a.ONLY_RUNS] = a.ANY
    return w


def turned(face: int, top: int, pips: int) -> Iterator[tuple[int, int]]:
    """Yield the faces that a die can be turned to, and the pips that are left."""
    for other in range(1, top + 1):
        if abs(other - face) <= pips:
            yield other, pips - abs(other - face)


def recording(calls: list[Any], selection: slice) -> Callable[..., int]:
    """Return a stand-in for a part of the search that records some of its arguments."""

    def note(*given: Any) -> int:
        calls.append(given[selection])
        return int(given[-1])

    return note


# --- The referee ----------------------------------------------------------------------------------


def referee_reaches(w: list[int], dt: int, runs: int, pips: tuple[int, int]) -> set[FlagAndSide]:
    """Count flags and sides plainly; any pip that is left changes the side."""
    reached: set[FlagAndSide] = set()
    for ot in {*range(4)} - {runs} if w[a.ONLY_OT] == a.ANY else {w[a.ONLY_OT]}:
        sides = sum(w[at] for at in range(4) if at not in (ot, runs))
        ways = product(
            turned(w[ot], w[a.HIGHEST + ot], pips[0]), turned(w[a.DEFENSE + dt], 6, pips[1])
        )
        for (face, left), (minus, _) in ways:
            if face + minus >= 7:
                reached |= {
                    (int(face + minus >= 10), (sides + way) % 2) for way in range(min(2, left + 1))
                }
    return reached


def referee_fits(
    w: list[int], dt: int, runs: int, pips: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> set[FlagAndSide]:
    """Return the flags and sides that the search evaluates."""
    calls: list[Any] = []

    monkeypatch.setattr(use, "gain_value", recording(calls, slice(-1, -3, -1)))
    use.best_referee_value(M, G, w, S, dt, runs, 1, 1, *pips, 0)
    return set(calls)


@pytest.mark.parametrize("top", TOPS)
def test_referee_pairs_match_plain_counting_for_every_face(
    top: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for face, minus, ot, dt in product(range(1, top + 1), range(1, 7), range(4), range(3)):
        w = work_space((face, 3, 2, 1), (top, 6, 6, 8), (minus, 1))
        w[a.ONLY_OT] = 0
        found = referee_fits(w, 0, 1, (ot, dt), monkeypatch)
        assert found == referee_reaches(w, 0, 1, (ot, dt)), (face, minus, ot, dt)


def test_referee_pairs_match_plain_counting_for_any_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    luck = RandomStream(22, 1, 0)
    for _ in range(200):
        tops = [TOPS[luck.randbelow(5)] for _ in range(4)]
        faces = [1 + luck.randbelow(min(top, 5)) for top in tops]
        w = work_space(faces, tops, (1 + luck.randbelow(6), 1 + luck.randbelow(6)))
        dt, runs, pips = (
            luck.randbelow(2),
            luck.randbelow(4),
            (luck.randbelow(2), luck.randbelow(2)),
        )
        found = referee_fits(w, dt, runs, pips, monkeypatch)
        assert found == referee_reaches(w, dt, runs, pips), w[: a.PAID]


@pytest.mark.parametrize("top", TOPS)
def test_low_sums_are_found_for_every_face(top: int) -> None:
    """R22 to R25: each sum up to 6 alone has a value."""
    for face, minus, ot, dt in product(range(1, top + 1), range(1, 7), range(3), range(3)):
        w = work_space((1, face, 1, 1), (4, top, 6, 8), (1, minus))
        sums = {x + y for (x, _), (y, _) in product(turned(face, top, ot), turned(minus, 6, dt))}
        for total in range(2, 7):
            at = S + a.END + a.SUM_2 + total - 2
            w[at] = 9
            assert use.best_ending_value(w, S, 1, 1, ot, dt, 4) == (9 if total in sums else 4)
            w[at] = 0


# --- The yards ------------------------------------------------------------------------------------


@pytest.mark.parametrize("top", TOPS)
def test_yards_pairs_are_tried_for_every_face(top: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """R29: each pair that is reachable, with the pips that are left for the referee."""
    calls: list[Any] = []
    monkeypatch.setattr(use, "best_referee_value", recording(calls, slice(6, 10)))
    for face, minus, ot, dt in product(range(1, top + 1), range(1, 7), range(3), range(3)):
        w = work_space((1, face, 1, 1), (4, top, 6, 8), (minus, 1))
        w[S + a.PEAK : S + a.PEAK + a.GAIN_COUNT] = [1] * a.GAIN_COUNT
        calls.clear()
        assert use.best_gain_value(M, G, w, S, 1, 1, ot, dt, 0) == 0
        ways = product(turned(face, top, ot), turned(minus, 6, dt))
        assert sorted(calls) == sorted((x, y, left, spare) for (x, left), (y, spare) in ways)


def test_yards_that_cannot_be_better_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip yards no better than the best so far, except a die at its top, which may be rolled."""
    calls: list[Any] = []
    monkeypatch.setattr(use, "best_referee_value", recording(calls, slice(6, 8)))
    w = work_space((1, 5, 1, 1), (4, 6, 6, 8), (3, 1))
    peak = S + a.PEAK - a.LOWEST_GAIN
    w[peak + 4 - 3], w[peak + 5 - 3], w[peak + 6 - 3] = 7, 8, 0
    use.best_gain_value(M, G, w, S, 1, 1, 1, 0, 7)
    assert calls == [(6, 3), (5, 3)]


# --- All pairs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("chance", [0, 1])
@pytest.mark.parametrize(
    "settled", [(a.ANY, a.ANY, a.ANY), (2, 1, a.ANY), (0, 0, 3), (3, 1, 0), (1, 0, 2)]
)
def test_every_pair_is_tried_once(
    settled: tuple[int, int, int], chance: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R21: each OT die with each DT die, except for placed dice; no yards on a last chance."""
    ended: list[Any] = []
    gained: list[Any] = []
    monkeypatch.setattr(use, "best_ending_value", recording(ended, slice(2, 4)))
    monkeypatch.setattr(use, "best_gain_value", recording(gained, slice(5, 3, -1)))
    w, g = work_space((1, 2, 3, 4), (4, 6, 6, 8), (5, 6)), Position()
    w[a.ONLY_OT], w[a.ONLY_DT], w[a.ONLY_RUNS] = settled
    g.chance = chance
    use.best_placing_value(M, g, w, S, 0, 0, 0)
    ranges = zip(settled, (4, 2, 4), strict=True)
    dice, defence, runs = ([*range(count)] if at < 0 else [at] for at, count in ranges)
    assert sorted(ended) == sorted(product(dice, defence))
    assert sorted(gained) == ([] if chance else sorted(product(runs, defence)))


# --- Groups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [use.TIMEOUT_NOW, use.TIMEOUT_TAKEN])
def test_three_pairs_can_become_six_odd_dice(mode: int) -> None:
    """R16: only with all their pips; found even though no smaller group is any better."""
    w = work_space((1, 3, 1, 3), (4, 6, 6, 8), (2, 2))
    w[S + a.END + a.SIX_ODD] = 9
    values = {
        pips: use.best_settled_value(M, G, w, S, mode, *pips, 2)
        for pips in ((4, 2), (3, 2), (4, 1))
    }
    assert values == {(4, 2): 9, (3, 2): 2, (4, 1): 2}
