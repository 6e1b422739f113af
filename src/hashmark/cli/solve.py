"""`hashmark solve`: a whole game, or a pairing, solved for best calls, coaches and reviews."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hashmark import extras
from hashmark.cli import pairings
from hashmark.cli.common import (
    AsJson,
    Options,
    Threads,
    Tie,
    check_tie,
    parse_options,
    print_json,
    print_table,
    team_arguments,
)
from hashmark.cli.progress import ProgressBar
from hashmark.engine import registry
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.number_text import percent
from hashmark.values import pairing_table, solution
from hashmark.values.value import DEFAULT_TIE_VALUE, Value

EXAMPLE = "hashmark solve fourth-down"


def command(
    rules: Annotated[
        str | None, typer.Argument(metavar="RULES", help="Game, e.g. fourth-down.")
    ] = None,
    home_team: Annotated[
        str | None,
        typer.Argument(metavar="[HOME]", help="Team at home (data-driven), e.g. ARI-2008."),
    ] = None,
    away_team: Annotated[
        str | None, typer.Argument(metavar="[AWAY]", help="Visiting team, e.g. PIT-2008.")
    ] = None,
    option: Options = None,
    tie: Tie = DEFAULT_TIE_VALUE,
    threads: Threads = None,
    again: Annotated[
        bool, typer.Option("--again", help="Solve again even if a solution exists.")
    ] = False,
    info: Annotated[bool, typer.Option("--info", help="List the saved solutions.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve a game: the best call of every position.

    Ctrl-C stops it; the same command resumes. The solution is saved in the data folder. For
    Data-Driven Football one pairing is solved, in a model of the game, for the coach `best`: name
    HOME and AWAY. That table is kept in the cache folder; a run that is stopped saves nothing.
    """
    check_tie(tie)
    extras.require("solve", "numpy")
    if info:
        _list_solutions(as_json)
        return
    if rules is None:
        raise HashmarkError(
            "solve: name a game, e.g. `hashmark solve fourth-down`, or list solutions with --info"
        )
    extras.require("solve", "numba")
    loaded = registry.load(rules)
    m = loaded.new_match({**team_arguments(rules, home_team, away_team), **parse_options(option)})
    if pairing_table.has_model(loaded):
        path = pairings.solve(loaded, m, threads, again)
        pairings.report(loaded, m, path, as_json)
        return
    task = solution.SolveTask(loaded, m, tie)
    if again or solution.find(loaded, m, tie) is None:
        _solve(task, threads)
    source = solution.find(loaded, m, tie)
    assert source is not None
    _report(task.path, source.value(loaded.new_position(m)), as_json)


def _solve(task: solution.SolveTask, threads: int | None) -> None:
    from hashmark.values.solve_on_disk import solve

    with ProgressBar(None, "solving", "reading the rules") as bar:

        def show_progress(what: str, done: int, of: int) -> None:
            if of:
                bar.update(done, of)
            else:
                bar.set_step(f"{what}: {done:,} calls")

        try:
            solve(task, threads=threads, progress=show_progress)
        except KeyboardInterrupt:
            print("hashmark: interrupted; the same command resumes", file=sys.stderr)
            raise typer.Exit(130) from None


def _report(path: Path, value: Value, as_json: bool) -> None:
    if as_json:
        chances = {"home": value.home, "tie": value.tie, "away": value.away, "exact": True}
        print_json({**chances, "file": str(path), "bytes": path.stat().st_size})
        return
    typer.echo(
        f"New game, best play by both teams (exact): home wins {percent(value.home, 4)}, "
        f"tie {percent(value.tie, 4)}, away wins {percent(value.away, 4)}."
    )
    typer.echo(f"Solution: {path} ({path.stat().st_size / 1e6:,.0f} MB).")


def _list_solutions(as_json: bool) -> None:
    rows_json = [_solution_row(path, identity) for path, identity in solution.list_solutions()]
    if as_json:
        print_json(rows_json)
    elif not rows_json:
        typer.echo(f"No solutions in {solution.solutions_dir()}.")
    else:
        headings = ("game", "options", "tie", "MB", "file")
        rows = [[str(row[key]) for key in headings] for row in rows_json]
        print_table(headings, rows)


def _solution_row(path: Path, identity: dict[str, Any] | None) -> dict[str, Any]:
    """Describe one solution, even an unusable one, so that it can be deleted."""
    row: dict[str, Any] = {
        "game": "damaged",
        "options": "",
        "tie": "",
        "MB": round(path.stat().st_size / 1e6),
    }
    if identity is not None:
        row |= {"game": identity["rules"], "tie": identity["tie"]}
        try:
            rules = registry.load(identity["rules"])
        except HashmarkError:
            row["game"] += " (not installed)"
        else:
            row["game"] += _why_unused(rules, identity)
            row["options"] = _changed_options(rules, identity["match"])
    return {**row, "file": path.name}


def _why_unused(rules: RuleSet, identity: dict[str, Any]) -> str:
    """Return why a valid solution is not used, or an empty string."""
    if identity["version"] != rules.version:
        return f" (rules {identity['version']}, now {rules.version}; unused)"
    return "" if identity["format"] == solution.FORMAT else " (older format; unused)"


def _changed_options(rules: RuleSet, match: dict[str, Any]) -> str:
    """Return the options of a match that differ from the defaults."""
    default = rules.new_match().to_json()
    changed = [f"{key}={value}" for key, value in match.items() if default.get(key) != value]
    return ", ".join(changed) or "default"
