"""Sanitizing: no text controls a terminal, and no message goes on forever."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hashmark
from hashmark.engine.game import SeededDice
from hashmark.engine.generator import MASK, check_seed
from hashmark.errors import HashmarkError, UnknownName
from hashmark.sanitize import MAX_MESSAGE_LETTERS, PLUS_MINUS, escape_controls, one_line, quote
from hashmark.storage.user_files import loads_json, parse_toml, read_text, read_toml
from hashmark.terminal.streams import SanitizedStream, raw_stream


@given(st.text())
def test_control_characters_are_escaped(text: str) -> None:
    for letter in escape_controls(text):
        kind = unicodedata.category(letter)
        assert letter in "\n\t" or kind not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(letter) not in ("LRE", "RLE", "LRO", "RLO", "PDF")
        assert unicodedata.bidirectional(letter) not in ("LRI", "RLI", "FSI", "PDI")


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"])))
def test_printable_text_is_unchanged(text: str) -> None:
    assert escape_controls(text) == text


@given(st.text())
def test_a_sentence_is_one_line_of_limited_length(text: str) -> None:
    line = one_line(text * 50)
    assert "\n" not in line
    assert len(line) <= MAX_MESSAGE_LETTERS


def test_json_stays_json() -> None:
    value = {"name": "\x9b31m\u202e\x7f\udcff"}
    escaped = escape_controls(json.dumps(value, ensure_ascii=False))
    assert json.loads(escaped) == value


def test_errors_quote_values_in_short() -> None:
    for fault in (HashmarkError("9" * 5000), UnknownName("team", "x" * 5000, ["a"])):
        assert len(str(fault)) < 600
    assert str(UnknownName("x", 7, ["a"])) == "unknown x '7': allowed: a"
    assert str(HashmarkError("a\n\tb \x1b[2J")) == r"a b \u001b[2J"
    assert quote(10**5000) == "a number without end"


def test_a_clean_stream_escapes_and_the_raw_stream_does_not() -> None:
    below = io.StringIO()
    stream = SanitizedStream(below)
    assert stream.write("\x1b[2J\n") == 5
    print("\x1b[1m", end="", file=raw_stream(stream))  # type: ignore[arg-type]
    assert below.getvalue() == "\\u001b[2J\n\x1b[1m"
    assert not hasattr(stream, "buffer")


@pytest.mark.parametrize(
    ("encoding", "said"), [("utf-8", "3 ± 1"), ("cp1252", "3 ± 1"), ("ascii", "3 +- 1")]
)
def test_plus_minus_is_replaced_where_the_encoding_lacks_it(encoding: str, said: str) -> None:
    below = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    SanitizedStream(below).write(f"3 {PLUS_MINUS} 1")
    below.flush()
    assert below.buffer.getvalue().decode(encoding) == said


def test_no_other_code_replaces_plus_minus() -> None:
    """Numbers use the sign, and only the stream replaces it."""
    sources = Path(hashmark.__file__).parent
    for path in sources.rglob("*.py"):
        spelled = re.search(r"[ (]\+-[ {0-9)]", path.read_text(encoding="utf-8"))
        assert not spelled, path


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_names_in_files_never_control_the_terminal(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"id": "a\\u001b[2J\\u009b\\u202e", "rules": "\\u001b", "expect": {}}]')
    for more in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "hashmark", "scenario", str(path), *more],
            capture_output=True,
            env={"PYTHONIOENCODING": encoding, "PYTHONPATH": ":".join(sys.path)},
        )
        assert done.returncode == 1, done.stderr
        assert b"\x1b" not in done.stdout
        assert "\x9b" not in done.stdout.decode()
        assert "\u202e" not in done.stdout.decode()


# --- Files within bounds -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9" * 5000, "5000 digits"),
        ("[" * 60 + "]" * 60, "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ("NaN", "NaN is not a number"),
        ("[-Infinity]", "Infinity"),
        ("1e999", "too large"),
        ('{"a": "\\ud800"}', "half a character"),
        ('{"\\udcff": 1}', "half a character"),
    ],
)
def test_json_beyond_the_limits_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        loads_json(text)


def test_json_within_the_limits_is_parsed_as_usual() -> None:
    deep = "[" * 50 + "]" * 50
    for text in ("[1, 2.5, null, true]", '{"a": {"b": "\\ud83c\\udfc8"}}', deep, "1" * 40):
        assert loads_json(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "9" * 5000, "more than 100 letters"),
        ("a = " + "9" * 90, "64 bits"),
        ("a = 0x" + "f" * 90, "64 bits"),
        ("a = " + "[" * 1000 + "]" * 1000, "nested too deeply"),
        (".".join("a" * 60) + " = 1", "more than 8 parts"),
        ("a = nan", "inf and nan"),
        ("a = [inf]", "inf and nan"),
        ("a = ", "Invalid value"),
    ],
)
def test_toml_beyond_the_limits_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_toml(text)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xff\xfe")
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbfa = 1")
    for name, message in (
        ("none", "No such file"),
        (".", "Is a directory"),
        ("latin", "not UTF-8"),
        ("a\0b", "null"),
        ("x" * 5000, "too long"),
    ):
        for read in (read_text, read_toml):
            with pytest.raises(HashmarkError, match=message):
                read(tmp_path / name)
    assert read_toml(tmp_path / "marked") == {"a": 1}


# --- Seeds ---------------------------------------------------------------------------------


def test_seeds_beyond_64_bits_are_refused() -> None:
    assert check_seed(0) == 0
    assert check_seed(MASK) == MASK
    for seed in (-1, MASK + 1, 10**5000, 1.0, True, "7", None):
        with pytest.raises(HashmarkError, match="from 0 to 18446744073709551615"):
            check_seed(seed)


def test_no_seed_is_truncated_to_64_bits() -> None:
    from hashmark.league.seasons.pairings import validate_run
    from hashmark.sim import simulate

    for seed in (-1, MASK + 1):
        with pytest.raises(HashmarkError, match="seed"):
            SeededDice(seed)
        with pytest.raises(HashmarkError, match="game"):
            SeededDice(0, seed)
        with pytest.raises(HashmarkError, match="seed"):
            simulate("fourth-down", 1, seed=seed, engine="plain")
        with pytest.raises(HashmarkError, match="seed"):
            validate_run(1, seed, None)
