"""`hashmark best`: every legal call of a position with the chances it leaves, and the best one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from hashmark.cli.common import (
    AsJson,
    Options,
    PositionGiven,
    Rules,
    Tie,
    check_tie,
    print_figures,
    print_json,
    read_options,
    read_start,
    without_blas_threads,
)
from hashmark.cli.progress import ProgressBar
from hashmark.table import extras, registry
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import PLUS_MINUS
from hashmark.table.record import TEAMS
from hashmark.telling.speech import capital

if TYPE_CHECKING:
    from hashmark.values.best import Best, Mix

EXAMPLE = (
    'echo \'{"phase": "fourth-down", "possession": "home", "spot": 60, "to_go": 3}\' | '
    "hashmark best fourth-down --position -"
)


def command(
    rules: Rules,
    position: PositionGiven = None,
    option: Options = None,
    tie: Tie = 0.5,
    as_json: AsJson = False,
) -> None:
    """Every legal call of a position with the chances of home, a tie and away, if both sides play
    best afterwards, and what it gives away against the best call.

    Solved games (see `hashmark solve`) are answered exactly and at once; others are estimated, and
    the standard error is told. Where a call works or fails, it says from where on it is right.
    """
    from hashmark.values.best import best_of
    from hashmark.values.sources import source_of

    check_tie(tie)
    without_blas_threads()
    extras.need("best", "numpy")
    game = registry.load(rules)
    start = read_start(rules, read_options(option), position)
    m = game.new_match(start.options)
    g = game.new_position(m, start.position)
    if game.is_over(g):
        raise HashmarkError("the position is over: there is nothing left to call")
    with ProgressBar(None, "games") as bar:
        found = best_of(source_of(game, start.options, tie=tie, progress=bar.update), g)
    if as_json:
        print_json(found.to_json())
        return
    _print(found, m, g)


def _print(found: Best, m: Any, g: Any) -> None:
    """The table for people, and what can be said of it in words."""
    from hashmark.values.best import difference

    rules, judged = found.source.rules, found.judgement
    typer.echo(f"{capital(rules.words.situation(m, g))}.")
    if judged is None:
        typer.echo(f"Nobody is asked: the dice decide. {_value_words(found)}")
    else:
        typer.echo(f"{capital(TEAMS[judged.team])} is asked. {_value_words(found)}")
        typer.echo()
        headings = ("call", "home", "tie", "away", "difference")
        digits = 2 if found.value.exact else 1  # more would be noise
        rows = [
            (
                rules.calls[call],
                *(f"{chance:.{digits}%}" for chance in (one.home, one.tie, one.away)),
                difference(judged, call),
            )
            for call, one in sorted(judged.calls.items(), key=lambda pair: judged.loss(pair[0]))
        ]
        print_figures(headings, rows)
        for line in _words(found):
            typer.echo(line)
        for mix in found.mixes:
            _print_mix(mix, rules.calls)
    print(f"hashmark: {found.source.said}", file=sys.stderr)


def _print_mix(mix: Mix, names: tuple[str, ...]) -> None:
    """How often each secret call should be made, and what it is worth against the other's mix."""
    typer.echo(f"\n{capital(TEAMS[mix.team])} should mix its secret calls:\n")
    order = sorted(mix.calls.items(), key=lambda pair: -pair[1][0])
    rows = [
        (names[call], f"{share:.0%}", f"{worth:.1%} {PLUS_MINUS} {error:.1%}")
        for call, (share, worth, error) in order
    ]
    print_figures(("call", "share", "worth"), rows)


def _value_words(found: Best) -> str:
    """The value of the position in a sentence."""
    value = found.value
    tie = f", a tie {value.tie:.1%}" if value.tie >= 0.0005 else ""
    error = "" if value.exact else f" ({PLUS_MINUS} {value.error:.1%})"
    return f"With best play home wins {value.home:.1%}{error}{tie}, away {value.away:.1%}."


def _words(found: Best) -> list[str]:
    """What is best, that it does not matter, and break-evens."""
    judged, names = found.judgement, found.source.rules.calls
    said: list[str] = []
    if judged is None or len(judged.calls) < 2:
        said.append("There is no choice.")
    elif not found.matters:
        said.append("It does not matter: no call gives away half a point of a hundred.")
    else:
        said += [f"{capital(one.said(names))}." for one in found.break_evens.values()]
    if found.knows_secret:
        said.append("The other coach's secret call is in the position, and taken as known.")
    return ["", *said] if said else []
