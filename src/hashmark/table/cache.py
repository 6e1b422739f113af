"""Where compiled code is kept: a folder named after the sources it was compiled from.

Numba's own cache of a compiled function does not notice that a rule in another file has
changed. So the folder carries a digest of every source file that can have been compiled in:
the table, the games and the readers with helpers of their own, and the package of each plug-in
game. Change a rule, and the next run compiles anew; the old folders are swept away. (A reader's
loop elsewhere is looked after by Numba, which does notice a change of the file it stands in.)
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
PROGRAM = ("table", "games", "sim", "odds", "league")  # rooms that a result depends on
KEPT = 4  # newest folders that the sweep leaves, for other versions in use side by side


def digest(places: Iterable[Path]) -> str:
    """A digest of the names and contents of all Python sources: files, or folders of them."""
    seen = hashlib.blake2b(digest_size=10)
    for place in places:
        sources = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        for source in sources:
            seen.update(str(source.relative_to(place.parent)).encode())
            seen.update(source.read_bytes())
    return seen.hexdigest()


def program() -> str:
    """A digest of the sources that games, standings and what is counted depend on.

    A run may be resumed, or spread over machines, only where it is the same. It is more than
    what is compiled: the standings of a season are worked out beside the games.
    """
    return digest(PACKAGE / room for room in PROGRAM)


def folder(plugins: Iterable[Path] = ()) -> Path:
    """The cache folder for the sources as they are now."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return folders.cache() / f"compiled-{python}-{digest([*COMPILED, *plugins])}"


def prepare(rules: str, plugins: Iterable[Path] = ()) -> Path | None:
    """Make a game's folder and sweep old ones; None if the place cannot be written to."""
    try:
        whole = folder(plugins)
        place = whole / rules
        place.mkdir(parents=True, exist_ok=True)
        os.utime(whole)
        if not os.access(place, os.W_OK):
            return None
        _sweep(whole.parent)
    except (OSError, HashmarkError):
        return None
    return place


@functools.cache
def of(rules: RuleSet) -> Path | None:
    """The folder of a rule set, named after the package and that of a plug-in game too."""
    parts = [rules.position, rules.match, rules.start, rules.question, rules.asked]
    parts += [rules.refusal, rules.step, *(coach.call for coach in rules.coaches if coach.call)]
    roots = {_distribution(part) for part in parts}
    return prepare(rules.name, sorted(roots - {PACKAGE}))


def _distribution(part: Any) -> Path:
    """The folder of the package, or the file of the lone module, that a part comes from."""
    top = sys.modules[part.__module__.partition(".")[0]]
    if top.__file__ is None:
        return Path(inspect.getfile(part)).resolve().parent
    file = Path(top.__file__).resolve()
    return file.parent if file.name == "__init__.py" else file


def part_of(rules: RuleSet, part: str = "") -> Path | None:
    """The folder of a rule set, or of a part of it: code that serves one coach alone."""
    place = None if rules.custom else of(rules)
    if place is None or not part:
        return place
    inside = place / "only" / part
    try:
        inside.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return inside


def has(rules: RuleSet, function: str, part: str = "") -> bool:
    """Whether there is some code of this function; asked without loading the compiler."""
    place = part_of(rules, part)
    return place is not None and any(place.glob(f"*/{function}-*.nbc"))


@contextmanager
def one_at_a_time(place: Path, function: str) -> Iterator[None]:
    """Keep other processes from compiling this function into the folder meanwhile.

    Numba's index of a cache is not safe against two writers: each may give its code the same
    file name, and the loser's entry then leads to the winner's code. Waiting also saves the
    work: who comes second finds the code ready.
    """
    try:
        import fcntl
    except ImportError:  # a system without such locks
        yield
        return
    with (place / f"{function}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _sweep(parent: Path) -> None:
    old = sorted(parent.glob("compiled-*"), key=lambda found: found.stat().st_mtime)
    for stale in old[:-KEPT]:
        shutil.rmtree(stale, ignore_errors=True)
