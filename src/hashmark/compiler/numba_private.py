"""Everything that depends on private parts of Numba: the code cache, and unfinished inner code.

The rest of the package uses only `numba.extending`, `numba.types` and other public names. If a
private name is missing in another version of Numba, importing this module or `check` fails, and
`registration` compiles without it: slower, uncached, with the same results.

Unfinished inner code: a rule set has hundreds of small functions, and Numba compiles each as if
Python might call it. It optimizes every one together with all of its callees and generates machine
code that is never used, because the loop that calls them all links their code in and is optimized
as a whole. Here inner functions are only inlined into their callers, and functions that Python
calls are finished as usual. This saves a third of the compile time, and the resulting code is as
fast.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUTargetOptions
from numba.core.registry import cpu_target

if TYPE_CHECKING:  # types that are only named in annotations, here and in the other modules
    from numba.core.base import BaseContext as BaseContext
    from numba.core.codegen import CPUCodegen
    from numba.core.compiler import Flags
    from numba.core.typing import Context as Context
    from numba.core.typing import Signature as Signature


DEFAULT_OPT_LEVEL = numba.config.OPT
JIT_OPTIONS = {"_nrt": False}  # no reference counting: loops allocate no memory
PYTHON_WRAPPER_PREFIX = "_ZN7cpython"  # symbol prefix of wrappers that Python can call
DIGEST_BYTES = 32
CacheKey: TypeAlias = tuple[Any, ...]  # of the index: argument types, processor, function


class Dispatcher(Protocol):
    """What is used here of Numba's compiled functions."""

    py_func: Callable[..., Any]
    overloads: Mapping[tuple[Any, ...], Any]
    targetctx: Any
    _cache: Any

    def compile(self, signature: tuple[Any, ...]) -> object: ...
    def __call__(self, *arguments: Any) -> Any: ...


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code library of one function; finished only if Python can call it."""

    _unfinished = False

    def finalize(self) -> None:
        """Link in the callees; leave code generation to the library that links this one."""
        if self._is_called_by_python():
            super().finalize()
            return
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._inline_callees()
        self._finalize_dynamic_globals()
        self._finalized = self._unfinished = True

    def _inline_callees(self) -> None:
        """Run the cheap half of Numba's passes, which inlines small functions."""
        generator = self._codegen
        passes, builder = generator._module_pass_manager(
            loop_vectorize=generator._loopvect,
            slp_vectorize=False,
            opt=generator._opt_level,
            cost="cheap",
        )
        passes.run(self._final_module, builder)

    def _is_called_by_python(self) -> bool:
        return any(
            function.name.startswith(PYTHON_WRAPPER_PREFIX) and not function.is_declaration
            for function in self._final_module.functions
        )

    def get_pointer_to_function(self, name: str) -> Any:
        """Return the address of the machine code, or 0 if there is none."""
        self._ensure_finalized()
        return 0 if self._unfinished else super().get_pointer_to_function(name)

    @property
    def codegen(self) -> Any:
        return _CodegenWithoutEnv(self._codegen) if self._unfinished else self._codegen


class _CodegenWithoutEnv:
    """Code generator that sets no environment, because no machine code uses it."""

    def __init__(self, codegen: CPUCodegen) -> None:
        self._wrapped = codegen

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wrapped, name)


class _InlineOnRequestOptions(CPUTargetOptions):  # type: ignore[misc]
    """Target options that inline functions only if they ask for it themselves."""

    def finalize(self, flags: Flags, options: dict[str, Any]) -> None:
        """Set the flags of one function."""
        super().finalize(flags, options)
        if not options.get("forceinline"):
            flags.forceinline = False


@contextmanager
def unfinished_inner_code(inline: bool = True) -> Iterator[None]:
    """Leave inner functions unfinished within this context; no other thread can compile meanwhile.

    With `inline`, the rules that a loop calls are inlined at every call, as Numba does; otherwise
    the compiler decides.
    """
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        previous = codegen._library_class, cpu_target.options
        codegen._library_class = InnerLibrary
        if not inline:
            cpu_target.options = _InlineOnRequestOptions
        try:
            yield
        finally:
            codegen._library_class, cpu_target.options = previous


@contextmanager
def opt_level(level: int) -> Iterator[None]:
    """Set the optimization level for one function; results do not depend on it.

    Numba has one global setting, so it is changed only while no other thread can compile.
    """
    with global_compiler_lock:
        numba.config.OPT = type(DEFAULT_OPT_LEVEL)(min(level, int(DEFAULT_OPT_LEVEL)))
        try:
            yield
        finally:
            numba.config.OPT = DEFAULT_OPT_LEVEL


