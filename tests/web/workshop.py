"""A server with workers that count, in a process of its own."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import httpx

from patience import PATIENCE

from . import counting
from .forking import Forked


class Server:
    """A server with workers, in a process of its own."""

    def __init__(self, folder: Path, workers: int = 1) -> None:
        self.url = f"sqlite:///{folder / 'tables.db'}"
        self.process = Forked(
            f"{counting.__name__}:serve",
            *("0", self.url, str(workers)),
            PYTHONPATH=os.pathsep.join(sys.path),
        )
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found
        self.client = httpx.Client(base_url=found[0], timeout=PATIENCE)

    def ask(self, **settings: Any) -> dict[str, Any]:
        sent = {"kind": "count", "settings": settings}
        answer = self.client.post("/api/works", json=sent)
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def work(self, key: str) -> dict[str, Any]:
        told: dict[str, Any] = self.client.get(f"/api/works/{key}").json()
        return told

    def hands(self) -> list[int]:
        """The processes of its workers."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        tasks = listed.parent.parent.glob("*/children")
        found = [int(one) for task in tasks for one in task.read_text().split()]
        return [one for one in found if b"counting" in Path(f"/proc/{one}/cmdline").read_bytes()]

    def end(self, how: int) -> int:
        self.client.close()
        self.process.send_signal(how)
        status = self.process.wait()
        self.process.stdout.close()
        return status
