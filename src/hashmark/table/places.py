"""Search path for files that an option names, such as a chart file or a game plan.

The order is: the directories given by the user, the directory of the file that names it (a
scenario, a log), the current directory, the user's data directory, and what the game ships.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from hashmark.table import folders as user_folders
from hashmark.table.errors import HashmarkError, nearest
from hashmark.table.files import is_file, is_folder, reason
from hashmark.table.readable import plain, shown

Stamp = tuple[int, int]

_given: ContextVar[tuple[Path, ...]] = ContextVar("given", default=())
_beside: ContextVar[tuple[Path, ...]] = ContextVar("beside", default=())
_only: ContextVar[tuple[Path, ...] | None] = ContextVar("only", default=None)


@contextmanager
def look_in(folders: Iterable[Path]) -> Iterator[None]:
    """Search these directories first, in the given order, within this context."""
    token = _given.set((*folders, *_given.get()))
    try:
        yield
    finally:
        _given.reset(token)


@contextmanager
def beside(path: Path) -> Iterator[None]:
    """Also search the directory of the file that is being read, within this context."""
    token = _beside.set((folder_of(path), *_beside.get()))
    try:
        yield
    finally:
        _beside.reset(token)


@contextmanager
def only_shipped(also: Iterable[Path] = ()) -> Iterator[None]:
    """Search only what the game ships, so that a name means the same to all users.

    The directories `extra_dirs` are searched before that.
    """
    token = _only.set(tuple(dict.fromkeys(also)))
    try:
        yield
    finally:
        _only.reset(token)


def folder_of(path: Path) -> Path:
    """Return the directory of a file, even if its name is not valid."""
    try:
        return path.resolve().parent
    except (OSError, ValueError, RuntimeError):  # an overlong name, a NUL, a circular link
        return path.parent


def folders(shipped: Path) -> list[Path]:
    """Return all directories to search, in order."""
    only = _only.get()
    if only is not None:
        return [*only, shipped]
    return [*_given.get(), *_beside.get(), Path.cwd(), user_folders.data(), shipped]


def find(what: str, name: str, suffix: str, shipped: Path) -> Path:
    """Return the path of a named file; a name with a directory or the suffix may be a path."""
    file = name if name.endswith(suffix) else name + suffix
    for folder in folders(shipped):
        path = folder / file
        if is_file(path) and (path.parent == folder or _only.get() is None):
            return path
    raise HashmarkError(_not_found_message(what, name, suffix, shipped))


def stamp(path: Path) -> Stamp:
    """Return a value that changes when the file changes."""
    try:
        status = path.stat()
    except OSError as fault:
        raise HashmarkError(f"cannot read {path}: {reason(fault)}") from None
    return status.st_mtime_ns, status.st_size


def names(suffix: str, shipped: Path) -> list[str]:
    """Return the names of all files that can be found, without their suffix."""
    names_found: dict[str, None] = {}
    for folder in folders(shipped):
        if is_folder(folder):
            stems = sorted(path.name.removesuffix(suffix) for path in folder.glob(f"*{suffix}"))
            names_found.update(dict.fromkeys(name for name in stems if "." not in name))
    return list(names_found)


def _not_found_message(what: str, name: str, suffix: str, shipped: Path) -> str:
    suggestion = nearest(name, names(suffix, shipped))
    hint = f"; did you mean {suggestion!r}?" if suggestion else ""
    searched = ", ".join(dict.fromkeys(str(folder) for folder in folders(shipped)))
    file = plain(name.removesuffix(suffix)) + suffix
    return f"no {what} {shown(name)}: there is no file {file} in {searched}{hint}"
