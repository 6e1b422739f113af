"""Best use of six dice compared with the rules: every hand, every way to turn it, any values.

What six dice can become does not depend on what that is worth. So the values are made up, different
for each result, and the best of a hand is compared with the best that the rules let it reach: for
some hands by playing every answer, for all of them by tables of what the rules make of a pair.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest

from drill_by_rules import copy_after
from hashmark.engine.events import EventKind, Values
from hashmark.engine.generator import RandomStream
from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import best_use as use
from hashmark.games.two_minute_drill import lookahead as a
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.hand import count_pips, has_face, largest_group, side
from hashmark.games.two_minute_drill.play import is_flagged, place_referee
from hashmark.games.two_minute_drill.rules import look_for_groups
from hashmark.games.two_minute_drill.search import WORK_SIZE
from hashmark.games.two_minute_drill.tables import (
    DT_A,
    DT_B,
    EIGHT,
    FOUR,
    KEEPABLE_SETS,
    SIX_A,
    SIX_B,
    TOP_FACE,
    TWELVE,
)

M = RULES.new_match()
GROUPS = {
    p.TRIPLE_BACK: -1,
    p.TRIPLE_FORWARD: 1,
    p.QUAD_FORWARD: a.FORWARD_15,
    p.QUAD_BACK: a.QUAD_LOSS,
    p.FIVE: a.ERASE,
    p.SIX_ODD: a.SIX_ODD,
    p.SIX_EVEN: a.SIX_EVEN,
}
MAX_WORTH = 1000  # of six odd dice, which win


def made_up(seed: int, chance: int) -> list[int]:
    """Return a work space with two filled surveys, with the properties that the coach relies on.

    Six odd dice are worth most, extra effort at least as much as stopping, and no value is better
    with one timeout less.
    """
    luck, w = RandomStream(22, seed, 0), [0] * WORK_SIZE
    for spent in range(2):
        s = a.FIRST_SURVEY + spent * a.SURVEY_SIZE
        for at in range(a.END, a.SURVEY_SIZE):
            before = w[s + at - a.SURVEY_SIZE] if spent else MAX_WORTH
            w[s + at] = max(1, before - 1 - luck.randbelow(200 if spent else MAX_WORTH))
        w[s + a.FILLED] = 1
        w[s + a.END + a.SIX_ODD] = MAX_WORTH
        if chance:  # R25: only a sum of 5 helps
            five = w[s + a.END + a.SUM_5]
            w[s + a.END : s + a.END + a.END_COUNT] = [0] * a.END_COUNT
            w[s + a.END + a.SUM_5] = five
        specials = [w[s + a.END + end] for end in range(a.SIX_EVEN + 1) if end != a.SIX_ODD]
        w[s + a.BEST_SPECIAL] = max(specials)
        _agree(w, s)
    w[a.ONLY_OT] = w[a.ONLY_DT] = w[a.ONLY_RUNS] = a.ANY
    return w


def _agree(w: list[int], s: int) -> None:
    """Set the best of each gain, and raise extra effort to at least that."""
    for at in range(a.GAIN_COUNT):
        w[s + a.PEAK + at] = max(w[s + a.GAINS + k * a.GAIN_COUNT + at] for k in range(4))
    for kind, die, minus in product(range(4), range(5), range(1, 7)):
        gain = 2 * die + 4 - minus - a.LOWEST_GAIN
        at = s + a.EFFORT + (kind * 5 + die) * 6 + minus - 1
        w[at] = max(w[at], w[s + a.GAINS + kind * a.GAIN_COUNT + gain])


def position(dice: tuple[int, ...], faces: tuple[int, ...], chance: int = 0) -> Any:
    """Return a position with six dice on the table, far from every line."""
    g = p.Position()
    g.phase, g.spot, g.to_go, g.down, g.clock, g.chance = p.REFEREE, 40, 10, 1, 30, chance
    for die, face in zip(dice, faces, strict=True):
        g.dice[die] = face
    return g


# --- What the rules make of dice ----------------------------------------------------------------


class EventLog:
    """Effect handler that records events."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.events.append(event)


