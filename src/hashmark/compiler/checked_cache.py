"""Numba's function cache with a digest in each of its files.

A cached file is machine code: one flipped bit crashes the program or, worse, plays a different
game. So every file ends with a digest of its content, and a file with a wrong digest is removed and
its function compiled again. Numba reads no further than the end of its own data, so the appended
digest does no harm.

Numba writes its index before the code that the index points to. A program that ends between the two
writes leaves an entry that points to nothing, or to older code under the same file name. So the
code file also carries the index entry it belongs to, and code of another entry is ignored.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile, _CacheLocator

DIGEST_BYTES = 32


def file_digest(data: bytes) -> bytes:
    """Return the digest that ends a cached file."""
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES, person=b"hashmark-cache").digest()


def is_intact(data: bytes) -> bool:
    """Return whether a cached file is as it was written."""
    return file_digest(data[:-DIGEST_BYTES]) == data[-DIGEST_BYTES:]


class CheckedCacheFile(IndexDataCacheFile):  # type: ignore[misc]
    """Index and code files of one function, each with a digest."""

    def save(self, key: Any, data: Any) -> None:
        """Store the code of an index entry."""
        super().save(key, (self._entry(key), data))

    def load(self, key: Any) -> Any:
        """Return the code of an index entry, or None."""
        entry = super().load(key)
        return entry[1] if entry is not None and entry[0] == self._entry(key) else None

    def _entry(self, key: Any) -> Any:
        return self._version, self._source_stamp, key

    def _load_index(self) -> Any:
        _remove_if_damaged(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _remove_if_damaged(self._data_path(name))
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        """Write a file atomically, as Numba does, and append the digest."""
        with super()._open_for_write(filepath) as file:
            buffer = io.BytesIO()
            yield buffer
            file.write(buffer.getvalue() + file_digest(buffer.getvalue()))


def _remove_if_damaged(path: str) -> None:
    """Remove a damaged file."""
    try:
        with open(path, "rb") as file:
            intact = is_intact(file.read())
    except FileNotFoundError:
        return
    if not intact:
        os.unlink(path)


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


def use_checked_cache(dispatcher: Any, folder: Path) -> None:
    """Make a compiled function use the checked cache in this directory."""
    dispatcher._cache = CheckedCache(dispatcher.py_func, folder)


def has_cached(dispatcher: Any, signature: tuple[Any, ...]) -> bool:
    """Return whether code for these argument types is cached."""
    files, codegen = dispatcher._cache._cache_file, dispatcher.targetctx.codegen()
    name = files._load_index().get(dispatcher._cache._index_key(signature, codegen))
    return name is not None and Path(files._data_path(name)).is_file()
