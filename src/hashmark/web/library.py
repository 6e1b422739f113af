"""Charts that a visitor brought, laid out as files where a game finds them by their key.

A table that is played on such charts names them by the key of the work that made them. They lie in
the database; each server lays them out in a folder of its own when somebody first asks, each key in
one apart, so that nobody finds those of others.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hashmark.table import writing
from hashmark.web.limits import TooMuch
from hashmark.web.queue import DONE, Queue
from hashmark.web.work_files import NoSuchWork

KEY = re.compile(r"[0-9a-f]{32}")
CHARTS = "charts"  # the option that names them, and the kind of work that makes them
PLANS = ".plans.toml"


class Library:
    """What was brought and is played with."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue
        self._folder: TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()

    @staticmethod
    def key(options: Mapping[str, Any]) -> str:
        """The key of brought charts among the options of a game, or nothing."""
        named = options.get(CHARTS)
        return named if isinstance(named, str) and KEY.fullmatch(named) else ""

    def folder(self, options: Mapping[str, Any]) -> Path | None:
        """Where the charts lie that these options name, if they were brought; on a thread."""
        key = self.key(options)
        if not key:
            return None
        with self._lock:
            if self._folder is None:
                self._folder = TemporaryDirectory(prefix="hashmark-library-")
            place = Path(self._folder.name) / key
            return place if place.is_dir() or self._lay_out(key, place) else None

    def _lay_out(self, key: str, place: Path) -> bool:
        files = self.files(key)
        if not files:
            return False
        partial = place.with_suffix(".part")
        partial.mkdir(exist_ok=True)
        for name, content in files.items():
            own = name if name.endswith(PLANS) else f"{key}.toml"
            writing.put(partial / own, content.decode())
        partial.rename(place)  # whole, or not there
        return True

    def files(self, key: str) -> dict[str, bytes]:
        """The charts and plans of a work that made such; nothing if there is none."""
        found = self.queue.find(key)
        if found is None or found.kind != CHARTS or found.state != DONE:
            return {}
        try:
            return {name: self.queue.file(key, name) for name in self.queue.files(key)}
        except NoSuchWork:
            return {}

    def keep(self, key: str) -> None:
        """They stay for good: somebody asked for it, or plays with them."""
        if self.queue.get(key).until is None:
            return
        if self.queue.kept_of(CHARTS) >= self.queue.limits.charts:
            raise TooMuch("too many charts are kept here already: download these instead")
        self.queue.keep(key)

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
