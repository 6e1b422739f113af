"""Widths of table columns on paper: as requested, and wide enough for their words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hashmark.engine import registry
from hashmark.reports.text_cleaning import split_words
from hashmark.reports.text_width import drawable, text_width
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.sheets import html, sheet_of
from hashmark.sheets.column_widths import TextSizes, column_widths, to_percentages
from hashmark.sheets.document import Cell, Column, Columns, Table, without_breaks
from hashmark.sheets.paper_sizes import content_size

LETTERS = TextSizes(3.0, 2.7, 1.0)
MONSTER = "Llanfa"  # start of a name that may be broken; no other word may be
LONG_NAMES = (
    ("Saskatchewan Roughriders", "Northwestern Wildcats"),
    ("Llanfairpwllgwyngyllgogerychwyrndrobwlll", "Llanfairpwllgwyngyllgogerychwyrndrobwllm"),
)


def test_widths_are_as_requested_where_every_word_has_room() -> None:
    table = Table([Column("a", 1), Column("b", 3)], [["one two", "three"]])
    assert column_widths(table, 100, LETTERS) == [25, 75]
    assert to_percentages([25, 75]) == [25, 75]


def test_a_long_word_takes_its_room_from_columns_that_can_spare_it() -> None:
    table = Table([Column("", 1), Column("", 1), Column("", 8)], [["Saskatchewan", "12", "here"]])
    narrow, number, wide = column_widths(table, 100, LETTERS)
    assert narrow == pytest.approx(text_width("Saskatchewan", 3.0) + 2)
    assert number + wide == pytest.approx(100 - narrow)
    assert number == pytest.approx(
        10 - (narrow - 10) * (10 - needed_width("12")) / (90 - two_needed_widths())
    )


def needed_width(word: str) -> float:
    return text_width(word, 3.0) + 2


def two_needed_widths() -> float:
    return needed_width("12") + needed_width("here")


def test_lines_stay_whole_as_long_as_others_have_room() -> None:
    row = ["Saskatchewan", "one two three four", "here"]
    table = Table([Column("", 2), Column("", 4), Column("", 14)], [row])
    assert column_widths(table, 140, LETTERS)[1] >= text_width(row[1], 3.0) + 2
    first, second, third = column_widths(table, 60, LETTERS)
    assert first >= needed_width("Saskatchewan")
    assert needed_width("three") <= second < text_width(row[1], 3.0) + 2
    assert third >= needed_width("here")


def test_bold_letters_and_headings_count() -> None:
    table = Table(
        [Column("W" * 5, 1), Column("", 1), Column("", 9)], [["", Cell("M" * 6, "strong")]]
    )
    head, cell, _ = column_widths(table, 100, LETTERS)
    assert head >= text_width("W" * 5, 2.7, bold=True) + 2
    assert cell >= text_width("M" * 6, 3.0, bold=True) + 2


def test_too_many_long_words_share_what_there_is() -> None:
    table = Table([Column("", 1), Column("", 9), Column("", 1)], [["W" * 40, "W" * 30, "12"]])
    *long, number = column_widths(table, 50, LETTERS)
    assert number == needed_width("12")
    assert long == [pytest.approx((50 - number) / 2)] * 2


@pytest.mark.parametrize("names", LONG_NAMES)
@pytest.mark.parametrize("rules", registry.names())
def test_no_sheet_breaks_the_name_of_a_team(rules: str, names: tuple[str, str]) -> None:
    """Check the columns of a page at the width at which they are drawn."""
    is_solo = registry.load(rules).is_solo(registry.load(rules).new_match())
    seats = {"home": "coach:book", "away": "open" if is_solo else "coach:book"}
    header = Header(rules, seats=seats, seed=9, names=names)
    session = GameSession(header, header.new_game())
    while session.advance() and len(session.game.turns) < 150:
        pass
    for page in sheet_of(session.game).pages:
        for table, width in tables(page.blocks, content_size(page, "a4")[0]):
            check_table(table, width)


def tables(blocks: object, width: float) -> Iterator[tuple[Table, float]]:
    for block in blocks:  # type: ignore[attr-defined]
        if isinstance(block, Table):
            yield block, width
        if isinstance(block, Columns):
            for inside, share in zip(block.columns, block.widths, strict=True):
                yield from tables(inside, width * share - 3)


def check_table(table: Table, width: float) -> None:
    letters = html.DENSE_TEXT if table.dense else html.NORMAL_TEXT
    widths = column_widths(table, width, letters)
    assert sum(widths) == pytest.approx(width)
    for row in table.filled():
        for cell, column_width in zip(row, widths, strict=True):
            for word in split_words(drawable(cell.text)):
                room = column_width - 2 * letters.pad + 0.001
                assert text_width(word, letters.cell) <= room or MONSTER in word, word


def test_unbroken_text_is_one_word() -> None:
    assert split_words(without_breaks("1 & goal")) == ["1\u00a0&\u00a0goal"]
