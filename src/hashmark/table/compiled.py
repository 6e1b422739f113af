"""The compiled meaning of rules and effects; only the simulator and the odds import this.

Pools, printed tables, events and rule sets become compile-time constants: each is a type of its
own, so that `roll(g, D20)` compiles to the code of that very die. What an effect does is chosen by
the record:

- a *sampling* record carries the state of its game's generator (`sampling_fields`);
- an *enumerating* record carries a path of outcomes (`enumerating_fields`): where the path ends it
  is extended with first outcomes, and the caller advances it like an odometer.

Both carry the statistics that `tell` adds up.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core.imputils import lower_constant
from numba.extending import (
    NativeValue,
    intrinsic,
    models,
    overload,
    register_jitable,
    register_model,
    typeof_impl,
    unbox,
)

from hashmark.table import effects
from hashmark.table.dice import Die, Pool
from hashmark.table.events import Event
from hashmark.table.generator import COACHES, DICE, STRIDE, mix, stream_start, stream_stride
from hashmark.table.grid import Grid
from hashmark.table.record import AWAY, HOME, TIE
from hashmark.table.rules import ALLOWED, NO_CALL, RuleSet

MOST_ROLLS = 96  # of one step; enumeration refuses to go deeper


def meaning_of(function: Any) -> Callable[[Callable[..., Any]], Any]:
    """Give a plain function its compiled meaning: a function of types that returns code."""
    return overload(function, strict=False, jit_options={"forceinline": True})


# --- Constants -----------------------------------------------------------------------


class _ConstantType(types.Type):
    """The type of one constant object; compiled code has no value of it at run time."""

    def __init__(self, value: Any, name: str) -> None:
        self.value = value
        super().__init__(name=f"{type(self).__name__}({name})")


class PoolType(_ConstantType):
    """The type of one pool of dice."""


class GridType(_ConstantType):
    """The type of one printed table."""


class EventType(_ConstantType):
    """The type of one event."""


class RulesType(_ConstantType):
    """The type of one rule set; in a cache file it is written as the game's name."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules_type, (self.value.name,)


def _rules_type(name: str) -> RulesType:
    from hashmark.table import registry

    return RulesType(registry.load(name), name)


for _python, _numba in (
    (Pool, PoolType),
    (Grid, GridType),
    (Event, EventType),
    (RuleSet, RulesType),
):
    register_model(_numba)(models.OpaqueModel)
    lower_constant(_numba)(lambda context, builder, ty, value: context.get_dummy_value())


@typeof_impl.register(Pool)
def _type_of_pool(value: Pool, context: Any) -> PoolType:
    return PoolType(value, f"{value.name}#{id(value)}")


@typeof_impl.register(Grid)
def _type_of_grid(value: Grid, context: Any) -> GridType:
    return GridType(value, f"{value.name}#{id(value)}")


@typeof_impl.register(Event)
def _type_of_event(value: Event, context: Any) -> EventType:
    return EventType(value, f"{value.name}#{id(value)}")


@typeof_impl.register(RuleSet)
def _type_of_rules(value: RuleSet, context: Any) -> RulesType:
    return RulesType(value, f"{value.name}#{id(value)}" if value.custom else value.name)


@unbox(RulesType)
def _unbox_rules(typ: RulesType, value: Any, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())


@meaning_of(operator.getitem)
def _grid_item(grid: Any, at: Any) -> Any:
    if not isinstance(grid, GridType):
        return None
    cells, mask = _walled(grid.value.cells)
    if grid.value.width == 0:
        return lambda grid, at: cells[np.uint64(at) & mask]
    width = grid.value.width
    return lambda grid, at: cells[np.uint64(at[0] * width + at[1]) & mask]


def _walled(cells: tuple[int, ...]) -> tuple[Any, Any]:
    """The cells in an array that a masked index cannot leave, and the mask.

    Plain Python raises where a table has no such cell. Compiled code cannot afford to ask, but
    whatever it is given it reads nothing beyond the table.
    """
    size = 1 << (len(cells) - 1).bit_length()
    padded = [*cells, *[cells[-1]] * (size - len(cells))]
    return np.array(padded, dtype=np.int64), np.uint64(size - 1)


# --- Effects -------------------------------------------------------------------------

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_WRAP = 0x100000000
_DICE, _COACHES = np.uint64(DICE), np.uint64(COACHES)


