"""Report of built charts."""

from __future__ import annotations

from hashmark.league.charts.build import build_charts
from hashmark.league.charts.charts_report import build_charts_report
from league.invented_season import small_season
from reports.page_checks import check_page


def test_the_report_shows_inputs_and_the_fidelity_of_every_play() -> None:
    built = build_charts(small_season())
    report = build_charts_report(built)
    assert "from a full season." in report.lead
    words = check_page(report.html()).words
    for row in built.fidelity().table_rows():
        assert all(cell in words for cell in row)
