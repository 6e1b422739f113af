"""Tests of output streams: lines are wrapped between words on a terminal, and nowhere else."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hashmark.terminal.streams import SanitizedStream, without_wrapping


class Terminal(io.StringIO):
    """Stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")


def test_long_lines_are_broken_between_words() -> None:
    stream = Terminal()
    print("one two three four five six", file=SanitizedStream(stream))
    assert stream.getvalue() == "one two three four\n  five six\n"


def test_a_line_may_be_written_in_parts() -> None:
    stream = Terminal()
    clean = SanitizedStream(stream)
    for part in ("one two three ", "four five ", "six\nseven"):
        clean.write(part)
    assert " ".join(stream.getvalue().split()) == "one two three four five six seven"
    assert max(map(len, stream.getvalue().splitlines())) <= 20


def test_lines_to_a_file_are_not_wrapped() -> None:
    stream = io.StringIO()
    print("one two three four five six", file=SanitizedStream(stream))
    assert stream.getvalue() == "one two three four five six\n"


def test_wrapping_can_be_turned_off() -> None:
    stream = Terminal()
    clean = SanitizedStream(stream)
    with without_wrapping(clean):  # type: ignore[arg-type]
        print('{"key": "one two three four five six"}', file=clean)
    assert stream.getvalue().count("\n") == 1
    print("one two three four five six", file=clean)
    assert stream.getvalue().count("\n") == 3


@given(st.lists(st.text("ab \n", max_size=30), max_size=6))
def test_no_word_is_lost_or_broken(parts: list[str]) -> None:
    stream = Terminal()
    clean = SanitizedStream(stream)
    for part in parts:
        clean.write(part)
    assert stream.getvalue().replace("\n", "").replace(" ", "") == "".join(parts).replace(
        "\n", ""
    ).replace(" ", "")
