"""A disk that loses what was not synced, or that is full or broken, for tests.

`Tape` stands in for the system under `hashmark.table.disk`: it does what it is asked for and
notes it. `crashes` then gives every state in which the disk may be found after the power was
lost at some moment: of what was not synced, any part may be there or not. A file's content and
its name in a folder are two things, each lost unless it was synced.
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

from hashmark.table import disk

Operation = tuple[Any, ...]
Content = bytes | None  # none: there is no such file


@dataclass
class Tape:
    """The system's functions that `disk` uses, noted down; it may be told to fail."""

    noted: list[Operation] = field(default_factory=list)
    space: int | None = None  # bytes that the disk still takes
    syncs: int | None = None  # times that syncing works
    piece: int | None = None  # the most bytes that are taken at once
    _files: dict[int, int] = field(default_factory=dict)  # number of a file by its descriptor
    _numbers: dict[str, int] = field(default_factory=dict)  # the same by its name
    _made: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: Path, flags: int, mode: int = 0o777) -> int:
        file = os.open(path, flags, mode)
        if flags & os.O_CREAT:
            self._made += 1
            self.noted.append(("create", str(path), self._made))
            self._numbers[str(path)] = self._made
        # A folder has number 0.
        self._files[file] = 0 if flags & os.O_DIRECTORY else self._numbers[str(path)]
        return file

    def write(self, file: int, data: memoryview) -> int:
        taken = bytes(data[: self.piece])
        if self.space is not None:
            if not self.space:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            taken = taken[: self.space]
            self.space -= len(taken)
        at = os.lseek(file, 0, os.SEEK_CUR)
        self.noted.append(("write", self._files[file], at, taken))
        return os.write(file, taken)

    def fsync(self, file: int) -> None:
        if self.syncs is not None:
            if not self.syncs:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            self.syncs -= 1
        os.fsync(file)
        if self._files[file]:
            self.noted.append(("sync", self._files[file]))
        else:
            self.noted.append(("sync folder",))

    def ftruncate(self, file: int, length: int) -> None:
        os.ftruncate(file, length)
        self.noted.append(("cut", self._files[file], length))

    def replace(self, source: Path, target: Path) -> None:
        os.replace(source, target)
        self.noted.append(("rename", str(source), str(target)))

    def unlink(self, path: Path) -> None:
        os.unlink(path)
        self.noted.append(("remove", str(path)))

    def mkdir(self, path: Path) -> None:
        os.mkdir(path)
        self.noted.append(("folder", str(path)))

    def say(self, what: Any) -> None:
        """Somebody was told, and relies on it from now on."""
        self.noted.append(("said", what))


@pytest.fixture
def tape(monkeypatch: pytest.MonkeyPatch) -> Tape:
    """Everything that is written is noted."""
    made = Tape()
    monkeypatch.setattr(disk, "os", made)
    return made


def crashes(
    noted: list[Operation], path: Path, before: Content = None
) -> Iterator[tuple[Content, list[Any]]]:
    """What may be found under this name after a crash at any moment, and what was said by then.

    All that is noted must be of one folder.
    """
    for moment in range(len(noted) + 1):
        past = noted[:moment]
        said = [operation[1] for operation in past if operation[0] == "said"]
        seen = set()
        for file in _named(past, str(path)):
            found = [before] if file == OLD else _contents(past, file) if file else [None]
            for content in found:
                if content not in seen:
                    seen.add(content)
                    yield content, said


OLD = -1  # the file that was there before


def _named(past: list[Operation], path: str) -> set[int]:
    """The files that may have this name: 0 is none."""
    synced = max(
        (n for n, operation in enumerate(past) if operation[0] == "sync folder"), default=-1
    )
    changes = [(n, op) for n, op in enumerate(past) if op[0] in ("create", "rename", "remove")]
    known = {op[1]: op[2] for _, op in changes if op[0] == "create"}
    found = set()
    pending = [n > synced for n, _ in changes]
    for kept in product(*((False, True) if open_ else (True,) for open_ in pending)):
        name = OLD
        for keep, (_, op) in zip(kept, changes, strict=True):
            if keep and op[0] == "create" and op[1] == path:
                name = op[2]
            elif keep and op[0] == "rename" and op[2] == path:
                name = known[op[1]]
            elif keep and op[0] == "remove" and op[1] == path:
                name = 0
        found.add(name)
    return found


def _contents(past: list[Operation], file: int) -> Iterator[bytes]:
    """What may be in a file: all that was synced, and of the rest any beginning, torn or holed."""
    content = b""
    pending: list[Operation] = []
    for operation in past:
        if operation[0] in ("write", "cut") and operation[1] == file:
            pending.append(operation)
        elif operation == ("sync", file):
            for one in pending:
                content = _after(content, one)
            pending.clear()
    yield content
    if pending:
        yield _after(content, pending[-1])  # the last one alone
    for one in pending:
        if one[0] == "write":
            _, _, at, data = one
            for end in {1, len(data) // 3, len(data) // 2, len(data) - 1}:
                yield _after(content, ("write", file, at, data[:end]))
                holed = bytes(end) + data[end:]
                yield _after(content, ("write", file, at, holed))
            yield _after(content, ("write", file, at, bytes(len(data))))
        content = _after(content, one)
        yield content


def _after(content: bytes, operation: Operation) -> bytes:
    if operation[0] == "cut":
        return content[: operation[2]].ljust(operation[2], b"\0")
    at, data = int(operation[2]), bytes(operation[3])
    return content.ljust(at, b"\0")[:at] + data + content[at + len(data) :]
