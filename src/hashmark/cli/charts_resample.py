"""`hashmark charts resample`: uncertainty of ratings because charts are built from one season."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hashmark.cli.common import AsJson, PlayByPlay, Threads, print_json, print_table
from hashmark.cli.output import check_writable, say_written
from hashmark.cli.progress import ProgressBar
from hashmark.table import extras

if TYPE_CHECKING:
    from hashmark.league.seasons.rebuilds import Rebuilds

EXAMPLE = "hashmark charts resample 2008 --pbp pbp_2008.parquet --rebuilds 100"


def command(
    season: Annotated[int, typer.Argument(metavar="SEASON", help="The season, such as 2008.")],
    rebuilds: Annotated[int, typer.Option(help="How often to rebuild the charts.")] = 100,
    pbp: PlayByPlay = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file; SEASON.rebuilds.json if left out."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same rebuilds.")] = 0,
    threads: Threads = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew.")] = False,
    as_json: AsJson = False,
) -> None:
    """Rebuild a season's charts and plans from games drawn again, and rate each rebuild.

    The spread of the ratings is what one season of games leaves open; `hashmark season` tells
    chances by it. Ctrl-C reports what is done; the same command goes on from the file.
    """
    extras.need("charts resample", "polars", "numba")
    from hashmark.league.checks.bootstrap import MOST_REBUILDS, bootstrap
    from hashmark.league.facts import pbp as plays
    from hashmark.league.seasons.games import check_work
    from hashmark.league.seasons.rebuilds import SUFFIX, read

    path = out if out is not None else Path(f"{season}{SUFFIX}")
    check_work(rebuilds, seed, threads, MOST_REBUILDS, "rebuilds")
    check_writable(path)
    earlier = read(path) if path.is_file() and not fresh else None
    source: Any = list(pbp) if pbp else plays.find(season)
    replaced = path.is_file()
    with ProgressBar(rebuilds, "rebuilds", "reading the plays") as bar:
        result = bootstrap(
            plays.load(source, season),
            season,
            rebuilds,
            seed,
            threads=threads,
            earlier=earlier,
            progress=bar.update,
            keep=lambda done: done.write(path),
        )
    _tell(result, as_json)
    if result.ratings:
        say_written(path, replaced)
    if len(result.ratings) < rebuilds:
        print(
            f"interrupted after {len(result.ratings)} of {rebuilds} rebuilds; the same command "
            "goes on from there",
            file=sys.stderr,
        )
        raise typer.Exit(130)


def _tell(result: Rebuilds, as_json: bool) -> None:
    from hashmark.league.facts import schedule, teams
    from hashmark.league.seasons import certainty_words, preset
    from hashmark.league.seasons.certainty import Certainty
    from hashmark.league.seasons.rebuilds import FEWEST

    if len(result.ratings) < FEWEST and as_json:
        print_json({"season": result.season, "rebuilds": len(result.ratings)})
        return
    if len(result.ratings) < FEWEST:
        typer.echo(f"{len(result.ratings)} rebuilds; chances are told from {FEWEST} on")
        return
    certainty, real = Certainty(result), schedule.load(result.season)
    if as_json:
        about = {"season": result.season, "invented": preset.invented()}
        print_json({**about, **certainty.to_json(real.champion)})
        return

    def code(team: str) -> str:
        return teams.code(team, result.season)

    print_table(certainty_words.HEADINGS, certainty_words.rows(certainty, code, real.champion))
    typer.echo(f"\n{certainty_words.legend(certainty, real.games_each)}")
    typer.echo(f"\n{certainty_words.who(certainty, real.games_each, code)}")
    if real.champion is not None:
        typer.echo(certainty_words.best_won(certainty, real.champion, real.games_each, code))
    typer.echo(preset.invented_note())
