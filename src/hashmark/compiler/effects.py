"""Compiled meaning of the effects, and what all compiled meanings are made with.

What an effect does depends on the record:

- a *sampling* record carries the state of its game's generator (`dispatch.sampling_fields`);
- an *enumerating* record carries a path of outcomes (`dispatch.enumerating_fields`): where the path
  ends it is extended with first outcomes, and the caller advances it like an odometer.

Both carry the statistics that `emit` adds up.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import (
    intrinsic,
    lower_builtin,
    overload,
    register_jitable,
    type_callable,
)

from hashmark.compiler.constants import EventType, GridType, PoolType, RulesType
from hashmark.compiler.record_types import (
    Code,
    EnumeratingRecord,
    FloatArray,
    IntArray,
    SamplingRecord,
)
from hashmark.engine import codegen, effects
from hashmark.engine.dice import Die, Pool
from hashmark.engine.generator import mix

if TYPE_CHECKING:
    from hashmark.compiler.numba_private import BaseContext, Context, Signature

MAX_ROLLS_PER_STEP = 96  # rolls of one step; enumeration refuses to go deeper


def compiled_meaning(function: Code) -> Callable[[Code], Code]:
    """Give a plain function its compiled meaning: a function of types that returns code."""
    options = {"forceinline": True, "no_cfunc_wrapper": True}
    return overload(function, strict=False, jit_options=options)


def compiled_only(meaning: Code) -> Code:
    """Return a function that only compiled code can call, with this meaning."""

    @wraps(meaning)
    def function(*arguments: object) -> None:
        raise TypeError("compiled only")

    compiled_meaning(function)(meaning)
    return function


def compile_as_rule(function: Code, name: str) -> None:
    """Give a function of rule set, match and position a rule of the rule set as its meaning."""
    find_rule = operator.attrgetter(name)

    @compiled_meaning(function)
    def meaning(rules: RulesType, m: types.Record, g: types.Record) -> Code:
        rule = find_rule(rules.value)
        return lambda rules, m, g: rule(m, g)


@compiled_meaning(operator.getitem)
def _grid_item(grid: types.Type, at: types.Type) -> Code | None:
    if not isinstance(grid, GridType):
        return None
    cells, mask = _padded_cells(grid.value.cells)
    if grid.value.width == 0:
        return lambda grid, at: cells[np.uint64(at) & mask]
    width = grid.value.width
    return lambda grid, at: cells[np.uint64(at[0] * width + at[1]) & mask]


def _padded_cells(cells: tuple[int, ...]) -> tuple[IntArray, np.uint64]:
    """Return the cells in an array that a masked index cannot leave, and the mask.

    Plain Python raises where a table has no such cell. Compiled code cannot afford the test, but
    with any index it reads nothing beyond the table.
    """
    size = 1 << (len(cells) - 1).bit_length()
    padded = [*cells, *[cells[-1]] * (size - len(cells))]
    return np.array(padded, dtype=np.int64), np.uint64(size - 1)


# --- Effects -------------------------------------------------------------------------

Number: TypeAlias = types.Integer | int | None  # the type of an argument, or its default

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_WRAP = 0x100000000


def _samples(record: types.Type) -> bool:
    return isinstance(record, types.Record) and "_dice" in record.fields


def _draws(record: types.Type) -> bool:
    return isinstance(record, types.Record) and "_luck" in record.fields


def _enumerates(record: types.Type) -> bool:
    return isinstance(record, types.Record) and "_path" in record.fields


REJECTED = -1


@register_jitable(forceinline=True)
def word_below(word: int, n: int) -> Any:
    """Compiled twin of `generator.word_below`: 0 to n - 1, or REJECTED."""
    product = (word >> _HALF) * n
    low = product & _LOW
    if low >= n or low >= np.uint64(_WRAP) % n:
        return np.int64(product >> _HALF)
    return REJECTED


@register_jitable
def _below(g: SamplingRecord, n: int) -> Any:
    """Return a number below n from the dice stream."""
    while True:
        g._dice += g._dice_stride
        number = word_below(mix(g._dice), n)
        if number != REJECTED:
            return number


@register_jitable
def _next_outcome(g: EnumeratingRecord, size: int) -> Any:
    """Return the path's next outcome; extend the path where it ends."""
    depth = g._depth
    if depth == g._known:
        if depth >= MAX_ROLLS_PER_STEP:
            raise ValueError("a step rolls more dice than enumeration can follow")
        g._path[depth] = 0
        g._sizes[depth] = size
        g._known = depth + 1
    g._depth = depth + 1
    return g._path[depth]


@compiled_meaning(effects.roll)
def _roll(g: types.Record, pool: PoolType, team: Number = -1) -> Code | None:
    if _samples(g):
        return _sample_roll(pool.value)
    if _enumerates(g):
        return _enumerate_roll(pool.value)
    return None


