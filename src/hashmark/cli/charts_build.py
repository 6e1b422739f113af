"""`hashmark charts build` and `rebuild`: charts of a season's teams from play-by-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark import extras
from hashmark.cli.common import (
    AsJson,
    PartialOption,
    PlayByPlayFiles,
    PlaysFolderOption,
    SeasonArgument,
    SeasonsOption,
    print_json,
    print_table,
)
from hashmark.cli.output import check_writable, report_written
from hashmark.cli.progress import ProgressBar
from hashmark.storage import atomic_write

if TYPE_CHECKING:
    from hashmark.league.charts.build import BuiltCharts

EXAMPLE = "hashmark charts build 2008 --pbp pbp_2008.parquet --out 2008.toml"
EXAMPLE_REBUILD = "hashmark charts rebuild --check"


def command(
    season: SeasonArgument,
    pbp: PlayByPlayFiles = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Chart file to write; default: SEASON.toml.")
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="adjusted (for opponents, rare events shrunk to the league) or faithful.",
        ),
    ] = "adjusted",
    weeks: Annotated[
        str, typer.Option(metavar="WEEKS", help="Weeks to use: all, odd or even.")
    ] = "all",
    download: Annotated[
        bool, typer.Option("--download", help="Download the season with nflreadpy, if installed.")
    ] = False,
    partial: PartialOption = False,
    as_json: AsJson = False,
) -> None:
    """Build the charts of a season from play-by-play.

    The play-by-play has the nflverse layout. Without --pbp, pbp_SEASON.parquet (or .csv) is read
    from the folder HASHMARK_PBP, or from the current one. The same data give the same file.
    Impossible plays are rejected, and so is an incomplete season unless --partial is given; charts
    and reports of a partial season say so.
    """
    extras.require("charts build", "polars", "numpy")
    from hashmark.league.charts import build
    from hashmark.league.data import play_by_play as plays

    path = out if out is not None else Path(f"{season}.toml")
    build.check_request(mode, weeks)
    check_writable(path)
    source: plays.PlaySource | None = list(pbp) if pbp else None
    if source is None:
        source = plays.download_season(season) if download else plays.find_season_file(season)
    with ProgressBar(None, "charts", "reading the plays") as bar:
        built = build.build_charts(
            source, season, mode, weeks, progress=bar.set_step, partial=partial
        )
    replaced = atomic_write.write_file(path, built.text())
    if as_json:
        print_json({"file": str(path), **built.to_json()})
    else:
        _print(built)
    report_written(path, replaced)


def rebuild(
    pbp: PlaysFolderOption = None,
    season: SeasonsOption = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; report which files differ.")
    ] = False,
) -> None:
    """Rebuild the shipped charts, byte for byte.

    Exit status 1 if --check finds a difference.
    """
    extras.require("charts rebuild", "polars", "numpy")
    from hashmark.league.charts import shipped_charts

    differs = False
    for year in season or shipped_charts.SEASONS:
        with ProgressBar(None, "charts", "reading the plays") as bar:
            result = shipped_charts.rebuild(year, pbp, write=not check, progress=bar.set_step)
        differs = differs or not result.is_same
        typer.echo(f"{result.path.name}: {result.status}")
    if check and differs:
        raise typer.Exit(1)


def _print(built: BuiltCharts) -> None:
    from hashmark.league.charts.fidelity import TABLE_TITLE

    for line in built.report:
        typer.echo(line)
    fidelity = built.fidelity()
    typer.echo(f"\n{TABLE_TITLE}:\n")
    print_table(("column", "result", "target", "actual", "max. error"), fidelity.table_rows())
    typer.echo(f"\n{fidelity.summary_text()}")
