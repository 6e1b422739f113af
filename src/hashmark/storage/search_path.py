"""Search path for files that an option names, such as a chart file or a game plan.

The order is: the directories given by the user, the directory of the file that names it (a
scenario, a log), the current directory, the user's data directory, and what the game ships.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

from hashmark.errors import HashmarkError, closest_name
from hashmark.sanitize import quote, shorten
from hashmark.storage import user_dirs
from hashmark.storage.user_files import error_reason, is_dir, is_file

FileStamp = tuple[int, int]

_given: ContextVar[tuple[Path, ...]] = ContextVar("given", default=())
_beside: ContextVar[tuple[Path, ...]] = ContextVar("beside", default=())
_only: ContextVar[tuple[Path, ...] | None] = ContextVar("only", default=None)


Setting = TypeVar("Setting")


@contextmanager
def _within(variable: ContextVar[Setting], value: Setting) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def search_first(folders: Iterable[Path]) -> AbstractContextManager[None]:
    """Search these directories first, in the given order, within this context."""
    return _within(_given, (*folders, *_given.get()))


def search_beside(path: Path) -> AbstractContextManager[None]:
    """Also search the directory of the file that is being read, within this context."""
    return _within(_beside, (parent_dir(path), *_beside.get()))


def shipped_only(extra_dirs: Iterable[Path] = ()) -> AbstractContextManager[None]:
    """Search only what the game ships, so that a name means the same to all users.

    The directories `extra_dirs` are searched before that.
    """
    return _within(_only, tuple(dict.fromkeys(extra_dirs)))


def parent_dir(path: Path) -> Path:
    """Return the directory of a file, even if its name is not valid."""
    try:
        return path.resolve().parent
    except (OSError, ValueError, RuntimeError):  # an overlong name, a NUL, a circular link
        return path.parent


def search_dirs(shipped: Path) -> list[Path]:
    """Return all directories to search, in order."""
    only = _only.get()
    if only is not None:
        return [*only, shipped]
    return [*_given.get(), *_beside.get(), Path.cwd(), user_dirs.data_dir(), shipped]


def find_file(what: str, name: str, suffix: str, shipped: Path) -> Path:
    """Return the path of a named file; a name with a directory or the suffix may be a path."""
    file = name if name.endswith(suffix) else name + suffix
    for folder in search_dirs(shipped):
        path = folder / file
        if is_file(path) and (path.parent == folder or _only.get() is None):
            return path
    raise HashmarkError(_not_found_message(what, name, suffix, shipped))


def file_stamp(path: Path) -> FileStamp:
    """Return a value that changes when the file changes."""
    try:
        status = path.stat()
    except OSError as fault:
        raise HashmarkError(f"cannot read {path}: {error_reason(fault)}") from None
    return status.st_mtime_ns, status.st_size


def available_names(suffix: str, shipped: Path) -> list[str]:
    """Return the names of all files that can be found, without their suffix."""
    names_found: dict[str, None] = {}
    for folder in search_dirs(shipped):
        if is_dir(folder):
            stems = sorted(path.name.removesuffix(suffix) for path in folder.glob(f"*{suffix}"))
            names_found.update(dict.fromkeys(name for name in stems if "." not in name))
    return list(names_found)


def _not_found_message(what: str, name: str, suffix: str, shipped: Path) -> str:
    suggestion = closest_name(name, available_names(suffix, shipped))
    hint = f"; did you mean {suggestion!r}?" if suggestion else ""
    searched = ", ".join(dict.fromkeys(str(folder) for folder in search_dirs(shipped)))
    file = shorten(name.removesuffix(suffix)) + suffix
    return f"no {what} {quote(name)}: there is no file {file} in {searched}{hint}"