def entry_point(dispatcher: Dispatcher, signature: tuple[Any, ...]) -> Callable[..., Any]:
    """Return the compiled code for these argument types, which is called without a lookup."""
    code: Callable[..., Any] = dispatcher.overloads[signature].entry_point
    return code


def file_digest(data: bytes) -> bytes:
    """Return the digest that ends a cached file."""
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES, person=b"hashmark-cache").digest()


def is_intact(data: bytes) -> bool:
    """Return whether a cached file is as it was written."""
    return file_digest(data[:-DIGEST_BYTES]) == data[-DIGEST_BYTES:]


def remove_if_damaged(path: str) -> None:
    """Remove a damaged file."""
    try:
        with open(path, "rb") as file:
            intact = is_intact(file.read())
    except FileNotFoundError:
        return
    if not intact:
        os.unlink(path)


class CheckedCacheFile(IndexDataCacheFile):  # type: ignore[misc]
    """Index and code files of one function, each with a digest.

    A cached file is machine code: one flipped bit crashes the program or, worse, plays a different
    game. So a file with a wrong digest is removed and its function compiled again. Numba reads no
    further than the end of its own data, so the appended digest does no harm. It writes its index
    before the code that the index points to: a program that ends between the two writes leaves an
    entry that points to nothing, or to older code under the same file name. So the code file also
    carries the index entry it belongs to, and code of another entry is ignored.
    """

    def save(self, key: CacheKey, data: object) -> None:
        """Store the code of an index entry."""
        super().save(key, (self._entry(key), data))

    def load(self, key: CacheKey) -> Any:
        """Return the code of an index entry, or None."""
        entry = super().load(key)
        return entry[1] if entry is not None and entry[0] == self._entry(key) else None

    def _entry(self, key: CacheKey) -> tuple[object, ...]:
        return self._version, self._source_stamp, key

    def _load_index(self) -> Any:
        remove_if_damaged(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        remove_if_damaged(self._data_path(name))
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        """Write a file atomically, as Numba does, and append the digest."""
        with super()._open_for_write(filepath) as file:
            buffer = io.BytesIO()
            yield buffer
            file.write(buffer.getvalue() + file_digest(buffer.getvalue()))


class _FixedLocator(_CacheLocator):  # type: ignore[misc]
    """Cache locator that always uses one given directory, whatever the Numba settings."""

    folder: Path

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._source, self._line = Path(source), function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        name = self.get_suitable_cache_subpath(str(self._source))
        return str(self.folder / name)

    def get_source_stamp(self) -> bytes:
        return file_digest(self._source.read_bytes())

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> _FixedLocator:
        locator = cls(function, source)
        locator.ensure_cache_path()
        return locator


class CheckedCache(FunctionCache):  # type: ignore[misc]
    """Numba's function cache in a given directory, with checked files."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        locator = type("Place", (_FixedLocator,), {"folder": folder})
        base_class = FunctionCache._impl_class
        self._impl_class = type("Impl", (base_class,), {"_locator_classes": [locator]})
        super().__init__(function)
        self._cache_file = CheckedCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )


def use_checked_cache(dispatcher: Dispatcher, folder: Path) -> None:
    """Make a compiled function use the checked cache in this directory."""
    dispatcher._cache = CheckedCache(dispatcher.py_func, folder)


def has_cached(dispatcher: Dispatcher, signature: tuple[Any, ...]) -> bool:
    """Return whether code for these argument types is cached."""
    files, codegen = dispatcher._cache._cache_file, dispatcher.targetctx.codegen()
    name = files._load_index().get(dispatcher._cache._index_key(signature, codegen))
    return name is not None and Path(files._data_path(name)).is_file()


def _check_names() -> None:
    """Raise AttributeError if a private attribute used above is gone."""
    codegen = cpu_target.target_context.codegen()
    needed: tuple[tuple[Any, str], ...] = (
        (codegen, "_library_class _module_pass_manager _loopvect _opt_level set_env"),
        (JITCodeLibrary, "_raise_if_finalized _finalize_dynamic_globals _ensure_finalized"),
        (JITCodeLibrary, "finalize get_pointer_to_function codegen _get_module_for_linking"),
        (codegen.create_library("check"), "_codegen _final_module _linking_libraries _reload_init"),
        (CPUTargetOptions, "finalize forceinline _nrt"),
        (cpu_target, "options"),
        (IndexDataCacheFile, "save load _load_index _load_data _data_path _open_for_write"),
        (_CacheLocator, "ensure_cache_path get_suitable_cache_subpath"),
        (FunctionCache, "_index_key"),
        (FunctionCache._impl_class, "_locator_classes filename_base locator"),
        (numba.njit(lambda: 0), "_cache targetctx overloads"),
    )
    for owner, names in needed:
        for name in names.split():
            getattr(owner, name)


_check_names()
