"""Checkpoints of interrupted season runs: which seasons are done, and their totals."""

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
Span = tuple[int, int]  # first season, number of seasons


@dataclass
class Saved:
    """Completed seasons of one recipe and seed."""

    identity: str
    tally: Tally
    done: list[Span] = field(default_factory=list)  # sorted, not adjacent

    @classmethod
    def new(cls, identity: str) -> Saved:
        return cls(identity, Tally.empty())

    def add(self, span: Span, made: Tally) -> None:
        """Record more completed seasons."""
        self.tally.add(made)
        self.done = joined([*self.done, span])

    def left(self, runs: int, size: int) -> list[Span]:
        """Return the seasons missing from the first `runs`, cut into blocks of `size`."""
        blocks: list[Span] = []
        next_season = 0
        for first, count in [*self.done, (runs, 0)]:
            end = min(first, runs)
            blocks += [(start, min(size, end - start)) for start in range(next_season, end, size)]
            next_season = first + count
        return blocks

    def fits(self, runs: int) -> bool:
        """Return whether all completed seasons are among the first `runs`."""
        return all(first + count <= runs for first, count in self.done)

    def text(self) -> str:
        """Return the checkpoint as JSON text."""
        data = {
            "format": FORMAT,
            "identity": self.identity,
            "done": self.done,
            "tally": self.tally.to_json(),
        }
        return json.dumps(data)

    def write(self, path: Path) -> None:
        """Replace the file atomically; after a crash the old file remains."""
        try:
            disk.make_folders(path.parent)
        except OSError as fault:
            raise disk.cannot_write(path, fault) from None
        writing.put(path, self.text())


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order, with adjacent spans merged."""
    merged: list[Span] = []
    for first, count in sorted(spans):
        if merged and sum(merged[-1]) == first:
            merged[-1] = (merged[-1][0], merged[-1][1] + count)
        else:
            merged.append((first, count))
    return merged


def _read_spans(data: Any) -> list[Span]:
    """Parse the spans of a file: pairs of integers that do not overlap."""
    spans = []
    for span in data:
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
    """Return the default path of a checkpoint."""
    return folders.data() / "seasons" / f"{season}-{runs}-{identity}.json"


def read(path: Path, identity: str) -> Saved | None:
    """Read a checkpoint, or return None if there is none; reject one of another recipe."""
    try:
        if not path.exists():
            return None
    except (OSError, ValueError) as fault:
        raise HashmarkError(f"cannot read {path}: {reason(fault)}") from None
    return _validate(path, read_json(path), identity)


def _validate(path: Path | str, data: Any, identity: str) -> Saved:
    """Validate a parsed checkpoint of this run; `path` is named in error messages."""
    try:
        if data["format"] != FORMAT:
            raise HashmarkError(f"{path}: format {shown(data['format'])} is not {FORMAT!r}")
        checkpoint = Saved(
            str(data["identity"]), Tally.from_json(data["tally"]), _read_spans(data["done"])
        )
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        raise HashmarkError(f"{path} is not a saved run of seasons ({fault})") from None
    if checkpoint.tally.runs != sum(count for _, count in checkpoint.done):
        raise HashmarkError(f"{path}: its counts do not belong to its seasons")
    if checkpoint.identity != identity:
        raise HashmarkError(
            f"{path} is of another run: the season, seed, charts, plans, options or program differ"
        )
    return checkpoint


# --- Storage -------------------------------------------------------------------------------------


class Place(Protocol):
    """Storage of a checkpoint."""

    @property
    def name(self) -> Path | str: ...

    @property
    def every(self) -> float:
        """Seconds between two writes."""

    def read(self, identity: str) -> Saved | None:
        """Return the checkpoint of an earlier run, if any."""

    def write(self, state: Saved) -> None:
        """Store a checkpoint."""

    def remove(self) -> None:
        """Delete the checkpoint after the run has finished."""


@dataclass
class InFile:
    """Checkpoint in a file."""

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
    """Checkpoint as text that the caller stores.

    An unreadable checkpoint, or one of another run, is ignored.
    """

    get: Callable[[], str | None]
    put: Callable[[str], None]
    every: ClassVar[float] = 2.0
    name: ClassVar[str] = "what was kept"

    def read(self, identity: str) -> Saved | None:
        text = self.get()
        try:
            return _validate(self.name, json.loads(text), identity) if text else None
        except (HashmarkError, ValueError):
            return None

    def write(self, state: Saved) -> None:
        self.put(state.text())

    def remove(self) -> None:
        self.put("")
