"""A long run that was interrupted, on disk: which seasons are done, and what they add up to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from hashmark.league.seasons.tally import Tally
from hashmark.table import disk, folders, writing
from hashmark.table.errors import HashmarkError
from hashmark.table.files import read_json, reason
from hashmark.table.readable import shown

FORMAT = "hashmark-season/1"
Span = tuple[int, int]  # first season and how many


@dataclass
class Saved:
    """The seasons that are done, of one recipe and seed."""

    identity: str
    tally: Tally
    done: list[Span] = field(default_factory=list)  # in order, apart from each other

    @classmethod
    def new(cls, identity: str) -> Saved:
        return cls(identity, Tally.empty())

    def add(self, span: Span, made: Tally) -> None:
        """More seasons are done."""
        self.tally.add(made)
        self.done = joined([*self.done, span])

    def left(self, runs: int, size: int) -> list[Span]:
        """What is not done of the first `runs` seasons, cut into blocks."""
        blocks: list[Span] = []
        at = 0
        for first, count in [*self.done, (runs, 0)]:
            end = min(first, runs)
            blocks += [(n, min(size, end - n)) for n in range(at, end, size)]
            at = first + count
        return blocks

    def fits(self, runs: int) -> bool:
        """Whether all that is done belongs to the first `runs` seasons."""
        return all(first + count <= runs for first, count in self.done)

    def text(self) -> str:
        """All of it, as it is kept."""
        said = {
            "format": FORMAT,
            "identity": self.identity,
            "done": self.done,
            "tally": self.tally.to_json(),
        }
        return json.dumps(said)

    def write(self, path: Path) -> None:
        """Replace the file; a crash leaves the old one."""
        try:
            disk.make_folders(path.parent)
        except OSError as fault:
            raise disk.cannot_write(path, fault) from None
        writing.put(path, self.text())


def joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch made one."""
    made: list[Span] = []
    for first, count in sorted(spans):
        if made and sum(made[-1]) == first:
            made[-1] = (made[-1][0], made[-1][1] + count)
        else:
            made.append((first, count))
    return made


def _read_spans(said: Any) -> list[Span]:
    """The spans of a file: whole numbers, apart from each other."""
    spans = []
    for span in said:
        if not isinstance(span, list) or [type(n) for n in span] != [int, int]:
            raise ValueError("done must be pairs of whole numbers")
        spans.append((span[0], span[1]))
    end = 0
    for first, count in sorted(spans):
        if first < end or count < 1:
            raise ValueError("the seasons that are done overlap")
        end = first + count
    return joined(spans)


def usual_path(season: int, runs: int, identity: str) -> Path:
    """Where an interrupted run is kept if the user names no file."""
    return folders.data() / "seasons" / f"{season}-{runs}-{identity}.json"


def read(path: Path, identity: str) -> Saved | None:
    """What an earlier run has left, or None; another recipe's file is refused."""
    try:
        if not path.exists():
            return None
    except (OSError, ValueError) as fault:
        raise HashmarkError(f"cannot read {path}: {reason(fault)}") from None
    return _checked(path, read_json(path), identity)


def _checked(path: Path | str, said: Any, identity: str) -> Saved:
    """What was kept, if it is sound and of this run; `path` is named where it is not."""
    try:
        if said["format"] != FORMAT:
            raise HashmarkError(f"{path}: format {shown(said['format'])} is not {FORMAT!r}")
        found = Saved(
            str(said["identity"]), Tally.from_json(said["tally"]), _read_spans(said["done"])
        )
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        raise HashmarkError(f"{path} is not a saved run of seasons ({fault})") from None
    if found.tally.runs != sum(count for _, count in found.done):
        raise HashmarkError(f"{path}: its counts do not belong to its seasons")
    if found.identity != identity:
        raise HashmarkError(
            f"{path} is of another run: the season, seed, charts, plans, options or program differ"
        )
    return found


# --- Places to keep it ---------------------------------------------------------------------------


class Place(Protocol):
    """Where an interrupted run is kept, and how often it is written there."""

    @property
    def name(self) -> Path | str: ...

    @property
    def every(self) -> float:
        """Seconds between two times that it is written."""

    def read(self, identity: str) -> Saved | None:
        """What an earlier run has left."""

    def write(self, state: Saved) -> None:
        """Keep this in its place."""

    def remove(self) -> None:
        """It is done."""


@dataclass
class InFile:
    """A file of its own."""

    name: Path
    every: ClassVar[float] = 10.0

    def read(self, identity: str) -> Saved | None:
        return read(self.name, identity)

    def write(self, state: Saved) -> None:
        state.write(self.name)

    def remove(self) -> None:
        disk.remove(self.name)


@dataclass
class InText:
    """A text that somebody else keeps; of another run's, or broken, it is begun anew."""

    get: Callable[[], str | None]
    put: Callable[[str], None]
    every: ClassVar[float] = 2.0
    name: ClassVar[str] = "what was kept"

    def read(self, identity: str) -> Saved | None:
        text = self.get()
        try:
            return _checked(self.name, json.loads(text), identity) if text else None
        except (HashmarkError, ValueError):
            return None

    def write(self, state: Saved) -> None:
        self.put(state.text())

    def remove(self) -> None:
        self.put("")
