"""Tests of the progress bar: on a terminal only, and it follows the work."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from hashmark import cli
from hashmark.cli.progress import ProgressBar, logger, show_notices


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar(10, "games") as bar:
        bar.update(5)
    assert bar.bar is None
    assert capsys.readouterr().err == ""


def test_the_bar_follows_the_work_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with ProgressBar(None, "games", "preparing") as bar:
        assert bar.bar is not None
        task = bar.bar.tasks[0]
        assert (task.description, task.total) == ("preparing", None)
        bar.update(5, 20)
        task = bar.bar.tasks[0]
        assert (task.description, task.completed, task.total) == ("games", 5, 20)
        bar.set_step("counting")
        assert bar.bar.tasks[0].description == "counting"


@pytest.mark.parametrize("fault", [None, KeyboardInterrupt, ValueError])
def test_the_bar_is_erased_before_the_report(
    fault: type[BaseException] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last output erases its line, even if the work was interrupted."""
    monkeypatch.setenv("TERM", "xterm")
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    with suppress(KeyboardInterrupt, ValueError), ProgressBar(10, "games") as bar:
        bar.update(4)
        if fault is not None:
            raise fault
    assert shown.getvalue().endswith("\r\x1b[1A\x1b[2K")


def test_no_command_writes_a_progress_line_of_its_own() -> None:
    """A line written elsewhere would remain in front of the report."""
    for path in Path(cli.__file__).parent.glob("*.py"):
        assert r'"\r' not in path.read_text(encoding="utf-8"), path.name


def test_only_the_innermost_function_receives_notices() -> None:
    outer: list[str] = []
    inner: list[str] = []
    logger.info("nobody hears this")
    with show_notices(outer.append):
        with show_notices(inner.append):
            logger.info("one")
        logger.info("two")
    logger.info("three")
    assert (outer, inner) == (["two"], ["one"])
