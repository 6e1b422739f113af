"""What makes a file last: the few things that are asked of the system, in one place.

What a program writes lies in memory until the system finds the time to put it on the disk. A
file is safe when it was synced; that a file of this name is there at all, or has taken the place
of another, is safe when its folder was synced. Everything that writes a file goes through here.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from hashmark.table.errors import HashmarkError

CANNOT_SYNC = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}  # pipes, devices, some file systems

AS_IT_IS = getattr(os, "O_BINARY", 0)  # line ends are ours, on every system


def cannot_write(path: Path | str, fault: OSError) -> HashmarkError:
    """The sentence for a file that could not be written: which, and why."""
    return HashmarkError(f"cannot write {path}: {fault.strerror or fault}")


def create(path: Path) -> int:
    """A new file, open for writing; one that exists is left alone."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | AS_IT_IS, 0o666)


def reopen(path: Path) -> int:
    """A file that is there, open for writing."""
    return os.open(path, os.O_RDWR | AS_IT_IS)


def write(file: int, data: bytes) -> None:
    """All of the data; the system may take it in pieces."""
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def cut(file: int, length: int) -> None:
    """Let the file end after so many bytes, and go on writing there."""
    os.ftruncate(file, length)
    os.lseek(file, length, os.SEEK_SET)


def sync(file: int) -> None:
    """Come back when what was written to the file is on the disk."""
    try:
        os.fsync(file)
    except OSError as fault:
        if fault.errno not in CANNOT_SYNC:
            raise


def sync_folder(folder: Path) -> None:
    """Come back when the names in the folder are on the disk, where the system can do that."""
    if os.name == "nt":
        return
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # a folder that may be written to but not read
        return
    try:
        sync(opened)
    finally:
        os.close(opened)


def replace(source: Path, target: Path) -> None:
    """Give a file the name of another, which is gone with that, and see to it that it stays so."""
    os.replace(source, target)
    sync_folder(target.parent)


def remove(path: Path) -> None:
    """Let nothing of this name be there, as far as that can be done."""
    with suppress(OSError):
        os.unlink(path)


def make_folders(folder: Path) -> None:
    """The folder and all above it, on the disk."""
    if folder.is_dir():
        return
    make_folders(folder.parent)
    with suppress(FileExistsError):
        os.mkdir(folder)
    sync_folder(folder.parent)
