"""Reports: complete pages that no text can break, and tables with sort values."""

from __future__ import annotations

import pytest

from hashmark.pages.histogram import histogram
from hashmark.pages.report import Beside, Cell, Headed, Note, Piece, Report, Section, Small, Table
from hashmark.pages.rows import Row, rows
from hashmark.pages.scatter import Point, scatter
from hashmark.pages.shapes import Sign
from pages.soundness import sound_report

EVIL = "</script><b onload='x'>\"&\x1b[2J\u202e\x00{{ 7 * 7 }}"
CLEANED = "</script><b onload='x'>\"&[2J{{ 7 * 7 }}"


def hostile_report() -> Report:
    """Return a report with every piece there is, and a hostile text wherever one is allowed."""
    key = [Sign("bar", EVIL), Sign("", EVIL)]
    charts = [
        rows(EVIL, EVIL, [Row(EVIL, 3, EVIL, (1, 5), 4), Row("b", 0, "", here=True)], key=key),
        scatter(EVIL, EVIL, [Point(1, 2, EVIL, (1, 3)), Point(1, 2, said=EVIL)], EVIL, EVIL),
    ]
    small = histogram(EVIL, EVIL, [0.1, 0.7, 0.2], EVIL, mark=1)
    table = Table(EVIL, (EVIL, EVIL), [(EVIL, EVIL), (EVIL, Cell(EVIL, 2.5))], left=2)
    pieces: list[Piece] = [Beside(charts), Headed(EVIL, Small([small])), table, Note(EVIL)]
    return Report(EVIL, EVIL, [Section(EVIL, pieces, EVIL)], EVIL, EVIL)


def test_no_text_breaks_a_page() -> None:
    report = hostile_report()
    reader = sound_report(report)
    assert "<b " not in report.html()
    assert "49" not in report.html()
    assert "b" not in reader.tags
    assert reader.words.count(CLEANED) > 15
    assert CLEANED in reader.all("aria-label")


def test_the_policy_allows_only_the_script_of_the_page() -> None:
    text = Report("t", "lead", []).html()
    assert text.count("<script>") == 1
    assert "script-src 'sha256-" in text.replace("&#39;", "'")
    assert '<p class="answer">' not in text
    assert "<footer>" not in text


def test_a_table_has_headings_for_columns_and_rows() -> None:
    table = Table("caption", ("a", "b", "c"), [("x", "1", "y")], left=2)
    text = Report("t", "lead", [Section("s", [table])]).html()
    assert text.count('scope="col"') == 3
    assert text.count('scope="row"') == 1
    assert text.count(' class="left"') == 3  # two headings and a cell
    assert "<caption" in text
    assert "<caption" not in Report("t", "l", [Section("s", [Table("", ("a",), [])])]).html()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234", 1234),
        ("+7.0 (±6.7)", 7),
        ("-0.3", -0.3),
        ("45.2%", 45.2),
        (".5", 0.5),
        ("3 to 9", 3),
        ("", None),
        ("yes", None),
        ("(off by more than 3 %)", None),
    ],
)
def test_cells_are_sorted_by_the_number_they_begin_with(text: str, value: float | None) -> None:
    (first, second), *_ = Table("", ("a", "b"), [(text, text)]).cells()
    assert first == Cell(text, None)  # the heading of a row is a name
    assert second == Cell(text, value)
    assert Table("", ("a", "b"), [("x", Cell(text, 9.5))]).cells()[0][1].value == 9.5
