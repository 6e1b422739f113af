"""Uploaded charts, unpacked into files where a game finds them by their key.

A table played on uploaded charts names them by the key of the job that built them. They are stored
in the database; each server unpacks them into a temporary directory on first use. Each key has a
directory of its own, so that no caller finds the charts of another.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hashmark.storage import atomic_write
from hashmark.storage.temp_dirs import TempDir
from hashmark.web.jobs.job_files import JobNotFound
from hashmark.web.jobs.queue import DONE, JobQueue
from hashmark.web.rate_limits import LimitExceeded

KEY_PATTERN = re.compile(r"[0-9a-f]{32}")
CHARTS = "charts"  # both the option that names them and the job type that builds them
PLANS_SUFFIX = ".plans.toml"


class UploadedCharts:
    """Uploaded charts that games are played with."""

    def __init__(self, queue: JobQueue) -> None:
        self.queue = queue
        self._directory: TempDir | None = None
        self._lock = threading.Lock()

    @staticmethod
    def chart_key(options: Mapping[str, Any]) -> str:
        """Return the key of uploaded charts among the options of a game, or ""."""
        value = options.get(CHARTS)
        return value if isinstance(value, str) and KEY_PATTERN.fullmatch(value) else ""

    def directory(self, options: Mapping[str, Any]) -> Path | None:
        """Return the directory of the uploaded charts that the options name, or None. Blocks."""
        key = self.chart_key(options)
        if not key:
            return None
        with self._lock:
            if self._directory is None:
                self._directory = TempDir("charts")
            directory = Path(self._directory.name) / key
            return directory if directory.is_dir() or self._unpack(key, directory) else None

    def _unpack(self, key: str, directory: Path) -> bool:
        files = self.read_files(key)
        if not files:
            return False
        partial = directory.with_suffix(".part")
        partial.mkdir(exist_ok=True)
        for name, content in files.items():
            file_name = name if name.endswith(PLANS_SUFFIX) else f"{key}.toml"
            atomic_write.write_file(partial / file_name, content.decode())
        partial.rename(directory)  # complete or absent
        return True

    def read_files(self, key: str) -> dict[str, bytes]:
        """Return the charts and plans that a job built, or nothing."""
        row = self.queue.find(key)
        if row is None or row.kind != CHARTS or row.state != DONE:
            return {}
        try:
            return {name: self.queue.read_file(key, name) for name in self.queue.list_results(key)}
        except JobNotFound:
            return {}

    def keep_permanently(self, key: str) -> None:
        """Keep charts without an expiry date, on request or because a game uses them."""
        if self.queue.get(key).until is None:
            return
        if self.queue.count_permanent(CHARTS) >= self.queue.limits.charts:
            raise LimitExceeded("this server already keeps too many charts: download these instead")
        self.queue.clear_expiry(key)

    def keep_used(self, options: Mapping[str, Any]) -> None:
        """Keep the charts that the options name, because a game uses them."""
        if key := self.chart_key(options):
            self.keep_permanently(key)

    def close(self) -> None:
        if self._directory is not None:
            self._directory.cleanup()
