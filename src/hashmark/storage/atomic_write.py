"""Atomic writes: a file is replaced completely or not at all, and synced before success.

The counterpart of `user_files.py`, for everything but game logs, which only ever grow (`log.py`). A
file is written in its directory under a temporary name, `NAME.0123456789ab.partial`, and is renamed
when it is complete and on the disk. So two programs may write the same file at once: one of them
wins. A symbolic link stays; its target is replaced. The new file has the permissions of the old
one. A game log is never replaced. A pipe or a device is written to directly.
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
from types import FrameType

from hashmark.errors import HashmarkError
from hashmark.storage import fsync

PARTIAL_SUFFIX = ".partial"
LOG_MAGIC = "hashmark-game"  # key `log` in the first line of every game log
MAX_NAME_PREFIX_LETTERS = 50  # letters: a name has at most 255 bytes, and a letter up to four


def write_file(path: Path, content: bytes | str) -> bool:
    """Write a file; return whether it existed before."""
    with AtomicFile(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return file.replaced_existing


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV with newlines as on every system."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def check_writable(path: Path) -> None:
    """Raise an error if the file cannot be written; also called before long work."""
    with _as_user_error(path):
        status = _status(path)
        if status is None:
            folder = _resolve_links(path).parent
            if not folder.is_dir():
                raise HashmarkError(f"cannot write {path}: there is no such folder")
            _check_access(folder)
        elif stat.S_ISDIR(status.st_mode):
            raise HashmarkError(f"cannot write {path}: it is a folder")
        else:
            _check_access(path)
            refuse_game_log(path)


def refuse_game_log(path: Path) -> None:
    """Raise an error if the file is a game log."""
    with _as_user_error(path):
        if path.is_file():
            with path.open("rb") as stream:
                if LOG_MAGIC.encode() in stream.read(200):
                    raise HashmarkError(f"{path} is a game log: name another file")


class AtomicFile:
    """A file that is written under a temporary name and renamed at the end of a `with` block.

    An exception, Ctrl-C or a termination signal leaves the old file and no partial one.
    """

    closed = False  # part of the file protocol

    def __init__(self, path: Path) -> None:
        self.path = path
        self.replaced_existing = False  # set when the file is opened
        self._file = -1
        self._partial: Path | None = None  # None if the file is written directly
        self._target = path

    def __enter__(self) -> AtomicFile:
        check_writable(self.path)
        try:
            with _as_user_error(self.path):
                self._open()
        except BaseException:
            self._discard()
            raise
        return self

    def _open(self) -> None:
        status = _status(self.path)
        direct = None if status is None else _open_directly(self.path, status)
        if direct is not None:
            self._file = direct
            return
        self.replaced_existing = status is not None
        self._target = _resolve_links(self.path)
        name = (
            f"{self._target.name[:MAX_NAME_PREFIX_LETTERS]}.{os.urandom(6).hex()}{PARTIAL_SUFFIX}"
        )
        self._partial = self._target.with_name(name)
        _remove_on_signal(self._partial)
        self._file = fsync.create(self._partial)
        if status is not None:
            _copy_permissions(self._partial, status)

    def write(self, data: bytes | memoryview) -> int:
        """Write more data."""
        with _as_user_error(self.path):
            fsync.write(self._file, data)
        return len(data)

    def __exit__(self, kind: type[BaseException] | None, *fault: object) -> None:
        try:
            if kind is None:
                with _as_user_error(self.path):
                    self._finish()
        finally:
            self._discard()

    def _finish(self) -> None:
        """Sync the file, then rename it."""
        fsync.sync(self._file)
        self._close()
        if self._partial is not None:
            refuse_game_log(self._target)
            fsync.replace(self._partial, self._target)

    def _close(self) -> None:
        if self._file >= 0:
            file, self._file = self._file, -1
            os.close(file)

    def _discard(self) -> None:
        """Close and remove the partial file; a no-op after `_finish`."""
        with suppress(OSError):
            self._close()
        if self._partial is not None:
            fsync.remove(self._partial)
            _forget_partial(self._partial)


@contextmanager
def _as_user_error(path: Path) -> Iterator[None]:
    """Turn a system error into a `HashmarkError`."""
    try:
        yield
    except OSError as fault:
        raise fsync.write_error(path, fault) from None


def _status(path: Path) -> os.stat_result | None:
    """Return the status of the file, following links; None if there is none."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _resolve_links(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _check_access(path: Path) -> None:
    """Refuse a write-protected file, even if its directory would allow replacing it."""
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _open_directly(path: Path, status: os.stat_result) -> int | None:
    """Open a pipe, a device or our own output directly; None for a regular file."""
    for number in (1, 2):
        if _is_open_as(number, status):
            sys.stdout.flush()
            return os.dup(number)
    return None if stat.S_ISREG(status.st_mode) else os.open(path, os.O_WRONLY)


def _is_open_as(number: int, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(status, os.fstat(number))
    except OSError:  # closed
        return False


def _copy_permissions(partial: Path, status: os.stat_result) -> None:
    """Copy the owner, where allowed, and the permissions of the replaced file."""
    with suppress(OSError, AttributeError):  # not on every system
        os.chown(partial, status.st_uid, status.st_gid)
    with suppress(OSError):
        partial.chmod(stat.S_IMODE(status.st_mode))


# --- Termination signals ------------------------------------------------------------

_partial_files: dict[Path, int] = {}  # partial files, and the process that writes each


def _termination_signals() -> list[signal.Signals]:
    """Return the termination signals of the system; none outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return []
    return [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _remove_on_signal(partial: Path) -> None:
    """Remove this file if a signal ends the program before it is complete."""
    _partial_files[partial] = os.getpid()
    for number in _termination_signals():
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _remove_and_end)


def _forget_partial(partial: Path) -> None:
    _partial_files.pop(partial, None)
    if not _partial_files:
        for number in _termination_signals():
            if signal.getsignal(number) is _remove_and_end:
                signal.signal(number, signal.SIG_DFL)


def _remove_and_end(number: int, frame: FrameType | None) -> None:
    for partial, owner in list(_partial_files.items()):
        if owner == os.getpid():
            fsync.remove(partial)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
