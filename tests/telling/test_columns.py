"""Tables in plain text."""

from __future__ import annotations

from hashmark.telling.columns import table


def test_first_columns_left_and_the_others_right() -> None:
    rows = [("wins", "8.2", "+0.2"), ("points for", "376.1", "-21.2")]
    assert table(("per season", "before", "change"), rows) == [
        "per season  before  change",
        "----------  ------  ------",
        "wins           8.2    +0.2",
        "points for   376.1   -21.2",
    ]


def test_last_columns_of_words_are_flush_left_without_trailing_blanks() -> None:
    said = table(("a", "n", "words"), [("x", "10", "one"), ("y", "2", "")], words=1)
    assert said[2:] == ["x  10  one", "y   2"]


def test_no_rows_but_the_headings() -> None:
    assert table(("a", "bb"), []) == ["a  bb", "-  --"]
