"""Worker process: its messages, and that it exits when its input ends."""

from __future__ import annotations

import io
import json
import threading
from typing import Any

import pytest

from hashmark.web.jobs import job
from hashmark.web.jobs.worker import Worker
from web import counting_jobs


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "JOB_TYPES", dict(job.JOB_TYPES))
    counting_jobs.register_job_types()


def messages_of(**settings: Any) -> list[dict[str, Any]]:
    """Run one counting job and return the worker's messages."""
    out = io.StringIO()
    worker = Worker(io.StringIO(), out)
    checkpoint = settings.pop("kept", None)
    if settings.pop("stop", False):
        worker.stopped.set()
    parsed = counting_jobs.COUNT.parse_settings({"pause": 0, **settings})
    worker.run_job({"kind": "count", "settings": parsed, "kept": checkpoint})
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_job_reports_progress_checkpoints_and_result() -> None:
    messages = messages_of(to=3)
    assert messages[0] == {"progress": [1, 3]}
    assert [message["kept"] for message in messages if "kept" in message] == ["1", "2", "3"]
    assert messages[-2] == {"progress": [3, 3]}
    assert messages[-1]["result"] == {"counted": 3, "from": 0}
    assert "<h1>Counted</h1>" in messages[-1]["page"]


def test_a_job_resumes_from_its_checkpoint() -> None:
    assert messages_of(to=3, kept="2")[-1]["result"] == {"counted": 3, "from": 2}


def test_a_stopped_job_is_reported_as_interrupted() -> None:
    assert messages_of(to=3, kept="1", stop=True)[-1] == {"interrupted": True}


def test_errors_are_reported_as_failed() -> None:
    assert messages_of(then="fail")[-1] == {"failed": "it cannot be counted"}
    unreachable = messages_of(then="away")[-1]
    assert "job servers are not responding" in unreachable["failed"]
    assert "10.0.0.5" in unreachable["why"]
    unexpected = messages_of(then="fault")[-1]
    assert "went wrong" in unexpected["failed"]
    assert "nobody foresaw this" in unexpected["fault"]


def test_the_worker_exits_when_its_input_ends() -> None:
    exited = threading.Event()
    worker = Worker(
        io.StringIO('{"stop": true}\n'), io.StringIO(), exit_process=lambda status: exited.set()
    )
    worker._listen()
    assert exited.is_set()
    assert worker.stopped.is_set()
