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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.errors import HashmarkError
from hashmark.storage import user_dirs

if TYPE_CHECKING:
    from hashmark.engine.rule_set import RuleSet

PACKAGE_DIR = Path(__file__).resolve().parent.parent
COMPILED_PACKAGES = ("engine", "compiler", "games", "sim", "odds")
COMPILED_FILES = {  # by package
    "values": ("transition_kernel", "compiled_policy", "rollout_jobs", "rollout_kernel", "sweep"),
    "envs": ("kernel", "observation"),
}
COMPILED_SOURCES = (
    *(PACKAGE_DIR / package for package in COMPILED_PACKAGES),
    *(PACKAGE_DIR / key / f"{name}.py" for key, names in COMPILED_FILES.items() for name in names),
)
RESULT_PACKAGES = ("storage", *COMPILED_PACKAGES, "league")  # packages that a result depends on
MAX_CACHE_DIRS = 4  # newest directories that are not removed: several versions may be in use


def source_digest(paths: Iterable[Path]) -> str:
    """Return a digest of the names and contents of Python sources (files or directories)."""
    hasher = hashlib.blake2b(digest_size=10)
    for place in paths:
        sources = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        for source in sources:
            hasher.update(str(source.relative_to(place.parent)).encode())
            hasher.update(source.read_bytes())
    return hasher.hexdigest()


def program_digest() -> str:
    """Return a digest of all sources that games, standings and statistics depend on.

    A run may be resumed, or spread over machines, only where this digest is the same. It covers
    more than the compiled code: the standings of a season are computed outside the games.
    """
    return source_digest(PACKAGE_DIR / package for package in RESULT_PACKAGES)


def dir_for_sources(plugins: Iterable[Path] = ()) -> Path:
    """Return the cache directory for the current sources."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return (
        user_dirs.cache_dir() / f"compiled-{python}-{source_digest([*COMPILED_SOURCES, *plugins])}"
    )


def prepare_game_dir(rules_name: str, plugins: Iterable[Path] = ()) -> Path | None:
    """Create the directory of a game and remove old ones; return None if it is not writable."""
    try:
        root_dir = dir_for_sources(plugins)
        path = root_dir / rules_name
        path.mkdir(parents=True, exist_ok=True)
        os.utime(root_dir)
        if not os.access(path, os.W_OK):
            return None
        _remove_old_dirs(root_dir.parent)
    except (OSError, HashmarkError):
        return None
    return path


@functools.cache
def game_dir(rules: RuleSet) -> Path | None:
    """Return the directory of a rule set; for a plug-in game its package is part of the digest."""
    definitions: list[Callable[..., Any]] = [rules.position, rules.match, rules.start]
    definitions += [rules.question, rules.team_to_act, rules.refusal, rules.step]
    definitions += [coach.call for coach in rules.coaches if coach.call]
    roots = {_source_root(definition) for definition in definitions}
    return prepare_game_dir(rules.name, sorted(roots - {PACKAGE_DIR}))


def _source_root(defined: Callable[..., Any]) -> Path:
    """Return the package directory, or the single module file, that defines an object."""
    package = sys.modules[defined.__module__.partition(".")[0]]
    if package.__file__ is None:
        return Path(inspect.getfile(defined)).resolve().parent
    file = Path(package.__file__).resolve()
    return file.parent if file.name == "__init__.py" else file


def variant_dir(rules: RuleSet, variant: str = "") -> Path | None:
    """Return the directory of a rule set, or of a variant compiled for one coach alone."""
    base = None if rules.is_custom else game_dir(rules)
    if base is None or not variant:
        return base
    subdir = base / "only" / variant
    try:
        subdir.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return subdir


def has_code(rules: RuleSet, function: str, variant: str = "") -> bool:
    """Return whether any code of this function is cached, without loading the compiler."""
    place = variant_dir(rules, variant)
    return place is not None and any(place.glob(f"*/{function}-*.nbc"))


@contextmanager
def compile_lock(folder: Path, function: str) -> Iterator[None]:
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
    with (folder / f"{function}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _remove_old_dirs(parent: Path) -> None:
    """Remove all cache directories but the newest ones."""
    by_age = sorted(parent.glob("compiled-*"), key=lambda path: path.stat().st_mtime)
    for stale in by_age[:-MAX_CACHE_DIRS]:
        shutil.rmtree(stale, ignore_errors=True)