def group_of(g: p.Position) -> int:
    """Return the special result that the rules make of the dice, by lookahead number; -1: none."""
    if largest_group(g) < 3:
        return -1
    copy = g.copy()
    copy.handler, copy.chance, copy.timeouts = EventLog(), 0, 0
    look_for_groups(M, copy)
    kinds = [GROUPS[event] for event in copy.handler.events if event in GROUPS]
    return a.FORWARD_0 + sum(kinds) if set(kinds) <= {-1, 1} else kinds[0]


@cache
def referee_says(total: int) -> tuple[int, int]:
    """Return which end of a play a referee sum is, by lookahead number or -1, and its flag."""
    face = max(1, total - 6)
    g = position((TWELVE, DT_A), (face, total - face))
    done = copy_after(g, lambda copy: place_referee(M, copy, p.FIRST_REFEREE + 2 * TWELVE))
    if done.phase == p.YARDS:
        return -1, int(is_flagged(done))
    return a.SUM_2 + total - 2, 0


@cache
def yards_say(die: int, face: int, minus: int, even: bool, flag: int) -> int:
    """Return the offset of a yards pair's value in a survey, by the phase that the rules reach."""
    others = [one for one in (SIX_A, SIX_B, EIGHT, FOUR) if one != die][:3]
    faces = (6, 2, 2 if even else 1) if flag else (4, 2, 2 if even else 1)
    g = position((die, *others, DT_A, DT_B), (face, *faces, 6 if flag else 4, minus))
    g.phase, g.referee_ot, g.referee_dt = p.YARDS, others[0], DT_A
    done = copy_after(g, lambda one: RULES.step(M, one, p.FIRST_YARDS + die))
    assert done.gain == face - minus
    assert is_flagged(done) == bool(flag)
    kind = 2 * flag + (side(done) == p.RIGHT)
    if done.phase == p.EFFORT:
        return a.EFFORT + (kind * 5 + TOP_FACE[die] // 2 - 2) * 6 + minus - 1
    return a.GAINS + kind * a.GAIN_COUNT + int(done.gain) - a.LOWEST_GAIN


# --- By playing every answer ---------------------------------------------------------------------


class RulesPlayout:
    """Best value of six dice, with every answer played by the rules."""

    def __init__(self, w: list[int]) -> None:
        self.w = w
        self.cache: dict[tuple[int, ...], int] = {}

    def best(self, g: p.Position) -> int:
        key = (*g.dice, *g.pips, g.phase, g.timeouts, g.combined, g.referee_ot, g.referee_dt)
        if key not in self.cache:
            answers = (self._answer(g, call) for call in RULES.legal_calls(M, g))
            self.cache[key] = max(answers)
        return self.cache[key]

    def fresh(self, g: p.Position) -> int:
        """R11: evaluate six dice that were just chosen."""
        return self._reached(g, copy_after(g, lambda one: look_for_groups(M, one)), group_of(g))

    def _answer(self, g: p.Position, call: int) -> int:
        done = copy_after(g, lambda one: RULES.step(M, one, call))
        if g.phase == p.YARDS:
            return self._yards(g, call - p.FIRST_YARDS)
        if g.phase == p.REFEREE:
            ot, dt = divmod(call - p.FIRST_REFEREE, 2)
            if g.chance:
                recovered = done.phase == p.SCRIMMAGE
                return self._worth(g, a.END + a.SUM_5) if recovered else 0
            return self._reached(g, done, referee_says(g.dice[ot] + g.dice[DT_A + dt])[0])
        return self._reached(g, done, group_of(g))

    def _yards(self, g: p.Position, die: int) -> int:
        even = side(copy_after(g, lambda one: setattr(one, "yards_ot", die))) == p.LEFT
        minus = g.dice[DT_A + DT_B - g.referee_dt]
        return self._worth(g, yards_say(die, g.dice[die], minus, even, int(is_flagged(g))))

    def _worth(self, g: p.Position, at: int) -> int:
        """Return a value from the survey with the one timeout spent or not."""
        return self.w[a.FIRST_SURVEY + int(1 - g.timeouts) * a.SURVEY_SIZE + at]

    def _reached(self, g: p.Position, done: p.Position, end: int) -> int:
        """Return the best of what follows, or the value of the end that the rules reached."""
        if done.phase in (p.SCRIMMAGE, p.OVER):
            return self._worth(g, a.END + end)
        return self.best(done)


def hand(w: list[int], dice: tuple[int, ...], faces: tuple[int, ...]) -> None:
    """Put six dice into the work space."""
    for at in range(4):
        w[a.FACE + at], w[a.HIGHEST + at] = faces[at], TOP_FACE[dice[at]]
    w[a.DEFENSE], w[a.DEFENSE + 1] = faces[4:]


def compare_played(dice: tuple[int, ...], hands: Any, seed: int, chance: int = 0) -> int:
    """Compare fresh hands with a timeout left by both methods; return their number."""
    w, count = made_up(seed, chance), 0
    playout = RulesPlayout(w)
    for faces in hands:
        g = position(dice, faces, chance)
        g.timeouts = 1
        hand(w, dice, faces)
        assert use.hand_value(M, g, w, use.FRESH, 0) == playout.fresh(g), faces
        count += 1
    return count


SMALL = (FOUR, SIX_A, SIX_B, EIGHT, DT_A, DT_B)


@pytest.mark.parametrize("seed", range(2))
def test_hand_values_match_the_rules_with_one_pair(seed: int) -> None:
    """A pip for each team: each die turned alone, to make three of a kind or to place it."""
    near = product((4,), (1, 3), (2, 6), (5, 8), (3, 5), (4,))
    assert compare_played(SMALL, near, seed) == 16


@pytest.mark.parametrize("seed", range(3))
def test_hand_values_match_the_rules_without_a_pair_or_with_a_group(seed: int) -> None:
    hands = [(1, 2, 3, 4, 5, 6), (4, 1, 6, 8, 2, 3), (1, 1, 1, 8, 4, 6), (3, 3, 3, 3, 3, 3)]
    hands += [(2, 2, 2, 2, 2, 2), (2, 2, 2, 5, 5, 5), (4, 4, 6, 6, 4, 6), (2, 5, 5, 5, 5, 1)]
    assert compare_played(SMALL, hands, seed) == 8
    assert compare_played(SMALL, hands, seed, 1) == 8


def test_the_first_turn_of_a_defence_die_may_be_the_only_one_that_helps() -> None:
    """R19: with the last pip, for the defence, its other die joins two fours."""
    w = made_up(0, 0)
    for spent in range(2):
        w[a.FIRST_SURVEY + spent * a.SURVEY_SIZE + a.END + a.FORWARD_5] = MAX_WORTH - 1
        w[a.FIRST_SURVEY + spent * a.SURVEY_SIZE + a.BEST_SPECIAL] = MAX_WORTH - 1
    faces = (4, 1, 2, 7, 5, 4)
    g = position(SMALL, faces)
    g.phase, g.timeouts, g.pips = p.PIPS, 1, [0, 1]
    hand(w, SMALL, faces)
    w[a.OT_PIPS], w[a.DT_PIPS] = g.pips
    assert use.hand_value(M, g, w, use.TIMEOUT_NOW, 0) == RulesPlayout(w).best(g) == MAX_WORTH - 1


# --- All hands -----------------------------------------------------------------------------------


class Tables:
    """What the rules make of every hand of six dice at once, as arrays indexed by faces."""

    def __init__(self, dice: tuple[int, ...], w: list[int]) -> None:
        import numpy as np

        self.dice, self.shape = dice, tuple(TOP_FACE[die] for die in dice)
        self.faces = np.indices(self.shape) + 1
        self.places = [
            self._placed(w, a.FIRST_SURVEY + spent * a.SURVEY_SIZE) for spent in range(2)
        ]
        self.groups = self._groups()
        ends = [
            np.array(w[a.FIRST_SURVEY + spent * a.SURVEY_SIZE + a.END :][: a.END_COUNT])
            for spent in (0, 1)
        ]
        self.grouped = [np.where(self.groups >= 0, one[self.groups], -1) for one in ends]

    def _groups(self) -> Any:
        """Return the special result of every hand; hands with the same faces share one lookup."""
        import numpy as np

        known: dict[tuple[int, ...], int] = {}
        groups = np.zeros(self.shape, np.int64)
        for faces in product(*(range(1, top + 1) for top in self.shape)):
            key = (*sorted(faces[:4]), 0, *sorted(faces[4:]))
            if key not in known:
                known[key] = group_of(position(self.dice, faces))
            groups[tuple(face - 1 for face in faces)] = known[key]
        return groups

    def _placed(self, w: list[int], s: int) -> Any:
        """R21: return the best of all three pairs, with the dice as they lie."""
        import numpy as np

        sums = [referee_says(total) for total in range(2, 19)]
        ends = np.array([-1, -1, *(w[s + a.END + end] if end >= 0 else -1 for end, _ in sums)])
        flags = np.array([0, 0, *(flag for _, flag in sums)])
        best = np.full(self.shape, -1)
        for ot, dt in product(range(4), (4, 5)):
            total = self.faces[ot] + self.faces[dt]
            best = np.maximum(best, ends[total])
            for runs in set(range(4)) - {ot}:
                left = sum(self.faces[at] for at in range(4) if at not in (ot, runs))
                values = self._pairs(w, s, runs)[
                    self.faces[runs] - 1, self.faces[9 - dt] - 1, left % 2, flags[total]
                ]
                best = np.maximum(best, np.where(ends[total] < 0, values, -1))
        return best

    def _pairs(self, w: list[int], s: int, runs: int) -> Any:
        """Return the value of every yards pair with this die, by its faces, side and flag."""
        import numpy as np

        die = self.dice[runs]
        ranges = (range(1, TOP_FACE[die] + 1), range(1, 7), (True, False), (0, 1))
        values = [w[s + yards_say(die, *choice)] for choice in product(*ranges)]
        return np.array(values).reshape([len(choice) for choice in ranges])

    def turned(self, base: Callable[..., Any]) -> dict[tuple[int, int], Any]:
        """R12: return the best of a table with each number of pips for both teams."""
        best: dict[tuple[int, int], Any] = {}
        for ot, dt in product(range(5), range(3)):
            best[ot, dt] = base(ot, dt)
            for axes, before in ((range(4), (ot - 1, dt)), ((4, 5), (ot, dt - 1))):
                for axis in axes if min(before) >= 0 else ():
                    best[ot, dt] = self._shifted(best[ot, dt], best[before], axis)
        return best

    def _shifted(self, best: Any, turned: Any, axis: int) -> Any:
        """Turn one die a pip up or down, if it has that face."""
        import numpy as np

        die = self.dice[axis]
        best, turned = np.moveaxis(best.copy(), axis, 0), np.moveaxis(turned, axis, 0)
        for face, way in product(range(1, TOP_FACE[die] + 1), (-1, 1)):
            if has_face(die, face + way):
                best[face - 1] = np.maximum(best[face - 1], turned[face + way - 1])
        return np.moveaxis(best, 0, axis)

    def by_mode(self) -> dict[int, dict[tuple[int, int], Any]]:
        """Return the best of every hand for every mode and number of pips."""
        import numpy as np

        place = [self.turned(lambda ot, dt, at=spent: self.places[at]) for spent in range(2)]
        read = [
            self.turned(
                lambda ot, dt, at=spent: np.where(
                    self.groups >= 0, self.grouped[at], place[at][ot, dt]
                )
            )
            for spent in range(2)
        ]
        as_they_lie = {
            pips: np.where(self.groups >= 0, self.grouped[0], values)
            for pips, values in place[0].items()
        }
        return {
            use.PLACE: place[0],
            use.TIMEOUT_TAKEN: read[0],
            use.TIMEOUT_NOW: read[1],
            use.AS_THEY_LIE: as_they_lie,
        }


def all_worths(
    rules: Any, m: Any, g: Any, w: Any, hands: Any, mode: int, pips: Any, out: Any
) -> None:
    """Compiled: evaluate every hand with these pips; a fresh one with its own."""
    for at in range(len(hands)):
        for die in range(4):
            w[a.FACE + die] = hands[at, die]
        w[a.DEFENSE] = hands[at, 4]
        w[a.DEFENSE + 1] = hands[at, 5]
        w[a.OT_PIPS] = pips[0]
        w[a.DT_PIPS] = pips[1]
        out[at] = use.hand_value(m[0], g[0], w, mode, 0)


DIE_TYPES = sorted({tuple(TOP_FACE[die] for die in three) for three in KEEPABLE_SETS})


FEW_PIPS = 2  # with more there are thousands of ways to turn a hand: sample the hands
HAND_STRIDE = 97  # one hand of this many is sampled


@pytest.mark.long
@pytest.mark.parametrize("tops", DIE_TYPES)
def test_hand_values_match_the_rules_for_every_hand(tops: tuple[int, ...]) -> None:
    """All faces of all dice that may be kept, with any pips before and after a timeout."""
    import numpy as np

    three = next(
        dice_set for dice_set in KEEPABLE_SETS if tuple(TOP_FACE[die] for die in dice_set) == tops
    )
    dice = (FOUR, *three, DT_A, DT_B)
    w = made_up(sum(tops), 0)
    hand(w, dice, (1,) * 6)
    tables = Tables(dice, w)
    hands = tables.faces.reshape(6, -1).T.copy()
    evaluate, expected = compiled_coach(dice, w), tables.by_mode()
    for mode, by_pips in expected.items():
        for pips, best in by_pips.items():
            sample = slice(
                0, None, 1 if sum(pips) <= FEW_PIPS or mode == use.PLACE else HAND_STRIDE
            )
            values, best = evaluate(hands[sample], mode, pips), best.reshape(-1)[sample]
            if mode == use.TIMEOUT_NOW:  # the coach skips a timeout that changes nothing
                placed = expected[use.PLACE][pips].reshape(-1)[sample]
                values, best = np.maximum(values, placed), np.maximum(best, placed)
            assert (values == best).all(), (mode, pips)
    sampled = hands[:: HAND_STRIDE // 10]
    assert (evaluate(sampled, use.FRESH, (0, 0)) == fresh(tables, expected, sampled)).all()


def compiled_coach(
    dice: tuple[int, ...], w: list[int]
) -> Callable[[Any, int, tuple[int, int]], Any]:
    """Return a compiled function that evaluates hands as the coach does."""
    import numpy as np

    from hashmark.compiler import dispatch, registration

    start, g = position(dice, (1,) * 6), np.zeros(1, RULES.position.dtype([]))
    start.timeouts = 1
    start.to_array(g[0])
    space, match = np.array(w, np.int64), dispatch.match_array(RULES, M)
    run = registration.compile_loop(all_worths, RULES)

    def evaluate(hands: Any, mode: int, pips: tuple[int, int]) -> Any:
        out = np.zeros(len(hands), np.int64)
        run(RULES, match, g, space, np.ascontiguousarray(hands), mode, np.array(pips), out)
        return out

    return evaluate


def fresh(tables: Tables, expected: dict[int, Any], hands: Any) -> Any:
    """R11, R12, R19: pairs give pips; with pips a timeout may be called."""
    import numpy as np

    values = []
    for faces in hands:
        g = position(tables.dice, tuple(map(int, faces)))
        count_pips(g)
        pips, index = tuple(g.pips), tuple(faces - 1)
        best = expected[use.AS_THEY_LIE][pips][index]
        values.append(max(best, expected[use.TIMEOUT_NOW][pips][index]) if any(pips) else best)
    return np.array(values)