def sampling_fields(rules: RuleSet) -> list[tuple[Any, ...]]:
    """What the simulator adds to a position: generators and statistics."""
    return [
        ("_dice", "u8"),
        ("_dice_stride", "u8"),
        ("_luck", "u8"),
        ("_luck_stride", "u8"),
        _statistics_field(rules),
    ]


def enumerating_fields(rules: RuleSet) -> list[tuple[Any, ...]]:
    """What enumeration adds to a position: the path, its chance and statistics."""
    return [
        ("_path", "i4", (MOST_ROLLS,)),
        ("_sizes", "i4", (MOST_ROLLS,)),
        ("_depth", "i4"),
        ("_known", "i4"),
        ("_chance", "f8"),
        _statistics_field(rules),
    ]


def _statistics_field(rules: RuleSet) -> tuple[Any, ...]:
    return ("_stats", "i4", (2, len(rules.statistics.names)))


def _samples(record: Any) -> bool:
    return isinstance(record, types.Record) and "_dice" in record.fields


def _draws(record: Any) -> bool:
    return isinstance(record, types.Record) and "_luck" in record.fields


def _enumerates(record: Any) -> bool:
    return isinstance(record, types.Record) and "_path" in record.fields


REJECTED = -1


@register_jitable(forceinline=True)
def word_below(word: Any, n: Any) -> Any:
    """The compiled twin of `generator.word_below`: 0 to n - 1, or REJECTED."""
    product = (word >> _HALF) * n
    low = product & _LOW
    if low >= n or low >= np.uint64(_WRAP) % n:
        return np.int64(product >> _HALF)
    return REJECTED


@register_jitable(forceinline=True)
def open_streams(g: Any, seed: Any, game: Any, first: Any) -> None:
    """Give a sampling record its two streams of a game: the dice, then the coaches' luck.

    `first` is 0 for those of the game itself; a loop may have further pairs from 2 on.
    """
    g._dice = stream_start(seed, game, first + _DICE)
    g._dice_stride = stream_stride(g._dice)
    g._luck = stream_start(seed, game, first + _COACHES)
    g._luck_stride = stream_stride(g._luck)


@register_jitable
def _below(g: Any, n: Any) -> Any:
    """A number below n from the dice stream."""
    while True:
        g._dice += g._dice_stride
        found = word_below(mix(g._dice), n)
        if found != REJECTED:
            return found


@register_jitable
def _outcome(g: Any, size: int) -> Any:
    """The path's next outcome; extends the path where it ends."""
    depth = g._depth
    if depth == g._known:
        if depth >= MOST_ROLLS:
            raise ValueError("a step rolls more dice than enumeration can follow")
        g._path[depth] = 0
        g._sizes[depth] = size
        g._known = depth + 1
    g._depth = depth + 1
    return g._path[depth]


@meaning_of(effects.roll)
def _roll(g: Any, pool: Any, team: Any = effects.IN_POSSESSION) -> Any:
    if _samples(g):
        return _sampled(pool.value)
    if _enumerates(g):
        return _enumerated(pool.value)
    return None


def _sampled(pool: Pool) -> Any:
    """Roll by picking up the single dice, as a person does."""
    if isinstance(pool, Die):
        sides = np.uint64(len(pool.faces))
        if pool.faces == tuple(range(1, len(pool.faces) + 1)):
            return lambda g, pool, team=-1: _below(g, sides) + 1
        faces = np.array(pool.faces, dtype=np.int64)
        return lambda g, pool, team=-1: faces[_below(g, sides)]
    throw = pool.throw

    def roll_together(g: Any, pool: Any, team: int = -1) -> Any:
        by = team
        if by < 0:
            by = g.possession
        return throw(g, by)

    return roll_together


def _enumerated(pool: Pool) -> Any:
    """Take the outcome that the path says, with its chance."""
    values = np.array([value for value, _ in pool.odds], dtype=np.int64)
    chances = np.array([float(p) for _, p in pool.odds])
    size = len(values)

    def roll_on_path(g: Any, pool: Any, team: int = -1) -> Any:
        k = _outcome(g, size)
        g._chance *= chances[k]
        return values[k]

    return roll_on_path


