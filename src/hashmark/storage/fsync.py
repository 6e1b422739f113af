"""File-system calls that make a file durable, in one place.

Written data stays in memory until the system puts it on the disk. The content of a file is safe
once the file is synced; its name, or that it replaced another file, is safe once its directory is
synced. Everything that writes a file goes through this module.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from hashmark.errors import HashmarkError

UNSYNCABLE_ERRNOS = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}  # pipes, devices, some file systems

SHARED_MODE = 0o666  # less what the user's umask takes away
PRIVATE_MODE = 0o600  # of files that hold seeds, tokens or a database: the owner only
PRIVATE_DIR_MODE = 0o700
BINARY_FLAG = getattr(os, "O_BINARY", 0)  # no newline translation on any system


def write_error(path: Path | str, fault: OSError) -> HashmarkError:
    """Return the error for a file that could not be written: which file, and why."""
    return HashmarkError(f"cannot write {path}: {fault.strerror or fault}")


def create(path: Path, mode: int = SHARED_MODE) -> int:
    """Create a new file and open it for writing; fail if it exists."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY_FLAG, mode)


def open_for_update(path: Path) -> int:
    """Open an existing file for reading and writing."""
    return os.open(path, os.O_RDWR | BINARY_FLAG)


def write(file: int, data: bytes | memoryview) -> None:
    """Write all of the data; the system may take it in pieces."""
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[os.write(file, remaining) :]


def truncate(file: int, length: int) -> None:
    """Truncate the file and continue writing at its end."""
    os.ftruncate(file, length)
    os.lseek(file, length, os.SEEK_SET)


def sync(file: int) -> None:
    """Return when everything written to the file is on the disk."""
    try:
        os.fsync(file)
    except OSError as fault:
        if fault.errno not in UNSYNCABLE_ERRNOS:
            raise


def sync_folder(folder: Path) -> None:
    """Return when the names in the directory are on the disk, where the system supports it."""
    if os.name == "nt":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # a directory that is writable but not readable
        return
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def replace(source: Path, target: Path) -> None:
    """Rename a file over another one and sync the directory."""
    os.replace(source, target)
    sync_folder(target.parent)


def remove(path: Path) -> None:
    """Remove a file if possible; ignore errors."""
    with suppress(OSError):
        os.unlink(path)


def make_dirs(folder: Path) -> None:
    """Create a directory and its parents, readable by their owner only, and sync them."""
    if folder.is_dir():
        return
    make_dirs(folder.parent)
    with suppress(FileExistsError):
        os.mkdir(folder, PRIVATE_DIR_MODE)
    sync_folder(folder.parent)
