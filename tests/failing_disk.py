"""Fake disk that loses unsynced data, or that is full or broken.

`DiskRecorder` replaces the operating system below `storage.fsync`: it does what is asked and
records it. `crash_states` then yields every state in which the disk may be found after a power
failure at any moment: of what was not synced, any part may be there or not. A file's content and
its name in a directory are separate, and each is lost unless it was synced.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hashmark.storage import fsync as disk

Operation = tuple[Any, ...]
Content = bytes | None  # None: no such file


@dataclass
class DiskRecorder:
    """Recorder of the system calls that `fsync` uses; can be told to fail."""

    operations: list[Operation] = field(default_factory=list)
    free_bytes: int | None = None  # bytes left on the disk
    syncs_left: int | None = None  # syncs before syncing fails
    max_write_bytes: int | None = None  # most bytes that one write accepts
    _files: dict[int, int] = field(default_factory=dict)  # file numbers by descriptor
    _numbers: dict[str, int] = field(default_factory=dict)  # file numbers by name
    _created: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: Path, flags: int, mode: int = 0o777) -> int:
        file = os.open(path, flags, mode)
        if flags & os.O_CREAT:
            self._created += 1
            self.operations.append(("create", str(path), self._created))
            self._numbers[str(path)] = self._created
        # A directory has number 0.
        self._files[file] = 0 if flags & os.O_DIRECTORY else self._numbers[str(path)]
        return file

    def write(self, file: int, data: memoryview) -> int:
        taken = bytes(data[: self.max_write_bytes])
        if self.free_bytes is not None:
            if not self.free_bytes:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            taken = taken[: self.free_bytes]
            self.free_bytes -= len(taken)
        offset = os.lseek(file, 0, os.SEEK_CUR)
        self.operations.append(("write", self._files[file], offset, taken))
        return os.write(file, taken)

    def fsync(self, file: int) -> None:
        if self.syncs_left is not None:
            if not self.syncs_left:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            self.syncs_left -= 1
        os.fsync(file)
        if self._files[file]:
            self.operations.append(("sync", self._files[file]))
        else:
            self.operations.append(("sync folder",))

    def ftruncate(self, file: int, length: int) -> None:
        os.ftruncate(file, length)
        self.operations.append(("cut", self._files[file], length))

    def replace(self, source: Path, target: Path) -> None:
        os.replace(source, target)
        self.operations.append(("rename", str(source), str(target)))

    def unlink(self, path: Path) -> None:
        os.unlink(path)
        self.operations.append(("remove", str(path)))

    def mkdir(self, path: Path, mode: int) -> None:
        os.mkdir(path, mode)
        self.operations.append(("folder", str(path)))

    def acknowledge(self, what: Any) -> None:
        """Record that something was acknowledged and must survive from now on."""
        self.operations.append(("said", what))


@pytest.fixture
def tape(monkeypatch: pytest.MonkeyPatch) -> DiskRecorder:
    """Record everything that is written."""
    recorder = DiskRecorder()
    monkeypatch.setattr(disk, "os", recorder)
    return recorder


def crash_states(
    noted: list[Operation], path: Path, before: Content = None
) -> Iterator[tuple[Content, list[Any]]]:
    """Yield what may be found under a name after a crash at any moment, and what was acknowledged
    by then.

    All recorded operations must be in one directory.
    """
    for moment in range(len(noted) + 1):
        past = noted[:moment]
        acknowledged = [operation[1] for operation in past if operation[0] == "said"]
        seen = set()
        for file in _named(past, str(path)):
            contents = [before] if file == OLD else _contents(past, file) if file else [None]
            for content in contents:
                if content not in seen:
                    seen.add(content)
                    yield content, acknowledged


OLD = -1  # the file from before


def _named(past: list[Operation], path: str) -> set[int]:
    """Return the files that may have this name; 0 is none."""
    synced = max(
        (n for n, operation in enumerate(past) if operation[0] == "sync folder"), default=-1
    )
    changes = [(n, op) for n, op in enumerate(past) if op[0] in ("create", "rename", "remove")]
    numbers = {op[1]: op[2] for _, op in changes if op[0] == "create"}
    files = set()
    pending = [n > synced for n, _ in changes]
    for survivors in product(*((False, True) if is_pending else (True,) for is_pending in pending)):
        name = OLD
        for survives, (_, op) in zip(survivors, changes, strict=True):
            if survives and op[0] == "create" and op[1] == path:
                name = op[2]
            elif survives and op[0] == "rename" and op[2] == path:
                name = numbers[op[1]]
            elif survives and op[0] == "remove" and op[1] == path:
                name = 0
        files.add(name)
    return files


def _contents(past: list[Operation], file: int) -> Iterator[bytes]:
    """Yield what may be in a file: everything synced, and any prefix, torn or with holes, of the
    rest.
    """
    content = b""
    pending: list[Operation] = []
    for operation in past:
        if operation[0] in ("write", "cut") and operation[1] == file:
            pending.append(operation)
        elif operation == ("sync", file):
            for unsynced in pending:
                content = _after(content, unsynced)
            pending.clear()
    yield content
    if pending:
        yield _after(content, pending[-1])  # the last operation alone
    for unsynced in pending:
        if unsynced[0] == "write":
            _, _, offset, data = unsynced
            for end in {1, len(data) // 3, len(data) // 2, len(data) - 1}:
                yield _after(content, ("write", file, offset, data[:end]))
                holed = bytes(end) + data[end:]
                yield _after(content, ("write", file, offset, holed))
            yield _after(content, ("write", file, offset, bytes(len(data))))
        content = _after(content, unsynced)
        yield content


def _after(content: bytes, operation: Operation) -> bytes:
    if operation[0] == "cut":
        return content[: operation[2]].ljust(operation[2], b"\0")
    offset, data = int(operation[2]), bytes(operation[3])
    return content.ljust(offset, b"\0")[:offset] + data + content[offset + len(data) :]