def _sample_roll(pool: Pool) -> Code:
    """Return code that rolls the single dice, as a person does."""
    if isinstance(pool, Die):
        sides = np.uint64(len(pool.faces))
        if pool.faces == tuple(range(1, len(pool.faces) + 1)):
            return lambda g, pool, team=-1: _below(g, sides) + 1
        faces = np.array(pool.faces, dtype=np.int64)
        return lambda g, pool, team=-1: faces[_below(g, sides)]
    throw = pool.throw

    def roll_together(g: SamplingRecord, pool: Pool, team: int = -1) -> int:
        by = team
        if by < 0:
            by = g.possession
        return throw(g, by)

    return roll_together


def _enumerate_roll(pool: Pool) -> Code:
    """Return code that takes the outcome of the path, with its chance."""
    values = np.array([value for value, _ in pool.odds], dtype=np.int64)
    chances = np.array([float(p) for _, p in pool.odds])
    size = len(values)

    def roll_on_path(g: EnumeratingRecord, pool: Pool, team: int = -1) -> Any:
        k = _next_outcome(g, size)
        g._chance *= chances[k]
        return values[k]

    return roll_on_path


@compiled_meaning(effects.check)
def _check(g: types.Record, pool: PoolType, at_most: Number, team: Number = -1) -> Code | None:
    if _samples(g):
        return lambda g, pool, at_most, team=-1: effects.roll(g, pool, team) <= at_most
    if not _enumerates(g):
        return None
    values = np.array([value for value, _ in sorted(pool.value.odds)], dtype=np.int64)
    up_to = np.cumsum([0.0, *(float(p) for _, p in sorted(pool.value.odds))])

    def check_on_path(g: EnumeratingRecord, pool: Pool, at_most: int, team: int = -1) -> bool:
        chance = up_to[np.searchsorted(values, at_most, side="right")]
        if chance <= 0.0:
            return False
        if chance >= 1.0 - 1e-15:
            return True
        if _next_outcome(g, 2) == 0:
            g._chance *= chance
            return True
        g._chance *= 1.0 - chance
        return False

    return check_on_path


@compiled_meaning(effects.roll_within)
def _roll_within(
    g: types.Record, pool: PoolType, low: Number, high: Number, team: Number = -1
) -> Code | None:
    if _samples(g):
        return lambda g, pool, low, high, team=-1: max(low, min(high, effects.roll(g, pool, team)))
    if not _enumerates(g):
        return None
    values = np.array([value for value, _ in sorted(pool.value.odds)], dtype=np.int64)
    chances = np.array([float(p) for _, p in sorted(pool.value.odds)])
    up_to = np.cumsum(np.array([0.0, *chances]))
    count = len(values)

    def roll_within_on_path(
        g: EnumeratingRecord, pool: Pool, low: int, high: int, team: int = -1
    ) -> Any:
        first = np.searchsorted(values, low, side="right")
        last = max(first, np.searchsorted(values, high))
        below = 1 if first > 0 else 0
        k = _next_outcome(g, below + last - first + (1 if last < count else 0)) - below
        if k < 0:
            g._chance *= up_to[first]
            return low
        if first + k < last:
            g._chance *= chances[first + k]
            return values[first + k]
        g._chance *= 1.0 - up_to[last]
        return high

    return roll_within_on_path


@compiled_meaning(effects.look_up)
def _look_up(
    g: types.Record, pool: PoolType, cells: types.Array, first: Number, team: Number = -1
) -> Code | None:
    lowest = pool.value.lowest
    if _samples(g):

        def look_up_by_roll(
            g: SamplingRecord, pool: Pool, cells: IntArray, first: int, team: int = -1
        ) -> Any:
            at = np.uint64(first + effects.roll(g, pool, team) - lowest)
            return np.int64(cells[min(at, np.uint64(len(cells) - 1))])

        return look_up_by_roll
    if not _enumerates(g):
        return None
    rows = np.array([value - lowest for value, _ in sorted(pool.value.odds)], dtype=np.int64)
    chances = np.array([float(p) for _, p in sorted(pool.value.odds)])

    def look_up_on_path(
        g: EnumeratingRecord, pool: Pool, cells: IntArray, first: int, team: int = -1
    ) -> Any:
        first = max(0, min(first, len(cells) - rows[-1] - 1))
        depth = g._depth
        new = depth == g._known
        k = _next_outcome(g, _count_distinct(cells, first, rows) if new else 0)
        if new or g._seen[depth] != k:
            _record_next_cell(g, depth, k, cells, first, rows, chances)
        g._chance *= g._part[depth]
        return np.int64(cells[first + rows[g._row[depth]]])

    return look_up_on_path


@register_jitable
def _record_next_cell(
    g: EnumeratingRecord,
    depth: int,
    k: int,
    cells: IntArray,
    first: int,
    rows: IntArray,
    chances: FloatArray,
) -> None:
    """Record the row of the next distinct cell, and the chance of all cells equal to it.

    A path is walked again for each of its endings, so what was read at its beginning is reused.
    """
    at = 0 if k == 0 else g._row[depth] + 1
    while not _is_first_equal(cells, first, rows, at):
        at += 1
    part = 0.0
    for other in range(at, len(rows)):
        if cells[first + rows[other]] == cells[first + rows[at]]:
            part += chances[other]
    g._row[depth] = at
    g._seen[depth] = k
    g._part[depth] = part


