"""`hashmark solve`: an exact solution of a whole game, saved for best calls and reviews."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hashmark import extras
from hashmark.cli.common import AsJson, Options, Threads, parse_options, print_json, print_table
from hashmark.cli.progress import ProgressBar
from hashmark.engine import registry
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.values import solution
from hashmark.values.value import DEFAULT_TIE_VALUE, Value

EXAMPLE = "hashmark solve fourth-down"


def command(
    rules: Annotated[
        str | None, typer.Argument(metavar="[RULES]", help="The rule set, e.g. fourth-down.")
    ] = None,
    option: Options = None,
    tie: Annotated[
        float, typer.Option(help="What a tie is worth to each team.")
    ] = DEFAULT_TIE_VALUE,
    threads: Threads = None,
    again: Annotated[bool, typer.Option("--again", help="Solve it though it is solved.")] = False,
    info: Annotated[bool, typer.Option("--info", help="Say which solutions there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve a game: the best call of every position, with the exact chances of both teams.

    Ctrl-C ends it; the same command goes on from there. The solution lies in the data folder.
    """
    extras.require("solve", "numpy")
    if info:
        _list_solutions(as_json)
        return
    if rules is None:
        raise HashmarkError("solve: name a rule set, or say --info")
    extras.require("solve", "numba")
    loaded = registry.load(rules)
    m = loaded.new_match(parse_options(option))
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
            print("hashmark: interrupted; the same command goes on from there", file=sys.stderr)
            raise typer.Exit(130) from None


def _report(path: Path, value: Value, as_json: bool) -> None:
    if as_json:
        chances = {"home": value.home, "tie": value.tie, "away": value.away, "exact": True}
        print_json({**chances, "file": str(path), "bytes": path.stat().st_size})
        return
    typer.echo(
        f"A new game at best play: home wins {value.home:.4%}, tie {value.tie:.4%}, "
        f"away wins {value.away:.4%}."
    )
    typer.echo(f"The solution lies in {path} ({path.stat().st_size / 1e6:,.0f} MB).")


def _list_solutions(as_json: bool) -> None:
    rows_json = [_solution_row(path, identity) for path, identity in solution.list_solutions()]
    if as_json:
        print_json(rows_json)
    elif not rows_json:
        typer.echo(f"There are no solutions in {solution.solutions_dir()}.")
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
        return f" (rules {identity['version']}, now {rules.version}: not used)"
    return "" if identity["format"] == solution.FORMAT else " (of an older Hashmark: not used)"


def _changed_options(rules: RuleSet, match: dict[str, Any]) -> str:
    """Return the options of a match that differ from the defaults."""
    default = rules.new_match().to_json()
    changed = [f"{key}={value}" for key, value in match.items() if default.get(key) != value]
    return ", ".join(changed) or "usual"