@meaning_of(effects.check)
def _check(g: Any, pool: Any, at_most: Any, team: Any = effects.IN_POSSESSION) -> Any:
    if _samples(g):
        return lambda g, pool, at_most, team=-1: effects.roll(g, pool, team) <= at_most
    if not _enumerates(g):
        return None
    values = np.array([value for value, _ in sorted(pool.value.odds)], dtype=np.int64)
    up_to = np.cumsum([0.0, *(float(p) for _, p in sorted(pool.value.odds))])

    def check_on_path(g: Any, pool: Any, at_most: int, team: int = -1) -> Any:
        chance = up_to[np.searchsorted(values, at_most, side="right")]
        if chance <= 0.0:
            return False
        if chance >= 1.0 - 1e-15:
            return True
        if _outcome(g, 2) == 0:
            g._chance *= chance
            return True
        g._chance *= 1.0 - chance
        return False

    return check_on_path


@meaning_of(effects.look_up)
def _look_up(g: Any, pool: Any, cells: Any, first: Any, team: Any = effects.IN_POSSESSION) -> Any:
    lowest = pool.value.lowest
    if _samples(g):

        def look_up_by_roll(g: Any, pool: Any, cells: Any, first: int, team: int = -1) -> Any:
            at = np.uint64(first + effects.roll(g, pool, team) - lowest)
            return np.int64(cells[min(at, np.uint64(len(cells) - 1))])

        return look_up_by_roll
    if not _enumerates(g):
        return None
    rows = np.array([value - lowest for value, _ in sorted(pool.value.odds)], dtype=np.int64)
    chances = np.array([float(p) for _, p in sorted(pool.value.odds)])

    def look_up_on_path(g: Any, pool: Any, cells: Any, first: int, team: int = -1) -> Any:
        first = max(0, min(first, len(cells) - rows[-1] - 1))
        k = _outcome(g, _distinct(cells, first, rows, len(rows)))
        cell = _cell_number(cells, first, rows, k)
        chance = 0.0
        for at in range(len(rows)):
            if cells[first + rows[at]] == cell:
                chance += chances[at]
        g._chance *= chance
        return np.int64(cell)

    return look_up_on_path


@register_jitable
def _is_new(cells: Any, first: int, rows: Any, at: int) -> bool:
    """Whether no row above has the cell of this one."""
    new = True
    for above in range(at):
        if cells[first + rows[above]] == cells[first + rows[at]]:
            new = False
    return new


@register_jitable
def _distinct(cells: Any, first: int, rows: Any, count: int) -> int:
    """How many different cells the first rows hold."""
    found = 0
    for at in range(count):
        if _is_new(cells, first, rows, at):
            found += 1
    return found


@register_jitable
def _cell_number(cells: Any, first: int, rows: Any, k: int) -> Any:
    """The k-th of the different cells, counted from 0."""
    at = 0
    while True:
        if _is_new(cells, first, rows, at):
            if k == 0:
                return cells[first + rows[at]]
            k -= 1
        at += 1


@meaning_of(effects.tell)
def _tell(g: Any, event: Any, team: Any, a: Any = 0, b: Any = 0, c: Any = 0) -> Any:
    lines = [
        f"    g._stats[np.uint64(team) & one, {at}] += {amount}"
        for at, amount in event.value.adds.items()
    ] or ["    pass"]
    return _function("tell", "g, event, team, a=0, b=0, c=0", lines, one=np.uint64(1))


@meaning_of(effects.draw)
def _draw(g: Any, n: Any) -> Any:
    if not _draws(g):
        return None

    def draw_from_luck(g: Any, n: int) -> Any:
        size = np.uint64(n)
        while True:
            g._luck += g._luck_stride
            found = word_below(mix(g._luck), size)
            if found != REJECTED:
                return found

    return draw_from_luck


@meaning_of(effects.place)
def _place(n: Any) -> Any:
    return lambda n: np.uint64(n)


@meaning_of(effects.scratch)
def _scratch(n: Any) -> Any:
    return lambda n: np.zeros(n, np.int64)


def _function(name: str, arguments: str, lines: list[str], **known: Any) -> Any:
    """A function made from lines of source, for code that depends on a declaration."""
    space: dict[str, Any] = {"np": np, **known}
    exec(compile(f"def {name}({arguments}):\n" + "\n".join(lines), f"<{name}>", "exec"), space)
    return space[name]


# --- A rule set's rules, by its type ---------------------------------------------------


