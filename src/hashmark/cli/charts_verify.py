"""`hashmark charts verify`: fidelity of a season's charts and plans."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark import extras
from hashmark.cli.common import (
    AsJson,
    HtmlOption,
    OldRuns,
    SeasonArgument,
    Threads,
    parse_count,
    print_json,
    print_table,
    print_wrapped,
)
from hashmark.cli.output import check_writable, write_file
from hashmark.cli.progress import ProgressBar

if TYPE_CHECKING:
    from hashmark.league.validation.out_of_sample import OutOfSampleResult
    from hashmark.league.validation.verify import VerifyReport

EXAMPLE = "hashmark charts verify 2008 --runs 200 --html verify.html"


def command(
    season: SeasonArgument,
    runs: Annotated[
        str,
        typer.Option(metavar="N", help="Number of simulated seasons, e.g. 200 or 1e3."),
    ] = "200",
    old_runs: OldRuns = None,
    pbp: Annotated[
        list[Path] | None,
        typer.Option(
            "--pbp",
            metavar="FILE",
            help="Play-by-play of the season: adds the out-of-sample test; repeatable.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the dice.")] = 0,
    threads: Threads = None,
    html: HtmlOption = None,
    as_json: AsJson = False,
) -> None:
    """Compare a simulated season with the real one.

    The real schedule is simulated with real charts and plans. --pbp adds an out-of-sample test:
    charts and plans of the odd weeks forecast the even weeks, next to simple baselines.
    """
    extras.require("charts verify", "numba", *(["polars"] if pbp else []))
    from hashmark.league.validation import out_of_sample, verify, verify_report

    check_writable(html)
    seasons = parse_count("--runs", old_runs or runs)
    verify.validate_sizes(seasons, seed, threads)
    frame = None
    if pbp:
        from hashmark.league.data import coverage
        from hashmark.league.data import play_by_play as plays

        frame = plays.load(list(pbp), season)
        coverage.check(frame)  # report what is missing before the work, not after it
    with ProgressBar(seasons, "seasons", "preparing the season") as bar:
        report = verify.verify(season, seasons, seed, threads=threads, progress=bar.update)
    result = None
    if frame is not None and not report.interrupted:
        with ProgressBar(seasons, "seasons, out-of-sample") as bar:
            result = out_of_sample.run_out_of_sample(
                frame, season, seasons, seed, threads, progress=bar.update
            )
    if html is not None:
        write_file(html, verify_report.build_report(report, result).html())
    if as_json:
        report_json = verify.to_json(report)
        report_json["hold_out"] = out_of_sample.to_json(result) if result is not None else None
        print_json(report_json)
    else:
        _print(report, result)


def _print(report: VerifyReport, result: OutOfSampleResult | None) -> None:
    from hashmark.league.validation import out_of_sample, verify, verify_report

    if report.interrupted:
        typer.echo(f"interrupted after {report.seasons} of {report.requested_seasons} seasons")
    print_wrapped(verify.summary_sentence(report))
    print_wrapped(verify_report.describe_simulation(report))
    if result is not None:
        print_wrapped(out_of_sample.summary_sentence(result))
    typer.echo("")
    for head, rows in (
        (verify_report.LEAGUE_HEAD, verify_report.league_rows(report)),
        (verify_report.TEAM_HEAD, verify_report.team_rows(report)),
        (verify_report.MEASURE_HEAD, verify_report.measure_rows(report)),
    ):
        print_table(head, rows)
        typer.echo("")
    print_wrapped(verify_report.MEASURE_LEGEND)
    if result is not None:
        typer.echo("")
        print_table(verify_report.BASELINE_HEAD, verify_report.baseline_rows(result))
