"""Reading of user files, with a one-sentence error for everything that can be wrong.

JSON and TOML are read within limits that no honest file reaches: nesting depth and length of
numbers. Values within these limits can be compared, counted, written and quoted without care.
"""

from __future__ import annotations

import json
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from hashmark.table.errors import HashmarkError

DEEPEST = 50  # nesting of lists and objects
MOST_DIGITS = 40  # of an integer
LARGEST_FILE = 1 << 26  # bytes


class Unsound(ValueError):
    """Text that is not acceptable JSON or TOML, with a short reason."""


# --- Files -------------------------------------------------------------------------------


def read_text(path: Path | str) -> str:
    """Read a UTF-8 file, or standard input for `-`."""
    raw = _standard_input() if str(path) == "-" else read_bytes(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HashmarkError(f"{spoken(path)} is not UTF-8 text") from None


def read_bytes(path: Path | str, broken: type[HashmarkError] = HashmarkError) -> bytes:
    """Read a file as bytes; raise `error_type` if that fails."""
    try:
        with Path(path).open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as fault:  # ValueError: an impossible file name
        raise broken(f"cannot read {path}: {reason(fault)}") from None
    if len(raw) > LARGEST_FILE:
        raise broken(f"cannot read {path}: it is larger than {LARGEST_FILE >> 20} MB")
    return raw


def _standard_input() -> bytes:
    try:
        buffer = getattr(sys.stdin, "buffer", None)
        if buffer is not None:
            return bytes(buffer.read(LARGEST_FILE))
        return sys.stdin.read(LARGEST_FILE).encode(errors="surrogatepass")
    except (OSError, ValueError) as fault:
        raise HashmarkError(f"cannot read standard input: {reason(fault)}") from None


def reason(fault: Exception) -> str:
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


def is_folder(path: Path) -> bool:
    """Return whether a directory exists; False for a name that no directory can have."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def spoken(path: Path | str) -> str:
    """Return the name of a file as messages show it."""
    return "standard input" if str(path) == "-" else str(path)


# --- JSON --------------------------------------------------------------------------------


def read_json(path: Path | str) -> Any:
    """Read a JSON file, or standard input for `-`."""
    return parse_json(read_text(path), spoken(path))


def parse_json(text: str, name: str) -> Any:
    """Parse JSON text; `name` says where it comes from."""
    try:
        return loads(text)
    except json.JSONDecodeError as fault:
        raise HashmarkError(f"{name}, line {fault.lineno}: not JSON ({fault.msg})") from None
    except Unsound as fault:
        raise HashmarkError(f"{name}: not JSON ({fault})") from None


def loads(text: str | bytes) -> Any:
    """Parse JSON within limits; a ValueError says what is wrong."""
    try:
        value = json.loads(text, parse_int=_parse_int, parse_constant=_refuse_constant)
    except RecursionError:
        raise Unsound(f"nested too deeply, more than {DEEPEST} levels") from None
    _check(value, _json_fault)
    return value


def _parse_int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise Unsound(f"a number has {len(digits)} digits, at most {MOST_DIGITS} are allowed")
    return int(digits)


def _refuse_constant(name: str) -> Any:
    raise Unsound(f"{name} is not a number in JSON")


def _json_fault(value: Any) -> str | None:
    if isinstance(value, str):
        is_broken = not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value)
        return "a text holds half a character" if is_broken else None
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "a number is too large"
    return None


# --- TOML --------------------------------------------------------------------------------


def read_toml(path: Path, broken: type[HashmarkError] = HashmarkError) -> dict[str, Any]:
    """Read a TOML file; raise `error_type` if that fails."""
    try:
        return parse_toml(read_bytes(path, broken).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise broken(f"cannot read {path}: it is not UTF-8 text") from None
    except ValueError as fault:
        raise broken(f"cannot read {path}: not TOML ({fault})") from None


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML within limits; a ValueError says what is wrong."""
    try:
        value = tomllib.loads(text)
    except RecursionError:
        raise Unsound(f"nested too deeply, more than {DEEPEST} levels") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python's limit on the digits of an integer
        raise Unsound(f"a number has more than {MOST_DIGITS} digits") from None
    _check(value, _toml_fault)
    return value


def _toml_fault(value: Any) -> str | None:
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number is too large: whole numbers have 64 bits"
    if isinstance(value, float) and not abs(value) < float("inf"):
        return "inf and nan are no numbers here"
    return None


# --- Both --------------------------------------------------------------------------------


def _check(root: Any, fault: Callable[[Any], str | None]) -> None:
    """Check every value level by level, without recursion, up to the maximum depth."""
    level: list[Any] = [root]
    for _ in range(DEEPEST + 1):
        if not level:
            return
        next_level: list[Any] = []
        for value in level:
            if reason := fault(value):
                raise Unsound(reason)
            next_level += _children(value)
        level = next_level
    raise Unsound(f"nested too deeply, more than {DEEPEST} levels")


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (*value, *value.values())
    return value if isinstance(value, list) else ()
