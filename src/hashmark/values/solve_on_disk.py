"""Solving as a job on the disk: it can be interrupted and gone on with, and ends in one file.

While it runs there is a folder beside the file to come: what was found, the work space of the
solver, the values that are kept, and how far it has come. Nothing in it is used unless its
checksums fit.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hashmark.sim.threads import check_threads
from hashmark.table import cache, disk, writing
from hashmark.table.errors import HashmarkError
from hashmark.values import container
from hashmark.values.blocks import Blocks, Kind, Time, name_of
from hashmark.values.solution import Task
from hashmark.values.solve import Block, Solver
from hashmark.values.solved import as_text
from hashmark.values.stored import Kept, kept_of

WORKING = ".working"
FOUND, SPACE, VALUES = "found.bin", "space.bin", "values.bin"
ROOMS = ("table", "games", "values")  # whose sources an unfinished run depends on
OF_MEMBERS = ("time", "members", "firsts", "choices")
OF_KINDS = (*OF_MEMBERS, "targets", "nodes", "rows")

Progress = Callable[[str, int, int], None]
"""Hears what is being done, how much of it is done, and of how much (0 if nobody knows)."""


@dataclass
class State:
    """How far a job has come."""

    identity: dict[str, Any]
    program: str
    done: int = 0  # groups
    length: int = 0  # of what was written of the values
    alive: dict[str, int] = field(default_factory=dict)  # checksums of the work space
    entries: dict[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        writing.put(folder / "state.json", json.dumps(asdict(self)))


def solve(task: Task, *, threads: int | None = None, progress: Progress | None = None) -> Path:
    """Solve a match, or go on where it was interrupted; the file of its solution."""
    workers = check_threads(threads)
    folder = task.path.with_suffix(WORKING)
    disk.make_folders(folder)
    with _grown(folder / VALUES) as file:
        _Job(task, folder, file, workers, progress or (lambda what, done, of: None)).run()
    shutil.rmtree(folder, ignore_errors=True)
    return task.path


@contextmanager
def _grown(path: Path) -> Iterator[int]:
    """A file that grows over several runs, open for one of them only."""
    file = disk.reopen(path) if path.exists() else disk.create(path)
    try:
        _lock(file, path.parent)
        yield file
    finally:
        os.close(file)


def _lock(file: int, folder: Path) -> None:
    """Nobody else works in this folder meanwhile."""
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise HashmarkError(f"{folder} is in use: this game is being solved") from None


class _Job:
    """One run, from what is in the folder to the finished file."""

    def __init__(
        self, task: Task, folder: Path, file: int, threads: int, progress: Progress
    ) -> None:
        """`file` takes the values that are kept."""
        self.task, self.folder, self.file, self.progress = task, folder, file, progress
        program = cache.digest(cache.PACKAGE / room for room in ROOMS)
        self.state = State({**task.identity, "leads": task.leads}, program)
        self.found = self._found()
        self.solver = Solver(self.found, lambda time: task.leads, tie=task.tie, threads=threads)
        self.numbers = {time: number for number, time in enumerate(self.solver.blocks)}
        blocks = self.solver.blocks
        self.kept: dict[Time, Kept] = {}
        for name, kind in self.found.kinds.items():
            self.kept[name] = kept_of(kind, blocks[next(iter(kind.times))].span)

    def run(self) -> None:
        """Solve group after group, then put the file together."""
        values = self._work_space()
        total = len(self.solver.groups)
        disk.cut(self.file, self.state.length)
        self.progress("solving", self.state.done, total)
        for blocks in self.solver.run(values, self.state.done):
            for block in blocks:
                self._keep(block)
            self._note()
            self.progress("solving", self.state.done, total)
        self._finish()

    def write(self, made: Any) -> None:
        """Add bytes to the values."""
        disk.write(self.file, made)

    # --- What was found ------------------------------------------------------------------

    def _found(self) -> Blocks:
        """Everything that the match can come to: from the folder, or by the rules."""
        found = Blocks(self.task.rules, self.task.m, self._told)
        if not self._take_up(found):
            self.state = State(self.state.identity, self.state.program)
            self._told(0)
            task = self.task
            found.explore(task.start or task.rules.new_position(task.m))
            arrays = {"keys": found.keys[: found.key_count], **kind_arrays(found.kinds.values())}
            with writing.Growing(self.folder / FOUND) as file:
                container.finish(file, 0, arrays, {}, {})
            self.state.write(self.folder)
        return found

    def _told(self, done: int) -> None:
        self.progress("reading the rules", done, 0)

    def _take_up(self, found: Blocks) -> bool:
        """Go on with what an interrupted run has left, if it is of the same program."""
        try:
            state = State(**json.loads((self.folder / "state.json").read_text()))
            if (state.identity, state.program) != (self.state.identity, self.state.program):
                return False
            before = container.Container(self.folder / FOUND)
            found.take_up({name: before.array(name) for name in before.said["arrays"]})
        except (OSError, ValueError, TypeError, KeyError, HashmarkError):
            return False
        self.state = state
        return True

    def _work_space(self) -> Any:
        """The solver's work space; a damaged one is begun anew."""
        place = self.folder / SPACE
        with _grown(place) as file:
            if os.fstat(file).st_size != 8 * self.solver.room:
                self.state.done = 0
            disk.cut(file, 8 * self.solver.room)
        values = np.asarray(np.memmap(place, np.float64, "r+"))
        self.solver.values = values
        for block in self.solver.needed(self.state.done):
            if self.state.alive.get(str(self.numbers[block.time])) != self._checksum(block):
                self.state.done = 0
        if self.state.done == 0:
            self.state.length, self.state.entries = 0, {}
        return values

    def _checksum(self, block: Block) -> int:
        return container.crc(self.solver.of(block))

    # --- What is kept ----------------------------------------------------------------------

    def _keep(self, block: Block) -> None:
        """Write what is kept of a block."""
        name = self.numbers[block.time]
        kind = block.kind
        kept = self.kept[name_of(block.time)]
        if len(kept.at(block.time)):
            self._write(f"values/{name}", self.solver.of(block)[kept.at(block.time)])
        several = np.flatnonzero(np.diff(kind.firsts) > 1)
        if len(several):
            self._write(f"best/{name}", block.best[several])

    def _write(self, name: str, array: Any) -> None:
        rest = -self.state.length % 64
        self.state.entries[name] = container.entry(array, self.state.length + rest)
        self.write(bytes(rest))
        self.write(container.bytes_of(array))
        self.state.length += rest + array.nbytes

    def _note(self) -> None:
        """Another group is done."""
        self.state.done += 1
        needed = self.solver.needed(self.state.done)
        names = {str(self.numbers[block.time]): block for block in needed}
        alive = self.state.alive
        self.state.alive = {
            name: alive[name] if name in alive else self._checksum(block)
            for name, block in names.items()
        }
        self.state.write(self.folder)

    def _finish(self) -> None:
        """The rest of the file, and its name."""
        found = self.found
        kinds = list(found.kinds.values())
        keys = found.keys[: found.key_count].copy()
        arrays = {"keys": keys, "order": np.argsort(as_text(keys), kind="stable")}
        kept = [self.kept[name] for name in found.kinds]
        arrays |= kind_arrays(kinds, [one.rows for one in kept])
        arrays |= {f"kept/{n}": one.members for n, one in enumerate(kept)}
        between = {n: one.between for n, one in enumerate(kept) if one.between is not None}
        arrays |= {f"between/{n}": members for n, members in between.items()}
        numbers = {id(kind): number for number, kind in enumerate(kinds)}
        blocks = [
            {
                "time": time,
                "kind": numbers[id(block.kind)],
                "width": block.width,
                "whole": self.kept[name_of(time)].is_whole(time),
            }
            for time, block in self.solver.blocks.items()
        ]
        said = {**self.state.identity, "program": self.state.program, "blocks": blocks}
        container.finish(self, self.state.length, arrays, dict(self.state.entries), said)
        disk.sync(self.file)
        disk.replace(self.folder / VALUES, self.task.path)


def kind_arrays(kinds: Iterable[Kind], rows: Sequence[bool] | None = None) -> dict[str, Any]:
    """The arrays of kinds by name and number; not the rows of all, if so wished."""
    made: dict[str, Any] = {}
    for number, kind in enumerate(kinds):
        names = OF_KINDS if rows is None or rows[number] else OF_MEMBERS
        made |= {f"{name}/{number}": getattr(kind, name) for name in names}
        made[f"times/{number}"] = np.array(list(kind.times), np.int64)
    return made
