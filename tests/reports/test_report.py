"""Reports: complete pages that no text can break, and tables with sort values."""

from __future__ import annotations

import pytest

from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.histogram import draw_histogram
from hashmark.reports.report import (
    HeadedPiece,
    Paragraph,
    Report,
    ReportCell,
    ReportPiece,
    ReportSection,
    ReportTable,
    SideBySide,
    SmallCharts,
)
from hashmark.reports.scatter import ScatterPoint, draw_scatter
from hashmark.reports.shapes import LegendEntry
from reports.page_checks import check_report

EVIL = "</script><b onload='x'>\"&\x1b[2J\u202e\x00{{ 7 * 7 }}"
CLEANED = "</script><b onload='x'>\"&[2J{{ 7 * 7 }}"


def hostile_report() -> Report:
    """Return a report with every piece there is, and a hostile text wherever one is allowed."""
    key = [LegendEntry("bar", EVIL), LegendEntry("", EVIL)]
    charts = [
        draw_bar_chart(
            EVIL,
            EVIL,
            [BarRow(EVIL, 3, EVIL, (1, 5), 4), BarRow("b", 0, "", highlighted=True)],
            key=key,
        ),
        draw_scatter(
            EVIL,
            EVIL,
            [ScatterPoint(1, 2, EVIL, (1, 3)), ScatterPoint(1, 2, tooltip=EVIL)],
            EVIL,
            EVIL,
        ),
    ]
    small = draw_histogram(EVIL, EVIL, [0.1, 0.7, 0.2], EVIL, mark=1)
    table = ReportTable(EVIL, (EVIL, EVIL), [(EVIL, EVIL), (EVIL, ReportCell(EVIL, 2.5))], left=2)
    pieces: list[ReportPiece] = [
        SideBySide(charts),
        HeadedPiece(EVIL, SmallCharts([small])),
        table,
        Paragraph(EVIL),
    ]
    return Report(EVIL, EVIL, [ReportSection(EVIL, pieces, EVIL)], EVIL, EVIL)


def test_no_text_breaks_a_page() -> None:
    report = hostile_report()
    reader = check_report(report)
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
    table = ReportTable("caption", ("a", "b", "c"), [("x", "1", "y")], left=2)
    text = Report("t", "lead", [ReportSection("s", [table])]).html()
    assert text.count('scope="col"') == 3
    assert text.count('scope="row"') == 1
    assert text.count(' class="left"') == 3  # two headings and a cell
    assert "<caption" in text
    assert (
        "<caption"
        not in Report("t", "l", [ReportSection("s", [ReportTable("", ("a",), [])])]).html()
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234", 1234),
        ("+7.0 (±6.7)", 7),
        ("-0.3", -0.3),
        ("45.2 %", 45.2),
        (".5", 0.5),
        ("3 to 9", 3),
        ("", None),
        ("yes", None),
        ("(off by more than 3 %)", None),
    ],
)
def test_cells_are_sorted_by_the_number_they_begin_with(text: str, value: float | None) -> None:
    (first, second), *_ = ReportTable("", ("a", "b"), [(text, text)]).cells()
    assert first == ReportCell(text, None)  # the heading of a row is a name
    assert second == ReportCell(text, value)
    assert ReportTable("", ("a", "b"), [("x", ReportCell(text, 9.5))]).cells()[0][1].value == 9.5
