"""Tables in plain text."""

from __future__ import annotations

from hashmark.text.tables import format_fitting_table, format_labeled_table, format_table


def test_first_columns_are_flush_left_and_others_right() -> None:
    rows = [("wins", "8.2", "+0.2"), ("points for", "376.1", "-21.2")]
    assert format_table(("per season", "before", "change"), rows) == [
        "per season  before  change",
        "----------  ------  ------",
        "wins           8.2    +0.2",
        "points for   376.1   -21.2",
    ]


def test_last_text_columns_are_flush_left_without_trailing_blanks() -> None:
    lines = format_table(("a", "n", "words"), [("x", "10", "one"), ("y", "2", "")], text_columns=1)
    assert lines[2:] == ["x  10  one", "y   2"]


def test_a_table_without_rows_has_headings() -> None:
    assert format_table(("a", "bb"), []) == ["a  bb", "-  --"]


HEADINGS = ("call", "first down", "their ball", "points against")
ROWS = [("draw", "12.5%", "3.0%", "0.1%"), ("fake-punt-end-run", "8.0%", "50.0%", "2.0%")]


def test_a_table_that_fits_is_unchanged() -> None:
    assert format_fitting_table(HEADINGS, ROWS, 80) == format_table(HEADINGS, ROWS)


def test_headings_take_two_lines_before_columns_are_left_out() -> None:
    assert format_fitting_table(HEADINGS, ROWS, 41) == [
        "                   first  their   points",
        "call                down   ball  against",
        "-----------------  -----  -----  -------",
        "draw               12.5%   3.0%     0.1%",
        "fake-punt-end-run   8.0%  50.0%     2.0%",
    ]
    assert format_fitting_table(HEADINGS, ROWS, 32) == [
        "                   first  their",
        "call                down   ball",
        "-----------------  -----  -----",
        "draw               12.5%   3.0%",
        "fake-punt-end-run   8.0%  50.0%",
        "(columns not shown: points",
        "  against; use a wider terminal)",
    ]
    assert len(format_fitting_table(HEADINGS, ROWS, 5)[0]) == 24


def test_labels_are_wrapped_beside_their_figures() -> None:
    rows = [("tied:", "", ""), ("  1st down, up to their 39", "18", "7"), ("other", "1", ".")]
    assert format_labeled_table(("situation", "runs", "deep"), rows, 26) == [
        "situation        runs deep",
        "---------------- ---- ----",
        "tied:",
        "  1st down, up",
        "    to their 39    18    7",
        "other               1    .",
    ]
    assert format_labeled_table(("a", "b"), [("x", "1")], 9) == format_table("ab", [("x", "1")])