def is_over(rules: Any, g: Any) -> Any:
    """Whether the game is over."""
    raise TypeError("compiled only")


def wants_call(rules: Any, m: Any, g: Any) -> Any:
    """Whether somebody is asked; if not, the position only wants dice."""
    raise TypeError("compiled only")


def default_call(rules: Any, m: Any, g: Any) -> Any:
    """The default of an open window, else NO_CALL."""
    raise TypeError("compiled only")


def asked(rules: Any, m: Any, g: Any) -> Any:
    """The team that is asked."""
    raise TypeError("compiled only")


def allowed(rules: Any, m: Any, g: Any, call: Any) -> Any:
    """Whether the call is allowed; built-in coaches are trusted, and cost nothing here."""
    raise TypeError("compiled only")


def decide(rules: Any, m: Any, g: Any, coach: Any) -> Any:
    """What the coach of this number calls."""
    raise TypeError("compiled only")


def winner(rules: Any, g: Any) -> Any:
    """Of a finished game: HOME, AWAY or TIE."""
    raise TypeError("compiled only")


def step(rules: Any, m: Any, g: Any, call: Any) -> Any:
    """One call and all its dice."""
    raise TypeError("compiled only")


def fold(rules: Any, g: Any) -> Any:
    """The digest of the position, the same as the plain one."""
    raise TypeError("compiled only")


def same(rules: Any, g: Any, other: Any) -> Any:
    """Whether two positions are equal."""
    raise TypeError("compiled only")


def take(rules: Any, g: Any, other: Any) -> Any:
    """Copy a position's values from another record."""
    raise TypeError("compiled only")


@meaning_of(is_over)
def _is_over(rules: Any, g: Any) -> Any:
    over = rules.value.over
    return lambda rules, g: g.phase == over


def _calls_of(rules: RuleSet) -> Any:
    """The calls of each question as rows of an array, padded with NO_CALL."""
    width = max(len(question.calls) for question in rules.questions) + 1
    rows = np.full((len(rules.questions), width), NO_CALL, dtype=np.int64)
    for row, question in zip(rows, rules.questions, strict=True):
        row[: len(question.calls)] = question.calls
    return rows


@meaning_of(default_call)
def _default_call(rules: Any, m: Any, g: Any) -> Any:
    question = rules.value.question
    defaults = np.array([one.default for one in rules.value.questions], dtype=np.int64)
    return lambda rules, m, g: defaults[question(m, g)]


@meaning_of(wants_call)
def _wants_call(rules: Any, m: Any, g: Any) -> Any:
    question = rules.value.question
    calls = _calls_of(rules.value)
    return lambda rules, m, g: calls[question(m, g), 0] != NO_CALL


@meaning_of(asked)
def _asked(rules: Any, m: Any, g: Any) -> Any:
    function = rules.value.asked
    return lambda rules, m, g: function(m, g)


@meaning_of(allowed)
def _allowed(rules: Any, m: Any, g: Any, call: Any) -> Any:
    if not rules.value.custom:
        return lambda rules, m, g, call: True
    question, refusal = rules.value.question, rules.value.refusal
    calls = _calls_of(rules.value)

    def is_allowed(rules: Any, m: Any, g: Any, call: int) -> Any:
        for possible in calls[question(m, g)]:
            if possible == call:
                return refusal(m, g, call) == ALLOWED
        return False

    return is_allowed


@meaning_of(winner)
def _winner(rules: Any, g: Any) -> Any:
    if "winner" in rules.value.position.fields:
        return lambda rules, g: g.winner

    def by_score(rules: Any, g: Any) -> int:
        if g.score[0] == g.score[1]:
            return TIE
        return HOME if g.score[0] > g.score[1] else AWAY

    return by_score


@meaning_of(step)
def _step(rules: Any, m: Any, g: Any, call: Any) -> Any:
    function = rules.value.step

    def play(rules: Any, m: Any, g: Any, call: int) -> None:
        function(m, g, call)

    return play


_NOT_FOR_COACHES = ("_dice", "_dice_stride", "_stats")


@intrinsic
def _for_coaches(context: Any, g: Any) -> Any:
    """The same record without the dice: a coach that reaches for them does not compile."""
    shown = [
        (name, {"type": at.type, "offset": at.offset, "alignment": at.alignment, "title": at.title})
        for name, at in g.fields.items()
        if name not in _NOT_FOR_COACHES
    ]
    seen = types.Record(shown, g.size, g.aligned)
    return seen(g), lambda context, builder, signature, arguments: arguments[0]


