"""`hashmark best`: every legal call of a position with its win probabilities, and the best one."""

from __future__ import annotations

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
    next_score_ep,
    parse_options,
    parse_start,
    print_figures,
    print_json,
    print_wrapped,
)
from hashmark.cli.output import TableOption, check_table_path, write_table
from hashmark.cli.progress import ProgressBar
from hashmark.engine import registry
from hashmark.engine.record import TEAMS, MatchRecord, PositionRecord
from hashmark.errors import HashmarkError
from hashmark.number_text import interval_text, percent
from hashmark.sanitize import PLUS_MINUS
from hashmark.sim.results import NORMAL_95
from hashmark.text.phrases import capitalize

if TYPE_CHECKING:
    from hashmark.values.analysis import PositionAnalysis
    from hashmark.values.value import MixedStrategy

EXAMPLE = (
    "hashmark best fourth-down --position "
    '\'{"phase": "fourth-down", "possession": "home", "spot": 60, "to_go": 3}\''
)


def command(
    rules: Rules,
    position: PositionOption = None,
    option: Options = None,
    tie: Tie = 0.5,
    out: TableOption = None,
    as_json: AsJson = False,
) -> None:
    """Rank the legal calls of a position by win probability.

    Solved games (see `hashmark solve`) are answered exactly and at once. Other games are estimated
    by rollouts, with standard errors. For a call that can succeed or fail, the break-even success
    rate is shown too.
    """
    from hashmark.values.analysis import analyze_position
    from hashmark.values.sources import source_of

    check_tie(tie)
    check_table_path(out)
    limit_blas_threads()
    extras.require("best", "numpy")
    game = registry.load(rules)
    start = parse_start(rules, parse_options(option), position)
    m = game.new_match(start.options)
    g = game.new_position(m, start.position)
    if game.is_over(g):
        raise HashmarkError("the game is over in this position: there is no call to make")
    with ProgressBar(None, "games") as bar:
        best = analyze_position(source_of(game, start.options, tie=tie, progress=bar.update), g)
    if out is not None:
        from hashmark.api.best import call_rows

        write_table(out, call_rows(best))
    if as_json:
        print_json({**best.to_json(), **next_score_ep(game, g)})
        return
    _print(best, m, g)


def _print(best: PositionAnalysis, m: MatchRecord, g: PositionRecord) -> None:
    """Print the table for people, and the conclusions in words."""
    from hashmark.values.analysis import format_loss

    rules, judgement = best.source.rules, best.call_values
    typer.echo(f"{capitalize(rules.words.situation(m, g, TEAMS))}.")
    print_wrapped(_headline(best))
    if judgement is None:
        typer.echo("No call is pending: the dice decide.")
        return
    typer.echo(f"\n{capitalize(TEAMS[judgement.team])} to call:\n")
    headings = ("call", "home wins", "tie", "away wins", "vs. best")
    digits = 2 if best.value.is_exact else 1  # more would be noise
    rows = [
        (
            rules.calls[call],
            *(percent(chance, digits) for chance in (value.home, value.tie, value.away)),
            format_loss(judgement, call),
        )
        for call, value in sorted(judgement.calls.items(), key=lambda pair: judgement.loss(pair[0]))
    ]
    print_figures(headings, rows)
    for line in _conclusions(best, g):
        print_wrapped(line)
    for mix in best.mixed_strategies:
        _print_mix(mix, rules.calls)


def _print_mix(mix: MixedStrategy, names: tuple[str, ...]) -> None:
    """Print how often each secret call should be made, and its value against the other's mix."""
    typer.echo(
        f"\nEquilibrium mix of {TEAMS[mix.team]}'s secret calls: WP {percent(mix.worth, 1)} "
        f"{PLUS_MINUS} {100 * mix.error:.1f}\n(standard error; {mix.method}):\n"
    )
    order = sorted(mix.calls.items(), key=lambda pair: -pair[1][0])
    rows = [
        (names[call], percent(share), _format_gap(worth - mix.worth, error))
        for call, (share, worth, error) in order
    ]
    print_figures(("call", "share", "vs. mix"), rows)


def _format_gap(gap: float, error: float) -> str:
    """Format a difference in win probability in percentage points, with its standard error."""
    text = f"{100 * gap:+.1f} {PLUS_MINUS} {100 * error:.1f}"
    return text if text.strip(f"+-0. {PLUS_MINUS}") else "0.0"


def _headline(best: PositionAnalysis) -> str:
    """Return the value of the position with its uncertainty and method."""
    value = best.value
    after = "" if best.call_values is None else " after the best call"
    tie = f"tie {percent(value.tie, 1)}, " if value.tie >= 0.0005 else ""
    margin = NORMAL_95 * value.error
    low, high = max(0.0, value.home - margin), min(1.0, value.home + margin)
    interval = "" if value.is_exact else f" ({interval_text(100 * low, 100 * high, 1)})"
    return (
        f"Win probability{after}: home {percent(value.home, 1)}{interval}, {tie}away "
        f"{percent(value.away, 1)}. Method: {best.source.description}."
    )


def _conclusions(best: PositionAnalysis, g: PositionRecord) -> list[str]:
    """Return the legend, and sentences on the best call, equal calls and break-evens."""
    from hashmark.values.analysis import describe_small_differences

    judgement = best.call_values
    error = "" if best.value.is_exact else f" {PLUS_MINUS} standard error"
    sentences: list[str] = []
    if judgement is None or len(judgement.calls) < 2:
        sentences.append("This is the only legal call.")
    elif not best.has_meaningful_choice:
        sentences.append(describe_small_differences(best, g))
    else:
        sentences.append(f"vs. best: difference in win probability, in percentage points{error}.")
        sentences += [
            f"{capitalize(break_even.describe(best.source.rules))}."
            for break_even in best.break_evens.values()
        ]
    if best.knows_secret:
        sentences.append("The position includes the other coach's secret call; it is known here.")
    return ["", *sentences]
