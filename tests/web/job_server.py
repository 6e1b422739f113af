"""Server with counting workers, in another process."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import httpx

from timeouts import TIMEOUT_SECONDS
from web import counting_jobs
from web.fork_server import ForkedProcess


class JobServer:
    """Server with counting workers, in another process."""

    def __init__(self, folder: Path, workers: int = 1) -> None:
        self.url = f"sqlite:///{folder / 'tables.db'}"
        self.process = ForkedProcess(
            f"{counting_jobs.__name__}:serve",
            *("0", self.url, str(workers)),
            PYTHONPATH=os.pathsep.join(sys.path),
        )
        match = re.search(r"http://\S+", self.process.stdout.readline())
        assert match
        self.client = httpx.Client(base_url=match[0], timeout=TIMEOUT_SECONDS)

    def submit(self, **settings: Any) -> dict[str, Any]:
        form = {"kind": "count", "settings": settings}
        response = self.client.post("/api/works", json=form)
        assert response.status_code == 201, response.text
        job: dict[str, Any] = response.json()
        return job

    def fetch_job(self, key: str) -> dict[str, Any]:
        job: dict[str, Any] = self.client.get(f"/api/works/{key}").json()
        return job

    def worker_pids(self) -> list[int]:
        """Return the process IDs of its workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        threads = children.parent.parent.glob("*/children")
        pids = [int(one) for task in threads for one in task.read_text().split()]
        return [one for one in pids if b"counting" in Path(f"/proc/{one}/cmdline").read_bytes()]

    def stop(self, signal_number: int) -> int:
        self.client.close()
        self.process.send_signal(signal_number)
        status = self.process.wait()
        self.process.stdout.close()
        return status
