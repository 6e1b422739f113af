"""One file of many arrays: written once from its beginning to its end, then read from the disk.

The arrays come first, as they are made; what they are stands at the end (as JSON, with a checksum
of each chunk and of itself). An array is read where it lies; what is used of it is checked at its
first use.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from hashmark.table.errors import HashmarkError

MAGIC = b"hashmark-arrays1"
END = 16 + 8 + 4  # magic, the length of the description, its checksum
CHUNK = 1 << 15  # bytes that have a checksum of their own: a look at a value reads so many
CHECKSUM = np.dtype("<u4")


class Sink(Protocol):
    """Anything that takes bytes."""

    def write(self, made: Any, /) -> Any: ...


def bytes_of(array: Any) -> memoryview:
    """The bytes of an array, as they are written."""
    whole: Any = np.ascontiguousarray(array)
    return memoryview(whole).cast("B")


def crc(array: Any) -> int:
    """The checksum of an array."""
    return zlib.crc32(bytes_of(array))


def entry(array: Any, offset: int) -> dict[str, Any]:
    """What the description says of an array."""
    kind = np.lib.format.dtype_to_descr(array.dtype)
    return {"dtype": kind, "shape": array.shape, "offset": offset, "crc": crcs(bytes_of(array))}


def crcs(whole: Any) -> str:
    """The checksums of bytes, chunk by chunk, as text."""
    each = [zlib.crc32(whole[at : at + CHUNK]) for at in range(0, len(whole), CHUNK)]
    return b64encode(np.array(each, CHECKSUM).tobytes()).decode()


def finish(
    sink: Sink, at: int, arrays: Mapping[str, Any], entries: dict[str, Any], said: Mapping[str, Any]
) -> None:
    """Write further arrays behind `at` bytes that are there, and then the description of all."""
    for name, array in arrays.items():
        rest = -at % 64
        sink.write(bytes(rest))
        entries[name] = entry(array, at + rest)
        sink.write(bytes_of(array))
        at += rest + array.nbytes
    text = json.dumps({**said, "arrays": entries}).encode()
    sink.write(text + crc(np.frombuffer(text, np.uint8)).to_bytes(4, "little"))
    sink.write(len(text).to_bytes(8, "little") + MAGIC)


class Container:
    """A finished file, open for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as stream:
                self.said = self._description(stream)
            self._bytes = np.asarray(np.memmap(path, np.uint8, "r"))
        except (OSError, ValueError) as fault:
            raise HashmarkError(f"cannot read {path}: {fault}") from None
        self._arrays: dict[str, Any] = {}
        self._sizes: dict[str, int] = {}  # of each array the bytes of an entry
        self._sums: dict[str, Any] = {}  # of each array the checksums of its chunks
        self._sound: dict[str, Any] = {}  # and which of them were found right

    def _description(self, stream: BinaryIO) -> dict[str, Any]:
        size = stream.seek(0, 2)
        if size < END:
            raise ValueError("it is cut short")
        stream.seek(size - END)
        end = stream.read(END)
        length = int.from_bytes(end[4:12], "little")
        if end[12:] != MAGIC or length > size - END:
            raise ValueError("it is no solution, or cut short")
        stream.seek(size - END - length)
        text = stream.read(length)
        if crc(np.frombuffer(text, np.uint8)) != int.from_bytes(end[:4], "little"):
            raise ValueError("it is damaged")
        return dict(json.loads(text))

    def __contains__(self, name: str) -> bool:
        return name in self.said["arrays"]

    def array(self, name: str) -> Any:
        """An array where it lies on the disk; a damaged one is refused."""
        found = self._found(name)
        self._check(name, range(len(self._sums[name])))
        return found

    def part(self, name: str, begin: int, end: int) -> Any:
        """Some entries of an array; only what they lie in is checked."""
        found = self._found(name)
        size = self._sizes[name]
        self._check(name, range(begin * size // CHUNK, -(-end * size // CHUNK)))
        return found[begin:end]

    def with_entries(self, name: str, entries: Any) -> Any:
        """A whole array of which only these entries may be looked at: only they are checked."""
        found = self._found(name)
        size = self._sizes[name]
        first, last = entries * size // CHUNK, (entries * size + size - 1) // CHUNK
        unseen = np.zeros(len(self._sums[name]), np.bool_)
        for further in range(size // CHUNK + 2):
            unseen[np.minimum(first + further, last)] = True
        unseen &= ~self._sound[name]
        self._check(name, np.flatnonzero(unseen).tolist())
        return found

    def _found(self, name: str) -> Any:
        if name not in self._arrays:
            said = self.said["arrays"][name]
            kind = said["dtype"]
            if isinstance(kind, list):
                kind = [tuple(one) for one in kind]
            dtype, shape = np.dtype(kind), tuple(said["shape"])
            length = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
            inside = self._bytes[said["offset"] : said["offset"] + length]
            if len(inside) != length:
                raise self._damage()
            self._arrays[name] = inside.view(dtype).reshape(shape)
            self._sizes[name] = length // max(1, shape[0])
            self._sums[name] = np.frombuffer(b64decode(said["crc"]), CHECKSUM)
            self._sound[name] = np.zeros(len(self._sums[name]), np.bool_)
            if len(self._sums[name]) != -(-length // CHUNK):
                raise self._damage()
        return self._arrays[name]

    def _check(self, name: str, chunks: Iterable[int]) -> None:
        """Look at these chunks of an array, if nobody has."""
        sound = self._sound[name]
        offset, length = self.offset(name), self._arrays[name].nbytes
        for number in chunks:
            if sound[number]:
                continue
            at, last = number * CHUNK, min(length, (number + 1) * CHUNK)
            chunk = self._bytes[offset + at : offset + last]
            if zlib.crc32(bytes_of(chunk)) != self._sums[name][number]:
                raise self._damage()
            sound[number] = True

    def _damage(self) -> HashmarkError:
        return HashmarkError(f"{self.path} is damaged: solve the game again")

    def offset(self, name: str) -> int:
        """The byte at which an array begins."""
        return int(self.said["arrays"][name]["offset"])

    def everything(self, kind: Any) -> Any:
        """The whole file as numbers of one kind; arrays begin where such a number can."""
        whole = len(self._bytes) // 64 * 64
        return self._bytes[:whole].view(kind)

    def check(self) -> None:
        """Check every array."""
        for name in self.said["arrays"]:
            self.array(name)
