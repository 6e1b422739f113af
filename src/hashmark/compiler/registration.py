"""Compilation of reader loops: once for each rule set, safe between threads and processes.

`dispatch` and `effects` define what rules and effects mean in compiled code; `cache_dir` and
`numba_private` store the code and detect damaged files.
"""

from __future__ import annotations

import functools
import gc
import logging
import pickle
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numba
from numba.extending import register_jitable

from hashmark.compiler import cache_dir, effects  # noqa: F401  (compiled meanings)
from hashmark.compiler.record_types import Code
from hashmark.engine.rule import REGISTERED_RULES
from hashmark.engine.rule_set import RuleSet

if TYPE_CHECKING:
    from hashmark.compiler.numba_private import Dispatcher

TypeKey: TypeAlias = tuple[tuple[type, Any, int], ...]  # type, dtype and dimensions by argument

logger = logging.getLogger("hashmark.progress")


def _load_private() -> ModuleType | None:
    """Return the module `numba_private`, or None if this version of Numba lacks a name it needs.

    Without it, loops are compiled by a plain `njit`: not cached, more slowly, the same code else.
    """
    try:
        from hashmark.compiler import numba_private
    except (ImportError, AttributeError):
        logger.warning(
            f"Numba {numba.__version__} is not supported: compiling takes longer, and again in "
            "each run"
        )
        return None
    return numba_private


_private = _load_private()


def can_cache() -> bool:
    """Return whether code can be cached, so that another process may compile it."""
    return _private is not None


class CompileOptions(NamedTuple):
    """Compile options that trade compile time for speed; results do not depend on them."""

    opt_level: int
    inline: bool


def compile_loop(
    function: Code, rules: RuleSet, purpose: str = "", variant: str = "", inline: bool = True
) -> Code:
    """Return a reader's loop compiled for a rule set, cached where that is safe.

    The loop allocates no memory: it works on its arguments only. So no reference counting is
    compiled in, and there is less to compile.

    The cache directory is named after the sources that are compiled in: the package, and the
    package of a plug-in game. A rule set made at run time is compiled again in each process.
    `purpose` is shown in the progress notice; a loop that compiles quickly has none. Code for a
    `variant` of the game, such as one coach alone, has a directory of its own. A loop that spends
    little time in rules can set `inline` to False, so that not all rules are inlined, which takes a
    while.
    """
    prepare = _make_preparer(function, rules, purpose, variant, inline)

    def run(*arguments: Any) -> Any:
        return prepare(arguments)(*arguments)

    return run


def bind_loop(
    function: Code,
    rules: RuleSet,
    arguments: tuple[Any, ...],
    purpose: str = "",
    variant: str = "",
) -> Callable[[], Any]:
    """Return such a loop bound to fixed argument objects, which hold all inputs and outputs.

    The matching code is looked up once, here: a lookup at every call takes longer than a short
    loop.
    """
    code = _make_preparer(function, rules, purpose, variant)(arguments)
    if _private:
        code = _private.entry_point(code, _signature(arguments))
    return functools.partial(code, *arguments)


def _make_preparer(
    function: Code, rules: RuleSet, purpose: str, variant: str, inline: bool = True
) -> Callable[[tuple[Any, ...]], Dispatcher]:
    """Return a function that returns compiled code for arguments, cached where possible."""
    register()
    folder = cache_dir.variant_dir(rules, variant) if _private else None
    notice = (rules.name, purpose) if purpose else None
    options = CompileOptions(rules.compile_effort, inline)

    def prepare(arguments: tuple[Any, ...]) -> Dispatcher:
        try:
            return _prepared(function, folder, arguments, options, notice)
        except CACHE_ERRORS:
            return _prepared(function, None, arguments, options, notice)

    return prepare


