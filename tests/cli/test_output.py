"""Tests of output files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.cli.output import check_writable, write_file
from hashmark.errors import HashmarkError


def test_written_and_replaced_files_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.html"
    write_file(path, "one")
    assert capsys.readouterr().err == f"wrote {path}\n"
    write_file(path, b"two")
    assert capsys.readouterr().err == f"replaced {path}\n"
    assert path.read_text() == "two"


def test_unwritable_paths_are_refused_before_the_work(tmp_path: Path) -> None:
    check_writable(None, tmp_path / "new.html", None)
    with pytest.raises(HashmarkError, match="no such folder"):
        check_writable(None, tmp_path / "no" / "page.html")
    assert list(tmp_path.iterdir()) == []
