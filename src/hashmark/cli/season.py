"""`hashmark season`: simulations of a real season."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark import extras
from hashmark.cli.common import (
    REPORT_WIDTH,
    AsJson,
    Cluster,
    HtmlOption,
    Options,
    Runs,
    SeasonArgument,
    Threads,
    parse_count,
    parse_options,
    print_json,
    print_table,
    print_wrapped,
)
from hashmark.cli.output import (
    TableOption,
    check_table_path,
    check_writable,
    write_file,
    write_table,
)
from hashmark.cli.progress import ProgressBar
from hashmark.number_text import percent, whole_percent

if TYPE_CHECKING:
    from hashmark.league.seasons.certainty import Certainty
    from hashmark.league.seasons.outcome import SeasonOutcome, TeamOutcome

EXAMPLE = "hashmark season 2008 --runs 10000 --html 2008.html"


def command(
    season: SeasonArgument,
    runs: Runs = "1000",
    seed: Annotated[
        int,
        typer.Option(metavar="N", help="Seed of the dice; the same seed gives the same seasons."),
    ] = 0,
    plan: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Game plan of every team, instead of the real plans."),
    ] = None,
    teams: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Chart file to use instead of the season's own."),
    ] = None,
    rebuilds: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Bootstrap file made by `charts resample`; default: the season's own.",
        ),
    ] = None,
    option: Options = None,
    threads: Threads = None,
    cluster: Cluster = None,
    html: HtmlOption = None,
    out: TableOption = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for the saved state of an interrupted run."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ignore a saved run and start over.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a real season: wins, playoff odds, best team.

    Ctrl-C reports the seasons simulated so far and saves them; the same command resumes.
    """
    extras.require("season", "numba")
    from hashmark.league.seasons.season_run import SeasonRequest, run_season

    check_writable(html)
    check_table_path(out)
    count = parse_count("--runs", runs)
    request = SeasonRequest(season, count, seed, teams, plan, parse_options(option), rebuilds)
    with ProgressBar(count, "seasons", "preparing the season") as progress:
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
    if out is not None and outcome.runs:
        from hashmark.api.seasons import team_rows

        write_table(out, team_rows(outcome))
    if not result.is_complete:
        _print_resume_hint(outcome)
        raise typer.Exit(130)


def _print_resume_hint(outcome: SeasonOutcome) -> None:
    message = f"interrupted after {outcome.runs:,} of {outcome.requested_runs:,} seasons"
    if outcome.checkpoint_path is not None:
        resume_command = shlex.join(
            ["hashmark", *(word for word in sys.argv[1:] if word != "--fresh")]
        )
        message += f"; they are saved in {outcome.checkpoint_path}. To resume:\n  {resume_command}"
    print(message, file=sys.stderr)


HEADINGS = (
    "team",
    "real",
    "wins",
    "90 %",
    "margin",
    "playoffs",
    "division",
    "1 seed",
    "conf.",
    "title",
)
BLOCKS = " ▁▂▃▄▅▆▇█"
LEGEND = (
    "real: real record. wins: mean of the simulated seasons. 90 %: interval that holds 90 % of "
    "them. margin: points a game in a round robin on a neutral field. Then how often the team "
    "makes the playoffs, wins its division, earns the top seed, wins its conference and wins the "
    "title."
)


def _print(outcome: SeasonOutcome) -> None:
    """Print the report for people."""
    from hashmark.league.seasons.season import partial_source_notes

    earlier = f", {outcome.resumed_runs:,} of them resumed" if outcome.resumed_runs else ""
    print_wrapped(outcome.answer())
    typer.echo("")
    print_wrapped(
        f"{outcome.recipe.season} season, {outcome.runs:,} simulations{earlier} "
        f"({outcome.games:,} games in {outcome.seconds:.1f} s), seed {outcome.seed}, "
        f"digest {outcome.digest}"
    )
    for note in partial_source_notes(outcome.made_from):
        print_wrapped(note)
    typer.echo("")
    _print_teams(outcome)
    typer.echo("")
    print_wrapped(LEGEND)
    if outcome.certainty is not None:
        _print_certainty(outcome, outcome.certainty)
    typer.echo("")
    for note in outcome.notes():
        print_wrapped(note)


def _print_teams(outcome: SeasonOutcome) -> None:
    """Print a row for each team; a wide terminal also shows the distributions of wins."""
    teams = outcome.teams()
    headings, rows = list(HEADINGS), [_row(team) for team in teams]
    games = outcome.schedule.games_per_team
    if shutil.get_terminal_size().columns >= REPORT_WIDTH + games + 3:
        headings.append(f"0 to {games} wins")
        rows = [[*row, _distribution(team)] for row, team in zip(rows, teams, strict=True)]
    print_table(headings, rows)


def _print_certainty(outcome: SeasonOutcome, certainty: Certainty) -> None:
    """Print how certain the ratings are, for all teams that may have been best."""
    from hashmark.league.seasons import certainty_text

    typer.echo("")
    rows = certainty_text.table_rows(certainty, outcome.code, outcome.schedule.champion)
    print_table(certainty_text.HEADINGS, rows)
    typer.echo("")
    print_wrapped(certainty_text.table_legend(certainty, outcome.schedule.games_per_team))


def _row(team: TeamOutcome) -> list[str]:
    chances = (team.playoffs, team.division_title, team.top_seed, team.final)
    return [
        team.code,
        team.record,
        f"{team.wins.mean:.2f}",
        f"{team.low}-{team.high}",
        f"{team.strength.mean:+.1f}",
        *(whole_percent(chance) for chance in chances),
        percent(team.title.mean, 1),
    ]


def _distribution(team: TeamOutcome) -> str:
    """Return the distribution of wins as small bars, the most frequent at full height."""
    tallest, full_height = max(team.distribution), len(BLOCKS) - 1
    return "".join(BLOCKS[round(full_height * share / tallest)] for share in team.distribution)
