"""`hashmark odds`: the exact distribution of what a call leads to."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hashmark.cli.common import (
    AsJson,
    Options,
    PositionFile,
    Rules,
    print_json,
    print_table,
    read_options,
    read_position,
)
from hashmark.table import registry
from hashmark.table.errors import HashmarkError, TooManyOutcomes
from hashmark.table.rules import NO_CALL, RuleSet
from hashmark.telling.speech import capital

if TYPE_CHECKING:
    from hashmark.odds import Matrix, Outlook

EXAMPLE = (
    'echo \'{"phase": "drive", "possession": "home", "spot": 30}\' | '
    "hashmark odds fourth-down --position - --call balanced"
)


def command(
    rules: Rules,
    position: PositionFile = None,
    call: Annotated[
        str | None, typer.Option("--call", help="The call; without it, all calls are compared.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", help="The other coach's secret call: odds of the whole play."),
    ] = None,
    grid: Annotated[
        bool, typer.Option("--table", help="Every call against every secret call of the other.")
    ] = False,
    option: Options = None,
    engine: Annotated[
        str, typer.Option(help="auto, compiled or plain; all give the same odds.")
    ] = "auto",
    through: Annotated[
        bool,
        typer.Option("--through", help="Let windows that open take their defaults: whole plays."),
    ] = False,
    most: Annotated[int, typer.Option(min=1, help="How many outcomes to print.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Exact odds of a call in a position: every next position with its chance.

    The position is written as in scenarios; what it leaves out is as in a new game. Where both
    coaches call in secret, --against and --table follow the play to its end: windows pass, and
    what must be decided on the way is decided as the book coach does.
    """
    from hashmark.odds import Follower, comparison, matrix, outlooks
    from hashmark.odds.advice import left_out

    game = registry.load(rules)
    m = game.new_match(read_options(option))
    g = game.new_position(m, read_position(position) if position is not None else None)
    if game.is_over(g):
        raise HashmarkError("the position is over: there is nothing left to call")
    if grid:
        _print_matrix(matrix(game, m, g, engine), as_json)
        return
    wanted = _calls(game, m, g, call)
    if against is not None:
        if call is None:
            raise HashmarkError("--against needs --call: the odds are those of both calls")
        found = [Follower(game, m, engine).play(g, call, against)]
    else:
        found, many = outlooks(game, m, g, wanted, engine, through)
        if many and (game.parts is not None or not found):
            print_parts(game, m, g, next(iter(many.values())), as_json)
            return
        if many:
            print(f"hashmark: {left_out(game, many)}", file=sys.stderr)
    if as_json:
        alone = call is not None or wanted == [NO_CALL]
        print_json(found[0].to_json() if alone else [one.to_json() for one in found])
        return
    print_table(*comparison(found))
    if len(found) == 1:
        typer.echo()
        print_outcomes(found[0], g, most)


def _calls(game: RuleSet, m: Any, g: Any, call: str | None) -> list[int]:
    """The calls to look at: the one named, all legal ones, or the dice alone."""
    if not game.questions[game.question(m, g)].calls:
        if call is not None:
            raise HashmarkError("nobody is asked in this position: leave --call out")
        return [NO_CALL]
    return [game.read_call(m, g, call)] if call is not None else game.legal_calls(m, g)


def print_parts(game: RuleSet, m: Any, g: Any, many: TooManyOutcomes, as_json: bool) -> None:
    """What the dice come to, where the game can say it and the outcomes are too many to list."""
    if game.parts is None:
        raise many
    parts = game.parts(m, g)
    if as_json:
        tables = [dict(zip(("title", "columns", "rows"), part, strict=True)) for part in parts]
        print_json({"rules": game.name, "call": None, "parts": tables})
        return
    typer.echo(f"{capital(str(many))}; the odds of their parts:")
    for title, columns, rows in parts:
        typer.echo(f"\n{title}")
        print_table(columns, [tuple(row) for row in rows])


def _print_matrix(found: Matrix, as_json: bool) -> None:
    """One table for each figure: calls down, the other coach's calls across."""
    if as_json:
        print_json(found.to_json())
        return
    for title, headings, rows in found.tables():
        typer.echo(f"{title}\n")
        print_table(headings, rows)
        typer.echo()


def print_outcomes(one: Outlook, before: Any, most: int) -> None:
    """The likeliest next positions, with the keys in which they differ from this one."""
    was = before.to_json()
    rows = []
    for outcome in one.outcomes[:most]:
        now = outcome.position.to_json()
        changed = [f"{key} {_said(now[key])}" for key in now if now[key] != was[key]]
        rows.append((f"{outcome.chance:.4%}", ", ".join(changed) or "no change"))
    print_table(("chance", "next position"), rows, left=2)
    if len(one.outcomes) > most:
        rest = sum(outcome.chance for outcome in one.outcomes[most:])
        typer.echo(f"and {len(one.outcomes) - most} more outcomes ({rest:.4%}): see --most, --json")


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {_said(one)}" for key, one in value.items())
    return "none" if value is None else str(value).lower()
