"""Child processes: they find the same modules, and their output can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.compiler import subprocesses


def test_a_child_process_finds_the_same_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "found_only_here.py").write_text("def repeat(*words):\n    print(*words)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with subprocesses.start_process(
        "found_only_here:repeat", "a", "b c", read_output=True
    ) as process:
        assert process.communicate()[0] == "a b c\n"
    assert process.returncode == 0


def test_a_failure_is_reported_by_the_exit_status() -> None:
    with subprocesses.start_process("sys:exit", "no") as process:
        assert process.wait() == 1
