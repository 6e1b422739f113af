"""`hashmark season`: simulations of a real season."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark import extras
from hashmark.cli.common import (
    AsJson,
    Cluster,
    HtmlOption,
    Options,
    Threads,
    parse_options,
    print_json,
    print_table,
)
from hashmark.cli.output import check_writable, write_file
from hashmark.cli.progress import ProgressBar
from hashmark.text.wrapping import wrap

if TYPE_CHECKING:
    from hashmark.league.seasons.certainty import Certainty
    from hashmark.league.seasons.outcome import SeasonOutcome, TeamOutcome

EXAMPLE = "hashmark season 2008 --runs 10000 --html 2008.html"


def command(
    season: Annotated[int, typer.Argument(metavar="SEASON", help="The year, e.g. 2008.")],
    runs: Annotated[int, typer.Option(help="How many seasons to simulate.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same seasons.")] = 0,
    plan: Annotated[
        str | None, typer.Option(metavar="NAME", help="One plan for all; else their real ones.")
    ] = None,
    teams: Annotated[
        str | None, typer.Option(metavar="FILE", help="Another chart file than the season's.")
    ] = None,
    rebuilds: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Ratings of rebuilt charts (charts resample); those of the season if left out.",
        ),
    ] = None,
    option: Options = None,
    threads: Threads = None,
    cluster: Cluster = None,
    html: HtmlOption = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where an interrupted run is kept.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew.")] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a real season: wins, playoff and title chances, and whether the best team won.

    Ctrl-C reports what is done and keeps it; the same command goes on from there.
    """
    extras.require("season", "numba")
    from hashmark.league.seasons.season_run import SeasonRequest, run_season

    check_writable(html)
    request = SeasonRequest(season, runs, seed, teams, plan, parse_options(option), rebuilds)
    with ProgressBar(runs, "seasons", "preparing the season") as progress:
        result = run_season(
            request,
            threads=threads,
            cluster=cluster,
            resume=resume,
            fresh=fresh,
            progress=progress.update,
        )
    outcome = result.outcome
    if as_json:
        print_json(result.to_json())
    elif outcome.runs:
        _print(outcome)
    if html is not None and (report := result.report()) is not None:
        write_file(html, report.html())
    if not result.is_complete:
        _print_resume_hint(outcome)
        raise typer.Exit(130)


def _print_resume_hint(outcome: SeasonOutcome) -> None:
    message = f"interrupted after {outcome.runs:,} of {outcome.requested_runs:,} seasons"
    if outcome.checkpoint_path is not None:
        resume_command = shlex.join(
            ["hashmark", *(word for word in sys.argv[1:] if word != "--fresh")]
        )
        message += (
            f"; they are kept in {outcome.checkpoint_path}, and this goes on from there:\n"
            f"  {resume_command}"
        )
    print(message, file=sys.stderr)


HEADINGS = (
    "team",
    "real",
    "wins",
    "9 of 10",
    "margin",
    "playoffs",
    "div.",
    "conf.",
    "final",
    "title",
)
WIDTH = 92
BLOCKS = " ▁▂▃▄▅▆▇█"


def _print(outcome: SeasonOutcome) -> None:
    """Print the report for people."""
    from hashmark.league.seasons.season import partial_source_notes

    earlier = f", {outcome.resumed_runs:,} of them earlier" if outcome.resumed_runs else ""
    typer.echo(
        f"Season {outcome.recipe.season}: {outcome.runs:,} seasons{earlier} "
        f"({outcome.games:,} games) in {outcome.seconds:.1f} s, seed {outcome.seed}, "
        f"digest {outcome.digest}"
    )
    for note in partial_source_notes(outcome.made_from):
        typer.echo(note)
    typer.echo("")
    teams = outcome.teams()
    print_table(
        (*HEADINGS, f"0 to {outcome.schedule.games_per_team} wins"), [_row(team) for team in teams]
    )
    typer.echo(
        "\nreal: the real record. wins: mean of the simulated seasons, and the range that nine of "
        "ten\nare in. margin: points a game in a round robin on neutral ground. Then the chance "
        "of the\nplayoffs, of each later round and of the title, and how often how many games are "
        "won."
    )
    if outcome.certainty is not None:
        _print_certainty(outcome, outcome.certainty)
    typer.echo(f"\n{outcome.answer()}")
    for note in outcome.notes():
        typer.echo(note)


def _print_certainty(outcome: SeasonOutcome, certainty: Certainty) -> None:
    """Print how certain the ratings are, for all teams that may have been best."""
    from hashmark.league.seasons import certainty_text

    typer.echo("")
    rows = certainty_text.table_rows(certainty, outcome.code, outcome.schedule.champion)
    print_table(certainty_text.HEADINGS, rows)
    legend = certainty_text.table_legend(certainty, outcome.schedule.games_per_team)
    typer.echo("\n" + "\n".join(wrap(legend, WIDTH, 0)))


def _row(team: TeamOutcome) -> tuple[str, ...]:
    chances = (team.playoffs, team.divisional, team.conference, team.final, team.title.mean)
    return (
        team.code,
        team.record,
        f"{team.wins.mean:.2f}",
        f"{team.low}-{team.high}",
        f"{team.strength.mean:+.1f}",
        *(f"{chance:.1%}" for chance in chances),
        _distribution(team),
    )


def _distribution(team: TeamOutcome) -> str:
    """Return the distribution of wins as small bars, the most frequent at full height."""
    tallest, full_height = max(team.distribution), len(BLOCKS) - 1
    return "".join(BLOCKS[round(full_height * share / tallest)] for share in team.distribution)
