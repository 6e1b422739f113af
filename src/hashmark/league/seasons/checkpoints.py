"""Checkpoints of interrupted season runs: which seasons are done, and their totals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from hashmark.errors import HashmarkError
from hashmark.league.seasons.pairings import Span
from hashmark.league.seasons.tally import Tally
from hashmark.sanitize import quote
from hashmark.storage import atomic_write, fsync, user_dirs
from hashmark.storage.user_files import error_reason, read_json

FORMAT = "hashmark-season/1"


@dataclass
class Checkpoint:
    """Completed seasons of one recipe and seed."""

    identity: str
    tally: Tally = field(default_factory=Tally.empty)
    completed: list[Span] = field(default_factory=list)  # sorted, not adjacent

    def add(self, span: Span, totals: Tally) -> None:
        """Record more completed seasons."""
        self.tally.add(totals)
        self.completed = merge_spans([*self.completed, span])

    def remaining_blocks(self, runs: int, size: int) -> list[Span]:
        """Return the seasons missing from the first `runs`, cut into blocks of `size`."""
        blocks: list[Span] = []
        next_season = 0
        for first, count in [*self.completed, (runs, 0)]:
            end = min(first, runs)
            blocks += [(start, min(size, end - start)) for start in range(next_season, end, size)]
            next_season = first + count
        return blocks

    def is_within(self, runs: int) -> bool:
        """Return whether all completed seasons are among the first `runs`."""
        return all(first + count <= runs for first, count in self.completed)

    def to_text(self) -> str:
        """Return the checkpoint as JSON text."""
        data = {
            "format": FORMAT,
            "identity": self.identity,
            "done": self.completed,
            "tally": self.tally.to_json(),
        }
        return json.dumps(data)

    def write(self, path: Path) -> None:
        """Replace the file atomically; after a crash the old file remains."""
        try:
            fsync.make_dirs(path.parent)
        except OSError as fault:
            raise fsync.write_error(path, fault) from None
        atomic_write.write_file(path, self.to_text())


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order, with adjacent spans merged."""
    merged: list[Span] = []
    for first, count in sorted(spans):
        if merged and sum(merged[-1]) == first:
            merged[-1] = (merged[-1][0], merged[-1][1] + count)
        else:
            merged.append((first, count))
    return merged


def _read_spans(data: Iterable[object]) -> list[Span]:
    """Parse the spans of a file: pairs of integers that do not overlap."""
    spans = []
    for span in data:
        if not isinstance(span, list) or [type(n) for n in span] != [int, int]:
            raise ValueError("`done` must be pairs of whole numbers")
        spans.append((span[0], span[1]))
    end = 0
    for first, count in sorted(spans):
        if first < end or count < 1:
            raise ValueError("the finished seasons overlap")
        end = first + count
    return merge_spans(spans)


def default_path(season: int, runs: int, identity: str) -> Path:
    """Return the default path of a checkpoint."""
    return user_dirs.data_dir() / "seasons" / f"{season}-{runs}-{identity}.json"


def read_checkpoint(path: Path, identity: str) -> Checkpoint | None:
    """Read a checkpoint, or return None if there is none; reject one of another recipe."""
    try:
        if not path.exists():
            return None
    except (OSError, ValueError) as fault:
        raise HashmarkError(f"cannot read {path}: {error_reason(fault)}") from None
    return _validate(path, read_json(path), identity)


def _validate(path: Path | str, data: Mapping[str, Any], identity: str) -> Checkpoint:
    """Validate a parsed checkpoint of this run; `path` is named in error messages."""
    try:
        if data["format"] != FORMAT:
            raise HashmarkError(f"{path}: format {quote(data['format'])} is not {FORMAT!r}")
        checkpoint = Checkpoint(
            str(data["identity"]), Tally.from_json(data["tally"]), _read_spans(data["done"])
        )
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        raise HashmarkError(f"{path} is not a saved season run ({fault})") from None
    if checkpoint.tally.runs != sum(count for _, count in checkpoint.completed):
        raise HashmarkError(f"{path}: its totals do not match its number of seasons")
    if checkpoint.identity != identity:
        raise HashmarkError(
            f"{path} belongs to a different run (season, seed, charts, plans, options or version "
            "differ); start over with --fresh, or name another file with --resume"
        )
    return checkpoint


# --- Storage -------------------------------------------------------------------------------------


@dataclass
class CheckpointFile:
    """Checkpoint in a file."""

    name: Path
    every: ClassVar[float] = 10.0  # seconds between two writes

    def read(self, identity: str) -> Checkpoint | None:
        return read_checkpoint(self.name, identity)

    def write(self, state: Checkpoint) -> None:
        state.write(self.name)

    def remove(self) -> None:
        fsync.remove(self.name)


@dataclass
class CheckpointText:
    """Checkpoint as text that the caller stores.

    An unreadable checkpoint, or one of another run, is ignored.
    """

    get: Callable[[], str | None]
    put: Callable[[str], None]
    every: ClassVar[float] = 2.0
    name: ClassVar[str] = "the saved run"

    def read(self, identity: str) -> Checkpoint | None:
        text = self.get()
        try:
            return _validate(self.name, json.loads(text), identity) if text else None
        except (HashmarkError, ValueError):
            return None

    def write(self, state: Checkpoint) -> None:
        self.put(state.to_text())

    def remove(self) -> None:
        self.put("")


CheckpointStore = CheckpointFile | CheckpointText
