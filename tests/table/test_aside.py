"""A process beside this one: it finds what this one finds, and is heard where that is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.table import aside


def test_it_finds_the_modules_that_this_one_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "found_only_here.py").write_text("def repeat(*words):\n    print(*words)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with aside.begin("found_only_here:repeat", "a", "b c", heard=True) as process:
        assert process.communicate()[0] == "a b c\n"
    assert process.returncode == 0


def test_what_fails_says_so_by_its_status() -> None:
    with aside.begin("sys:exit", "no") as process:
        assert process.wait() == 1
