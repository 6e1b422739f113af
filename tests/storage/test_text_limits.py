"""Limits of foreign text: what is beyond them is refused, and the scan agrees with the parser."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import hashmark
from hashmark.storage import text_limits
from hashmark.storage.text_limits import InvalidText, check_json, check_log, check_toml

LONG_KEY = ".".join("a" * 9) + " = 1"  # one part too many
SHIPPED = Path(hashmark.__file__).parent


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (LONG_KEY, "more than 8 parts"),
        (f"a = {{{LONG_KEY}}}", "more than 8 parts"),
        ("[" + " . ".join("a" * 9) + "]", "more than 8 parts"),
        ("[[" + ".".join(["'a'", '"b"'] * 5) + "]]", "more than 8 parts"),
        ("a = [" + "{b = [" * 8, "nested too deeply"),
        ("a = 0." + "1_" * 90, "more than 100 letters"),
        ("[a]\n" * 5001, "more than 5000 tables"),
        ("a = [" + "{}," * 5001 + "]", "more than 5000 tables"),
        ("a.b = 1\n" * 5001, "more than 5000 tables"),
        ("a = [" + "1," * 150_000 + "]", "more than 150000 values"),
        ("#" * (1 << 20) + "\n", "more than 1024 kB"),
    ],
)
def test_toml_beyond_the_limits_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        check_toml(text)


@pytest.mark.parametrize(
    "hiding_place",
    [
        "x = 1 # '",
        'x = 1 # """',
        'x = """y"""""',
        'x = """\\""""',
        "x = '''\"'\"''''",
        'x = "\\\\"',
        "x = '\\'",
        'x = ""',
        "x = ''",
        'x = """"""',
        "x = ''''''",
        'x = """\\\\"""',
    ],
)
def test_no_string_or_comment_hides_a_long_key(hiding_place: str) -> None:
    """Where `tomllib` sees the end of a string, so does the scan."""
    tomllib.loads(hiding_place)
    with pytest.raises(InvalidText, match="more than 8 parts"):
        check_toml(f"{hiding_place}\n{LONG_KEY}")


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 8) + " = 1",
        "a = '" + "." * 50 + "[" * 50 + "'",
        'a = "\\"' + "." * 50 + '"',
        'a = """' + '\n"" \\" [.{' * 30 + '"""""',
        "a = '''" + "\n''.[{" * 30 + "'''",
        "# " + "." * 50 + "x" * 200 + "\na = 1.5",
        "a = [" + "0.5, " * 50 + "]",
        '"' + "." * 50 + '" = 1',
        "a = [" * 1 + "[" * 9 + "]" * 10,
    ],
)
def test_toml_within_the_limits_is_taken(text: str) -> None:
    tomllib.loads(text)
    check_toml(text)


def test_shipped_files_keep_a_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Honest files stay below half of what is allowed, the parts of a key apart (5 of 8)."""
    for name in ("MAX_TOML_LETTERS", "MAX_TOML_DEPTH", "MAX_TOML_TABLES", "MAX_TOML_VALUES"):
        monkeypatch.setattr(text_limits, name, getattr(text_limits, name) // 2)
    files = sorted(SHIPPED.rglob("*.toml"))
    assert files
    for path in files[:: max(1, len(files) // 12)]:
        check_toml(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" * 51, "nested too deeply"),
        ('{"a":' * 51, "nested too deeply"),
        ('"\\"", ' + "[" * 51, "nested too deeply"),
        ('["[[[", "\\\\", ' + "[" * 50, "nested too deeply"),
        ("[1." + "0" * 41 + "]", "41 digits"),
        ("[1e" + "0" * 50 + "]", "50 digits"),
    ],
)
def test_json_beyond_the_limits_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        check_json(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50,
        '["' + "[" * 60 + '"]',
        '["\\"' + "[" * 60 + '"]',
        '["' + "9" * 60 + '"]',
        "[]," * 99,
    ],
)
def test_json_within_the_limits_is_taken(text: str) -> None:
    check_json(text)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"{}\n" * 6_000, "6000 lines"),
        (b'{"a": "' + b"x" * (1 << 17) + b'"}\n', "128 kB"),
        (b'{"a": [' + b"[]," * 2000 + b"]}\n", "too many lists"),
    ],
)
def test_logs_beyond_the_limits_are_refused(raw: bytes, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        check_log(raw)
