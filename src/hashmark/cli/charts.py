"""`hashmark charts`: check and show the chart files of Data-Driven Football."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from hashmark.cli.common import AsJson, print_json, print_table
from hashmark.cli.output import check_writable, write_file
from hashmark.table.errors import UnknownName
from hashmark.table.readable import readable
from hashmark.table.writing import csv_text
from hashmark.terminal.streams import raw

if TYPE_CHECKING:
    from hashmark.games.data_driven.charts.figures import Figures, Report
    from hashmark.games.data_driven.charts.files import ChartFile
    from hashmark.games.data_driven.charts.team_sheet import Chart
    from hashmark.sheet import Form
    from hashmark.sheet.paper import Paper

EXAMPLE = "hashmark charts show invented OTTERS"
MOST_NOTES = 12

app = typer.Typer(
    help="Check and show the chart files of Data-Driven Football.", rich_markup_mode=None
)
File = Annotated[str, typer.Argument(metavar="FILE", help="A chart file: its path or its name.")]


def _load(name: str) -> ChartFile:
    from hashmark.games.data_driven.charts import files as charts

    return charts.load(str(charts.path_of(name).resolve()))


@app.command("check", epilog="Example: hashmark charts check invented")
def check(file: File, as_json: AsJson = False) -> None:
    """Report faults, what is missing, and each column's exact expectation and event rates.

    Exit status 1 if the file has faults.
    """
    from hashmark.games.data_driven.charts import figures
    from hashmark.games.data_driven.charts.files import path_of

    report = figures.report(path_of(file))
    if as_json:
        print_json(report.to_json())
    else:
        _print_check(report)
    if report.faults:
        raise typer.Exit(1)


def _print_check(report: Report) -> None:
    for fault in report.faults:
        typer.echo(f"fault: {fault}")
    for warning in report.warnings:
        typer.echo(f"warning: {warning}")
    read = report.file
    if read is None:
        return
    if not report.faults:
        _print_missing(read)
        for key, figures in report.columns().items():
            typer.echo(f"\n{key}\n")
            rows = [_figures_row(one) for one in figures]
            print_table(("column", "yards", "mean", "out", "other results"), rows, words=1)
    counts = {
        "teams": len(read.teams),
        "faults": len(report.faults),
        "warnings": len(report.warnings),
    }
    said = ", ".join(f"{what} {count}" for what, count in counts.items())
    typer.echo(f"\n{report.path.name}: {said}")


def _print_missing(read: ChartFile) -> None:
    for note in read.notes[:MOST_NOTES]:
        typer.echo(f"missing: {note}")
    if len(read.notes) > MOST_NOTES:
        typer.echo(f"missing: and {len(read.notes) - MOST_NOTES} more (the file is partial)")


def _figures_row(one: Figures) -> tuple[str, ...]:
    events = ", ".join(f"{kind} {float(chance):.2%}" for kind, chance in one.events.items())
    out = f"{float(one.out):.1%}" if one.out else ""
    return one.name, f"{float(one.yards):.2%}", f"{float(one.mean):+.3f}", out, events


@app.command("show", epilog=f"Example: {EXAMPLE}")
def show(
    file: File,
    team: Annotated[str, typer.Argument(metavar="TEAM", help="The team's key in the file.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a sheet: .html, .pdf or .txt.")
    ] = None,
    paper: Annotated[Literal["a4", "letter"], typer.Option(help="The size of the paper.")] = "a4",
) -> None:
    """Draw a team's charts here, or on a sheet to print and play with real dice."""
    from hashmark.games.data_driven.charts import team_sheet

    form = _form(out)
    read = _load(file)
    found = read.team(team)
    if out is not None:
        _write(read, found, out, form, paper)
        return
    charts = [team_sheet.offence_chart(found), team_sheet.special_chart(found)]
    for chart in [*charts, *team_sheet.defence_charts(found)]:
        _draw(chart)
    for label, text in [*team_sheet.supplements(found), *team_sheet.league_lines(read.league)]:
        typer.echo(f"{label}: {text}")


def _form(out: Path | None) -> Form:
    """How the sheet is written; what cannot be is refused before anything is read."""
    from hashmark.sheet import SUFFIXES

    if out is None:
        return "text"
    if out.suffix.lower() not in SUFFIXES:
        raise UnknownName("kind of sheet", out.suffix, SUFFIXES)
    check_writable(out)
    return SUFFIXES[out.suffix.lower()]


def _write(read: ChartFile, team: Any, out: Path, form: Form, paper: Paper) -> None:
    from hashmark.games.data_driven.charts import team_sheet
    from hashmark.sheet import render

    write_file(out, render(team_sheet.document(read, team), form, paper))


COLOURS = {
    "green": "black on green",
    "red": "white on red",
    "black": "white on black",
    "yellow": "black on yellow",
    "white": "",
}


def _draw(chart: Chart) -> None:
    """One chart in the colours of the boxes, or plain where that is no terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(readable(chart.title)), title_justify="left", show_lines=False, padding=(0, 1)
    )
    for heading in chart.headings:
        table.add_column(Text(readable(heading)), justify="center", no_wrap=True)
    for row in chart.rows:
        table.add_row(*(Text(readable(text), style=COLOURS[colour]) for text, colour in row))
    width = None if sys.stdout.isatty() else 200
    Console(file=raw(sys.stdout), width=width, highlight=False).print(table)


@app.command("export", epilog="Example: hashmark charts export invented > invented.csv")
def export(file: File) -> None:
    """All cells of a file as CSV: team, chart, column, row, cell."""
    from hashmark.games.data_driven.charts.export import each_cell

    headings = ("team", "chart", "column", "row", "cell")
    typer.echo(csv_text([headings, *each_cell(_load(file))]), nl=False)
