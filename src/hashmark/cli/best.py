"""`hashmark best`: every legal call of a position with its win probabilities, and the best one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from hashmark import extras
from hashmark.cli.common import (
    AsJson,
    Options,
    PositionOption,
    Rules,
    Tie,
    check_tie,
    limit_blas_threads,
    parse_options,
    parse_start,
    print_figures,
    print_json,
)
from hashmark.cli.progress import ProgressBar
from hashmark.engine import registry
from hashmark.engine.record import TEAMS, MatchRecord, PositionRecord
from hashmark.errors import HashmarkError
from hashmark.sanitize import PLUS_MINUS
from hashmark.text.phrases import capitalize

if TYPE_CHECKING:
    from hashmark.values.analysis import MixedStrategy, PositionAnalysis

EXAMPLE = (
    'echo \'{"phase": "fourth-down", "possession": "home", "spot": 60, "to_go": 3}\' | '
    "hashmark best fourth-down --position -"
)


def command(
    rules: Rules,
    position: PositionOption = None,
    option: Options = None,
    tie: Tie = 0.5,
    as_json: AsJson = False,
) -> None:
    """Every legal call of a position with the chances of home, a tie and away, if both sides play
    best afterwards, and what it gives away against the best call.

    Solved games (see `hashmark solve`) are answered exactly and at once; others are estimated, and
    the standard error is told. Where a call works or fails, it says from where on it is right.
    """
    from hashmark.values.analysis import analyze_position
    from hashmark.values.sources import source_of

    check_tie(tie)
    limit_blas_threads()
    extras.require("best", "numpy")
    game = registry.load(rules)
    start = parse_start(rules, parse_options(option), position)
    m = game.new_match(start.options)
    g = game.new_position(m, start.position)
    if game.is_over(g):
        raise HashmarkError("the position is over: there is nothing left to call")
    with ProgressBar(None, "games") as bar:
        best = analyze_position(source_of(game, start.options, tie=tie, progress=bar.update), g)
    if as_json:
        print_json(best.to_json())
        return
    _print(best, m, g)


def _print(best: PositionAnalysis, m: MatchRecord, g: PositionRecord) -> None:
    """Print the table for people, and the conclusions in words."""
    from hashmark.values.analysis import format_loss

    rules, judgement = best.source.rules, best.call_values
    typer.echo(f"{capitalize(rules.words.situation(m, g, TEAMS))}.")
    if judgement is None:
        typer.echo(f"Nobody is asked: the dice decide. {_describe_value(best)}")
    else:
        typer.echo(f"{capitalize(TEAMS[judgement.team])} is asked. {_describe_value(best)}")
        typer.echo()
        headings = ("call", "home", "tie", "away", "difference")
        digits = 2 if best.value.is_exact else 1  # more would be noise
        rows = [
            (
                rules.calls[call],
                *(f"{chance:.{digits}%}" for chance in (value.home, value.tie, value.away)),
                format_loss(judgement, call),
            )
            for call, value in sorted(
                judgement.calls.items(), key=lambda pair: judgement.loss(pair[0])
            )
        ]
        print_figures(headings, rows)
        for line in _conclusions(best):
            typer.echo(line)
        for mix in best.mixed_strategies:
            _print_mix(mix, rules.calls)
    print(f"hashmark: {best.source.description}", file=sys.stderr)


def _print_mix(mix: MixedStrategy, names: tuple[str, ...]) -> None:
    """Print how often each secret call should be made, and its value against the other's mix."""
    typer.echo(f"\n{capitalize(TEAMS[mix.team])} should mix its secret calls:\n")
    order = sorted(mix.calls.items(), key=lambda pair: -pair[1][0])
    rows = [
        (names[call], f"{share:.0%}", f"{worth:.1%} {PLUS_MINUS} {error:.1%}")
        for call, (share, worth, error) in order
    ]
    print_figures(("call", "share", "worth"), rows)


def _describe_value(best: PositionAnalysis) -> str:
    """Return the value of the position in a sentence."""
    value = best.value
    tie = f", a tie {value.tie:.1%}" if value.tie >= 0.0005 else ""
    error = "" if value.is_exact else f" ({PLUS_MINUS} {value.error:.1%})"
    return f"With best play home wins {value.home:.1%}{error}{tie}, away {value.away:.1%}."


def _conclusions(best: PositionAnalysis) -> list[str]:
    """Return sentences on the best call, on calls that do not matter, and on break-evens."""
    judgement, names = best.call_values, best.source.rules.calls
    sentences: list[str] = []
    if judgement is None or len(judgement.calls) < 2:
        sentences.append("There is no choice.")
    elif not best.has_meaningful_choice:
        sentences.append("It does not matter: no call gives away half a point of a hundred.")
    else:
        sentences += [
            f"{capitalize(break_even.describe(names))}." for break_even in best.break_evens.values()
        ]
    if best.knows_secret:
        sentences.append("The other coach's secret call is in the position, and taken as known.")
    return ["", *sentences] if sentences else []
