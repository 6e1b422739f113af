"""Resumable solving on disk, ending in one solution file.

While it runs, a working directory beside the final file holds the explored state space, the
solver's work space, the stored values, and the progress. Its contents are used only if their
checksums match.
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
from numpy.typing import NDArray

from hashmark.compiler import cache_dir
from hashmark.errors import HashmarkError
from hashmark.odds.arrays import Floats
from hashmark.sim.threads import check_threads
from hashmark.storage import atomic_write, fsync
from hashmark.values import array_file
from hashmark.values.solution import SolveTask
from hashmark.values.solved import as_bytes
from hashmark.values.solver import Solver, SolverBlock
from hashmark.values.state_space import BlockKind, StateSpace, kind_key
from hashmark.values.storage_plan import plan_storage

WORK_SUFFIX = ".working"
STATE_SPACE_FILE, WORKSPACE_FILE, VALUES_FILE = "found.bin", "space.bin", "values.bin"
# Packages whose sources an unfinished run depends on.
SOURCE_DIRS = ("engine", "compiler", "games", "values")
MEMBER_ARRAYS = ("time", "members", "firsts", "choices")
KIND_ARRAYS = (*MEMBER_ARRAYS, "targets", "nodes", "rows")

SolveProgress = Callable[[str, int, int], None]
"""Callback with the step, how much of it is done, and the total (0 if unknown)."""


@dataclass
class SolveState:
    """Progress of a solve job."""

    identity: dict[str, Any]
    program: str
    done: int = 0  # groups solved
    length: int = 0  # bytes of values written
    alive: dict[str, int] = field(default_factory=dict)  # checksums of live work space, by block
    entries: dict[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        atomic_write.write_file(folder / "state.json", json.dumps(asdict(self)))


def solve(
    task: SolveTask, *, threads: int | None = None, progress: SolveProgress | None = None
) -> Path:
    """Solve a match, or resume an interrupted run; return the path of the solution."""
    workers = check_threads(threads)
    folder = task.path.with_suffix(WORK_SUFFIX)
    fsync.make_dirs(folder)
    with _open_growing(folder / VALUES_FILE) as file:
        _Job(task, folder, file, workers, progress or (lambda what, done, of: None)).run()
    shutil.rmtree(folder, ignore_errors=True)
    return task.path


@contextmanager
def _open_growing(path: Path) -> Iterator[int]:
    """Open a file that grows over several runs, locked for this one."""
    file = fsync.open_for_update(path) if path.exists() else fsync.create(path)
    try:
        _lock(file, path.parent)
        yield file
    finally:
        os.close(file)


def _lock(file: int, folder: Path) -> None:
    """Lock the working directory; raise an error if another process uses it."""
    try:
        import fcntl
    except ImportError:  # a platform without file locks
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise HashmarkError(f"{folder} is in use: another process is solving this game") from None


class _Job:
    """One run, from the state of the working directory to the finished file."""

    def __init__(
        self, task: SolveTask, folder: Path, file: int, threads: int, progress: SolveProgress
    ) -> None:
        """Explore or restore the state space; `file` receives the stored values."""
        self.task, self.folder, self.file, self.progress = task, folder, file, progress
        program = cache_dir.source_digest(cache_dir.PACKAGE_DIR / room for room in SOURCE_DIRS)
        self.state = SolveState({**task.identity, "leads": task.leads}, program)
        self.state_space = self._state_space()
        self.solver = Solver(
            self.state_space, lambda time: task.leads, tie=task.tie, threads=threads
        )
        self.numbers = {time: number for number, time in enumerate(self.solver.blocks)}
        self.plans = {
            name: plan_storage(kind, self.solver.blocks[next(iter(kind.times))].span)
            for name, kind in self.state_space.kinds.items()
        }

    def run(self) -> None:
        """Solve group after group, then assemble the solution file."""
        values = self._work_space()
        total = len(self.solver.groups)
        fsync.truncate(self.file, self.state.length)
        self.progress("solving", self.state.done, total)
        for blocks in self.solver.run(values, self.state.done):
            for block in blocks:
                self._store_block(block)
            self._save_progress()
            self.progress("solving", self.state.done, total)
        self._finish()

    def write(self, data: bytes | memoryview) -> None:
        """Append bytes to the values file."""
        fsync.write(self.file, data)

    # --- State space ----------------------------------------------------------------------

    def _state_space(self) -> StateSpace:
        """Return the state space: from the working directory, or by exploring."""
        blocks = StateSpace(self.task.rules, self.task.m, self._report_exploration)
        if not self._resume(blocks):
            self.state = SolveState(self.state.identity, self.state.program)
            self._report_exploration(0)
            task = self.task
            blocks.explore(task.start or task.rules.new_position(task.m))
            arrays = {"keys": blocks.keys[: blocks.key_count], **kind_arrays(blocks.kinds.values())}
            with atomic_write.AtomicFile(self.folder / STATE_SPACE_FILE) as file:
                array_file.write_arrays_and_footer(file, 0, arrays, {}, {})
            self.state.write(self.folder)
        return blocks

    def _report_exploration(self, done: int) -> None:
        self.progress("reading the rules", done, 0)

    def _resume(self, blocks: StateSpace) -> bool:
        """Resume from the working directory, if it was written by the same program version."""
        try:
            state = SolveState(**json.loads((self.folder / "state.json").read_text()))
            if (state.identity, state.program) != (self.state.identity, self.state.program):
                return False
            saved = array_file.ArrayFile(self.folder / STATE_SPACE_FILE)
            blocks.restore({name: saved.array(name) for name in saved.metadata["arrays"]})
        except (OSError, ValueError, TypeError, KeyError, HashmarkError):
            return False
        self.state = state
        return True

    def _work_space(self) -> Floats:
        """Return the solver's work space; discard progress if it is damaged."""
        path = self.folder / WORKSPACE_FILE
        with _open_growing(path) as file:
            if os.fstat(file).st_size != 8 * self.solver.workspace_size:
                self.state.done = 0
            fsync.truncate(file, 8 * self.solver.workspace_size)
        values = np.asarray(np.memmap(path, np.float64, "r+"))
        self.solver.values = values
        for block in self.solver.live_blocks(self.state.done):
            if self.state.alive.get(str(self.numbers[block.time])) != self._checksum(block):
                self.state.done = 0
        if self.state.done == 0:
            self.state.length, self.state.entries = 0, {}
        return values

    def _checksum(self, block: SolverBlock) -> int:
        return array_file.array_checksum(self.solver.block_values(block))

    # --- Stored values ----------------------------------------------------------------------

    def _store_block(self, block: SolverBlock) -> None:
        """Write the stored values of a block."""
        number = self.numbers[block.time]
        kind = block.kind
        plan = self.plans[kind_key(block.time)]
        if len(plan.members_at(block.time)):
            self._write(
                f"values/{number}", self.solver.block_values(block)[plan.members_at(block.time)]
            )
        multi_choice = np.flatnonzero(np.diff(kind.firsts) > 1)
        if len(multi_choice):
            self._write(f"best/{number}", block.best[multi_choice])

    def _write(self, name: str, array: NDArray[Any]) -> None:
        state = self.state
        state.length = array_file.write_array(self, state.length, name, array, state.entries)

    def _save_progress(self) -> None:
        """Record that another group is done."""
        self.state.done += 1
        needed = self.solver.live_blocks(self.state.done)
        blocks = {str(self.numbers[block.time]): block for block in needed}
        alive = self.state.alive
        self.state.alive = {
            name: alive[name] if name in alive else self._checksum(block)
            for name, block in blocks.items()
        }
        self.state.write(self.folder)

    def _finish(self) -> None:
        """Write the rest of the file and move it to its final path."""
        state_space = self.state_space
        kinds = list(state_space.kinds.values())
        keys = state_space.keys[: state_space.key_count].copy()
        arrays = {"keys": keys, "order": np.argsort(as_bytes(keys), kind="stable")}
        plans = [self.plans[name] for name in state_space.kinds]
        arrays |= kind_arrays(kinds, [plan.stores_rows for plan in plans])
        arrays |= {f"kept/{n}": plan.members for n, plan in enumerate(plans)}
        arrays |= {
            f"between/{n}": plan.even_clock_members
            for n, plan in enumerate(plans)
            if plan.even_clock_members is not None
        }
        numbers = {id(kind): number for number, kind in enumerate(kinds)}
        blocks = [
            {
                "time": time,
                "kind": numbers[id(block.kind)],
                "width": block.width,
                "whole": self.plans[kind_key(time)].is_full_block(time),
            }
            for time, block in self.solver.blocks.items()
        ]
        metadata = {**self.state.identity, "program": self.state.program, "blocks": blocks}
        array_file.write_arrays_and_footer(
            self, self.state.length, arrays, dict(self.state.entries), metadata
        )
        fsync.sync(self.file)
        fsync.replace(self.folder / VALUES_FILE, self.task.path)


def kind_arrays(
    kinds: Iterable[BlockKind], rows: Sequence[bool] | None = None
) -> dict[str, NDArray[Any]]:
    """Return the arrays of block kinds by name and number; rows only for kinds marked in `rows`."""
    arrays: dict[str, NDArray[Any]] = {}
    for number, kind in enumerate(kinds):
        names = KIND_ARRAYS if rows is None or rows[number] else MEMBER_ARRAYS
        arrays |= {f"{name}/{number}": getattr(kind, name) for name in names}
        arrays[f"times/{number}"] = np.array(list(kind.times), np.int64)
    return arrays
