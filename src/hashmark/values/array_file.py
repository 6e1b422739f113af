"""File of named arrays: written once from start to end, then memory-mapped for reading.

The arrays come first, in the order in which they are written. A JSON footer describes them, with a
checksum of each chunk and of itself. Arrays are read in place; each chunk is verified on first use.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hashmark.errors import HashmarkError
from hashmark.odds.arrays import Flags, Ints

MAGIC = b"hashmark-arrays1"
FOOTER_BYTES = 16 + 8 + 4  # bytes of the footer's end: magic, length of the JSON, its checksum
CHUNK_BYTES = 1 << 15  # bytes covered by one checksum; reading one value reads this many
CHECKSUM_DTYPE = np.dtype("<u4")


class ByteSink(Protocol):
    """Anything that accepts bytes."""

    def write(self, data: bytes | memoryview, /) -> object: ...


def bytes_of(array: NDArray[Any]) -> memoryview:
    """Return the bytes of an array as they are written to the file."""
    return np.ascontiguousarray(array).data.cast("B")


def array_checksum(array: NDArray[Any]) -> int:
    """Return the checksum of an array."""
    return zlib.crc32(bytes_of(array))


def chunk_checksums(data: memoryview) -> str:
    """Return the chunk checksums of a byte buffer, base64-encoded."""
    checksums = [
        zlib.crc32(data[start : start + CHUNK_BYTES]) for start in range(0, len(data), CHUNK_BYTES)
    ]
    return b64encode(np.array(checksums, CHECKSUM_DTYPE).tobytes()).decode()


def write_array(
    sink: ByteSink, offset: int, name: str, array: NDArray[Any], entries: dict[str, Any]
) -> int:
    """Append an array after the first `offset` bytes, enter it, and return the new length."""
    padding = -offset % 64
    sink.write(bytes(padding))
    entries[name] = {
        "dtype": np.lib.format.dtype_to_descr(array.dtype),
        "shape": array.shape,
        "offset": offset + padding,
        "crc": chunk_checksums(bytes_of(array)),
    }
    sink.write(bytes_of(array))
    return offset + padding + array.nbytes


def write_arrays_and_footer(
    sink: ByteSink,
    offset: int,
    arrays: Mapping[str, NDArray[Any]],
    entries: dict[str, Any],
    metadata: Mapping[str, Any],
) -> None:
    """Append arrays after the first `offset` bytes of the file, then write the footer."""
    for name, array in arrays.items():
        offset = write_array(sink, offset, name, array, entries)
    text = json.dumps({**metadata, "arrays": entries}).encode()
    sink.write(text + array_checksum(np.frombuffer(text, np.uint8)).to_bytes(4, "little"))
    sink.write(len(text).to_bytes(8, "little") + MAGIC)


class ArrayFile:
    """A finished array file, open for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as stream:
                self.metadata = self._read_footer(stream)
            self._bytes = np.asarray(np.memmap(path, np.uint8, "r"))
        except (OSError, ValueError) as fault:
            raise HashmarkError(f"cannot read {path}: {fault}") from None
        self._arrays: dict[str, NDArray[Any]] = {}
        self._sizes: dict[str, int] = {}  # bytes per entry of each array
        self._checksums: dict[str, NDArray[np.uint32]] = {}  # chunk checksums of each array
        self._verified: dict[str, Flags] = {}  # chunks already verified

    def _read_footer(self, stream: BinaryIO) -> dict[str, Any]:
        size = stream.seek(0, 2)
        if size < FOOTER_BYTES:
            raise ValueError("it is truncated")
        stream.seek(size - FOOTER_BYTES)
        end = stream.read(FOOTER_BYTES)
        length = int.from_bytes(end[4:12], "little")
        if end[12:] != MAGIC or length > size - FOOTER_BYTES:
            raise ValueError("it is not a solution, or is truncated")
        stream.seek(size - FOOTER_BYTES - length)
        text = stream.read(length)
        if array_checksum(np.frombuffer(text, np.uint8)) != int.from_bytes(end[:4], "little"):
            raise ValueError("it is damaged")
        return dict(json.loads(text))

    def __contains__(self, name: str) -> bool:
        return name in self.metadata["arrays"]

    def array(self, name: str) -> NDArray[Any]:
        """Return an array mapped from the file; raise an error if it is damaged."""
        array = self._load(name)
        self._check(name, range(len(self._checksums[name])))
        return array

    def map_unverified(self, name: str) -> NDArray[Any]:
        """Return an array mapped from the file, for files whose every page may be read at once.

        Verifying a file of tens of megabytes takes longer than a coach may think. The caller has
        checked that the file is complete: its footer is written last.
        """
        return self._load(name)

    def read_range(self, name: str, begin: int, end: int) -> NDArray[Any]:
        """Return a range of entries; only the chunks that contain them are verified."""
        array = self._load(name)
        size = self._sizes[name]
        self._check(name, range(begin * size // CHUNK_BYTES, -(-end * size // CHUNK_BYTES)))
        return array[begin:end]

    def array_with_verified_entries(self, name: str, entries: Ints) -> NDArray[Any]:
        """Return a whole array of which only the given entries are verified and may be read."""
        array = self._load(name)
        size = self._sizes[name]
        first, last = entries * size // CHUNK_BYTES, (entries * size + size - 1) // CHUNK_BYTES
        unverified = np.zeros(len(self._checksums[name]), np.bool_)
        for offset in range(size // CHUNK_BYTES + 2):
            unverified[np.minimum(first + offset, last)] = True
        unverified &= ~self._verified[name]
        self._check(name, np.flatnonzero(unverified).tolist())
        return array

    def _load(self, name: str) -> NDArray[Any]:
        if name not in self._arrays:
            entry = self.metadata["arrays"][name]
            dtype_spec = entry["dtype"]
            if isinstance(dtype_spec, list):
                dtype_spec = [tuple(field) for field in dtype_spec]
            dtype, shape = np.dtype(dtype_spec), tuple(entry["shape"])
            length = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
            raw = self._bytes[entry["offset"] : entry["offset"] + length]
            if len(raw) != length:
                raise self._damage_error()
            self._arrays[name] = raw.view(dtype).reshape(shape)
            self._sizes[name] = length // max(1, shape[0])
            self._checksums[name] = np.frombuffer(b64decode(entry["crc"]), CHECKSUM_DTYPE)
            self._verified[name] = np.zeros(len(self._checksums[name]), np.bool_)
            if len(self._checksums[name]) != -(-length // CHUNK_BYTES):
                raise self._damage_error()
        return self._arrays[name]

    def _check(self, name: str, chunks: Iterable[int]) -> None:
        """Verify these chunks of an array unless they are verified already."""
        is_verified = self._verified[name]
        offset, length = self.offset(name), self._arrays[name].nbytes
        for number in chunks:
            if is_verified[number]:
                continue
            start, stop = number * CHUNK_BYTES, min(length, (number + 1) * CHUNK_BYTES)
            chunk = self._bytes[offset + start : offset + stop]
            if zlib.crc32(bytes_of(chunk)) != self._checksums[name][number]:
                raise self._damage_error()
            is_verified[number] = True

    def _damage_error(self) -> HashmarkError:
        return HashmarkError(f"{self.path} is damaged: run `hashmark solve` again")

    def offset(self, name: str) -> int:
        """Return the byte offset of an array."""
        return int(self.metadata["arrays"][name]["offset"])

    def view_as(self, dtype: DTypeLike) -> NDArray[Any]:
        """View the whole file as one dtype; array offsets are aligned for every dtype."""
        length = len(self._bytes) // 64 * 64
        return self._bytes[:length].view(dtype)

    def verify(self) -> None:
        """Verify every array."""
        for name in self.metadata["arrays"]:
            self.array(name)
