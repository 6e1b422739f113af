"""Cache directories of compiled code, named after the sources that were compiled.

Numba's own cache of a compiled function does not notice that a rule in another file has changed. So
the directory name carries a digest of every source file that can be compiled in: the engine, the
games, the readers with helpers of their own, and the package of each plug-in game. After a change
to a rule the next run compiles again, and old directories are removed. (Numba itself notices a
change in the file of a reader's loop.)
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.table import folders
from hashmark.table.errors import HashmarkError

if TYPE_CHECKING:
    from hashmark.table.rules import RuleSet

PACKAGE = Path(__file__).resolve().parent.parent
VALUES = tuple(
    f"values/{name}.py" for name in ("kernel", "playing", "rollout_jobs", "rollout_kernel", "sweep")
)
ENVS = tuple(f"envs/{name}.py" for name in ("kernel", "observation"))
COMPILED = tuple(PACKAGE / place for place in ("table", "games", "sim", "odds", *VALUES, *ENVS))
PROGRAM = ("table", "games", "sim", "odds", "league")  # packages that a result depends on
KEPT = 4  # newest directories that are not removed: several versions may be in use


def digest(places: Iterable[Path]) -> str:
    """Return a digest of the names and contents of Python sources (files or directories)."""
    hasher = hashlib.blake2b(digest_size=10)
    for place in places:
        sources = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        for source in sources:
            hasher.update(str(source.relative_to(place.parent)).encode())
            hasher.update(source.read_bytes())
    return hasher.hexdigest()


def program() -> str:
    """Return a digest of all sources that games, standings and statistics depend on.

    A run may be resumed, or spread over machines, only where this digest is the same. It covers
    more than the compiled code: the standings of a season are computed outside the games.
    """
    return digest(PACKAGE / room for room in PROGRAM)


def folder(plugins: Iterable[Path] = ()) -> Path:
    """Return the cache directory for the current sources."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return folders.cache() / f"compiled-{python}-{digest([*COMPILED, *plugins])}"


def prepare(rules: str, plugins: Iterable[Path] = ()) -> Path | None:
    """Create the directory of a game and remove old ones; return None if it is not writable."""
    try:
        root_dir = folder(plugins)
        path = root_dir / rules
        path.mkdir(parents=True, exist_ok=True)
        os.utime(root_dir)
        if not os.access(path, os.W_OK):
            return None
        _remove_old_dirs(root_dir.parent)
    except (OSError, HashmarkError):
        return None
    return path


@functools.cache
def of(rules: RuleSet) -> Path | None:
    """Return the directory of a rule set; for a plug-in game its package is part of the digest."""
    definitions = [rules.position, rules.match, rules.start, rules.question, rules.asked]
    definitions += [
        rules.refusal,
        rules.step,
        *(coach.call for coach in rules.coaches if coach.call),
    ]
    roots = {_source_root(definition) for definition in definitions}
    return prepare(rules.name, sorted(roots - {PACKAGE}))


def _source_root(defined: Any) -> Path:
    """Return the package directory, or the single module file, that defines an object."""
    package = sys.modules[defined.__module__.partition(".")[0]]
    if package.__file__ is None:
        return Path(inspect.getfile(defined)).resolve().parent
    file = Path(package.__file__).resolve()
    return file.parent if file.name == "__init__.py" else file


def part_of(rules: RuleSet, part: str = "") -> Path | None:
    """Return the directory of a rule set, or of a variant compiled for one coach alone."""
    base = None if rules.custom else of(rules)
    if base is None or not part:
        return base
    subdir = base / "only" / part
    try:
        subdir.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return subdir


def has(rules: RuleSet, function: str, part: str = "") -> bool:
    """Return whether any code of this function is cached, without loading the compiler."""
    place = part_of(rules, part)
    return place is not None and any(place.glob(f"*/{function}-*.nbc"))


@contextmanager
def one_at_a_time(place: Path, function: str) -> Iterator[None]:
    """Keep other processes from compiling this function into the directory meanwhile.

    Numba's cache index is not safe against two writers: both may choose the same file name, and the
    loser's entry then points to the winner's code. Waiting also saves work, because the second
    process finds the code ready.
    """
    try:
        import fcntl
    except ImportError:  # a system without such locks
        yield
        return
    with (place / f"{function}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _remove_old_dirs(parent: Path) -> None:
    """Remove all cache directories but the newest ones."""
    by_age = sorted(parent.glob("compiled-*"), key=lambda path: path.stat().st_mtime)
    for stale in by_age[:-KEPT]:
        shutil.rmtree(stale, ignore_errors=True)
