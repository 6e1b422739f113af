"""Reading of user files, with a one-sentence error for everything that can be wrong.

JSON and TOML are read within limits that no honest file reaches (`text_limits`), checked before the
parser runs. Values within these limits can be compared, counted, written and quoted without care.
"""

from __future__ import annotations

import json
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

from hashmark.errors import HashmarkError
from hashmark.storage.text_limits import (
    MAX_JSON_DEPTH,
    InvalidText,
    check_json,
    check_toml,
    depth_error,
)

MAX_FILE_BYTES = 1 << 26


# --- Files -------------------------------------------------------------------------------


def read_text(path: Path | str) -> str:
    """Read a UTF-8 file, or standard input for `-`."""
    raw = _standard_input() if str(path) == "-" else read_bytes(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HashmarkError(f"{display_name(path)} is not UTF-8 text") from None


def read_bytes(path: Path | str, error_type: type[HashmarkError] = HashmarkError) -> bytes:
    """Read a file as bytes; raise `error_type` if that fails."""
    try:
        with Path(path).open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as fault:  # ValueError: an impossible file name
        raise error_type(f"cannot read {path}: {error_reason(fault)}") from None
    if len(raw) > MAX_FILE_BYTES:
        raise error_type(f"cannot read {path}: it is larger than {MAX_FILE_BYTES >> 20} MB")
    return raw


def _standard_input() -> bytes:
    try:
        buffer = getattr(sys.stdin, "buffer", None)
        if buffer is not None:
            return bytes(buffer.read(MAX_FILE_BYTES))
        return sys.stdin.read(MAX_FILE_BYTES).encode(errors="surrogatepass")
    except (OSError, ValueError) as fault:
        raise HashmarkError(f"cannot read standard input: {error_reason(fault)}") from None


def error_reason(fault: Exception) -> str:
    """Return why a file could not be used, in the system's words."""
    if isinstance(fault, OSError):
        return fault.strerror or str(fault)
    return str(fault)


def is_file(path: Path) -> bool:
    """Return whether a file exists; False for a name that no file can have."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def is_dir(path: Path) -> bool:
    """Return whether a directory exists; False for a name that no directory can have."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def display_name(path: Path | str) -> str:
    """Return the name of a file as messages show it."""
    return "standard input" if str(path) == "-" else str(path)


# --- JSON --------------------------------------------------------------------------------


def read_json(path: Path | str) -> Any:
    """Read a JSON file, or standard input for `-`."""
    return parse_json(read_text(path), display_name(path))


def parse_json(text: str, name: str) -> Any:
    """Parse JSON text; `name` says where it comes from."""
    try:
        return loads_json(text)
    except json.JSONDecodeError as fault:
        raise HashmarkError(f"{name}, line {fault.lineno}: not JSON ({fault.msg})") from None
    except InvalidText as fault:
        raise HashmarkError(f"{name}: not JSON ({fault})") from None


def loads_json(text: str | bytes) -> Any:
    """Parse JSON within limits; a ValueError says what is wrong."""
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    check_json(text)
    value = json.loads(text, parse_constant=_refuse_constant)
    _check(value, _json_fault)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidText(f"{name} is not a number in JSON")


def _json_fault(value: object) -> str | None:
    if isinstance(value, str):
        is_broken = not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value)
        return "a text contains half a character" if is_broken else None
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "a number is too large"
    return None


# --- TOML --------------------------------------------------------------------------------


def read_toml(path: Path, error_type: type[HashmarkError] = HashmarkError) -> dict[str, Any]:
    """Read a TOML file; raise `error_type` if that fails."""
    try:
        return parse_toml(read_bytes(path, error_type).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise error_type(f"cannot read {path}: it is not UTF-8 text") from None
    except ValueError as fault:
        raise error_type(f"cannot read {path}: not TOML ({fault})") from None


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML within limits; a ValueError says what is wrong."""
    check_toml(text)
    value = tomllib.loads(text)
    _check(value, _toml_fault)
    return value


def _toml_fault(value: object) -> str | None:
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number is too large: whole numbers have 64 bits"
    if isinstance(value, float) and not abs(value) < float("inf"):
        return "inf and nan are not allowed"
    return None


# --- Both --------------------------------------------------------------------------------


def _check(root: object, find_fault: Callable[[object], str | None]) -> None:
    """Check every value level by level, without recursion, up to the maximum depth."""
    level: list[object] = [root]
    for _ in range(MAX_JSON_DEPTH + 1):
        if not level:
            return
        next_level: list[object] = []
        for value in level:
            if reason := find_fault(value):
                raise InvalidText(reason)
            next_level += _children(value)
        level = next_level
    raise depth_error(MAX_JSON_DEPTH)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return (*value, *value.values())
    return value if isinstance(value, list) else ()
