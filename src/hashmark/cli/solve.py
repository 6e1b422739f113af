"""`hashmark solve`: a whole game solved exactly, and kept for best calls and reviews."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hashmark.cli.common import AsJson, Options, Threads, print_json, print_table, read_options
from hashmark.cli.progress import ProgressBar
from hashmark.table import extras, registry
from hashmark.table.errors import HashmarkError
from hashmark.table.rules import RuleSet
from hashmark.values import solution
from hashmark.values.value import HALF, Value

EXAMPLE = "hashmark solve fourth-down"


def command(
    rules: Annotated[
        str | None, typer.Argument(metavar="[RULES]", help="The rule set, e.g. fourth-down.")
    ] = None,
    option: Options = None,
    tie: Annotated[float, typer.Option(help="What a tie is worth to each team.")] = HALF,
    threads: Threads = None,
    again: Annotated[bool, typer.Option("--again", help="Solve it though it is solved.")] = False,
    info: Annotated[bool, typer.Option("--info", help="Say which solutions there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve a game: the best call of every position, with the exact chances of both teams.

    Ctrl-C ends it; the same command goes on from there. The solution lies in the data folder.
    """
    extras.need("solve", "numpy")
    if info:
        _say_what_is_there(as_json)
        return
    if rules is None:
        raise HashmarkError("solve: name a rule set, or say --info")
    extras.need("solve", "numba")
    loaded = registry.load(rules)
    m = loaded.new_match(read_options(option))
    task = solution.Task(loaded, m, tie)
    if again or solution.find(loaded, m, tie) is None:
        _solve(task, threads)
    source = solution.find(loaded, m, tie)
    assert source is not None
    _report(task.path, source.value(loaded.new_position(m)), as_json)


def _solve(task: solution.Task, threads: int | None) -> None:
    from hashmark.values.solve_on_disk import solve

    with ProgressBar(None, "solving", "reading the rules") as bar:

        def told(what: str, done: int, of: int) -> None:
            if of:
                bar.update(done, of)
            else:
                bar.say(f"{what}: {done:,} calls")

        try:
            solve(task, threads=threads, progress=told)
        except KeyboardInterrupt:
            print("hashmark: interrupted; the same command goes on from there", file=sys.stderr)
            raise typer.Exit(130) from None


def _report(path: Path, value: Value, as_json: bool) -> None:
    if as_json:
        said = {"home": value.home, "tie": value.tie, "away": value.away, "exact": True}
        print_json({**said, "file": str(path), "bytes": path.stat().st_size})
        return
    typer.echo(
        f"A new game at best play: home wins {value.home:.4%}, tie {value.tie:.4%}, "
        f"away wins {value.away:.4%}."
    )
    typer.echo(f"The solution lies in {path} ({path.stat().st_size / 1e6:,.0f} MB).")


def _say_what_is_there(as_json: bool) -> None:
    found = [_line(path, said) for path, said in solution.all_there()]
    if as_json:
        print_json(found)
    elif not found:
        typer.echo(f"There are no solutions in {solution.folder()}.")
    else:
        headings = ("game", "options", "tie", "MB", "file")
        rows = [[str(one[key]) for key in headings] for one in found]
        print_table(headings, rows)


def _line(path: Path, said: dict[str, Any] | None) -> dict[str, Any]:
    """What is said of one solution; also of one that nothing can use, so that it can be deleted."""
    made: dict[str, Any] = {
        "game": "damaged",
        "options": "",
        "tie": "",
        "MB": round(path.stat().st_size / 1e6),
    }
    if said is not None:
        made |= {"game": said["rules"], "tie": said["tie"]}
        try:
            rules = registry.load(said["rules"])
        except HashmarkError:
            made["game"] += " (not installed)"
        else:
            made["game"] += _not_used(rules, said)
            made["options"] = _unusual(rules, said["match"])
    return {**made, "file": path.name}


def _not_used(rules: RuleSet, said: dict[str, Any]) -> str:
    """Why a sound solution is not used, if it is not."""
    if said["version"] != rules.version:
        return f" (rules {said['version']}, now {rules.version}: not used)"
    return "" if said["format"] == solution.FORMAT else " (of an older Hashmark: not used)"


def _unusual(rules: RuleSet, match: dict[str, Any]) -> str:
    """The options of a match that are not the usual ones."""
    usual = rules.new_match().to_json()
    other = [f"{key}={value}" for key, value in match.items() if usual.get(key) != value]
    return ", ".join(other) or "usual"
