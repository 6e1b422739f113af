"""Numba's cache of a compiled function, with a digest in each of its files.

A cached file is machine code: one flipped bit in it ends the program, or worse, plays another
game. So every file ends with a digest of what is before it, and nothing is loaded from a file
whose digest does not fit: it is removed, and the function is compiled anew. Numba reads no
further than the end of what it has written, so the digest does not disturb it.

Numba writes its index before the code that the index leads to. A program that ends between the
two leaves an entry that leads to nothing, or to the code of something else that had this file
name before. So the code also carries the entry it belongs to, and other code is not taken.
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


def digest(data: bytes) -> bytes:
    """What a cached file ends with."""
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES, person=b"hashmark-cache").digest()


def is_sound(data: bytes) -> bool:
    """Whether a cached file is as it was written."""
    return digest(data[:-DIGEST_BYTES]) == data[-DIGEST_BYTES:]


class CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The index and the code of one function on the disk."""

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of an entry."""
        super().save(key, (self._entry(key), data))

    def load(self, key: Any) -> Any:
        """The code of an entry, or None."""
        found = super().load(key)
        return found[1] if found is not None and found[0] == self._entry(key) else None

    def _entry(self, key: Any) -> Any:
        return self._version, self._source_stamp, key

    def _load_index(self) -> Any:
        _remove_unsound(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _remove_unsound(self._data_path(name))
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        """Numba's way to write a file whole or not at all, with the digest at its end."""
        with super()._open_for_write(filepath) as file:
            made = io.BytesIO()
            yield made
            file.write(made.getvalue() + digest(made.getvalue()))


def _remove_unsound(path: str) -> None:
    """A damaged file is not there."""
    try:
        with open(path, "rb") as file:
            sound = is_sound(file.read())
    except FileNotFoundError:
        return
    if not sound:
        os.unlink(path)


class _Place(_CacheLocator):  # type: ignore[misc]
    """Where the code of a function lies: in the folder given, whatever the settings say."""

    folder: Path

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._source, self._line = Path(source), function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        name = self.get_suitable_cache_subpath(str(self._source))
        return str(self.folder / name)

    def get_source_stamp(self) -> bytes:
        return digest(self._source.read_bytes())

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], source: str) -> _Place:
        made = cls(function, source)
        made.ensure_cache_path()
        return made


class CheckedCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function in a folder of ours, on checked files."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        place = type("Place", (_Place,), {"folder": folder})
        usual = FunctionCache._impl_class
        self._impl_class = type("Impl", (usual,), {"_locator_classes": [place]})
        super().__init__(function)
        self._cache_file = CheckedFiles(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )


def keep(dispatcher: Any, folder: Path) -> None:
    """Let a compiled function keep its code in this folder, and look for it there."""
    dispatcher._cache = CheckedCache(dispatcher.py_func, folder)


def holds(dispatcher: Any, signature: tuple[Any, ...]) -> bool:
    """Whether the code for such arguments is kept."""
    files, codegen = dispatcher._cache._cache_file, dispatcher.targetctx.codegen()
    name = files._load_index().get(dispatcher._cache._index_key(signature, codegen))
    return name is not None and Path(files._data_path(name)).is_file()