def is_cached(function: Code, rules: RuleSet, arguments: tuple[Any, ...]) -> bool:
    """Return whether a loop needs no compiling; also True if nothing can be cached."""
    register()
    folder = cache_dir.variant_dir(rules) if _private else None
    if _private is None or folder is None:
        return True
    dispatcher = _get_dispatcher(function, folder)
    if _type_key(arguments) in _prepared_for[dispatcher]:
        return True
    return bool(_private.has_cached(dispatcher, _signature(arguments)))


def log_compiling(what: str, purpose: str, once: bool) -> None:
    """Announce that a rule set is being compiled for some purpose, and how long that can take.

    Without a handler, as in a notebook, the notice goes to standard error: the caller waits for a
    minute and should know why.
    """
    notice = (
        f"compiling {what} for {purpose} ({'once; ' if once else ''}it can take a minute or more)"
    )
    if logger.hasHandlers():
        logger.info(notice)
    else:
        print(notice, file=sys.stderr)


def _signature(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(numba.typeof(argument) for argument in arguments)


def _type_key(arguments: tuple[Any, ...]) -> TypeKey:
    """Return what the code for some arguments depends on: their types."""
    return tuple((type(a), getattr(a, "dtype", None), getattr(a, "ndim", 0)) for a in arguments)


def _prepared(
    function: Code,
    folder: Path | None,
    arguments: tuple[Any, ...],
    options: CompileOptions,
    notice: tuple[str, str] | None = None,
) -> Dispatcher:
    """Return the function with code for such arguments, compiled or read from the cache.

    Several threads may ask at once: compiling holds Numba's own lock, so only one compiles.
    """
    type_key = _type_key(arguments)
    dispatcher = _get_dispatcher(function, folder)
    if type_key in _prepared_for[dispatcher]:
        return dispatcher
    signature = _signature(arguments)
    was_cached = _private and folder is not None and _private.has_cached(dispatcher, signature)
    if notice and not was_cached and _is_first_request(dispatcher, type_key):
        log_compiling(*notice, once=folder is not None)
    with ExitStack() as stack:
        if folder is not None:
            name = f"{function.__module__}.{function.__name__}"
            stack.enter_context(cache_dir.compile_lock(folder, name))
        stack.enter_context(_fewer_collections())
        if _private:
            stack.enter_context(_private.opt_level(options.opt_level))
            stack.enter_context(_private.unfinished_inner_code(options.inline))
        dispatcher.compile(signature)
    _prepared_for[dispatcher].add(type_key)
    return dispatcher


_prepared_for: defaultdict[Dispatcher, set[TypeKey]] = defaultdict(set)
_requested: defaultdict[Dispatcher, set[TypeKey]] = defaultdict(set)
_lock = threading.RLock()  # guards dispatchers and the list of rules


def _is_first_request(dispatcher: Dispatcher, type_key: TypeKey) -> bool:
    """Return whether this code is requested for the first time: one notice is enough."""
    with _lock:
        was_requested = type_key in _requested[dispatcher]
        _requested[dispatcher].add(type_key)
    return not was_requested


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Run the garbage collector less often: the compiler makes millions of lasting objects.

    This saves a tenth of the compile time for a few megabytes.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(100_000, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


# Errors of a cache directory with foreign files, or on a full disk.
CACHE_ERRORS = (OSError, EOFError, pickle.UnpicklingError, ImportError, AttributeError)


def _get_dispatcher(function: Code, folder: Path | None) -> Dispatcher:
    with _lock:
        return _dispatcher(function, folder)


@functools.cache
def _dispatcher(function: Code, folder: Path | None) -> Dispatcher:
    options = _private.JIT_OPTIONS if _private else {}
    dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if _private and folder is not None:
        _private.use_checked_cache(dispatcher, folder)
    return dispatcher


_registered_count = 0


def register() -> None:
    """Register every rule declared so far as callable from compiled code."""
    global _registered_count
    with _lock:
        while _registered_count < len(REGISTERED_RULES):
            register_jitable(no_cfunc_wrapper=True)(REGISTERED_RULES[_registered_count])
            _registered_count += 1
