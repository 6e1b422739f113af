"""What the compiled readers call: a rule set's rules by its type, and records for their loops.

Only the simulator, the odds and whoever plays many games import this. What a roll or a told event
means in compiled code is in `compiled_effects`; how a loop is compiled and kept, in `compiling`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable

from hashmark.table import effects
from hashmark.table.compiled_effects import MOST_ROLLS, CoachType, meaning_of, written
from hashmark.table.figures import always
from hashmark.table.generator import COACHES, DICE, STRIDE, mix, stream_start, stream_stride
from hashmark.table.record import AWAY, HOME, TIE, Many
from hashmark.table.rules import ALLOWED, NO_CALL, RuleSet, every_step

ILLEGAL = -2  # what `legal_call` says of a call that the rules refuse here

_DICE, _COACHES = np.uint64(DICE), np.uint64(COACHES)

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


def legal_call(rules: Any, m: Any, g: Any, at: Any) -> Any:
    """The call at this place of the question's list: NO_CALL behind its end, ILLEGAL if it is."""
    raise TypeError("compiled only")


def decide(rules: Any, m: Any, g: Any, coach: Any) -> Any:
    """What the coach of this number calls, or this very coach: then no other is compiled."""
    raise TypeError("compiled only")


def decide_for(rules: Any, m: Any, g: Any, home: Any, away: Any) -> Any:
    """What the coach of the team that is asked calls."""
    raise TypeError("compiled only")


def winner(rules: Any, g: Any) -> Any:
    """Of a finished game: HOME, AWAY or TIE."""
    raise TypeError("compiled only")


def step(rules: Any, m: Any, g: Any, call: Any) -> Any:
    """One call and all its dice."""
    raise TypeError("compiled only")


def play_over(rules: Any, m: Any, g: Any) -> Any:
    """Whether no play is in progress."""
    raise TypeError("compiled only")


def mid_play_call(rules: Any, m: Any, g: Any) -> Any:
    """What is called in the middle of a play: a window's default, or as the book coach does."""
    raise TypeError("compiled only")


def forget(rules: Any, m: Any, g: Any) -> Any:
    """Keep the essence of a position only."""
    raise TypeError("compiled only")


def progress(rules: Any, m: Any, g: Any) -> Any:
    """How far the game has come."""
    raise TypeError("compiled only")


def measure(rules: Any, m: Any, before: Any, after: Any, us: Any, figures: Any) -> Any:
    """Of each figure of the game: what it says, and whether the outcome is in its mean."""
    raise TypeError("compiled only")


def fold(rules: Any, g: Any) -> Any:
    """The digest of the position, the same as the plain one."""
    raise TypeError("compiled only")


def spread(rules: Any, g: Any) -> Any:
    """A number for the hash table of positions: quicker than the digest, and no safer than need."""
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
    wanted = np.array([bool(one.calls) for one in rules.value.questions])
    return lambda rules, m, g: wanted[effects.place(question(m, g))]


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


@meaning_of(legal_call)
def _legal_call(rules: Any, m: Any, g: Any, at: Any) -> Any:
    question, refusal = rules.value.question, rules.value.refusal
    calls = _calls_of(rules.value)

    def call_at(rules: Any, m: Any, g: Any, at: int) -> Any:
        call = calls[question(m, g), at]
        if call != NO_CALL and refusal(m, g, call) != ALLOWED:
            return ILLEGAL
        return call

    return call_at


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


@meaning_of(play_over)
def _play_over(rules: Any, m: Any, g: Any) -> Any:
    function = rules.value.play_over
    return lambda rules, m, g: function(m, g)


@meaning_of(progress)
def _progress(rules: Any, m: Any, g: Any) -> Any:
    function = rules.value.progress
    return lambda rules, m, g: function(m, g)


@meaning_of(forget)
def _forget(rules: Any, m: Any, g: Any) -> Any:
    function = rules.value.forget

    def keep_the_essence(rules: Any, m: Any, g: Any) -> None:
        function(m, g)
        g.score[0] = 0
        g.score[1] = 0

    return keep_the_essence