@meaning_of(decide)
def _decide(rules: Any, m: Any, g: Any, coach: Any) -> Any:
    """The coach's call, made while what its team must not see is veiled."""
    secrets = rules.value.secrets
    known = {
        "choose": _choose(rules.value),
        "asked": rules.value.asked,
        "veil": rules.value.veil,
        "for_coaches": _for_coaches,
    }
    lines = [f"    kept_{key} = g.{key}" for key in secrets]
    lines += ["    veil(m, g, asked(m, g))"] if secrets else []
    lines += ["    call = choose(m, for_coaches(g), coach)"]
    lines += [f"    g.{key} = kept_{key}" for key in secrets]
    return _function("decide", "rules, m, g, coach", [*lines, "    return call"], **known)


def _choose(rules: RuleSet) -> Any:
    """A chain of comparisons, one for each built-in coach."""
    lines = []
    known: dict[str, Any] = {"any_call": _any_call(rules)}
    for number, built_in in enumerate(rules.coaches):
        name = "any_call" if built_in.call is None else f"coach_{number}"
        known.setdefault(name, built_in.call)
        lines += [f"    if coach == {number}:", f"        return {name}(m, g)"]
    lines.append("    return any_call(m, g)")
    return register_jitable(forceinline=True)(_function("choose", "m, g, coach", lines, **known))


def _any_call(rules: RuleSet) -> Any:
    """The compiled random coach."""
    question, refusal = rules.question, rules.refusal
    calls = _calls_of(rules)

    @register_jitable
    def any_call(m: Any, g: Any) -> Any:
        row = calls[question(m, g)]
        allowed = 0
        for call in row:
            if call == NO_CALL:
                break
            if refusal(m, g, call) == ALLOWED:
                allowed += 1
        skip = effects.draw(g, allowed)
        for call in row:
            if refusal(m, g, call) == ALLOWED:
                if skip == 0:
                    return call
                skip -= 1
        return NO_CALL

    return any_call


def _source(rules: RuleSet, scalar: str, array: str, nested: str) -> list[str]:
    """Lines of source for each field: one form for numbers, one for lists, one for grids."""
    forms = (scalar, array, nested)
    fields = rules.position.fields.items()
    text = "\n".join(forms[min(len(kind.shape), 2)].replace("FIELD", name) for name, kind in fields)
    return text.split("\n")


@meaning_of(fold)
def _fold(rules: Any, g: Any) -> Any:
    lines = _source(
        rules.value,
        "    digest = mix(digest ^ np.uint64(g.FIELD))",
        "    for v in g.FIELD:\n        digest = mix(digest ^ np.uint64(v))",
        "    for v in g.FIELD.flat:\n        digest = mix(digest ^ np.uint64(v))",
    )
    first = f"    digest = np.uint64({STRIDE})"
    return _function("fold", "rules, g", [first, *lines, "    return digest"], mix=mix)


@meaning_of(same)
def _same(rules: Any, g: Any, other: Any) -> Any:
    unequal = "    if not np.array_equal(g.FIELD, other.FIELD):\n        return False"
    scalar = "    if g.FIELD != other.FIELD:\n        return False"
    lines = _source(rules.value, scalar, unequal, unequal)
    return _function("same", "rules, g, other", [*lines, "    return True"])


@meaning_of(take)
def _take(rules: Any, g: Any, other: Any) -> Any:
    copied = "    g.FIELD[:] = other.FIELD"
    lines = _source(rules.value, "    g.FIELD = other.FIELD", copied, copied)
    return _function("take", "rules, g, other", lines)


# --- Records for the kernels --------------------------------------------------------------


def match_array(rules: RuleSet, m: Any) -> Any:
    """The match as a compiled record."""
    made = np.zeros(1, rules.match.dtype())
    m.to_array(made[0])
    return made


def position_array(rules: RuleSet, g: Any, extra: list[tuple[Any, ...]], count: int = 1) -> Any:
    """An array of positions with a reader's extra fields; the first one is this position."""
    made = np.zeros(count, rules.position.dtype(extra))
    g.to_array(made[0])
    return made
