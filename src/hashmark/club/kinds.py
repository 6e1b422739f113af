"""Interface of a job type, and the parsing of job settings.

A job type parses untrusted settings into one canonical form and runs the job in any process. It
knows nothing about a server.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.facts import schedule
from hashmark.league.seasons import rebuilds
from hashmark.league.seasons.season import Recipe
from hashmark.pages.report import Report
from hashmark.table import places
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.generator import check_seed
from hashmark.table.readable import shown

Settings = Mapping[str, Any]
USUAL_RUNS = 1000
LONGEST_TEXT = 200  # characters of a setting, a whole plan excepted


class Kept(Protocol):
    """Storage for the checkpoint of a resumable job."""

    def read(self) -> str | None:
        """Return the last checkpoint, or None on the first run."""

    def write(self, text: str) -> None:
        """Replace the checkpoint."""


@dataclass
class Nowhere:
    """Checkpoint that lives in memory only."""

    text: str | None = None

    def read(self) -> str | None:
        return self.text

    def write(self, text: str) -> None:
        self.text = text


@dataclass
class Running:
    """Environment of a running job: progress callback, interruption, checkpoint and resources."""

    progress: Callable[[int, int], None] = lambda done, of: None
    interrupted: Callable[[], bool] = lambda: False
    kept: Kept = field(default_factory=Nowhere)
    threads: int = 1
    cluster: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)  # paths of uploaded files, by name


@dataclass(frozen=True)
class Result:
    """Result of a job: data for programs, a report page for people, and files to download."""

    said: dict[str, Any]
    report: Report | None
    files: Mapping[str, str] = field(default_factory=dict)
    whole: bool = True  # not interrupted


class Kind(Protocol):
    """Interface of a job type."""

    name: str
    goes_on: bool  # an interrupted job resumes from its checkpoint
    bounded: bool  # it reads untrusted uploads: its process has tight memory and time limits
    needs: tuple[str, ...]  # libraries it imports

    def read(self, settings: Settings) -> dict[str, Any]:
        """Parse the settings into their canonical form; raise HashmarkError if one is invalid."""

    def materials(self, settings: Settings) -> str:
        """Return a digest of the files that the result depends on."""

    def title(self, settings: Settings) -> str:
        """Return a short title of the job."""

    def commands(self, settings: Settings) -> list[list[str]]:
        """Return the argument lists of the commands that compute the same figures."""

    def files(self, settings: Settings) -> dict[str, str]:
        """Return the input files of the command, by name."""

    def run(self, settings: Settings, running: Running) -> Result:
        """Run the job."""


# --- Reading settings ------------------------------------------------------------------------


def only(settings: Settings, *allowed: str) -> None:
    """Raise UnknownName if there is a setting that is not allowed."""
    for name in settings:
        if name not in allowed:
            raise UnknownName("setting", name, allowed)


def whole(settings: Settings, name: str, usual: int | None = None) -> int:
    """Parse a whole number; text is accepted because forms send nothing else."""
    given = settings.get(name)
    if given is None or given == "":
        if usual is None:
            raise HashmarkError(f"{name}: expected a whole number")
        return usual
    if isinstance(given, str) and len(given) < 20 and given.strip().isdecimal():
        given = int(given)
    if isinstance(given, bool) or not isinstance(given, int):
        raise HashmarkError(f"{name}: {shown(given)} is not a whole number")
    return given


def runs_and_seed(settings: Settings, most: int) -> dict[str, int]:
    """Parse the number of runs, within the page's limit, and the seed."""
    runs = whole(settings, "runs", USUAL_RUNS)
    if not 1 <= runs <= most:
        raise HashmarkError(
            f"runs: {shown(runs)} is not between 1 and {most}; the command takes more"
        )
    return {"runs": runs, "seed": check_seed(whole(settings, "seed", 0))}


def text(settings: Settings, name: str, longest: int = LONGEST_TEXT) -> str | None:
    """Parse a non-empty text, or return None."""
    given = settings.get(name)
    if given is None:
        return None
    if not isinstance(given, str):
        raise HashmarkError(f"{name}: {shown(given)} is not a text")
    if len(given) > longest:
        raise HashmarkError(f"{name}: {len(given)} letters are more than {longest}")
    return given.strip() or None


def yes(settings: Settings, name: str) -> bool:
    """Parse a boolean; a missing setting is False."""
    given = settings.get(name, False)
    if not isinstance(given, bool):
        raise HashmarkError(f"{name}: {shown(given)} is neither true nor false")
    return given


def season(settings: Settings) -> int:
    """Parse a season whose schedule and charts ship with the game."""
    year = whole(settings, "season")
    with places.only_shipped():
        Recipe(year).check()
    return year


# --- What a result depends on ----------------------------------------------------------------


@contextmanager
def shipped(also: Iterable[Path] = ()) -> Iterator[None]:
    """Resolve names to shipped files only, so that a job means the same on every machine.

    Files uploaded with the job (`also`) take precedence.
    """
    with places.only_shipped(also):
        yield


def of_season(year: int) -> list[Path]:
    """Return all shipped files of a season."""
    with places.only_shipped():
        paths = [
            charts.find(str(year)),
            places.find("schedule", str(year), schedule.SUFFIX, schedule.SHIPPED),
        ]
        if str(year) in places.names(plans.SEASON_SUFFIX, charts.SHIPPED):
            paths.append(plans.find_season(str(year)))
        rebuilds_path = rebuilds.find(year)
    return paths if rebuilds_path is None else [*paths, rebuilds_path]


def digest(paths: Iterable[Path]) -> str:
    """Return a digest of the contents of some files."""
    hasher = hashlib.blake2b(digest_size=8)
    for path in paths:
        hasher.update(_digest(path, places.stamp(path)))
    return hasher.hexdigest()


@lru_cache(256)
def _digest(path: Path, changed: places.Stamp) -> bytes:
    """Hash one file; `changed` makes a modified file miss the cache."""
    return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()
