"""`hashmark charts`: check and show the chart files of Data-Driven Football."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark.cli.common import AsJson, PaperOption, print_json, print_table, print_unwrapped
from hashmark.cli.output import check_writable, write_file
from hashmark.errors import UnknownName
from hashmark.number_text import percent
from hashmark.sanitize import escape_controls
from hashmark.storage.atomic_write import csv_text
from hashmark.terminal.streams import raw_stream
from hashmark.text.wrapping import wrap

if TYPE_CHECKING:
    from rich.table import Table

    from hashmark.games.data_driven.charts.chart_file import ChartFile, Team
    from hashmark.games.data_driven.charts.figures import ChartReport, ColumnFigures
    from hashmark.games.data_driven.charts.team_sheet import PrintedChart
    from hashmark.sheets import SheetFormat
    from hashmark.sheets.paper_sizes import Paper

EXAMPLE = "hashmark charts show invented OTTERS"
MAX_NOTES = 12
COLUMNS_WITHOUT_TERMINAL = 200
CELL_MARGIN_COLUMNS = 3  # of a drawn cell beside its text

app = typer.Typer(
    help="Team charts of Data-Driven Football: show, check, build.", rich_markup_mode=None
)
File = Annotated[str, typer.Argument(metavar="FILE", help="Chart file: a path or a name.")]


def _load(name: str) -> ChartFile:
    from hashmark.games.data_driven.charts import files as charts

    return charts.load(str(charts.find_path(name).resolve()))


@app.command("check", epilog="Example: hashmark charts check invented")
def check(file: File, as_json: AsJson = False) -> None:
    """Check a chart file and show the exact means of its columns.

    Reports errors, missing parts, and the mean and event rates of each column. Exit status 1 if
    the file has errors.
    """
    from hashmark.games.data_driven.charts import figures
    from hashmark.games.data_driven.charts.files import find_path

    report = figures.check_chart_file(find_path(file))
    if as_json:
        print_json(report.to_json())
    else:
        _print_check(report)
    if report.faults:
        raise typer.Exit(1)


def _print_check(report: ChartReport) -> None:
    for fault in report.faults:
        typer.echo(f"error: {fault}")
    for warning in report.warnings:
        typer.echo(f"warning: {warning}")
    chart_file = report.file
    if chart_file is None:
        return
    if chart_file.made_from is not None:
        typer.echo(f"partial season: {chart_file.made_from}")
    if not report.faults:
        _print_missing(chart_file)
        for key, figures in report.columns().items():
            typer.echo(f"\n{key}\n")
            rows = [_figures_row(column) for column in figures]
            print_table(("column", "yards", "mean", "out", "other results"), rows, word_columns=1)
    counts = {
        "teams": len(chart_file.teams),
        "errors": len(report.faults),
        "warnings": len(report.warnings),
    }
    summary = ", ".join(
        f"{count} {what.removesuffix('s') if count == 1 else what}"
        for what, count in counts.items()
    )
    typer.echo(f"\n{report.path.name}: {summary}")


def _print_missing(chart_file: ChartFile) -> None:
    for note in chart_file.notes[:MAX_NOTES]:
        typer.echo(f"missing: {note}")
    if len(chart_file.notes) > MAX_NOTES:
        typer.echo(
            f"missing: {len(chart_file.notes) - MAX_NOTES} more parts (the file is incomplete)"
        )


def _figures_row(column: ColumnFigures) -> tuple[str, ...]:
    events = ", ".join(
        f"{kind} {percent(float(chance), 2)}" for kind, chance in column.events.items()
    )
    out = percent(float(column.out), 1) if column.out else ""
    return column.name, percent(float(column.yards), 2), f"{float(column.mean):+.3f}", out, events


@app.command("show", epilog=f"Example: {EXAMPLE}")
def show(
    file: File,
    team: Annotated[str, typer.Argument(metavar="TEAM", help="Key of the team in the file.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a printable sheet: .html, .pdf or .txt."),
    ] = None,
    paper: PaperOption = "a4",
) -> None:
    """Show a team's charts, or write them as a printable sheet."""
    from hashmark.games.data_driven.charts import team_sheet

    form = _sheet_format(out)
    chart_file = _load(file)
    team_charts = chart_file.team(team)
    if out is not None:
        _write_sheet(chart_file, team_charts, out, form, paper)
        return
    charts = [team_sheet.offense_chart(team_charts), team_sheet.special_chart(team_charts)]
    charts += team_sheet.defense_charts(team_charts)
    lines = [*team_sheet.supplement_lines(team_charts), *team_sheet.league_lines(chart_file.league)]
    part = f", {chart_file.made_from}" if chart_file.made_from is not None else ""
    _print_charts(f"{team_charts.name} ({team_charts.key}){part}", charts, lines)


