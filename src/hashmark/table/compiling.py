"""How compiled code comes to be: once for each rule set, safely between threads and processes.

What rules and effects mean when they are compiled is in `compiled`; where the code is kept, and how
a damaged file is noticed, in `cache` and `compiled_cache`.
"""

from __future__ import annotations

import functools
import gc
import pickle
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import register_jitable

from hashmark.table import cache, compiled_cache, inner_code, news
from hashmark.table.rule import RULES
from hashmark.table.rules import RuleSet

USUAL_EFFORT = numba.config.OPT


class Care(NamedTuple):
    """How much is done for the speed of compiled code; the results are the same."""

    effort: int
    in_line: bool


def ready(
    function: Callable[..., Any],
    rules: RuleSet,
    use: str = "",
    part: str = "",
    in_line: bool = True,
) -> Any:
    """A reader's loop, compiled for a rule set and kept in the cache where that is safe.

    It takes no memory of its own, but what it is given: so nobody counts at run time who still
    holds which array, and there is less to compile.

    The cache folder is named after the sources that are compiled in: the package, and the
    package of a plug-in game. A rule set made at run time is compiled anew in each process.
    `use` says what for, to whoever waits for the compiler; what takes no time has none. Code for a
    `part` of the game, one coach alone, is kept in a folder of its own. Where rules are the least
    of what a loop does, they need not all be put `in_line` in it, which takes a while.
    """
    prepare = _preparing(function, rules, use, part, in_line)

    def run(*arguments: Any) -> Any:
        return prepare(arguments)(*arguments)

    return run


def bound(
    function: Callable[..., Any],
    rules: RuleSet,
    arguments: tuple[Any, ...],
    use: str = "",
    part: str = "",
) -> Callable[[], Any]:
    """Such a loop with arguments that stay the same objects: what a call has to do is in them.

    Which code they need is found once, here. To ask at every call takes longer than a short loop.
    """
    code = _preparing(function, rules, use, part)(arguments)
    signature = tuple(code.typeof_pyval(argument) for argument in arguments)
    return functools.partial(code.overloads[signature].entry_point, *arguments)


def _preparing(
    function: Callable[..., Any], rules: RuleSet, use: str, part: str, in_line: bool = True
) -> Callable[[tuple[Any, ...]], Any]:
    """What gives the function with code for some arguments, also where the cache is of no use."""
    hand_over()
    folder = cache.part_of(rules, part)
    said = (rules.name, use) if use else None
    care = Care(rules.compile_effort, in_line)

    def prepare(arguments: tuple[Any, ...]) -> Any:
        try:
            return _prepared(function, folder, arguments, care, said)
        except CACHE_FAULTS:
            return _prepared(function, None, arguments, care, said)

    return prepare


def is_kept(function: Callable[..., Any], rules: RuleSet, arguments: tuple[Any, ...]) -> bool:
    """Whether a loop for such arguments is at hand without compiling; also if none can be kept."""
    hand_over()
    folder = None if rules.custom else cache.of(rules)
    if folder is None:
        return True
    dispatcher = _compiled(function, folder)
    if _form(arguments) in _prepared_for[dispatcher]:
        return True
    signature = tuple(dispatcher.typeof_pyval(argument) for argument in arguments)
    return compiled_cache.holds(dispatcher, signature)


def _form(arguments: tuple[Any, ...]) -> Any:
    """What the code for some arguments depends on."""
    return tuple((type(a), getattr(a, "dtype", None), getattr(a, "ndim", 0)) for a in arguments)


def _prepared(
    function: Callable[..., Any],
    folder: Path | None,
    arguments: tuple[Any, ...],
    care: Care,
    said: tuple[str, str] | None = None,
) -> Any:
    """The function with code for such arguments, compiled or read from the cache.

    Safe when several threads ask for it: whoever compiles holds Numba's own lock, so that
    nobody else compiles meanwhile.
    """
    form = _form(arguments)
    dispatcher = _compiled(function, folder)
    if form in _prepared_for[dispatcher]:
        return dispatcher
    signature = tuple(dispatcher.typeof_pyval(argument) for argument in arguments)
    kept = folder is not None and compiled_cache.holds(dispatcher, signature)
    if said and not kept and _is_first(dispatcher, form):
        news.say_compiling(*said, once=folder is not None)
    with ExitStack() as held:
        if folder is not None:
            name = f"{dispatcher.__module__}.{dispatcher.__name__}"
            held.enter_context(cache.one_at_a_time(folder, name))
        held.enter_context(_few_collections())
        held.enter_context(_effort(care.effort))
        held.enter_context(inner_code.left_unfinished(care.in_line))
        dispatcher.compile(signature)
    _prepared_for[dispatcher].add(form)
    return dispatcher


_prepared_for: defaultdict[Any, set[Any]] = defaultdict(set)
_asked_for: defaultdict[Any, set[Any]] = defaultdict(set)
_making = threading.RLock()  # of dispatchers and of the list of rules


def _is_first(dispatcher: Any, form: Any) -> bool:
    """Whether nobody has asked for this code yet: several threads may, and one sentence will do."""
    with _making:
        known = form in _asked_for[dispatcher]
        _asked_for[dispatcher].add(form)
    return not known


@contextmanager
def _effort(level: int) -> Iterator[None]:
    """How hard the compiler tries to make this one function; the results are the same.

    Numba has one setting for all: it is changed only while nobody else can compile.
    """
    with global_compiler_lock:
        numba.config.OPT = type(USUAL_EFFORT)(min(level, int(USUAL_EFFORT)))
        try:
            yield
        finally:
            numba.config.OPT = USUAL_EFFORT


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage less often: the compiler makes millions of objects, and most of them stay.

    That saves a tenth of its time, for a few megabytes.
    """
    usual = gc.get_threshold()
    gc.set_threshold(100_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


# What a cache of something else under our names, or writing to a full disk, ends in.
CACHE_FAULTS = (OSError, EOFError, pickle.UnpicklingError, ImportError, AttributeError)


def _compiled(function: Callable[..., Any], folder: Path | None) -> Any:
    with _making:
        return _dispatcher(function, folder)


@functools.cache
def _dispatcher(function: Callable[..., Any], folder: Path | None) -> Any:
    dispatcher = numba.njit(nogil=True, error_model="numpy", _nrt=False)(function)
    if folder is not None:
        compiled_cache.keep(dispatcher, folder)
    return dispatcher


_handed_over = 0


def hand_over() -> None:
    """Let compiled code call every rule noted so far."""
    global _handed_over
    with _making:
        while _handed_over < len(RULES):
            register_jitable(no_cfunc_wrapper=True)(RULES[_handed_over])
            _handed_over += 1
