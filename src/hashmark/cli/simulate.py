"""`hashmark simulate`: totals of up to millions of games."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark import extras
from hashmark.cli import completion, pairings
from hashmark.cli.common import (
    AsJson,
    Cluster,
    EngineOption,
    Options,
    PositionOption,
    Rules,
    Threads,
    parse_count,
    parse_options,
    parse_start,
    print_json,
    print_table,
)
from hashmark.cli.output import check_writable, report_written
from hashmark.cli.progress import ProgressBar
from hashmark.cli.round_robin import run_round_robin
from hashmark.engine import registry
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.number_text import percent
from hashmark.sanitize import PLUS_MINUS

if TYPE_CHECKING:
    from hashmark.sim import Result

DEFAULT_COACH = "book"
EXAMPLE = "hashmark simulate fourth-down --games 1e6 --home bold"


def command(
    rules: Rules,
    games: Annotated[
        str, typer.Option(metavar="N", help="Number of games, e.g. 10000 or 1e6.")
    ] = "10000",
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed of the dice; the same seed gives the same games.")
    ] = 0,
    home: Annotated[
        str,
        typer.Option(
            metavar="COACH",
            help="Home coach, e.g. bold or coach:bold.",
            autocompletion=completion.complete_coach,
        ),
    ] = DEFAULT_COACH,
    away: Annotated[
        str,
        typer.Option(metavar="COACH", help="Away coach.", autocompletion=completion.complete_coach),
    ] = DEFAULT_COACH,
    option: Options = None,
    position: PositionOption = None,
    engine: EngineOption = "auto",
    threads: Threads = None,
    cluster: Cluster = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write one row per game, as .parquet or .csv."),
    ] = None,
    round_robin: Annotated[
        bool,
        typer.Option(
            "--round-robin",
            help="Play every coach against every other one, N games each, instead of two coaches.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate many games between two coaches or all pairs.

    Reports wins, points and statistics with their errors. Ctrl-C stops the run and reports the
    games played so far.
    """
    from hashmark.sim import simulate

    start = parse_start(rules, parse_options(option), position)
    if round_robin:
        _check_alone(home, away, cluster, out)
        run_round_robin(
            rules,
            games,
            as_json=as_json,
            options=start.options,
            start=start.position,
            seed=seed,
            engine=engine,
            threads=threads,
        )
        return
    count = parse_count("--games", games)
    check_writable(out)
    replaced = out is not None and out.is_file()
    pairings.solve_for_coaches(registry.load(rules), start.options, (home, away))
    with ProgressBar(count, "games", "preparing the rules (once)") as progress:
        result = simulate(
            rules,
            count,
            seed=seed,
            home=home.removeprefix("coach:"),
            away=away.removeprefix("coach:"),
            options=start.options,
            start=start.position,
            engine=engine,
            threads=threads,
            cluster=cluster,
            rows=out,
            progress=_with_slow_notice(engine, progress.update),
            at_once=engine == "auto",
        )
    if as_json:
        print_json(result.to_json())
    else:
        _print(result, result.rules.is_solo(result.rules.new_match(start.options)))
    if out is not None:
        report_written(out, replaced)
    if result.interrupted:
        raise typer.Exit(130)


def _check_alone(home: str, away: str, cluster: str | None, out: Path | None) -> None:
    """Refuse options that mean nothing in a round robin."""
    given = {
        "--home": home != DEFAULT_COACH,
        "--away": away != DEFAULT_COACH,
        "--cluster": cluster is not None,
        "--out": out is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise HashmarkError(
                f"--round-robin plays all coaches on this machine: leave {name} out"
            )


def _with_slow_notice(engine: str, progress: Callable[[int], None]) -> Callable[[int], None]:
    """Return the callback; if plain Python is used unasked, it first prints that this is slow."""
    if engine != "auto" or extras.has("numba"):
        return progress
    notices = iter(
        [
            f"running in plain Python, which is slow; `{extras.install_command('numba')}` makes "
            "it fast"
        ]
    )

    def show_progress(done: int) -> None:
        for sentence in notices:
            print(f"hashmark: {sentence}", file=sys.stderr)
        progress(done)

    return show_progress


def _format_error(error: float) -> str:
    """Format a standard error; a single game has none."""
    return "?" if math.isnan(error) else f"{error:.3f}"


def _print(result: Result, alone: bool) -> None:
    """Print the report for people; a game that is played alone has one side."""
    if result.interrupted:
        typer.echo(f"interrupted after {result.games:,} of {result.requested_games:,} games")
    if not result.games:
        return
    typer.echo(
        f"{result.rules.title}: {result.games:,} games in {result.seconds:.2f} s, "
        f"seed {result.seed}, digest {result.digest}"
    )
    shares = [(name, count, result.share(count)) for name, count in _ends(result, alone)]
    rows = [
        (name, f"{count:,}", percent(share.mean, 3), share.format_interval(3))
        for name, count, share in shares
    ]
    typer.echo()
    print_table(("", "games", "share", "95 % CI"), rows)
    margin = result.margin()
    whose = "" if alone else "home "
    typer.echo(
        f"\n{whose}margin {margin.mean:+.3f} points, standard error {_format_error(margin.error)}\n"
    )
    teams = TEAMS[:1] if alone else TEAMS
    lines = []
    for name in result.rules.statistics.names:
        estimates = [result.statistic(name, team) for team in range(len(teams))]
        figures = [
            f"{estimate.mean:.3f} {PLUS_MINUS} {_format_error(estimate.error)}"
            for estimate in estimates
        ]
        lines.append((name.replace("_", " "), *figures))
    print_table((f"mean per game {PLUS_MINUS} SE", *teams), lines)


def _ends(result: Result, alone: bool) -> list[tuple[str, int]]:
    """Return how the games ended, each end with its count."""
    (home, away), totals = result.coaches, result.totals
    lost = "losses" if alone else f"away ({away}) wins"
    return [
        ("wins" if alone else f"home ({home}) wins", totals.wins[0]),
        (lost, totals.wins[1]),
        ("ties", totals.ties),
    ]
