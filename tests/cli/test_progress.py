"""The progress bar: on a terminal only, and it follows the work."""

from __future__ import annotations

import io
import sys

import pytest

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
