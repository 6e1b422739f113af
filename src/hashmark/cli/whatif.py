"""`hashmark whatif`: the effect of a changed game plan on a team's record."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark import extras
from hashmark.cli.common import (
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
)
from hashmark.cli.output import check_table_path, check_writable, write_file, write_table
from hashmark.cli.progress import ProgressBar
from hashmark.errors import HashmarkError

if TYPE_CHECKING:
    from hashmark.league.validation.bootstrap import Rebuilder
    from hashmark.league.whatifs.change_request import ChangeRequest
    from hashmark.league.whatifs.whatif_run import WhatIfResult

EXAMPLE = "hashmark whatif 2008 ARI --play screen=+8% --when down=1"
Texts = list[str] | None


def command(
    season: SeasonArgument,
    team: Annotated[str, typer.Argument(metavar="TEAM", help="Team: ARI, Arizona or Cardinals.")],
    plan: Annotated[
        str | None, typer.Option(metavar="FILE", help="Start from another plan: a file or a name.")
    ] = None,
    pass_rate: Annotated[
        Texts, typer.Option(metavar="CHANGE", help="Change the pass rate: +10%, 60% or x1.2.")
    ] = None,
    blitz_rate: Annotated[
        Texts, typer.Option(metavar="CHANGE", help="Change the blitz rate: +5%, 20% or x1.5.")
    ] = None,
    play: Annotated[
        Texts, typer.Option(metavar="NAME=CHANGE", help="Change a play: deep=+5%; repeatable.")
    ] = None,
    formation: Annotated[
        Texts,
        typer.Option(metavar="NAME=CHANGE", help="Change a formation: nickel=-5%; repeatable."),
    ] = None,
    tempo: Annotated[
        Texts, typer.Option(metavar="CHANGE", help="Change the share of hurry-ups: +20%.")
    ] = None,
    fourth_down: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY", help="Fourth-down policy: best, bold, cautious, go or real."
        ),
    ] = None,
    when: Annotated[
        str | None,
        typer.Option(metavar="SITUATION", help="Only in this situation: down=1, to-go=7+."),
    ] = None,
    scan: Annotated[
        bool, typer.Option("--scan", help="Try many single changes and rank them.")
    ] = False,
    best: Annotated[
        bool, typer.Option("--best", help="Search for the best plan; then let opponents respond.")
    ] = False,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="N|TIME", help="With --best: plans to try (120), or a time (90s, 5m)."
        ),
    ] = None,
    within: Annotated[
        str | None,
        typer.Option(metavar="PERCENT", help="With --best: largest change of a share (10%)."),
    ] = None,
    answered: Annotated[
        bool, typer.Option("--answered", help="Also simulate opponents that respond.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the changed plan (.toml) or a table (.csv, .parquet)."
        ),
    ] = None,
    runs: Runs = "1000",
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed of the dice; the same seed gives the same dice.")
    ] = 0,
    rebuilds: Annotated[
        str | None,
        typer.Option(metavar="N", help="Repeat on this many bootstrapped charts."),
    ] = None,
    pbp: Annotated[
        list[Path] | None,
        typer.Option("--pbp", metavar="FILE", help="With --rebuilds: play-by-play of the season."),
    ] = None,
    option: Options = None,
    threads: Threads = None,
    cluster: Cluster = None,
    html: HtmlOption = None,
    as_json: AsJson = False,
) -> None:
    """Measure how another game plan would change a team's wins.

    Both plans are simulated with the same dice. +10% and -10% are percentage points, 60% is a level
    and x1.2 a factor; a situation may follow an @, as in deep=+5%@down=1. Ctrl-C reports the runs
    so far.
    """
    extras.require("whatif", "numba")
    from hashmark.league.seasons.pairings import MAX_RECORDED_RUNS, validate_run
    from hashmark.league.whatifs import whatif_run
    from hashmark.league.whatifs.change_request import ChangeRequest

    change = ChangeRequest(
        pass_rate or (),
        play or (),
        blitz_rate or (),
        formation or (),
        tempo or (),
        fourth_down,
        when,
    )
    _check_modes(scan, best, plan, change, budget, within, out, answered)
    rebuild_count = None if rebuilds is None else parse_count("--rebuilds", rebuilds)
    rebuilder = _rebuilder(season, rebuild_count, pbp, seed, scan or best)
    check_writable(html, out)
    if _is_table(out):
        check_table_path(out)
    count = parse_count("--runs", runs)
    validate_run(count, seed, threads, MAX_RECORDED_RUNS)
    change.validate()
    with ProgressBar(None, "searching" if best else "games") as progress:
        if best:
            question = whatif_run.ask_best(count, seed, budget, within, _print_notice)
        elif scan:
            question = whatif_run.ask_scan(count, seed)
        else:
            question = whatif_run.ask_change(change, plan, count, seed, answered)
        request = whatif_run.WhatIfRequest(season, team, question, parse_options(option))
        result = whatif_run.run_request(
            request, threads=threads, cluster=cluster, progress=progress.update
        )
    if rebuilder is not None and rebuild_count is not None:
        result = _over_rebuilds(result, rebuilder, rebuild_count, count)
    _report(result, as_json, html, out)
    if not result.is_complete:
        raise typer.Exit(130)


def _check_modes(
    scan: bool,
    best: bool,
    plan: str | None,
    change: ChangeRequest,
    budget: str | None,
    within: str | None,
    out: Path | None,
    answered: bool,
) -> None:
    """Raise if options are combined that exclude each other."""
    has_change = plan is not None or change.has_changes
    if scan + best + has_change > 1:
        raise HashmarkError(
            "--scan, --best and a change of your own exclude each other: choose one"
        )
    if not (scan or best or has_change):
        raise HashmarkError(
            "name a change, e.g. --pass-rate +10%, --play deep=+5% or --plan FILE, or use --scan "
            "or --best"
        )
    if (budget is not None or within is not None) and not best:
        raise HashmarkError("--budget and --within need --best")
    if answered and (scan or best):
        raise HashmarkError(
            "--answered needs a change of your own: --best includes it, --scan has no responses"
        )
    if out is not None and scan and not _is_table(out):
        raise HashmarkError(
            "--out writes one plan, but --scan tries many: write a table, .csv or .parquet"
        )
    if change.when is not None and (scan or best or not change.has_changes):
        raise HashmarkError("--when needs a change that it limits, e.g. --pass-rate +10%")


def _is_table(out: Path | None) -> bool:
    """Return whether the file is for a table rather than a plan."""
    from hashmark.sim.game_rows import SUFFIXES

    return out is not None and out.suffix.lower() in SUFFIXES


def _rebuilder(
    season: int, rebuilds: int | None, pbp: list[Path] | None, seed: int, many: bool
) -> Rebuilder | None:
    """Read the season's plays at once, if charts are to be rebuilt."""
    if rebuilds is None:
        if pbp:
            raise HashmarkError("--pbp needs --rebuilds")
        return None
    if many:
        raise HashmarkError("--rebuilds needs a change of your own: leave --scan and --best out")
    extras.require("whatif --rebuilds", "polars")
    from hashmark.league.data import play_by_play as plays
    from hashmark.league.seasons.pairings import validate_run
    from hashmark.league.validation.bootstrap import MAX_REBUILDS, Rebuilder

    validate_run(rebuilds, seed, None, MAX_REBUILDS, "rebuilds")
    source = list(pbp) if pbp else plays.find_season_file(season)
    return Rebuilder.of(plays.load(source, season), season, seed)


