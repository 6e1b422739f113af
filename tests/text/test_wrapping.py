"""Line breaking for narrow screens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hashmark.text.wrapping import ELLIPSIS, format_columns, truncate, wrap

words = st.text("abcdefghij-/", min_size=1, max_size=12)
lines = st.lists(words, max_size=30).map(" ".join)


@given(lines, st.integers(0, 8), st.integers(20, 90))
def test_no_word_is_broken_and_none_is_lost(line: str, indent: int, width: int) -> None:
    line = " " * indent + line
    pieces = wrap(line, width)
    assert " ".join(pieces).split() == line.split()
    assert all(len(piece) <= width for piece in pieces)


def test_continuation_lines_are_indented() -> None:
    assert wrap("  1 punt  give it away", 16) == ["  1 punt  give", "    it away"]
    assert wrap("  1 punt  give it away", 16, 10) == ["  1 punt  give", " " * 8 + "it away"]
    assert wrap("/a/path/that/is/longer", 10) == ["/a/path/that/is/longer"]
    assert wrap("", 10) == [""]


@given(lines, st.integers(10, 60))
def test_a_line_is_cut_after_a_word(line: str, width: int) -> None:
    short = truncate(line, width)
    assert len(short) <= max(width, 12)
    kept = short.removesuffix(ELLIPSIS).split()
    assert line.split()[: len(kept)] == kept or short == line[: len(short)]


def test_columns_are_read_downward() -> None:
    assert format_columns(["a", "b", "c", "d", "e"], 8) == ["a  c  e", "b  d"]
    assert format_columns(["a", "b"], 2) == ["a", "b"]
    assert format_columns([], 80) == []


def test_a_percent_sign_stays_with_its_number() -> None:
    assert wrap("tie 2.4 %, away", 8, 0) == ["tie", "2.4 %,", "away"]
