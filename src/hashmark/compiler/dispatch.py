"""Dispatch for compiled readers: a rule set's rules by its type, and records for their loops.

Only the simulator, the odds and other readers of many games import this. `compiler.effects` defines
what a roll or an event means in compiled code; `compiler.registration` compiles and caches loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable

from hashmark.compiler.constants import CoachType, RulesType
from hashmark.compiler.effects import (
    MAX_ROLLS_PER_STEP,
    compiled_only,
    make_inlined_function,
    make_numpy_function,
)
from hashmark.compiler.record_types import Code, IntArray, SamplingRecord
from hashmark.engine import effects
from hashmark.engine.figures import always
from hashmark.engine.generator import (
    COACH_STREAM,
    DICE_STREAM,
    STRIDE,
    mix,
    stream_start,
    stream_stride,
)
from hashmark.engine.record import AWAY, HOME, TIE, ListField, MatchRecord, PositionRecord, Record
from hashmark.engine.rule_set import ALLOWED, NO_CALL, RuleSet, every_step

if TYPE_CHECKING:
    from hashmark.compiler.numba_private import BaseContext, Context, Signature

ILLEGAL = -2  # result of `legal_call` for a call that the rules refuse here

# unsigned, so that compiled sums of them are words too
_DICE: Any = np.uint64(DICE_STREAM)
_COACHES: Any = np.uint64(COACH_STREAM)

# --- A rule set's rules, by its type ---------------------------------------------------


@compiled_only
def is_over(rules: RulesType, g: types.Record) -> Code:
    """Return whether the game is over."""
    over = rules.value.over_phase
    return lambda rules, g: g.phase == over


@compiled_only
def team_to_act(rules: RulesType, m: types.Record, g: types.Record) -> Code:
    """Return the team to act."""
    rule = rules.value.team_to_act
    return lambda rules, m, g: rule(m, g)


@compiled_only
def is_play_over(rules: RulesType, m: types.Record, g: types.Record) -> Code:
    """Return whether no play is in progress."""
    rule = rules.value.is_play_over
    return lambda rules, m, g: rule(m, g)


@compiled_only
def play_begins(rules: RulesType, m: types.Record, g: types.Record) -> Code:
    """Return whether a play begins here, as `RuleSet.begins_play` does."""
    begins = rules.value.words.play_begins
    rule = rules.value.is_play_over if begins is None else register_jitable(begins)
    return lambda rules, m, g: rule(m, g)


@compiled_only
def progress(rules: RulesType, m: types.Record, g: types.Record) -> Code:
    """Return how far the game has come."""
    rule = rules.value.solver.progress
    return lambda rules, m, g: rule(m, g)


def _calls_of(rules: RuleSet) -> IntArray:
    """Return the calls of each question as rows of an array, padded with NO_CALL."""
    width = max(len(question.calls) for question in rules.questions) + 1
    rows = np.full((len(rules.questions), width), NO_CALL, dtype=np.int64)
    for row, question in zip(rows, rules.questions, strict=True):
        row[: len(question.calls)] = question.calls
    return rows


@compiled_only
def default_call(rules: RulesType, m: types.Record, g: types.Record) -> Code:
    """Return the default of an open window, else NO_CALL."""
    question = rules.value.question
    defaults = np.array([entry.default for entry in rules.value.questions], dtype=np.int64)
    return lambda rules, m, g: defaults[question(m, g)]


@compiled_only
def wants_call(rules: RulesType, m: types.Record, g: types.Record) -> Code:
    """Return whether a team is to act; if not, the position only needs dice."""
    question = rules.value.question
    has_calls = np.array([bool(entry.calls) for entry in rules.value.questions])
    return lambda rules, m, g: has_calls[effects.nonneg(question(m, g))]


@compiled_only
def is_allowed(rules: RulesType, m: types.Record, g: types.Record, call: types.Integer) -> Code:
    """Return whether the call is legal; built-in coaches are trusted, at no cost."""
    if not rules.value.is_custom:
        return lambda rules, m, g, call: True
    question, refusal = rules.value.question, rules.value.refusal
    calls = _calls_of(rules.value)

    def is_allowed(rules: RuleSet, m: MatchRecord, g: PositionRecord, call: int) -> bool:
        for possible in calls[question(m, g)]:
            if possible == call:
                return refusal(m, g, call) == ALLOWED
        return False

    return is_allowed


@compiled_only
def legal_call(rules: RulesType, m: types.Record, g: types.Record, at: types.Integer) -> Code:
    """Return the call at this index of the question's list: NO_CALL past its end, or ILLEGAL."""
    question, refusal = rules.value.question, rules.value.refusal
    calls = _calls_of(rules.value)

    def call_at(rules: RuleSet, m: MatchRecord, g: PositionRecord, at: int) -> Any:
        call = calls[question(m, g), at]
        if call != NO_CALL and refusal(m, g, call) != ALLOWED:
            return ILLEGAL
        return call

    return call_at


