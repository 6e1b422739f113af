"""Reviews of finished games, computed one after the other in a separate process."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashmark import extras
from hashmark.compiler import subprocesses
from hashmark.errors import HashmarkError
from hashmark.storage import atomic_write
from hashmark.storage.temp_dirs import TempDir
from hashmark.web.clock import Clock
from hashmark.web.tables import shared_tasks

POLL_SECONDS = 0.2  # between two polls of the process
MAX_QUEUED = 32  # reviews that may be queued
LOG, PAGE, DATA, PROGRESS = "game.log", "page.html", "review.json", "progress"  # of one review
TIMEOUT_SECONDS = 1800.0  # timeout of one review


@dataclass(frozen=True)
class FinishedReview:
    """Review of a game, as a report and as data."""

    html: bytes
    data: dict[str, Any]  # as `hashmark review --json` prints it


class ReviewQueue:
    """Requested reviews, finished and pending."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._directory: TempDir | None = None
        self._tasks: dict[str, asyncio.Task[FinishedReview]] = {}
        self._turn = asyncio.Lock()
        self._process: subprocess.Popen[str] | None = None

    @staticmethod
    def is_available() -> bool:
        """Return whether the packages that a review needs are installed."""
        return extras.has("numpy")

    def request(
        self, key: str, lines: str, charts_directory: Path | None = None
    ) -> asyncio.Task[FinishedReview]:
        """Return the review task of a game log; asking again returns the same task.

        `charts_directory` is a directory of charts that the game was played with.
        """
        if not self.is_available():
            extras.require("a review", "numpy")
        if key not in self._tasks:
            if sum(not task.done() for task in self._tasks.values()) >= MAX_QUEUED:
                raise HashmarkError("too many games are under review: try again later")
            self._tasks[key] = shared_tasks.start_shared(self._make(key, lines, charts_directory))
        return self._tasks[key]

    async def _make(self, key: str, lines: str, charts_dir: Path | None) -> FinishedReview:
        async with self._turn:
            if self._directory is None:
                self._directory = TempDir("reviews")
            directory = Path(self._directory.name) / key
            await asyncio.to_thread(_copy_charts, directory, charts_dir)
            log = directory / LOG
            await asyncio.to_thread(atomic_write.write_file, log, lines)
            self._process = subprocesses.start_process(
                "hashmark.web.tables.review_queue:write", str(log)
            )
            deadline = self.clock.monotonic() + TIMEOUT_SECONDS
            while self._process.poll() is None and self.clock.monotonic() < deadline:
                await self.clock.sleep(POLL_SECONDS)
            self._end_process()
            return await asyncio.to_thread(_read, directory)

    def progress(self, key: str) -> tuple[int, int]:
        """Return how many turns of a game are reviewed, and of how many; zeros before it begins."""
        if self._directory is None:
            return 0, 0
        try:
            text = (Path(self._directory.name) / key / PROGRESS).read_text(encoding="ascii")
            done, total = map(int, text.split())
        except (OSError, ValueError):
            return 0, 0
        return done, total

    def _end_process(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """Cancel all reviews."""
        for task in self._tasks.values():
            task.cancel()
        self._end_process()
        if self._directory is not None:
            self._directory.cleanup()


def _copy_charts(directory: Path, charts_dir: Path | None) -> None:
    if charts_dir is not None:
        shutil.copytree(charts_dir, directory, dirs_exist_ok=True)
    directory.mkdir(exist_ok=True)


def _read(directory: Path) -> FinishedReview:
    """Return the review that the process has written; raise if there is none."""
    page, data = directory / PAGE, directory / DATA
    if not data.exists():
        raise HashmarkError("this game could not be reviewed")
    return FinishedReview(page.read_bytes(), json.loads(data.read_text(encoding="utf-8")))


def write(log_file: str) -> None:
    """Review a log and write the results beside it; runs in a separate process."""
    from hashmark.session import log
    from hashmark.values.review import review_game
    from hashmark.values.review_report import render_review

    directory = Path(log_file).parent

    def note_progress(done: int, total: int) -> None:
        atomic_write.write_file(directory / PROGRESS, f"{done} {total}")

    review = review_game(log.replay(log_file).game, threads=1, progress=note_progress)
    atomic_write.write_file(directory / PAGE, render_review(review, "html"))
    atomic_write.write_file(directory / DATA, render_review(review, "json"))
