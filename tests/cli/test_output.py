"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.cli.output import check_writable, write_file
from hashmark.table.errors import HashmarkError


def test_a_file_is_written_or_replaced_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.html"
    write_file(path, "one")
    assert capsys.readouterr().err == f"wrote {path}\n"
    write_file(path, b"two")
    assert capsys.readouterr().err == f"replaced {path}\n"
    assert path.read_text() == "two"


def test_what_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    check_writable(None, tmp_path / "new.html", None)
    with pytest.raises(HashmarkError, match="no such folder"):
        check_writable(None, tmp_path / "no" / "page.html")
    assert list(tmp_path.iterdir()) == []
