"""Reading the files that users give, with one sentence for everything that can be wrong.

JSON and TOML are read within bounds that no honest file reaches: how deep values may be nested,
how long a number may be. What lies within can be compared, counted, written and quoted by
everybody else without a thought.
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

DEEPEST = 50  # lists and objects within each other
MOST_DIGITS = 40  # of a whole number
LARGEST_FILE = 1 << 26  # bytes


class Unsound(ValueError):
    """Text that cannot be taken as JSON or TOML, with the reason in a few words."""


# --- Files -------------------------------------------------------------------------------


def read_text(path: Path | str) -> str:
    """A file in UTF-8, or standard input for `-`."""
    raw = _standard_input() if str(path) == "-" else read_bytes(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HashmarkError(f"{spoken(path)} is not UTF-8 text") from None


def read_bytes(path: Path | str, broken: type[HashmarkError] = HashmarkError) -> bytes:
    """What is in a file; `broken` is the kind of the refusal."""
    try:
        with Path(path).open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as fault:  # ValueError: a name that no file can have
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
    """Why a file could not be used, in the words of the system."""
    if isinstance(fault, OSError):
        return fault.strerror or str(fault)
    return str(fault)


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is such a folder; a name that no folder can have is none."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def spoken(path: Path | str) -> str:
    """How a message names the file."""
    return "standard input" if str(path) == "-" else str(path)


# --- JSON --------------------------------------------------------------------------------


def read_json(path: Path | str) -> Any:
    """A JSON file, or standard input for `-`."""
    return parse_json(read_text(path), spoken(path))


def parse_json(text: str, name: str) -> Any:
    """JSON text; `name` is where it comes from."""
    try:
        return loads(text)
    except json.JSONDecodeError as fault:
        raise HashmarkError(f"{name}, line {fault.lineno}: not JSON ({fault.msg})") from None
    except Unsound as fault:
        raise HashmarkError(f"{name}: not JSON ({fault})") from None


def loads(text: str | bytes) -> Any:
    """JSON within bounds; a ValueError says what is wrong."""
    try:
        read = json.loads(text, parse_int=_whole, parse_constant=_no_constant)
    except RecursionError:
        raise Unsound(f"nested too deeply, more than {DEEPEST} levels") from None
    _check(read, _sound_json)
    return read


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise Unsound(f"a number has {len(digits)} digits, at most {MOST_DIGITS} are allowed")
    return int(digits)


def _no_constant(name: str) -> Any:
    raise Unsound(f"{name} is not a number in JSON")


def _sound_json(value: Any) -> str | None:
    if isinstance(value, str):
        broken = not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value)
        return "a text holds half a character" if broken else None
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "a number is too large"
    return None


# --- TOML --------------------------------------------------------------------------------


def read_toml(path: Path, broken: type[HashmarkError] = HashmarkError) -> dict[str, Any]:
    """A TOML file; `broken` is the kind of the refusal."""
    try:
        return parse_toml(read_bytes(path, broken).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise broken(f"cannot read {path}: it is not UTF-8 text") from None
    except ValueError as fault:
        raise broken(f"cannot read {path}: not TOML ({fault})") from None


def parse_toml(text: str) -> dict[str, Any]:
    """TOML within bounds; a ValueError says what is wrong."""
    try:
        read = tomllib.loads(text)
    except RecursionError:
        raise Unsound(f"nested too deeply, more than {DEEPEST} levels") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # of Python itself, about the digits of a number
        raise Unsound(f"a number has more than {MOST_DIGITS} digits") from None
    _check(read, _sound_toml)
    return read


def _sound_toml(value: Any) -> str | None:
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number is too large: whole numbers have 64 bits"
    if isinstance(value, float) and not abs(value) < float("inf"):
        return "inf and nan are no numbers here"
    return None


# --- Both --------------------------------------------------------------------------------


def _check(read: Any, fault: Callable[[Any], str | None]) -> None:
    """Look at every value without going down into any: deep ones are found by their depth."""
    level: list[Any] = [read]
    for _ in range(DEEPEST + 1):
        if not level:
            return
        below: list[Any] = []
        for value in level:
            if said := fault(value):
                raise Unsound(said)
            below += _parts(value)
        level = below
    raise Unsound(f"nested too deeply, more than {DEEPEST} levels")


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (*value, *value.values())
    return value if isinstance(value, list) else ()
