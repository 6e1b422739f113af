"""`hashmark whatif`: what a change of a team's game plan would have done to its record."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hashmark.cli.common import (
    AsJson,
    Cluster,
    HtmlPage,
    Options,
    Threads,
    print_json,
    print_table,
    read_options,
)
from hashmark.cli.output import check_writable, write_file
from hashmark.cli.progress import ProgressBar
from hashmark.table import extras
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import plain

if TYPE_CHECKING:
    from hashmark.games.data_driven.plans.plan import Plan
    from hashmark.league.whatifs.best import Best, Budget
    from hashmark.league.whatifs.changes import AnyChange
    from hashmark.league.whatifs.scan import Finding, Scan
    from hashmark.league.whatifs.trial import Trial
    from hashmark.league.whatifs.whatif import Comparison

EXAMPLE = 'hashmark whatif 2008 ARI --play plunge=-8% --play screen=+8% --when "down=1"'
SHOWN = 16  # findings of a scan in the terminal
Texts = list[str] | None


def command(
    season: Annotated[int, typer.Argument(metavar="SEASON", help="The year, e.g. 2008.")],
    team: Annotated[str, typer.Argument(metavar="TEAM", help="ARI, Arizona or Cardinals.")],
    plan: Annotated[
        str | None, typer.Option(metavar="FILE", help="Another plan: a file or a name.")
    ] = None,
    pass_rate: Annotated[
        Texts, typer.Option(metavar="CHANGE", help="Passes: +10%, 60% or x1.2.")
    ] = None,
    blitz_rate: Annotated[
        Texts, typer.Option(metavar="CHANGE", help="Blitzes: +5%, 20% or x1.5.")
    ] = None,
    play: Annotated[
        Texts, typer.Option(metavar="NAME=CHANGE", help="A play: deep=+5%; may be repeated.")
    ] = None,
    formation: Annotated[
        Texts, typer.Option(metavar="NAME=CHANGE", help="A formation: nickel=-5%.")
    ] = None,
    tempo: Annotated[Texts, typer.Option(metavar="CHANGE", help="Hurry-ups: +20%.")] = None,
    fourth_down: Annotated[
        str | None, typer.Option(metavar="POLICY", help="best, bold, cautious or real.")
    ] = None,
    when: Annotated[
        str | None, typer.Option(metavar="SITUATION", help="Only there: down=1, to-go=7+.")
    ] = None,
    scan: Annotated[bool, typer.Option("--scan", help="Rank many single changes.")] = False,
    best: Annotated[
        bool, typer.Option("--best", help="Search the best plan; then opponents adapt.")
    ] = False,
    budget: Annotated[
        str | None, typer.Option(help="Of --best: plans to try (120), or a time (90s, 5m).")
    ] = None,
    within: Annotated[
        str | None, typer.Option(help="Of --best: how far a share may move (10%).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the changed plan: a file to edit.")
    ] = None,
    runs: Annotated[int, typer.Option(help="How many seasons to play with each plan.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same luck.")] = 0,
    option: Options = None,
    threads: Threads = None,
    cluster: Cluster = None,
    html: HtmlPage = None,
    as_json: AsJson = False,
) -> None:
    """How many wins another game plan would have brought, with the same luck otherwise.

    +10% and -10% are points of a hundred calls, 60% is a level and x1.2 a factor; a situation may
    follow after an @: deep=+5%@down=1. Ctrl-C reports what is done.
    """
    extras.need("whatif", "numba")
    given = Wanted(pass_rate, blitz_rate, play, formation, tempo, fourth_down, when)
    _check_modes(scan, best, plan, given, budget, within, out)
    check_writable(html, out)
    _check_work(runs, seed, threads)
    given.shares()
    limits = _read_limits(budget, within)
    with ProgressBar(None, "games") as progress:
        trial = _trial(season, team, read_options(option), threads, cluster, progress)
        if scan:
            _report_scan(trial, runs, seed, as_json, html)
        elif best:
            _report_best(trial, limits, runs, seed, as_json, html, out, progress)
        else:
            _report_change(trial, plan, given, runs, seed, as_json, html, out)
    if trial.interrupted:
        raise typer.Exit(130)


@dataclass(frozen=True)
class Wanted:
    """The quick changes as they were typed."""

    pass_rate: Texts
    blitz_rate: Texts
    play: Texts
    formation: Texts
    tempo: Texts
    fourth_down: str | None
    when: str | None

    def anything(self) -> bool:
        shares = (self.pass_rate, self.blitz_rate, self.play, self.formation, self.tempo)
        return any(shares) or self.fourth_down is not None

    def shares(self) -> list[AnyChange]:
        """The changes of shares; the name of a fourth-down policy is checked as well."""
        from hashmark.league.whatifs import changes as ch
        from hashmark.league.whatifs import fourth

        if self.fourth_down is not None:
            fourth.check_policy(self.fourth_down)
        where = ch.read_situation(self.when) if self.when is not None else ch.ANYWHERE
        made: list[AnyChange] = []
        for texts, read in (
            (self.pass_rate, ch.pass_rate),
            (self.play, ch.play),
            (self.blitz_rate, ch.blitz_rate),
            (self.formation, ch.formation),
            (self.tempo, ch.tempo),
        ):
            made += [read(text, where) for text in texts or ()]
        return made

    def changes(self, trial: Trial, base: Plan, seed: int) -> list[AnyChange]:
        """The changes, those of shares first."""
        from hashmark.league.whatifs import changes as ch
        from hashmark.league.whatifs import fourth
        from hashmark.league.whatifs.opposition import Opposition

        made = self.shares()
        if self.fourth_down is not None:
            changed = ch.apply(base, made)
            policy = fourth.policy(self.fourth_down, lambda: Opposition(trial), changed, seed)
            made += [policy] if policy is not None else []
        return made


def _check_modes(
    scan: bool,
    best: bool,
    plan: str | None,
    given: Wanted,
    budget: str | None,
    within: str | None,
    out: Path | None,
) -> None:
    """What cannot be asked together."""
    changed = plan is not None or given.anything()
    if scan + best + changed > 1:
        raise HashmarkError("--scan, --best and a change of one's own are three questions: ask one")
    if not (scan or best or changed):
        raise HashmarkError(
            "say what to change, e.g. --pass-rate +10%, --play deep=+5% or --plan FILE, "
            "or ask for --scan or --best"
        )
    if (budget is not None or within is not None) and not best:
        raise HashmarkError("--budget and --within belong to --best")
    if out is not None and scan:
        raise HashmarkError("--out writes one plan, and --scan tries many: leave it out")
    if given.when is not None and (scan or best or not given.anything()):
        raise HashmarkError("--when limits quick changes such as --pass-rate +10%: give one")


def _trial(
    season: int,
    team: str,
    options: dict[str, object],
    threads: int | None,
    cluster: str | None,
    progress: ProgressBar,
) -> Trial:
    from hashmark.league.seasons.season import Recipe, choose_plan
    from hashmark.league.whatifs.trial import Trial, real_field

    recipe = Recipe(season, None, choose_plan(season, None), options)
    ground = real_field(recipe, team)
    return Trial(ground, threads=threads, cluster=cluster, progress=progress.update)


# --- One change -----------------------------------------------------------------------------


def _report_change(
    trial: Trial,
    name: str | None,
    given: Wanted,
    runs: int,
    seed: int,
    as_json: bool,
    html: Path | None,
    out: Path | None,
) -> None:
    from dataclasses import replace

    from hashmark.games.data_driven.plans import plan as plans
    from hashmark.league.whatifs import changes as ch
    from hashmark.league.whatifs.whatif import change_words, compare, describe

    base = trial.plan if name is None else plans.load(name)
    changes = given.changes(trial, base, seed)
    changed = replace(ch.apply(base, changes), name=f"{base.name}, changed")
    parts = [] if name is None else [describe(trial.plan, base)]
    parts += [change_words(base, changes)] if changes else []
    found = compare(trial, changed, "; ".join(parts) or "no change", runs, seed)
    if as_json:
        print_json(found.to_json())
    elif found.runs:
        _print_change(found, changes)
    else:
        typer.echo("interrupted before the first run was over")
    if html is not None and found.runs:
        from hashmark.league.whatifs.whatif_page import comparison_page

        write_file(html, comparison_page(found))
    _write_plan(out, changed)


def _print_change(found: Comparison, changes: list[AnyChange]) -> None:
    from hashmark.league.whatifs.fourth import Policy
    from hashmark.league.whatifs.trial import mean
    from hashmark.league.whatifs.whatif import full_name

    _print_head(found.trial, found.runs, found.asked, found.seed)
    rows = [
        (
            name,
            f"{mean(old).mean:.2f}",
            f"{mean(new).mean:.2f}",
            f"{change:.2f}",
        )
        for name, old, new, change in (
            ("wins", found.before.wins, found.after.wins, found.wins),
            ("points for", found.before.total(0), found.after.total(0), found.points_for),
            ("points against", found.before.total(1), found.after.total(1), found.points_against),
        )
    ]
    print_table(("per season", "real plan", "changed", "change"), rows)
    typer.echo()
    calls = [
        (play, f"{old:.1%}", f"{new:.1%}", f"{100 * (new - old):+.1f}")
        for play, old, new in found.calls()
    ]
    print_table(("share of plays", "real plan", "changed", "points"), calls)
    typer.echo(f"\n{full_name(found.trial)} {found.sentence()}.")
    for change in changes:
        if isinstance(change, Policy):
            typer.echo(f"In the open game it {change.where()}.")
    typer.echo(f"\n{NOTE}")


NOTE = (
    "(+-) is half of a 95% interval of paired differences: run for run both plans have the same "
    "dice,\nplay by play and drive by drive."
)


def _print_head(trial: Trial, runs: int, asked: int, seed: int) -> None:
    from hashmark.league.whatifs.whatif import full_name

    if trial.interrupted and runs < asked:
        typer.echo(f"interrupted after {runs:,} of {asked:,} runs")
    typer.echo(
        f"{full_name(trial)} {trial.season}: {runs:,} runs of the real schedule with each plan "
        f"({trial.games:,} games in {trial.seconds:.1f} s), seed {seed}\n"
    )


# --- A scan -----------------------------------------------------------------------------------


def _report_scan(trial: Trial, runs: int, seed: int, as_json: bool, html: Path | None) -> None:
    from hashmark.league.whatifs.scan import scan

    found = scan(trial, runs, seed)
    if as_json:
        print_json(found.to_json())
    elif found.findings:
        _print_scan(found)
    else:
        typer.echo("interrupted before anything was measured")
    if html is not None and found.findings:
        from hashmark.league.whatifs.whatif_page import scan_page

        write_file(html, scan_page(found))


def _print_scan(found: Scan) -> None:
    _print_head(found.trial, max(one.runs for one in found.findings), found.runs, found.seed)
    measured = [one for one in found.findings if one.confirmed]
    screened = [one for one in found.findings if not one.confirmed]
    headings = ("change", "wins", "points", "runs", "")
    if measured:
        print_table(headings, [_finding(one) for one in measured])
    else:
        print_table(headings, [_finding(one) for one in screened[:SHOWN]])
    typer.echo("\n* zero is ruled out, even when all changes of the table are taken together.")
    if measured and screened:
        typer.echo(
            f"{len(screened)} other changes were tried with {screened[0].runs:,} runs only: they "
            f"promised less, and {_certain(screened)} of them can be told apart from zero "
            "(--json and --html list them)."
        )
    typer.echo(f"\n{found.verdict()}\n\n{NOTE}")


def _certain(findings: list[Finding]) -> str:
    return str(sum(one.certain for one in findings) or "none")


def _finding(one: Finding) -> tuple[str, ...]:
    mark = "*" if one.certain else ""
    return one.words, f"{one.wins:.2f}", f"{one.points:.1f}", f"{one.runs:,}", mark


# --- The best plan ------------------------------------------------------------------------------


def _report_best(
    trial: Trial,
    limits: tuple[Budget, float],
    runs: int,
    seed: int,
    as_json: bool,
    html: Path | None,
    out: Path | None,
    progress: ProgressBar,
) -> None:
    from dataclasses import replace

    from hashmark.league.whatifs.best import find_best

    budget, near = limits
    progress.unit = "searching"
    allowed = replace(budget, began=time.perf_counter())
    found = find_best(trial, allowed, runs, seed, near, _tell)
    if as_json:
        print_json(found.to_json())
    elif found.measured:
        _print_best(found)
    else:
        typer.echo(f"interrupted: {found.tried} plans were tried, and none was measured")
    if html is not None and found.measured:
        from hashmark.league.whatifs.whatif_page import best_page

        write_file(html, best_page(found))
    _write_plan(out, found.plan)


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _read_limits(budget: str | None, within: str | None) -> tuple[Budget, float]:
    """How much may be tried, and how far a share may move."""
    from hashmark.league.whatifs.best import DEFAULT_BUDGET, WITHIN, read_budget

    near = WITHIN if within is None else _read_within(within)
    return read_budget(DEFAULT_BUDGET if budget is None else budget), near


def _check_work(runs: int, seed: int, threads: int | None) -> None:
    """What cannot be played is refused before anything is made ready."""
    from hashmark.league.seasons.games import MOST_KEPT, check_work

    check_work(runs, seed, threads, MOST_KEPT)


def _read_within(text: str) -> float:
    from hashmark.league.whatifs.changes import read_amount

    amount = read_amount("--within", text)
    if amount.kind != "level" or amount.value == 0:
        raise HashmarkError(f"--within {plain(text)}: expected points of a hundred calls, e.g. 10%")
    return amount.value


def _print_best(found: Best) -> None:
    from hashmark.league.whatifs.trial import mean
    from hashmark.league.whatifs.whatif import full_name

    _print_head(found.trial, found.lines[0].real.runs, found.runs, found.seed)
    rows = []
    for at, line in enumerate(found.lines):
        cells = []
        for column, sample in enumerate(line.samples()):
            cell = f"{mean(sample.wins).mean:.2f}"
            cells.append(cell if at == column == 0 else f"{cell} {found.change(at, column):.2f}")
        rows.append((line.name, *cells))
    headings = ("wins", "opponents keep to their plans", "defences answer", "both sides answer")
    print_table(headings, rows)
    typer.echo(f"\n{full_name(found.trial)} {found.sentence()}.")
    typer.echo(f"\n{found.remains()}")
    ended = ", when the search was interrupted," if found.trial.interrupted else ""
    typer.echo(f"\nFound among {found.tried} plans{ended} and measured with other luck.\n{NOTE}")


# --- Files and progress ---------------------------------------------------------------------------


def _write_plan(path: Path | None, plan: Plan) -> None:
    if path is not None:
        from hashmark.games.data_driven.plans.text import write_plan

        write_file(path, write_plan(plan))
