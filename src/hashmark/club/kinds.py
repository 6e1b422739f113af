"""What a kind of long work must bring, and how its settings are read.

A kind reads settings as anybody may send them, says them back in one form, and does the work in
some process or other. Nothing of a server is in it.
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
LONGEST_TEXT = 200  # letters of a setting, but for a whole plan


class Kept(Protocol):
    """Where a work that can go on keeps what is done."""

    def read(self) -> str | None:
        """What was kept last; nothing at the first time."""

    def write(self, text: str) -> None:
        """Keep this in its place."""


@dataclass
class Nowhere:
    """Nothing is kept but in memory."""

    text: str | None = None

    def read(self) -> str | None:
        return self.text

    def write(self, text: str) -> None:
        self.text = text


@dataclass
class Running:
    """What a work is done with: who hears how far it is, and who may interrupt it."""

    progress: Callable[[int, int], None] = lambda done, of: None
    interrupted: Callable[[], bool] = lambda: False
    kept: Kept = field(default_factory=Nowhere)
    threads: int = 1
    cluster: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)  # brought with the question: paths


@dataclass(frozen=True)
class Result:
    """What came out: for programs, for people, and files to take home."""

    said: dict[str, Any]
    report: Report | None
    files: Mapping[str, str] = field(default_factory=dict)
    whole: bool = True  # not interrupted


class Kind(Protocol):
    """One kind of long work."""

    name: str
    goes_on: bool  # what was kept of an interrupted one is the beginning of the next
    bounded: bool  # it reads what strangers bring: in a process with little memory and time
    needs: tuple[str, ...]  # libraries

    def read(self, settings: Settings) -> dict[str, Any]:
        """The settings in their one form; HashmarkError in a sentence if something is wrong."""

    def materials(self, settings: Settings) -> str:
        """A digest of the files that the result depends on."""

    def title(self, settings: Settings) -> str:
        """What is asked, in a few words."""

    def commands(self, settings: Settings) -> list[list[str]]:
        """The words of the command that makes the same figures, and of others that follow it."""

    def files(self, settings: Settings) -> dict[str, str]:
        """Files that the command wants beside it, by their names."""

    def run(self, settings: Settings, running: Running) -> Result:
        """Do it."""


# --- Reading settings ------------------------------------------------------------------------


def only(settings: Settings, *allowed: str) -> None:
    """Refuse a setting that means nothing."""
    for name in settings:
        if name not in allowed:
            raise UnknownName("setting", name, allowed)


def whole(settings: Settings, name: str, usual: int | None = None) -> int:
    """A whole number; as text it is read too, since forms send nothing else."""
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
    """How often to play, within what a page may ask for, and with which luck."""
    runs = whole(settings, "runs", USUAL_RUNS)
    if not 1 <= runs <= most:
        raise HashmarkError(
            f"runs: {shown(runs)} is not between 1 and {most}; the command takes more"
        )
    return {"runs": runs, "seed": check_seed(whole(settings, "seed", 0))}


def text(settings: Settings, name: str, longest: int = LONGEST_TEXT) -> str | None:
    """A text that is not empty, or nothing."""
    given = settings.get(name)
    if given is None:
        return None
    if not isinstance(given, str):
        raise HashmarkError(f"{name}: {shown(given)} is not a text")
    if len(given) > longest:
        raise HashmarkError(f"{name}: {len(given)} letters are more than {longest}")
    return given.strip() or None


def yes(settings: Settings, name: str) -> bool:
    """Yes or no; no if it is left out."""
    given = settings.get(name, False)
    if not isinstance(given, bool):
        raise HashmarkError(f"{name}: {shown(given)} is neither true nor false")
    return given


def season(settings: Settings) -> int:
    """A season whose schedule and charts come with the game."""
    found = whole(settings, "season")
    with places.only_shipped():
        Recipe(found).check()
    return found


# --- What a result depends on ----------------------------------------------------------------


@contextmanager
def shipped(also: Iterable[Path] = ()) -> Iterator[None]:
    """Names mean what they mean to everybody, whoever asks and wherever it is worked out.

    Only what was brought with the question goes before it.
    """
    with places.only_shipped(also):
        yield


def of_season(year: int) -> list[Path]:
    """All files of a season that come with the game."""
    with places.only_shipped():
        found = [
            charts.find(str(year)),
            places.find("schedule", str(year), schedule.SUFFIX, schedule.SHIPPED),
        ]
        if str(year) in places.names(plans.SEASON_SUFFIX, charts.SHIPPED):
            found.append(plans.find_season(str(year)))
        made = rebuilds.find(year)
    return found if made is None else [*found, made]


def digest(paths: Iterable[Path]) -> str:
    """A digest of what is in some files."""
    seen = hashlib.blake2b(digest_size=8)
    for path in paths:
        seen.update(_digest(path, places.stamp(path)))
    return seen.hexdigest()


@lru_cache(256)
def _digest(path: Path, changed: places.Stamp) -> bytes:
    return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()