@compiled_only
def winner(rules: RulesType, g: types.Record) -> Code:
    """Return the winner of a finished game: HOME, AWAY or TIE."""
    if "winner" in rules.value.position.fields:
        return lambda rules, g: g.winner

    def by_score(rules: RuleSet, g: PositionRecord) -> int:
        if g.score[0] == g.score[1]:
            return TIE
        return HOME if g.score[0] > g.score[1] else AWAY

    return by_score


@compiled_only
def step(rules: RulesType, m: types.Record, g: types.Record, call: types.Integer) -> Code:
    """Play one call and all its dice."""
    function = rules.value.step

    def play(rules: RuleSet, m: MatchRecord, g: PositionRecord, call: int) -> None:
        function(m, g, call)

    return play


@compiled_only
def drop_irrelevant(rules: RulesType, m: types.Record, g: types.Record) -> Code:
    """Reduce a position to its abstraction."""
    function = rules.value.solver.drop_irrelevant

    def reduce_to_abstraction(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> None:
        function(m, g)
        g.score[0] = 0
        g.score[1] = 0

    return reduce_to_abstraction


@compiled_only
def mid_play_call(rules: RulesType, m: types.Record, g: types.Record) -> Code:
    """Return the call in the middle of a play: a window's default, or that of the coach `book`.

    Only games whose plays take several steps need a coach in the middle of one.
    """
    if rules.value.is_play_over is every_step:
        return lambda rules, m, g: NO_CALL
    book, in_windows = rules.value.coach("book").call, rules.value.book_in_windows
    assert book is not None
    book_call = register_jitable(
        _with_redaction(rules.value, register_jitable(lambda m, g, coach: book(m, g)))
    )

    def call(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Any:
        if not wants_call(rules, m, g):
            return NO_CALL
        default = default_call(rules, m, g)
        if default != NO_CALL and not in_windows:
            return default
        return book_call(rules, m, g, 0)

    return call


@compiled_only
def measure(
    rules: RulesType,
    m: types.Record,
    before: types.Record,
    after: types.Record,
    us: types.Integer,
    figures: types.Array,
) -> Code:
    """Write for each figure of the game its value, and whether the outcome counts in its mean."""
    lines = []
    known: dict[str, Any] = {}
    for at, figure in enumerate(rules.value.rule_figures):
        known[f"of_{at}"], known[f"given_{at}"] = figure.source, figure.condition or always
        lines += [
            f"    counts = given_{at}(m, before, after, us)",
            f"    figures[{at}, 0] = of_{at}(m, before, after, us) if counts else 0",
            f"    figures[{at}, 1] = counts",
        ]
    return make_numpy_function("measure", "rules, m, before, after, us, figures", lines, **known)


_HIDDEN_FROM_COACHES = ("_dice", "_dice_stride", "_stats")


@intrinsic
def _for_coaches(context: Context, g: types.Record) -> tuple[Signature, Code]:
    """Return the same record without the dice, so that a coach that uses them does not compile."""
    attributes = ("type", "offset", "alignment", "title")
    fields = [
        (name, {attribute: getattr(field, attribute) for attribute in attributes})
        for name, field in g.fields.items()
        if name not in _HIDDEN_FROM_COACHES
    ]
    visible = types.Record(fields, g.size, g.aligned)
    return visible(g), lambda context, builder, signature, arguments: arguments[0]


@compiled_only
def decide(rules: RulesType, m: types.Record, g: types.Record, coach: types.Type) -> Code:
    """Return the call of a coach, given by number or as a type; with a type no other is
    compiled."""
    return _with_redaction(rules.value, _make_chooser(rules.value, coach))


@compiled_only
def decide_for(
    rules: RulesType, m: types.Record, g: types.Record, home: types.Type, away: types.Type
) -> Code:
    """Return the call of the coach of the team to act."""
    if home == away:
        return lambda rules, m, g, home, away: decide(
            rules, m, g, home if team_to_act(rules, m, g) == 0 else away
        )

    def two_types(rules: RuleSet, m: MatchRecord, g: PositionRecord, home: int, away: int) -> Any:
        if team_to_act(rules, m, g) == 0:
            return decide(rules, m, g, home)
        return decide(rules, m, g, away)

    return two_types


def _with_redaction(rules: RuleSet, choose: Code) -> Code:
    """Return a function that makes a coach's call while hidden fields are redacted."""
    known = {
        "choose": choose,
        "asked": rules.team_to_act,
        "redact": rules.redact,
        "for_coaches": _for_coaches,
    }
    lines = [f"    kept_{key} = g.{key}" for key in rules.secret_fields]
    lines += ["    redact(m, g, asked(m, g))"] if rules.secret_fields else []
    lines += ["    call = choose(m, for_coaches(g), coach)"]
    lines += [f"    g.{key} = kept_{key}" for key in rules.secret_fields]
    return make_numpy_function("decide", "rules, m, g, coach", [*lines, "    return call"], **known)


def _make_chooser(rules: RuleSet, coach: types.Type) -> Code:
    """Return a chain of comparisons, one for each built-in coach; a given coach needs none."""
    known: dict[str, Any] = {"any_call": _make_random_coach(rules)}
    if isinstance(coach, types.NamedTuple):  # a registered coach with compiled code of its own
        return register_jitable(forceinline=True)(coach.instance_class.choose_function(rules))
    if isinstance(coach, CoachType):
        known["call"] = coach.value.call or known["any_call"]
        return make_inlined_function("choose", "m, g, coach", ["    return call(m, g)"], **known)
    lines = []
    for number, built_in in enumerate(rules.coaches):
        name = "any_call" if built_in.call is None else f"coach_{number}"
        known.setdefault(name, built_in.call)
        lines += [f"    if coach == {number}:", f"        return {name}(m, g)"]
    lines.append("    return any_call(m, g)")
    return make_inlined_function("choose", "m, g, coach", lines, **known)


def _make_random_coach(rules: RuleSet) -> Code:
    """Return the compiled random coach."""
    question, refusal = rules.question, rules.refusal
    calls = _calls_of(rules)

    @register_jitable
    def any_call(m: MatchRecord, g: PositionRecord) -> Any:
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


def _field_lines(
    rules: RuleSet, scalar: str, array: str, nested: str, growing: str = ""
) -> list[str]:
    """Return source lines for each field: one form for numbers, one for lists, one for grids.

    A list that begins with its length may have a form of its own, since the rest of it is 0.
    """
    forms = (scalar, array, nested)
    text = "\n".join(
        (
            growing if growing and isinstance(kind, ListField) else forms[min(len(kind.shape), 2)]
        ).replace("FIELD", name)
        for name, kind in rules.position.fields.items()
    )
    return text.split("\n")


@compiled_only
def digest_position(rules: RulesType, g: types.Record) -> Code:
    """Return the digest of the position, equal to the plain one."""
    lines = _field_lines(
        rules.value,
        "    digest = mix(digest ^ np.uint64(g.FIELD))",
        "    for v in g.FIELD:\n        digest = mix(digest ^ np.uint64(v))",
        "    for v in g.FIELD.flat:\n        digest = mix(digest ^ np.uint64(v))",
    )
    first = f"    digest = np.uint64({STRIDE})"
    return make_numpy_function("fold", "rules, g", [first, *lines, "    return digest"], mix=mix)


@compiled_only
def hash_position(rules: RulesType, g: types.Record) -> Code:
    """Return a hash of the position for hash tables: faster than the digest, and weaker."""
    lines = _field_lines(
        rules.value,
        "    n = (n ^ np.uint64(g.FIELD)) * stride",
        "    for v in g.FIELD:\n        n = (n ^ np.uint64(v)) * stride",
        "    for v in g.FIELD.flat:\n        n = (n ^ np.uint64(v)) * stride",
        "    for at in range(g.FIELD[0] + 1):\n        n = (n ^ np.uint64(g.FIELD[at])) * stride",
    )
    known = {"mix": mix, "stride": np.uint64(STRIDE | 1)}
    return make_numpy_function(
        "spread", "rules, g", ["    n = stride", *lines, "    return mix(n)"], **known
    )


@compiled_only
def is_same(rules: RulesType, g: types.Record, other: types.Record) -> Code:
    """Return whether two positions are equal."""
    scalar = "    if g.FIELD != other.FIELD:\n        return False"
    comparison = "        if g.FIELD[at] != other.FIELD[at]:\n            return False"
    array = f"    for at in range(len(g.FIELD)):\n{comparison}"
    growing = f"    for at in range(g.FIELD[0] + 1):\n{comparison}"
    nested = _over_grid(comparison)
    lines = _field_lines(rules.value, scalar, array, nested, growing)
    return make_numpy_function("same", "rules, g, other", [*lines, "    return True"])


def _over_grid(line: str) -> str:
    """Return lines that loop over a grid; `at` becomes two indices there."""
    inner = line.replace("[at]", "[at, to]").replace("\n", "\n    ")
    loops = "    for at in range(g.FIELD.shape[0]):\n        for to in range(g.FIELD.shape[1]):"
    return f"{loops}\n    {inner}"


@compiled_only
def copy_position(rules: RulesType, g: types.Record, other: types.Record) -> Code:
    """Copy a position's values from another record.

    Number by number: copying slices takes ten times as long to compile.
    """
    assignment = "        g.FIELD[at] = other.FIELD[at]"
    array = f"    for at in range(len(g.FIELD)):\n{assignment}"
    growing = f"    for at in range(max(g.FIELD[0], other.FIELD[0]) + 1):\n{assignment}"
    nested = _over_grid(assignment)
    lines = _field_lines(rules.value, "    g.FIELD = other.FIELD", array, nested, growing)
    return make_numpy_function("take", "rules, g, other", lines)


# --- Memory ------------------------------------------------------------------------------

_CACHE_LINE_BYTES, _PREFETCHED_LINES = 64, 8  # bytes of a cache line; number of lines to prefetch


@intrinsic
def _prefetch(
    context: Context, record: types.Record, offset: types.Integer
) -> tuple[Signature, Code]:
    """Prefetch the bytes of a record from an offset, without waiting for them."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: list[ir.Value]
    ) -> ir.Value:
        word, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), (byte, word, word, word))
        llvm_prefetch = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
        first = builder.bitcast(arguments[0], byte)
        for line in range(_PREFETCHED_LINES):
            at = builder.add(arguments[1], ir.Constant(ir.IntType(64), line * _CACHE_LINE_BYTES))
            # for reading, moderate locality, data cache
            hints = (ir.Constant(word, number) for number in (0, 2, 1))
            builder.call(llvm_prefetch, (builder.gep(first, (at,)), *hints))
        return context.get_dummy_value()

    return types.void(record, types.int64), generate


@compiled_only
def prefetch(record: types.Record, part: types.Integer) -> Code:
    """Prefetch a part of a record that will be read soon; the first part is 0.

    A match is far from the processor when its first game begins, and waiting for it line by line
    took a third of that game.
    """
    size, step = record.size, _PREFETCHED_LINES * _CACHE_LINE_BYTES

    def fetch_part(record: Record, part: int) -> None:
        if part * step < size:
            _prefetch(record, part * step)

    return fetch_part


# --- Records for the kernels --------------------------------------------------------------


def match_array(rules: RuleSet, m: MatchRecord) -> npt.NDArray[np.void]:
    """Return the match as a compiled record."""
    array = np.zeros(1, rules.match.dtype())
    m.to_array(array[0])
    return array


def position_array(
    rules: RuleSet, g: PositionRecord, extra: list[tuple[Any, ...]], count: int = 1
) -> npt.NDArray[np.void]:
    """Return an array of positions with a reader's extra fields; the first one is this position."""
    array = np.zeros(count, rules.position.dtype(extra))
    g.to_array(array[0])
    return array


def sampling_fields(rules: RuleSet) -> list[tuple[Any, ...]]:
    """Return what the simulator adds to a position: generators and statistics."""
    words = ("_dice", "_dice_stride", "_luck", "_luck_stride")
    return [*((name, "u8") for name in words), _statistics_field(rules)]


def enumerating_fields(rules: RuleSet) -> list[tuple[Any, ...]]:
    """Return what enumeration adds to a position: the path, its chance and statistics."""
    lists = (("_path", "i4"), ("_sizes", "i4"), ("_seen", "i4"), ("_row", "i4"), ("_part", "f8"))
    return [
        *((name, kind, (MAX_ROLLS_PER_STEP,)) for name, kind in lists),
        ("_depth", "i4"),
        ("_known", "i4"),
        ("_chance", "f8"),
        _statistics_field(rules),
    ]


def _statistics_field(rules: RuleSet) -> tuple[Any, ...]:
    return ("_stats", "i4", (2, len(rules.statistics.names)))


@register_jitable(forceinline=True)
def open_streams(g: SamplingRecord, seed: int, game: int, first: int) -> None:
    """Initialize the two random streams of a sampling record: the dice, then the coaches.

    `first` is 0 for the streams of the game itself; a loop may use further pairs from 2 on.
    """
    g._dice = stream_start(seed, game, first + _DICE)
    g._dice_stride = stream_stride(g._dice)
    g._luck = stream_start(seed, game, first + _COACHES)
    g._luck_stride = stream_stride(g._luck)