@register_jitable
def _is_first_equal(cells: IntArray, first: int, rows: IntArray, at: int) -> bool:
    """Return whether no row above has the cell of this one."""
    for above in range(at):  # noqa: SIM110  (compiled code has no generators)
        if cells[first + rows[above]] == cells[first + rows[at]]:
            return False
    return True


@register_jitable
def _count_distinct(cells: IntArray, first: int, rows: IntArray) -> int:
    """Return how many distinct cells a column holds."""
    count = 0
    for at in range(len(rows)):
        if _is_first_equal(cells, first, rows, at):
            count += 1
    return count


@type_callable(effects.emit)
def _type_emit(context: Context) -> Code:
    """Type `emit`. Rules emit dozens of events: each becomes a few inline instructions and no
    function of its own, which would take a tenth of the compile time.
    """

    def typer(
        g: types.Record,
        event: EventType,
        team: Number,
        a: Number = None,
        b: Number = None,
        c: Number = None,
    ) -> Signature | None:
        if not (_samples(g) or _enumerates(g)):
            return None
        number_types = [types.int64 for number in (team, a, b, c) if number is not None]
        return types.none(g, event, *number_types)

    return typer


@lower_builtin(effects.emit, types.Record, EventType, types.VarArg(types.int64))
def _lower_emit(
    context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: list[ir.Value]
) -> ir.Value:
    """Add what the event counts to the statistics of its team, one of two."""
    record, event = signature.args[:2]
    stats = record.fields["_stats"]
    count, word = stats.type.dtype, ir.IntType(64)
    team, *numbers = arguments[2:]
    row = builder.mul(
        builder.and_(team, ir.Constant(word, 1)), ir.Constant(word, stats.type.shape[1])
    )
    stats_start = builder.gep(
        builder.bitcast(arguments[0], ir.IntType(8).as_pointer()), [ir.Constant(word, stats.offset)]
    )
    cells = builder.bitcast(stats_start, context.get_data_type(count).as_pointer())
    for index, which, amount in event.value.stat_sources:
        if which >= len(numbers):
            continue  # an omitted number is 0
        cell = builder.gep(cells, [builder.add(row, ir.Constant(word, index))])
        increment = numbers[which] if which >= 0 else ir.Constant(word, amount)
        count_now = context.cast(builder, builder.load(cell), count, types.int64)
        builder.store(
            context.cast(builder, builder.add(count_now, increment), types.int64, count), cell
        )
    return context.get_dummy_value()


@compiled_meaning(effects.draw)
def _draw(g: types.Record, n: types.Integer) -> Code | None:
    if _enumerates(g):
        return _draw_on_path
    if not _draws(g):
        return None

    def draw_from_luck(g: SamplingRecord, n: int) -> Any:
        size = np.uint64(n)
        while True:
            g._luck += g._luck_stride
            number = word_below(mix(g._luck), size)
            if number != REJECTED:
                return number

    return draw_from_luck


def _draw_on_path(g: EnumeratingRecord, n: int) -> Any:
    """Follow a coach that mixes its calls into all of them."""
    k = _next_outcome(g, n)
    g._chance /= n
    return k


@compiled_meaning(effects.nonneg)
def _nonneg(n: types.Integer) -> Code:
    return lambda n: np.uint64(n)


@intrinsic
def _trailing_zeros(context: Context, n: types.Integer) -> tuple[Signature, Code]:
    """Count trailing zeros in one machine instruction."""

    is_zero_undefined = ir.Constant(ir.IntType(1), 1)
    return types.int64(types.int64), lambda context, builder, signature, arguments: builder.cttz(
        arguments[0], is_zero_undefined
    )


@compiled_meaning(effects.lowest_bit)
def _lowest_bit(n: types.Integer) -> Code:
    return lambda n: _trailing_zeros(n)


@intrinsic(prefer_literal=True)
def _stack_space(context: Context, n: types.IntegerLiteral) -> tuple[Signature, Code]:
    """Return the address of stack space for integers, valid until the caller returns."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: list[ir.Value]
    ) -> ir.Value:
        with builder.goto_entry_block():
            return builder.alloca(ir.IntType(64), size=n.literal_value)

    return types.CPointer(types.int64)(n), generate


@overload(effects.scratch, strict=False, inline="always", prefer_literal=True)
def _scratch(n: types.Integer) -> Code | None:
    """Inlined into the caller, so that the stack space is its own."""
    if not isinstance(n, types.IntegerLiteral):
        return None
    size = n.literal_value

    def cleared(n: int) -> IntArray:
        room = _stack_space(size)
        for at in range(size):
            room[at] = 0
        return room

    return cleared


def make_numpy_function(name: str, arguments: str, lines: list[str], **known: Any) -> Code:
    """Make a function from source lines that may use NumPy."""
    return codegen.make_function(name, arguments, lines, np=np, **known)


def make_inlined_function(name: str, arguments: str, lines: list[str], **known: Any) -> Code:
    """Make such a function that Numba inlines into its callers."""
    return register_jitable(forceinline=True)(make_numpy_function(name, arguments, lines, **known))