def _over_rebuilds(
    result: WhatIfResult, rebuilder: Rebuilder, number: int, runs: int
) -> WhatIfResult:
    """Return the comparison with its gains on rebuilt charts."""
    from hashmark.league.whatifs.bootstrap_gains import measure_gains
    from hashmark.league.whatifs.whatif import Comparison
    from hashmark.league.whatifs.whatif_run import WhatIfResult

    answer = result.answer
    if not isinstance(answer, Comparison) or not answer.is_measured or not result.is_complete:
        return result
    with ProgressBar(number, "rebuilds", "rebuilding charts") as bar:

        def with_progress() -> Iterator[Path]:
            for done, path in enumerate(rebuilder.chart_files(number)):
                bar.update(done)
                yield path

        gains = measure_gains(answer, with_progress(), runs)
        return WhatIfResult(replace(answer, rebuilt=gains))


def _print_notice(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _report(result: WhatIfResult, as_json: bool, html: Path | None, out: Path | None) -> None:
    """Print text or JSON, and write the page, plan or table."""
    if as_json:
        print_json(result.to_json())
    else:
        typer.echo("\n".join(result.lines()))
    if html is not None and (report := result.report()) is not None:
        write_file(html, report.html())
    if out is not None and _is_table(out):
        from hashmark.api.whatifs import answer_rows

        write_table(out, answer_rows(result.answer))
    elif out is not None and (plan := result.plan_text()) is not None:
        write_file(out, plan)
