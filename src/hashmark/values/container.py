"""One file of many arrays: written once from its beginning to its end, then read from the disk.

The arrays come first, as they are made; what they are stands at the end (as JSON, with a checksum
of each array and of itself). An array is read where it lies, and checked when it is first used.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from hashmark.table.errors import HashmarkError

MAGIC = b"hashmark-arrays1"
END = 16 + 8 + 4  # magic, the length of the description, its checksum


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
    return {"dtype": kind, "shape": array.shape, "offset": offset, "crc": crc(array)}


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
        self._checked: dict[str, Any] = {}

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
        if name not in self._checked:
            said = self.said["arrays"][name]
            kind = said["dtype"]
            if isinstance(kind, list):
                kind = [tuple(one) for one in kind]
            dtype, shape = np.dtype(kind), tuple(said["shape"])
            length = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
            part = self._bytes[said["offset"] : said["offset"] + length]
            if len(part) != length or crc(part) != said["crc"]:
                raise HashmarkError(f"{self.path} is damaged: solve the game again")
            self._checked[name] = part.view(dtype).reshape(shape)
        return self._checked[name]

    def check(self) -> None:
        """Check every array."""
        for name in self.said["arrays"]:
            self.array(name)
