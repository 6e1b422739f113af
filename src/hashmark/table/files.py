"""Reading the files that users give, with one sentence for everything that can be wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hashmark.table.errors import HashmarkError


def read_text(path: Path | str) -> str:
    """A file in UTF-8, or standard input for `-`."""
    name = spoken(path)
    try:
        if str(path) == "-":
            return sys.stdin.read()
        return Path(path).read_text(encoding="utf-8")
    except OSError as fault:
        raise HashmarkError(f"cannot read {name}: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise HashmarkError(f"{name} is not UTF-8 text") from None


def read_json(path: Path | str) -> Any:
    """A JSON file, or standard input for `-`."""
    return parse_json(read_text(path), spoken(path))


def parse_json(text: str, name: str) -> Any:
    """JSON text; `name` is where it comes from."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise HashmarkError(f"{name}, line {fault.lineno}: not JSON ({fault.msg})") from None
    except ValueError as fault:
        raise HashmarkError(f"{name}: not JSON ({fault})") from None
    except RecursionError:
        raise HashmarkError(f"{name}: not JSON (nested too deeply)") from None


def spoken(path: Path | str) -> str:
    """How a message names the file."""
    return "standard input" if str(path) == "-" else str(path)
