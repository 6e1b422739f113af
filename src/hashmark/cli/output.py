"""Files that commands write: checked before long work, written whole or not at all."""

from __future__ import annotations

import sys
from pathlib import Path

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.files import is_folder


def check_writable(path: Path | None) -> None:
    """Minutes of work should not end at a folder that is not there."""
    if path is not None and (is_folder(path) or not is_folder(path.parent)):
        raise HashmarkError(f"cannot write {path}: it is a folder, or there is no such folder")


def _is_log(path: Path) -> bool:
    with path.open("rb") as stream:
        return log.MAGIC.encode() in stream.read(200)


def write_file(path: Path, made: bytes | str) -> None:
    """Write the file and say so."""
    replaced = path.exists()
    put_file(path, made)
    print(f"{'replaced' if replaced else 'wrote'} {path}", file=sys.stderr)


def put_file(path: Path, made: bytes | str) -> None:
    """Write the file without a word; a game log is never overwritten."""
    if isinstance(made, str):
        made = made.encode()
    partial = path.with_name(path.name + ".partial")
    try:
        if path.is_file() and _is_log(path):
            raise HashmarkError(f"{path} is a game log: name another file")
        if path.exists() and not path.is_file():
            path.write_bytes(made)
        else:
            partial.write_bytes(made)
            partial.replace(path)
    except OSError as fault:
        partial.unlink(missing_ok=True)
        raise HashmarkError(f"cannot write {path}: {fault.strerror}") from None
