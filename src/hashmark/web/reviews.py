"""Reviews of finished games, worked out one after the other in a process beside the server."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from hashmark.table import aside, extras, writing
from hashmark.table.errors import HashmarkError
from hashmark.web import tasks

TICK = 0.2  # seconds between two looks at whether a review is done
AT_ONCE = 32  # reviews that may wait for their turn
LONGEST = 1800.0  # seconds


class Reviews:
    """Reviews that were asked for: those that are made, and those that will be."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._tasks: dict[str, asyncio.Task[bytes]] = {}
        self._one = asyncio.Lock()
        self._process: subprocess.Popen[str] | None = None

    @staticmethod
    def possible() -> bool:
        """Whether what a review is worked out with is installed."""
        return extras.has("numpy")

    def ask(self, key: str, lines: str, beside: Path | None = None) -> asyncio.Task[bytes]:
        """The review of a game by its log; asked again it is the same.

        `beside` is a folder of charts that the game was played with.
        """
        if not self.possible():
            extras.need("a review", "numpy")
        if key not in self._tasks:
            if sum(not task.done() for task in self._tasks.values()) >= AT_ONCE:
                raise HashmarkError("too many games are being reviewed: try again later")
            self._tasks[key] = tasks.together(self._make(key, lines, beside))
        return self._tasks[key]

    async def _make(self, key: str, lines: str, beside: Path | None) -> bytes:
        async with self._one:
            if self._folder is None:
                self._folder = TemporaryDirectory(prefix="hashmark-reviews-")
            place = Path(self._folder.name) / key
            await asyncio.to_thread(_lay_out, place, beside)
            log, page = place / "game.log", place / "page.html"
            await asyncio.to_thread(writing.put, log, lines)
            self._process = aside.begin("hashmark.web.reviews:write", str(log), str(page))
            for _ in range(int(LONGEST / TICK)):
                if self._process.poll() is not None:
                    break
                await asyncio.sleep(TICK)
            self._end()
            if not page.exists():
                raise HashmarkError("this game could not be reviewed")
            return await asyncio.to_thread(page.read_bytes)

    def _end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """Nobody waits any more."""
        for task in self._tasks.values():
            task.cancel()
        self._end()
        if self._folder is not None:
            self._folder.cleanup()


def _lay_out(place: Path, beside: Path | None) -> None:
    if beside is not None:
        shutil.copytree(beside, place, dirs_exist_ok=True)
    place.mkdir(exist_ok=True)


def write(log_file: str, page: str) -> None:
    """In another process: review a log, and write the page."""
    from hashmark.table import log
    from hashmark.values import review_page
    from hashmark.values.review import Review
    from hashmark.values.rollouts import REVIEWED
    from hashmark.values.sources import source_of

    game = log.replay(Path(log_file)).game
    source = source_of(game.rules, game.options, games=REVIEWED, threads=1)
    made = Review.of(game, source)
    writing.put(Path(page), review_page.report(made).html())
