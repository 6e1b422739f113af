"""Sheets as plain text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from rich.cells import cell_len

from hashmark.reports.text_cleaning import printable
from hashmark.sheets import text
from hashmark.sheets.document import (
    Box,
    Boxes,
    BoxRow,
    Cell,
    Column,
    Columns,
    Document,
    Field,
    Mark,
    Note,
    Page,
    Table,
)
from sheets.sample_documents import SAMPLE, documents


def rendered_lines(*blocks: object, width: int = 100) -> list[str]:
    """Return the lines of one page without its heading."""
    page = Page("", blocks)  # type: ignore[arg-type]
    return text.render(Document("t", [page]), width).split("\n")[3:-1]


def test_a_table_is_drawn_with_box_characters() -> None:
    table = Table(
        [Column("#", 1, "right"), Column("Result")],
        [["1", "touchback"], ["10", Cell("6", "struck")]],
    )
    assert rendered_lines(table) == [
        "┌────┬───────────┐",
        "│  # │ Result    │",
        "├────┼───────────┤",
        "│  1 │ touchback │",
        "│ 10 │ ~6~       │",
        "└────┴───────────┘",
    ]


def test_boxes_are_aligned_and_broken_after_per_row_boxes() -> None:
    rows = [
        BoxRow("Clock", [Box("12"), Box("", "crossed"), Box("3", "crossed"), Box()], 3),
        BoxRow("Down", [Box("1", "current"), Box("2", "shaded"), Box("x", "ticked")]),
    ]
    assert rendered_lines(Boxes(rows)) == [
        "Clock [12][XX]/3 /",
        "      [  ]",
        "Down  (1 ){2 }[x✓]",
    ]


def test_the_field_puts_the_ball_at_its_yard_line() -> None:
    numbers, top, _, middle, _, _, legend = rendered_lines(Field(marks=[Mark(40, "ball")]))
    assert numbers.split() == ["10", "20", "30", "40", "50", "40", "30", "20", "10"]
    assert len(top) == 63
    assert middle.index("●") == numbers.index("40") + 1 == legend.index("●")
    assert legend.strip() == "● ball"


@pytest.mark.parametrize("width", [63, 80, 100, 130])
def test_the_sample_keeps_to_the_width(width: int) -> None:
    lines = text.render(SAMPLE, width).split("\n")
    assert max(map(cell_len, lines)) <= width


def test_a_wide_table_is_wrapped_to_the_width() -> None:
    table = Table([Column(f"column {n}") for n in range(8)], [["word " * 9] * 8], fill=3)
    lines = rendered_lines(table, width=80)
    assert {cell_len(line) for line in lines} == {80}
    assert sum(line.count("word") for line in lines) == 72


def check_rendering(document: Document) -> None:
    rendered_lines = text.render(document, 80)
    assert printable(rendered_lines) == rendered_lines
    rendered_lines.encode()


@given(documents)
@settings(max_examples=30)
def test_any_document_can_be_shown(document: Document) -> None:
    check_rendering(document)


@pytest.mark.long
@given(documents)
@settings(max_examples=500)
def test_many_documents_can_be_shown(document: Document) -> None:
    check_rendering(document)


def test_wide_letters_count_twice() -> None:
    lines = rendered_lines(
        Table([Column("漢字"), Column("x")], [["字", "y"]]), Note("字" * 60), width=80
    )
    assert len({cell_len(line) for line in lines[:5]}) == 1
    assert max(map(cell_len, lines)) <= 80


def test_tables_are_stacked_where_a_word_would_be_broken() -> None:
    names = Table([Column("Team"), Column("Result")], [["Saltmarsh", "interception"]] * 2)
    page = Page("", [Columns([[names], [names], [names]])])
    wide, narrow = (text.render(Document("", [page]), width).split("\n") for width in (100, 60))
    assert any(line.count("Saltmarsh") == 3 for line in wide)
    assert sum("interception" in line for line in narrow) == 6
