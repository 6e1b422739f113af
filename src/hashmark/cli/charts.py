"""`hashmark charts`: check and show the chart files of Data-Driven Football."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from hashmark.cli.common import AsJson, print_json, print_table, print_whole
from hashmark.cli.output import check_writable, write_file
from hashmark.table.errors import UnknownName
from hashmark.table.readable import readable
from hashmark.table.writing import csv_text
from hashmark.telling.wrapping import wrapped
from hashmark.terminal.streams import raw

if TYPE_CHECKING:
    from rich.table import Table

    from hashmark.games.data_driven.charts.figures import Figures, Report
    from hashmark.games.data_driven.charts.files import ChartFile
    from hashmark.games.data_driven.charts.team_sheet import Chart
    from hashmark.sheet import Form
    from hashmark.sheet.paper import Paper

EXAMPLE = "hashmark charts show invented OTTERS"
MOST_NOTES = 12
NO_TERMINAL = 200  # columns
AROUND = 3  # columns of a drawn cell beside its text

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
    if read.made_from is not None:
        typer.echo(f"part of a season: {read.made_from}")
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
    charts += team_sheet.defence_charts(found)
    lines = [*team_sheet.supplements(found), *team_sheet.league_lines(read.league)]
    part = f", {read.made_from}" if read.made_from is not None else ""
    _show_here(f"{found.name} ({found.key}){part}", charts, lines)


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


def _show_here(name: str, charts: list[Chart], lines: list[tuple[str, str]]) -> None:
    """The charts in pieces as wide as the terminal, in its pager if they are longer than it."""
    import pydoc

    from rich.console import Console

    size = shutil.get_terminal_size()
    width = size.columns if sys.stdout.isatty() else NO_TERMINAL
    console = Console(file=raw(sys.stdout), width=width, highlight=False)
    with console.capture() as caught:
        for chart in charts:
            for piece in in_pieces(chart, width):
                console.print(_drawn(name, piece))
        for label, text in lines:
            for part in wrapped(readable(f"{label}: {text}"), width):
                console.print(part, markup=False, soft_wrap=True)
    whole = caught.get()
    if whole.count("\n") >= size.lines and _has_pager():
        os.environ.setdefault("LESS", "-R")  # colours
        pydoc.pager(whole)
    else:
        raw(sys.stdout).write(whole)


def _has_pager() -> bool:
    """Whether somebody can turn pages here."""
    named = os.environ.get("PAGER") or "less"
    return sys.stdout.isatty() and sys.stdin.isatty() and shutil.which(named.split()[0]) is not None


def in_pieces(chart: Chart, width: int) -> list[Chart]:
    """A chart cut between its columns so that each piece fits; each has the dice at its side."""
    texts = [chart.headings, *([text for text, _ in row] for row in chart.rows)]
    widths = [max(len(line[at]) for line in texts) + AROUND for at in range(len(chart.headings))]
    pieces: list[list[int]] = [[]]
    for at in range(1, len(widths)):
        taken = 1 + widths[0] + sum(widths[k] for k in pieces[-1])
        if pieces[-1] and taken + widths[at] > width:
            pieces.append([])
        pieces[-1].append(at)
    return [_with_columns(chart, [0, *piece]) for piece in pieces]


def _with_columns(chart: Chart, columns: list[int]) -> Chart:
    from hashmark.games.data_driven.charts.team_sheet import Chart

    rows = [[row[at] for at in columns] for row in chart.rows]
    return Chart(chart.title, [chart.headings[at] for at in columns], rows)


def _drawn(name: str, chart: Chart) -> Table:
    """One chart in the colours of the boxes, the team's name on top."""
    from rich.table import Table
    from rich.text import Text

    title = Text(readable(f"{name}: {chart.title}"))
    table = Table(title=title, title_justify="left", show_lines=False, padding=(0, 1))
    for heading in chart.headings:
        table.add_column(Text(readable(heading)), justify="center", no_wrap=True)
    for row in chart.rows:
        table.add_row(*(Text(readable(text), style=COLOURS[colour]) for text, colour in row))
    return table


@app.command("export", epilog="Example: hashmark charts export invented > invented.csv")
def export(file: File) -> None:
    """All cells of a file as CSV: team, chart, column, row, cell."""
    from hashmark.games.data_driven.charts.export import each_cell

    headings = ("team", "chart", "column", "row", "cell")
    print_whole(csv_text([headings, *each_cell(_load(file))]))
