"""Where a file is looked for that an option names, such as a chart file or a game plan.

In this order: the folders that the user gave, the folder of the file that names it (a
scenario, a log), the current folder, the user's data folder, and what the game ships.
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
    """Look in these folders first, in the order given."""
    before = _given.set((*folders, *_given.get()))
    try:
        yield
    finally:
        _given.reset(before)


@contextmanager
def beside(path: Path) -> Iterator[None]:
    """What is read here was named by this file: look in its folder too."""
    before = _beside.set((folder_of(path), *_beside.get()))
    try:
        yield
    finally:
        _beside.reset(before)


@contextmanager
def only_shipped(also: Iterable[Path] = ()) -> Iterator[None]:
    """Look at nothing but what the game ships: what a name means to everybody.

    What is in the folders `also` goes before that.
    """
    before = _only.set(tuple(dict.fromkeys(also)))
    try:
        yield
    finally:
        _only.reset(before)


def folder_of(path: Path) -> Path:
    """The folder in which a file lies, whatever its name is made of."""
    try:
        return path.resolve().parent
    except (OSError, ValueError, RuntimeError):  # a name without end, a NUL, links in a circle
        return path.parent


def folders(shipped: Path) -> list[Path]:
    """Every folder to look in, first to last."""
    only = _only.get()
    if only is not None:
        return [*only, shipped]
    return [*_given.get(), *_beside.get(), Path.cwd(), user_folders.data(), shipped]


def find(what: str, name: str, suffix: str, shipped: Path) -> Path:
    """The file of this name; a name with a folder or the suffix may be a path."""
    file = name if name.endswith(suffix) else name + suffix
    for folder in folders(shipped):
        found = folder / file
        if is_file(found) and (found.parent == folder or _only.get() is None):
            return found
    raise HashmarkError(_not_found(what, name, suffix, shipped))


def stamp(path: Path) -> Stamp:
    """What tells whether a file has changed."""
    try:
        found = path.stat()
    except OSError as fault:
        raise HashmarkError(f"cannot read {path}: {reason(fault)}") from None
    return found.st_mtime_ns, found.st_size


def names(suffix: str, shipped: Path) -> list[str]:
    """The names of all files that could be found, without their suffix."""
    seen: dict[str, None] = {}
    for folder in folders(shipped):
        if is_folder(folder):
            found = sorted(path.name.removesuffix(suffix) for path in folder.glob(f"*{suffix}"))
            seen.update(dict.fromkeys(name for name in found if "." not in name))
    return list(seen)


def _not_found(what: str, name: str, suffix: str, shipped: Path) -> str:
    near = nearest(name, names(suffix, shipped))
    hint = f"; did you mean {near!r}?" if near else ""
    looked = ", ".join(dict.fromkeys(str(folder) for folder in folders(shipped)))
    file = plain(name.removesuffix(suffix)) + suffix
    return f"no {what} {shown(name)}: there is no file {file} in {looked}{hint}"
