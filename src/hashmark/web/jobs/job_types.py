"""Interface of a job type, and the parsing of job settings.

A job type parses untrusted settings into one canonical form and runs the job in any process. It
knows nothing about a server.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from hashmark.engine.generator import check_seed
from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.data import schedule
from hashmark.league.seasons import bootstrap_ratings_file
from hashmark.league.seasons.season import Recipe
from hashmark.reports.report import Report
from hashmark.sanitize import quote
from hashmark.storage import search_path

Settings = Mapping[str, Any]
DEFAULT_RUNS = 1000
SHA256_HEX = re.compile(r"[0-9a-f]{64}")  # digest of an uploaded file
MAX_TEXT_LENGTH = 200  # characters of a setting, a whole plan excepted


class CheckpointStore(Protocol):
    """Storage for the checkpoint of a resumable job."""

    def read(self) -> str | None:
        """Return the last checkpoint, or None on the first run."""

    def write(self, text: str) -> None:
        """Replace the checkpoint."""


@dataclass
class MemoryCheckpoint:
    """Checkpoint that lives in memory only."""

    text: str | None = None

    def read(self) -> str | None:
        return self.text

    def write(self, text: str) -> None:
        self.text = text


@dataclass
class JobContext:
    """Environment of a running job: progress callback, interruption, checkpoint and resources."""

    progress: Callable[[int, int], None] = lambda done, of: None
    interrupted: Callable[[], bool] = lambda: False
    checkpoint: CheckpointStore = field(default_factory=MemoryCheckpoint)
    threads: int = 1
    cluster: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)  # paths of uploaded files, by name


@dataclass(frozen=True)
class JobResult:
    """Result of a job: data for programs, a report page for people, and files to download."""

    data: dict[str, Any]
    report: Report | None
    files: Mapping[str, str] = field(default_factory=dict)
    is_complete: bool = True  # not interrupted


class JobType(Protocol):
    """Interface of a job type."""

    name: str
    is_resumable: bool  # an interrupted job resumes from its checkpoint
    is_sandboxed: bool  # it reads untrusted uploads: its process has tight memory and time limits
    required_libraries: tuple[str, ...]  # libraries it imports

    def parse_settings(self, settings: Settings) -> dict[str, Any]:
        """Parse the settings into their canonical form; raise HashmarkError if one is invalid."""

    def digest_inputs(self, settings: Settings) -> str:
        """Return a digest of the files that the result depends on."""

    def title(self, settings: Settings) -> str:
        """Return a short title of the job."""

    def commands(self, settings: Settings) -> list[list[str]]:
        """Return the argument lists of the commands that compute the same figures."""

    def files(self, settings: Settings) -> dict[str, str]:
        """Return the input files of the command, by name."""

    def run(self, settings: Settings, context: JobContext) -> JobResult:
        """Run the job."""


# --- Reading settings ------------------------------------------------------------------------


def reject_unknown_settings(settings: Settings, *allowed: str) -> None:
    """Raise UnknownName if there is a setting that is not allowed."""
    for name in settings:
        if name not in allowed:
            raise UnknownName("setting", name, allowed)


def parse_int(settings: Settings, name: str, default: int | None = None) -> int:
    """Parse a whole number; text is accepted because forms send nothing else."""
    value = settings.get(name)
    if value is None or value == "":
        if default is None:
            raise HashmarkError(f"{name}: expected a whole number")
        return default
    if isinstance(value, str) and len(value) < 20 and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise HashmarkError(f"{name}: {quote(value)} is not a whole number")
    return value


def parse_runs_and_seed(settings: Settings, max_runs: int) -> dict[str, int]:
    """Parse the number of runs, within the page's limit, and the seed."""
    runs = parse_int(settings, "runs", DEFAULT_RUNS)
    if not 1 <= runs <= max_runs:
        raise HashmarkError(
            f"runs: {quote(runs)} is not between 1 and {max_runs}; the command allows more"
        )
    return {"runs": runs, "seed": check_seed(parse_int(settings, "seed", 0))}


def parse_text(settings: Settings, name: str, max_length: int = MAX_TEXT_LENGTH) -> str | None:
    """Parse a non-empty text, or return None."""
    value = settings.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise HashmarkError(f"{name}: {quote(value)} is not text")
    if len(value) > max_length:
        raise HashmarkError(f"{name}: {len(value)} characters, but the limit is {max_length}")
    return value.strip() or None


def parse_bool(settings: Settings, name: str) -> bool:
    """Parse a boolean; a missing setting is False."""
    value = settings.get(name, False)
    if not isinstance(value, bool):
        raise HashmarkError(f"{name}: {quote(value)} is neither true nor false")
    return value


def parse_season(settings: Settings) -> int:
    """Parse a season whose schedule and charts ship with the game."""
    year = parse_int(settings, "season")
    with search_path.shipped_only():
        Recipe(year).validate()
    return year


# --- What a result depends on ----------------------------------------------------------------


@contextmanager
def shipped_files_only(upload_dirs: Iterable[Path] = ()) -> Iterator[None]:
    """Resolve names to shipped files only, so that a job means the same on every machine.

    Files uploaded with the job (`upload_dirs`) take precedence.
    """
    with search_path.shipped_only(upload_dirs):
        yield


def season_files(year: int) -> list[Path]:
    """Return all shipped files of a season."""
    with search_path.shipped_only():
        paths = [
            charts.find(str(year)),
            search_path.find_file("schedule", str(year), schedule.SUFFIX, schedule.SHIPPED),
        ]
        if str(year) in search_path.available_names(plans.SEASON_SUFFIX, charts.SHIPPED):
            paths.append(plans.find_season(str(year)))
        rebuilds_path = bootstrap_ratings_file.find_file(year)
    return paths if rebuilds_path is None else [*paths, rebuilds_path]


def digest_files(paths: Iterable[Path]) -> str:
    """Return a digest of the contents of some files."""
    hasher = hashlib.blake2b(digest_size=8)
    for path in paths:
        hasher.update(_digest(path, search_path.file_stamp(path)))
    return hasher.hexdigest()


@lru_cache(256)
def _digest(path: Path, changed: search_path.FileStamp) -> bytes:
    """Hash one file; `changed` makes a modified file miss the cache."""
    return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()
