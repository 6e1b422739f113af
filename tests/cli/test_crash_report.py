"""Tests of the last exception handler of the command: a sentence and a status for any failure."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import hashmark.cli
from hashmark.cli import crash_report
from timeouts import TIMEOUT_SECONDS

# Runs the command with a module that fails when it is imported.
BROKEN = """
import sys, importlib.abc
class Broken(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            {what}
sys.meta_path.insert(0, Broken())
sys.argv = ["hashmark", *{arguments!r}]
from hashmark.cli import main
main()
"""


def broken(
    tmp_path: Path, module: str, what: str, *arguments: str, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, with a fault in a module."""
    program = BROKEN.format(module=module, what=what, arguments=arguments)
    environment = {**os.environ, "HASHMARK_DATA": str(tmp_path / "data"), **settings}
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
        env=environment,
    )


@pytest.mark.parametrize(
    ("module", "what", "kind"),
    [
        ("typer", "raise RuntimeError('boom')", "RuntimeError: boom"),
        ("hashmark.cli.commands", "raise MemoryError", "MemoryError"),
        ("hashmark.games.fourth_down", "raise RecursionError('deep')", "RecursionError: deep"),
        ("hashmark.cli.run", "raise type('Panic', (BaseException,), {})('x')", "Panic: x"),
    ],
)
def test_a_crash_is_a_sentence_and_a_report(
    tmp_path: Path, module: str, what: str, kind: str
) -> None:
    done = broken(tmp_path, module, what, "rules", "fourth-down")
    assert done.returncode == hashmark.cli.CRASH_STATUS == 70
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"hashmark: internal error ({kind}); ")
    path = Path(line.rpartition(" ")[2])
    assert path.parent == tmp_path / "data" / "reports"
    report = path.read_text(encoding="utf-8")
    assert "Traceback" in report
    assert "command    hashmark rules fourth-down" in report
    assert f"hashmark   {hashmark.__version__}" in report
    assert "It holds nothing else of yours" in report


def test_a_developer_may_see_the_traceback(tmp_path: Path) -> None:
    done = broken(tmp_path, "typer", "raise RuntimeError('boom')", HASHMARK_TRACEBACK="1")
    assert done.returncode == 70
    assert "Traceback" in done.stderr


def test_without_a_data_folder_the_report_is_a_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    place = str(tmp_path / "file" / "data")
    done = broken(
        tmp_path, "typer", "raise OSError('x')", HASHMARK_DATA=place, TMPDIR=str(tmp_path)
    )
    assert Path(done.stderr.strip().rpartition(" ")[2]).parent == tmp_path


def test_without_any_folder_there_is_still_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(crash_report, "_reports_dir", nowhere)
    monkeypatch.setattr(crash_report, "_temporary_dir", nowhere)
    assert "no crash report could be written" in crash_report.report(ValueError("x"))


def test_a_failing_report_still_gives_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def worse(fault: BaseException) -> str:
        raise MemoryError

    monkeypatch.setattr(crash_report, "report", worse)
    monkeypatch.setattr(hashmark.cli, "_fall_silent", lambda: None)
    assert hashmark.cli._handle_uncaught(ValueError("x")) == 70
    assert capsys.readouterr().err == "hashmark: ValueError, and no report: MemoryError\n"


def test_an_exception_message_cannot_control_the_terminal() -> None:
    message = crash_report.report(ValueError("\x1b[2J" + "9" * 5000 + "\nb"))
    assert "\x1b" not in message
    assert "\n" not in message
    assert len(message) < 1000


@pytest.mark.parametrize(
    "what",
    [
        "raise KeyboardInterrupt",
        "raise ImportError('half') from KeyboardInterrupt()",
    ],
)
@pytest.mark.parametrize("module", ["typer", "hashmark.cli.commands", "hashmark.games.fourth_down"])
def test_an_interrupt_while_importing_has_status_130(
    tmp_path: Path, module: str, what: str
) -> None:
    done = broken(tmp_path, module, what, "rules", "fourth-down")
    assert (done.returncode, done.stderr) == (130, "hashmark: interrupted\n")


def test_a_real_ctrl_c_while_importing_has_status_130(tmp_path: Path) -> None:
    """Send the signal itself while a module is being imported."""
    what = "import os, signal; os.kill(os.getpid(), signal.SIGINT); __import__('time').sleep(60)"
    started = time.monotonic()
    done = broken(tmp_path, "hashmark.cli.commands", what, "rules")
    assert (done.returncode, done.stderr) == (130, "hashmark: interrupted\n")
    assert time.monotonic() - started < 60


def test_importing_the_command_loads_nothing_heavy() -> None:
    program = "import sys; import hashmark.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = done.stdout.split()
    assert not {"typer", "rich", "numpy", "numba", "hashmark.cli.run"} & set(loaded)


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Any:
    monkeypatch.setattr(sys, "argv", ["hashmark", *arguments])
    monkeypatch.setattr(hashmark.cli, "_fall_silent", lambda: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    with pytest.raises(SystemExit) as ended:
        hashmark.cli.main()
    return ended.value.code


def test_exit_statuses(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main(monkeypatch, "rules") == 0
    assert run_main(monkeypatch, "rules", "no-such") == 2
    assert run_main(monkeypatch, "--no-such") == 2
    assert "Traceback" not in capsys.readouterr().err


def test_every_status_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "commands.md").read_text(
        encoding="utf-8"
    )
    for status in (0, 1, 2, 70, 130):
        assert f"| {status} |" in text
