"""Writing files: whole or not at all, and on the disk before anybody says so.

The twin of `files.py`, for everything but game logs, which only ever grow (`log.py`). A file
grows in its folder under a name of its own, `NAME.0123456789ab.partial`, and takes its name when
it is complete and on the disk. So two programs may write the same file at once: it is one's or
the other's. A link stays a link; what it leads to is replaced. The new file has the permissions of
the old one. A game log is never replaced. A pipe or a device is written to as it is.
"""

from __future__ import annotations

import csv
import errno
import io
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType, TracebackType

from hashmark.table import disk
from hashmark.table.errors import HashmarkError
from hashmark.table.header import MAGIC

SUFFIX = ".partial"
KEPT_OF_NAME = 50  # letters: a name may have 255 bytes, and a letter four


def put(path: Path, made: bytes | str) -> bool:
    """Write the file; whether there was one before."""
    with Growing(path) as file:
        file.write(made.encode() if isinstance(made, str) else made)
    return file.replaces


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV, line by line as on every system."""
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    return made.getvalue()


def check(path: Path) -> None:
    """Refuse what cannot be written; asked before long work as well as when writing begins."""
    with _saying(path):
        found = _found(path)
        if found is None:
            folder = _behind_links(path).parent
            if not folder.is_dir():
                raise HashmarkError(f"cannot write {path}: there is no such folder")
            _may_write(folder)
        elif stat.S_ISDIR(found.st_mode):
            raise HashmarkError(f"cannot write {path}: it is a folder")
        else:
            _may_write(path)
            spare_log(path)


def spare_log(path: Path) -> None:
    """Refuse to replace or remove a game log."""
    with _saying(path):
        if path.is_file():
            with path.open("rb") as stream:
                if MAGIC.encode() in stream.read(200):
                    raise HashmarkError(f"{path} is a game log: name another file")


class Growing:
    """A file on its way: it grows beside its name and takes it at the end of a `with`.

    An exception, Ctrl-C or a signal to end leaves the file as it was and nothing beside it.
    """

    closed = False  # asked by those who write to anything like a file

    def __init__(self, path: Path) -> None:
        self.path = path
        self.replaces = False  # known once it is open
        self._file = -1
        self._partial: Path | None = None  # none if the file is written as it is
        self._target = path

    def __enter__(self) -> Growing:
        check(self.path)
        try:
            with _saying(self.path):
                self._open()
        except BaseException:
            self._drop()
            raise
        return self

    def _open(self) -> None:
        found = _found(self.path)
        straight = None if found is None else _straight(self.path, found)
        if straight is not None:
            self._file = straight
            return
        self.replaces = found is not None
        self._target = _behind_links(self.path)
        name = f"{self._target.name[:KEPT_OF_NAME]}.{os.urandom(6).hex()}{SUFFIX}"
        self._partial = self._target.with_name(name)
        _swept_at_the_end(self._partial)
        self._file = disk.create(self._partial)
        if found is not None:
            _make_alike(self._partial, found)

    def write(self, data: bytes) -> int:
        """More of it."""
        with _saying(self.path):
            disk.write(self._file, data)
        return len(data)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                with _saying(self.path):
                    self._finish()
        finally:
            self._drop()

    def _finish(self) -> None:
        """To the disk, then to its name."""
        disk.sync(self._file)
        self._close()
        if self._partial is not None:
            spare_log(self._target)
            disk.replace(self._partial, self._target)

    def _close(self) -> None:
        if self._file >= 0:
            file, self._file = self._file, -1
            os.close(file)

    def _drop(self) -> None:
        """Leave nothing behind; after `_finish` there is nothing left."""
        with suppress(OSError):
            self._close()
        if self._partial is not None:
            disk.remove(self._partial)
            _not_swept(self._partial)


@contextmanager
def _saying(path: Path) -> Iterator[None]:
    """A fault of the system becomes one sentence."""
    try:
        yield
    except OSError as fault:
        raise disk.cannot_write(path, fault) from None


def _found(path: Path) -> os.stat_result | None:
    """What is there, at the end of all links."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _behind_links(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _may_write(path: Path) -> None:
    """A file that is protected against writing is not replaced, though its folder allows it."""
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _straight(path: Path, found: os.stat_result) -> int | None:
    """A pipe, a device, or whatever our own output goes to, opened as it is; else None."""
    for number in (1, 2):
        if _is_open_as(number, found):
            sys.stdout.flush()
            return os.dup(number)
    return None if stat.S_ISREG(found.st_mode) else os.open(path, os.O_WRONLY)


def _is_open_as(number: int, found: os.stat_result) -> bool:
    try:
        return os.path.samestat(found, os.fstat(number))
    except OSError:  # closed
        return False


def _make_alike(partial: Path, found: os.stat_result) -> None:
    """The owner, where that is allowed, and the permissions of the file that is replaced."""
    with suppress(OSError, AttributeError):  # not on every system
        os.chown(partial, found.st_uid, found.st_gid)
    with suppress(OSError):
        partial.chmod(stat.S_IMODE(found.st_mode))


# --- Signals to end ------------------------------------------------------------------------------

_unfinished: dict[Path, int] = {}  # files on their way, and the process that writes them


def _ends() -> list[signal.Signals]:
    """The signals that end a program without a word, where the system has them."""
    if threading.current_thread() is not threading.main_thread():
        return []
    return [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _swept_at_the_end(partial: Path) -> None:
    """Remove this file if a signal ends the program before it is complete."""
    _unfinished[partial] = os.getpid()
    for number in _ends():
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _sweep_and_end)


def _not_swept(partial: Path) -> None:
    _unfinished.pop(partial, None)
    if not _unfinished:
        for number in _ends():
            if signal.getsignal(number) is _sweep_and_end:
                signal.signal(number, signal.SIG_DFL)


def _sweep_and_end(number: int, frame: FrameType | None) -> None:
    for partial, owner in list(_unfinished.items()):
        if owner == os.getpid():
            disk.remove(partial)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