@meaning_of(mid_play_call)
def _mid_play_call(rules: Any, m: Any, g: Any) -> Any:
    """Only games whose plays take several steps need a coach in the middle of one."""
    if rules.value.play_over is every_step:
        return lambda rules, m, g: NO_CALL
    book, in_windows = rules.value.coach("book").call, rules.value.book_in_windows
    by_the_book = register_jitable(
        _behind_a_veil(rules.value, register_jitable(lambda m, g, coach: book(m, g)))
    )

    def call(rules: Any, m: Any, g: Any) -> Any:
        if not wants_call(rules, m, g):
            return NO_CALL
        default = default_call(rules, m, g)
        if default != NO_CALL and not in_windows:
            return default
        return by_the_book(rules, m, g, 0)

    return call


@meaning_of(measure)
def _measure(rules: Any, m: Any, before: Any, after: Any, us: Any, figures: Any) -> Any:
    lines = []
    known: dict[str, Any] = {}
    for at, figure in enumerate(rules.value.measured):
        known[f"of_{at}"], known[f"given_{at}"] = figure.of, figure.given or always
        lines += [
            f"    counts = given_{at}(m, before, after, us)",
            f"    figures[{at}, 0] = of_{at}(m, before, after, us) if counts else 0",
            f"    figures[{at}, 1] = counts",
        ]
    return written("measure", "rules, m, before, after, us, figures", lines, **known)


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
    return _behind_a_veil(rules.value, _choose(rules.value, coach))


@meaning_of(decide_for)
def _decide_for(rules: Any, m: Any, g: Any, home: Any, away: Any) -> Any:
    if home == away:

        def alike(rules: Any, m: Any, g: Any, home: Any, away: Any) -> Any:
            return decide(rules, m, g, home if asked(rules, m, g) == 0 else away)

        return alike

    def each_his_own(rules: Any, m: Any, g: Any, home: Any, away: Any) -> Any:
        if asked(rules, m, g) == 0:
            return decide(rules, m, g, home)
        return decide(rules, m, g, away)

    return each_his_own


def _behind_a_veil(rules: RuleSet, choose: Any) -> Any:
    """A coach's call, made while what its team must not see is veiled."""
    known = {
        "choose": choose,
        "asked": rules.asked,
        "veil": rules.veil,
        "for_coaches": _for_coaches,
    }
    lines = [f"    kept_{key} = g.{key}" for key in rules.secrets]
    lines += ["    veil(m, g, asked(m, g))"] if rules.secrets else []
    lines += ["    call = choose(m, for_coaches(g), coach)"]
    lines += [f"    g.{key} = kept_{key}" for key in rules.secrets]
    return written("decide", "rules, m, g, coach", [*lines, "    return call"], **known)


def _choose(rules: RuleSet, coach: Any) -> Any:
    """A chain of comparisons, one for each built-in coach; nothing to choose where one is given."""
    known: dict[str, Any] = {"any_call": _any_call(rules)}
    if isinstance(coach, types.NamedTuple):  # a guest, who brings the code of his own
        return register_jitable(forceinline=True)(coach.instance_class.chooser(rules))
    if isinstance(coach, CoachType):
        known["call"] = coach.value.call or known["any_call"]
        return _inlined("choose", "m, g, coach", ["    return call(m, g)"], known)
    lines = []
    for number, built_in in enumerate(rules.coaches):
        name = "any_call" if built_in.call is None else f"coach_{number}"
        known.setdefault(name, built_in.call)
        lines += [f"    if coach == {number}:", f"        return {name}(m, g)"]
    lines.append("    return any_call(m, g)")
    return _inlined("choose", "m, g, coach", lines, known)


def _inlined(name: str, arguments: str, lines: list[str], known: dict[str, Any]) -> Any:
    return register_jitable(forceinline=True)(written(name, arguments, lines, **known))


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


def _source(rules: RuleSet, scalar: str, array: str, nested: str, growing: str = "") -> list[str]:
    """Lines of source for each field: one form for numbers, one for lists, one for grids.

    A list that begins with its length may have a form of its own: what is behind its end is 0.
    """
    forms = (scalar, array, nested)
    text = "\n".join(
        (growing if growing and isinstance(kind, Many) else forms[min(len(kind.shape), 2)]).replace(
            "FIELD", name
        )
        for name, kind in rules.position.fields.items()
    )
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
    return written("fold", "rules, g", [first, *lines, "    return digest"], mix=mix)


