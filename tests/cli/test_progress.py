"""The progress bar: on a terminal only, and it follows the work."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from hashmark import cli
from hashmark.cli.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_elsewhere_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar(10, "games") as bar:
        bar.update(5)
    assert bar.bar is None
    assert capsys.readouterr().err == ""


def test_on_a_terminal_it_follows_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with ProgressBar(None, "games", "preparing") as bar:
        assert bar.bar is not None
        task = bar.bar.tasks[0]
        assert (task.description, task.total) == ("preparing", None)
        bar.update(5, 20)
        task = bar.bar.tasks[0]
        assert (task.description, task.completed, task.total) == ("games", 5, 20)
        bar.say("counting")
        assert bar.bar.tasks[0].description == "counting"


@pytest.mark.parametrize("fault", [None, KeyboardInterrupt, ValueError])
def test_it_is_gone_when_the_report_begins(
    fault: type[BaseException] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last that it sends takes its line away, also when the work was interrupted."""
    monkeypatch.setenv("TERM", "xterm")
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    with suppress(KeyboardInterrupt, ValueError), ProgressBar(10, "games") as bar:
        bar.update(4)
        if fault is not None:
            raise fault
    assert shown.getvalue().endswith("\r\x1b[1A\x1b[2K")


def test_no_command_writes_a_progress_line_of_its_own() -> None:
    """One that another wrote was left standing before the report."""
    for path in Path(cli.__file__).parent.glob("*.py"):
        assert r'"\r' not in path.read_text(encoding="utf-8"), path.name
