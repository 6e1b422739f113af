"""Pages in a real browser: the script runs under the page's policy, sorts, and shows values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.histogram import NamedDistribution, draw_histogram, draw_two_histograms
from hashmark.reports.report import (
    Report,
    ReportCell,
    ReportPiece,
    ReportSection,
    ReportTable,
    SideBySide,
    SmallCharts,
)
from hashmark.reports.scatter import ScatterPoint, draw_scatter
from reports.headless_browser import dump_dom, evaluate_in_page, needs_browser

TEAMS = ("PIT", "ARI", "NYG", "PHI", "CAR", "WAS", "LAC", "MIA", "SEA", "CLE")
TABLE_ROWS = (
    ("PIT", ReportCell("9-6-1", 9.5), "+1.5 (±2)", "yes"),
    ("ari", ReportCell("10-6", 10), "-0.5 (±2)", ""),
    ("GB 10", ReportCell("9-7", 9), "+11.0 (±2)", "no"),
    ("GB 9", ReportCell("1-15", 1), "", "no"),
)


def report() -> Report:
    """Return a page with every kind of chart, and a table."""
    table = ReportTable(
        "", ("Team", "Record", "Change", "Sure", ""), [(*row_cells, "") for row_cells in TABLE_ROWS]
    )
    points = [ScatterPoint(n * 1.7 % 10, n, team, (n - 1, n + 2)) for n, team in enumerate(TEAMS)]
    bar_rows = [BarRow(team, n - 3, f"{n - 3:+}", (n - 4, n), n) for n, team in enumerate(TEAMS)]
    long_rows = [
        BarRow(f"{row.label} called 5 % fewer medium passes", row.value, row.text)
        for row in bar_rows
    ]
    shares = [n / 136 for n in range(17)]
    wins = draw_two_histograms(
        "t",
        "d",
        NamedDistribution("Old", shares, 10.7),
        NamedDistribution("New", shares, 10.9),
        "wins",
    )
    small = [
        draw_histogram(f"{team}: mean 10.7, real 12", "d", shares, "wins", 12) for team in TEAMS
    ]
    charts = [
        draw_bar_chart("t", "d", bar_rows),
        draw_bar_chart("t", "d", long_rows),
        draw_scatter("t", "d", points, "x", "y"),
        wins,
    ]
    pieces: list[ReportPiece] = [table, SideBySide(charts), SmallCharts(small)]
    return Report("Title", "Lead", [ReportSection("Section", pieces)])


@needs_browser
def test_the_script_runs_under_the_policy_of_the_page(tmp_path: Path) -> None:
    page = report().html()
    dom = dump_dom(page, tmp_path)
    assert page.count("<button") == 0  # whole without a script
    assert dom.count("<button") == 4  # a column without a heading is not sorted
    assert 'class="reading"' in dom


SORT_SCRIPT = """
const head = [...document.querySelectorAll("thead th")];
const names = () => [...document.querySelectorAll("tbody th")].map((one) => one.textContent);
const press = (at) => { head[at].querySelector("button").click();
  return [head[at].getAttribute("aria-sort"), ...names()]; };
return [press(1), press(1), press(0), press(0), press(2), press(2), press(3),
  document.querySelectorAll("[aria-sort]").length];
"""


@needs_browser
def test_tables_are_sorted_by_their_headings(browser_answers: list[Any]) -> None:
    assert browser_answers[0] == [
        ["descending", "ari", "PIT", "GB 10", "GB 9"],
        ["ascending", "GB 9", "GB 10", "PIT", "ari"],
        ["ascending", "ari", "GB 9", "GB 10", "PIT"],
        ["descending", "PIT", "GB 10", "GB 9", "ari"],
        ["descending", "GB 10", "PIT", "ari", "GB 9"],
        ["ascending", "ari", "PIT", "GB 10", "GB 9"],  # nothing comes last
        ["ascending", "GB 10", "GB 9", "PIT", "ari"],
        1,
    ]


READ_SCRIPT = """
const chart = document.querySelector("svg.chart");
const reading = document.querySelector(".reading");
const key = (name) => { chart.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
  return reading.textContent; };
const point = (on, what) => { on.dispatchEvent(new PointerEvent(what,
  { bubbles: true, pointerType: "touch", clientX: 1, clientY: 1 })); return reading.textContent; };
const third = chart.querySelectorAll(".datum")[2];
return [chart.tabIndex, chart.querySelectorAll(".datum title").length, reading.textContent,
  key("ArrowDown"), key("ArrowRight"), key("End"), key("Home"), key("x"), key("Escape"),
  point(third.querySelector("rect"), "pointermove"), third.classList.contains("on"),
  point(document.body, "pointerdown"), third.classList.contains("on"),
  reading.getAttribute("role")];
"""


@needs_browser
def test_a_value_is_shown_by_key_mouse_and_touch(browser_answers: list[Any]) -> None:
    assert browser_answers[1] == [
        *(0, 0, ""),
        *("PIT: -3", "ARI: -2", "CLE: +6", "PIT: -3", "PIT: -3", ""),
        *("NYG: -1", True, "", False, "status"),
    ]


OVERLAP_SCRIPT = """
const found = [];
for (const chart of document.querySelectorAll("svg.chart")) {
  const frame = chart.getBoundingClientRect();
  const boxes = [...chart.querySelectorAll("text")].map((one) =>
    [one.textContent, one.getBoundingClientRect()]);
  boxes.forEach(([text, box], at) => {
    // letters fill the middle of their box
    const near = (one) => ({ left: one.left, right: one.right,
      top: one.top + one.height * .2, bottom: one.bottom - one.height * .2 });
    const a = near(box);
    if (box.left < frame.left - 1 || box.right > frame.right + 1) found.push([text, "outside"]);
    for (const [other, its] of boxes.slice(0, at)) {
      const b = near(its);
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        found.push([text, other]);
    }
  });
}
return [found, document.querySelectorAll("svg.chart text").length > 100,
  document.documentElement.scrollWidth <= innerWidth];
"""


@needs_browser
def test_no_text_hides_another(browser_answers: list[Any]) -> None:
    """Check with the browser's fonts, which differ slightly from the measured ones."""
    assert browser_answers[2] == [[], True, True]


@pytest.fixture(scope="module")
def browser_answers(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Return the answers of one browser to all questions, since it is slow to start."""
    questions = ", ".join(
        f"(() => {{{script}}})()" for script in (SORT_SCRIPT, READ_SCRIPT, OVERLAP_SCRIPT)
    )
    answers: list[Any] = evaluate_in_page(
        report().html(), f"return [{questions}];", tmp_path_factory.mktemp("b")
    )
    return answers
