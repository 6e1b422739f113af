"""HTML report of built charts: data used, completeness and fidelity."""

from __future__ import annotations

from hashmark.games.data_driven.charts import files as charts
from hashmark.league.charts.build import BuiltCharts
from hashmark.league.charts.fidelity import TABLE_TITLE
from hashmark.reports.report import Report, ReportSection, ReportTable


def build_charts_report(built: BuiltCharts) -> Report:
    """Build the report."""
    made_from, fidelity = built.charts.made_from, built.fidelity()
    whole = "a full season" if made_from is None else f"{made_from}, not a full season"
    pieces = (line.partition(": ") for line in built.report)
    inputs = ReportTable(
        "", ("Source file", ""), [(label, rest) for label, _, rest in pieces], left=2
    )
    headings = ("Column", "Result", "Wanted", "Got", "Largest error")
    columns = ReportTable(TABLE_TITLE, headings, fidelity.table_rows(), left=2)
    return Report(
        f"Charts of {built.season} from your play-by-play",
        f"The charts of {len(built.teams)} teams and their real plans, from {whole}. "
        f"{_shipped_note(built)}".rstrip(),
        [
            ReportSection("Source data", [inputs]),
            ReportSection("Fidelity", [columns], fidelity.summary_text()),
        ],
    )


def _shipped_note(built: BuiltCharts) -> str:
    """Return a sentence if these are exactly the charts that ship with the game."""
    shipped_file = charts.SHIPPED / f"{built.season}{charts.SUFFIX}"
    if shipped_file.is_file() and shipped_file.read_text(encoding="utf-8") == built.text():
        return "They are identical to the charts that come with the game."
    return ""