def _sheet_format(out: Path | None) -> SheetFormat:
    """Return the format of the sheet; raise before anything is read if it is unknown."""
    from hashmark.sheets import FORMAT_BY_SUFFIX

    if out is None:
        return "text"
    if out.suffix.lower() not in FORMAT_BY_SUFFIX:
        raise UnknownName("sheet format", out.suffix, FORMAT_BY_SUFFIX)
    check_writable(out)
    return FORMAT_BY_SUFFIX[out.suffix.lower()]


def _write_sheet(
    chart_file: ChartFile, team: Team, out: Path, form: SheetFormat, paper: Paper
) -> None:
    from hashmark.games.data_driven.charts import team_sheet
    from hashmark.sheets import render

    write_file(out, render(team_sheet.build_document(chart_file, team), form, paper))


COLORS = {
    "green": "black on green",
    "red": "white on red",
    "black": "white on black",
    "yellow": "black on yellow",
    "white": "",
}


def _print_charts(name: str, charts: list[PrintedChart], lines: list[tuple[str, str]]) -> None:
    """Print the charts in pieces that fit the terminal, in a pager if they are longer than it."""
    import pydoc

    from rich.console import Console

    size = shutil.get_terminal_size()
    width = size.columns if sys.stdout.isatty() else COLUMNS_WITHOUT_TERMINAL
    console = Console(file=raw_stream(sys.stdout), width=width, highlight=False)
    with console.capture() as captured:
        for chart in charts:
            for piece in split_chart(chart, width):
                console.print(_rich_table(name, piece))
        for label, text in lines:
            for part in wrap(escape_controls(f"{label}: {text}"), width):
                console.print(part, markup=False, soft_wrap=True)
    whole = captured.get()
    if whole.count("\n") >= size.lines and _has_pager():
        os.environ.setdefault("LESS", "-R")  # colors
        pydoc.pager(whole)
    else:
        raw_stream(sys.stdout).write(whole)


def _has_pager() -> bool:
    """Return whether output can be shown in a pager here."""
    pager = os.environ.get("PAGER") or "less"
    return sys.stdout.isatty() and sys.stdin.isatty() and shutil.which(pager.split()[0]) is not None


def split_chart(chart: PrintedChart, width: int) -> list[PrintedChart]:
    """Split a chart between its columns so that each piece fits; each repeats the dice column."""
    texts = [chart.headings, *([text for text, _ in row] for row in chart.rows)]
    widths = [
        max(len(line[index]) for line in texts) + CELL_MARGIN_COLUMNS
        for index in range(len(chart.headings))
    ]
    pieces: list[list[int]] = [[]]
    for index in range(1, len(widths)):
        taken = 1 + widths[0] + sum(widths[column] for column in pieces[-1])
        if pieces[-1] and taken + widths[index] > width:
            pieces.append([])
        pieces[-1].append(index)
    return [_with_columns(chart, [0, *piece]) for piece in pieces]


def _with_columns(chart: PrintedChart, columns: list[int]) -> PrintedChart:
    from hashmark.games.data_driven.charts.team_sheet import PrintedChart

    rows = [[row[index] for index in columns] for row in chart.rows]
    return PrintedChart(chart.title, [chart.headings[index] for index in columns], rows)


def _rich_table(name: str, chart: PrintedChart) -> Table:
    """Return one chart as a table in the colors of its boxes, with the team's name on top."""
    from rich.table import Table
    from rich.text import Text

    title = Text(escape_controls(f"{name}: {chart.title}"))
    table = Table(title=title, title_justify="left", show_lines=False, padding=(0, 1))
    for heading in chart.headings:
        table.add_column(Text(escape_controls(heading)), justify="center", no_wrap=True)
    for row in chart.rows:
        table.add_row(*(Text(escape_controls(text), style=COLORS[color]) for text, color in row))
    return table


@app.command("export", epilog="Example: hashmark charts export invented > invented.csv")
def export(file: File) -> None:
    """Print all cells of a chart file as CSV."""
    from hashmark.games.data_driven.charts.export import iter_cells

    headings = ("team", "chart", "column", "row", "cell")
    print_unwrapped(csv_text([headings, *iter_cells(_load(file))]))
