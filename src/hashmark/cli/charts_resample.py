"""`hashmark charts resample`: uncertainty of ratings because charts are built from one season."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark import extras
from hashmark.cli.common import (
    AsJson,
    PlayByPlayFiles,
    SeasonArgument,
    Threads,
    parse_count,
    print_json,
    print_table,
    print_wrapped,
)
from hashmark.cli.output import check_writable, report_written
from hashmark.cli.progress import ProgressBar

if TYPE_CHECKING:
    from hashmark.league.seasons.bootstrap_ratings_file import BootstrapRatings

EXAMPLE = "hashmark charts resample 2008 --pbp pbp_2008.parquet"


def command(
    season: SeasonArgument,
    rebuilds: Annotated[
        str, typer.Option(metavar="N", help="Number of bootstrap rebuilds.")
    ] = "100",
    pbp: PlayByPlayFiles = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Bootstrap file to write; default: SEASON.rebuilds.json."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed; the same seed gives the same rebuilds.")
    ] = 0,
    threads: Threads = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Discard earlier rebuilds and start over.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bootstrap the sampling error of a season's ratings.

    Charts and plans are rebuilt from games resampled with replacement, and each rebuild is rated.
    `hashmark season` takes its probabilities from the spread. Ctrl-C reports the rebuilds so far;
    the same command resumes.
    """
    extras.require("charts resample", "polars", "numba")
    from hashmark.league.data import play_by_play as plays
    from hashmark.league.seasons.bootstrap_ratings_file import SUFFIX, read
    from hashmark.league.seasons.pairings import validate_run
    from hashmark.league.validation.bootstrap import MAX_REBUILDS, compute_bootstrap_ratings

    path = out if out is not None else Path(f"{season}{SUFFIX}")
    count = parse_count("--rebuilds", rebuilds)
    validate_run(count, seed, threads, MAX_REBUILDS, "rebuilds")
    check_writable(path)
    earlier = read(path) if path.is_file() and not fresh else None
    source = list(pbp) if pbp else plays.find_season_file(season)
    replaced = path.is_file()
    with ProgressBar(count, "rebuilds", "reading the plays") as bar:
        result = compute_bootstrap_ratings(
            plays.load(source, season),
            season,
            count,
            seed,
            threads=threads,
            earlier=earlier,
            progress=bar.update,
            persist=lambda done: done.write(path),
        )
    _print_result(result, as_json)
    if result.ratings:
        report_written(path, replaced)
    if len(result.ratings) < count:
        print(
            (
                f"interrupted after {len(result.ratings)} of {count} rebuilds; the same command "
                "resumes"
            ),
            file=sys.stderr,
        )
        raise typer.Exit(130)


def _print_result(result: BootstrapRatings, as_json: bool) -> None:
    from hashmark.league.data import schedule, teams
    from hashmark.league.seasons import certainty_text, game_options
    from hashmark.league.seasons.bootstrap_ratings_file import MIN_REBUILDS
    from hashmark.league.seasons.certainty import Certainty

    if len(result.ratings) < MIN_REBUILDS and as_json:
        print_json({"season": result.season, "rebuilds": len(result.ratings)})
        return
    if len(result.ratings) < MIN_REBUILDS:
        typer.echo(f"{len(result.ratings)} rebuilds; probabilities need at least {MIN_REBUILDS}")
        return
    certainty, real = Certainty(result), schedule.load(result.season)
    if as_json:
        about = {"season": result.season, "invented": game_options.list_assumptions()}
        print_json({**about, **certainty.to_json(real.champion)})
        return

    def code(team: str) -> str:
        return teams.code_in_season(team, result.season)

    games = real.games_per_team
    print_wrapped(certainty_text.best_team_sentence(certainty, games, code))
    if real.champion is not None:
        print_wrapped(certainty_text.best_team_won_sentence(certainty, real.champion, games, code))
    typer.echo("")
    print_table(certainty_text.HEADINGS, certainty_text.table_rows(certainty, code, real.champion))
    typer.echo("")
    print_wrapped(certainty_text.table_legend(certainty, games))
    print_wrapped(game_options.assumptions_note())