@meaning_of(spread)
def _spread(rules: Any, g: Any) -> Any:
    lines = _source(
        rules.value,
        "    n = (n ^ np.uint64(g.FIELD)) * stride",
        "    for v in g.FIELD:\n        n = (n ^ np.uint64(v)) * stride",
        "    for v in g.FIELD.flat:\n        n = (n ^ np.uint64(v)) * stride",
        "    for at in range(g.FIELD[0] + 1):\n        n = (n ^ np.uint64(g.FIELD[at])) * stride",
    )
    known = {"mix": mix, "stride": np.uint64(STRIDE | 1)}
    return written("spread", "rules, g", ["    n = stride", *lines, "    return mix(n)"], **known)


@meaning_of(same)
def _same(rules: Any, g: Any, other: Any) -> Any:
    scalar = "    if g.FIELD != other.FIELD:\n        return False"
    unlike = "        if g.FIELD[at] != other.FIELD[at]:\n            return False"
    array = f"    for at in range(len(g.FIELD)):\n{unlike}"
    growing = f"    for at in range(g.FIELD[0] + 1):\n{unlike}"
    nested = _each(unlike)
    lines = _source(rules.value, scalar, array, nested, growing)
    return written("same", "rules, g, other", [*lines, "    return True"])


def _each(line: str) -> str:
    """Lines that go through a grid; `at` are two numbers there."""
    inner = line.replace("[at]", "[at, to]").replace("\n", "\n    ")
    loops = "    for at in range(g.FIELD.shape[0]):\n        for to in range(g.FIELD.shape[1]):"
    return f"{loops}\n    {inner}"


@meaning_of(take)
def _take(rules: Any, g: Any, other: Any) -> Any:
    """Number by number: to copy slices takes the compiler ten times as long."""
    copied = "        g.FIELD[at] = other.FIELD[at]"
    array = f"    for at in range(len(g.FIELD)):\n{copied}"
    growing = f"    for at in range(max(g.FIELD[0], other.FIELD[0]) + 1):\n{copied}"
    nested = _each(copied)
    lines = _source(rules.value, "    g.FIELD = other.FIELD", array, nested, growing)
    return written("take", "rules, g, other", lines)


# --- Memory ------------------------------------------------------------------------------

_LINE, _LINES = 64, 8  # bytes that memory hands over at once; how many of them are asked for


@intrinsic
def _ask_for(context: Any, record: Any, offset: Any) -> Any:
    """Ask for the bytes of a record from here on, without waiting for them."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), (byte, word, word, word))
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
        first = builder.bitcast(arguments[0], byte)
        for line in range(_LINES):
            at = builder.add(arguments[1], ir.Constant(ir.IntType(64), line * _LINE))
            how = (ir.Constant(word, number) for number in (0, 2, 1))  # to read, soon, data
            builder.call(prefetch, (builder.gep(first, (at,)), *how))
        return context.get_dummy_value()

    return types.void(record, types.int64), made


def fetch(record: Any, part: Any) -> Any:
    """Have a part of a record brought near that will be read before long, the first being 0.

    A match is far from the processor when its first game begins, and waiting for it line by line
    took a third of that game.
    """
    raise TypeError("compiled only")


@meaning_of(fetch)
def _fetch(record: Any, part: Any) -> Any:
    size, step = record.size, _LINES * _LINE

    def fetch_part(record: Any, part: int) -> None:
        if part * step < size:
            _ask_for(record, part * step)

    return fetch_part


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
        ("_seen", "i4", (MOST_ROLLS,)),  # of a column: which of its cells, its row, their chance
        ("_row", "i4", (MOST_ROLLS,)),
        ("_part", "f8", (MOST_ROLLS,)),
        ("_depth", "i4"),
        ("_known", "i4"),
        ("_chance", "f8"),
        _statistics_field(rules),
    ]


def _statistics_field(rules: RuleSet) -> tuple[Any, ...]:
    return ("_stats", "i4", (2, len(rules.statistics.names)))


@register_jitable(forceinline=True)
def open_streams(g: Any, seed: Any, game: Any, first: Any) -> None:
    """Give a sampling record its two streams of a game: the dice, then the coaches' luck.

    `first` is 0 for those of the game itself; a loop may have further pairs from 2 on.
    """
    g._dice = stream_start(seed, game, first + _DICE)
    g._dice_stride = stream_stride(g._dice)
    g._luck = stream_start(seed, game, first + _COACHES)
    g._luck_stride = stream_stride(g._luck)
