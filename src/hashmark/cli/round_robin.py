"""`hashmark simulate --round-robin`: every coach of a game against every other one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from hashmark.cli.common import parse_count, print_json, print_table
from hashmark.cli.progress import ProgressBar
from hashmark.number_text import percent

if TYPE_CHECKING:
    from hashmark.sim.results import Estimate
    from hashmark.sim.round_robin import RoundRobin


def run_round_robin(
    rules: str,
    games: str,
    *,
    as_json: bool,
    options: Mapping[str, Any],
    start: Mapping[str, Any] | None,
    **settings: Any,
) -> None:
    """Play a round robin and print its table; Ctrl-C reports the pairings that are finished."""
    from hashmark.sim.round_robin import play_round_robin

    count = parse_count("--games", games)
    with ProgressBar(None, "games", "preparing the rules (once)") as progress:
        robin = play_round_robin(
            rules, count, options=options, start=start, progress=progress.update, **settings
        )
    if as_json:
        print_json(robin.to_json())
    else:
        _print(robin)
    if robin.interrupted:
        raise typer.Exit(130)


def _print(robin: RoundRobin) -> None:
    """Print who beats whom, in percent, with a tie as half a win."""
    if robin.interrupted:
        played, total = len(robin.scores), len(robin.pairings)
        typer.echo(f"interrupted after {played} of {total} pairings")
    subject = "each coach alone" if robin.is_solo else "each pairing, half from each side"
    typer.echo(f"{robin.rules.title}: {robin.games:,} games of {subject}, seed {robin.seed}\n")
    if robin.is_solo:
        _print_solo(robin)
        return
    names = [coach.name for coach in robin.coaches]
    rows = [
        (
            coach.title,
            *(_format(robin.score(coach.name, other)) for other in names),
            _format(robin.average(coach.name)),
        )
        for coach in robin.coaches
    ]
    print_table(("wins of the row, %", *names, "all"), rows)
    largest = max((score.error for score in robin.scores.values()), default=0.0)
    typer.echo(f"\nA tie is half a win. Standard error of a cell: at most {100 * largest:.2f}.")


def _print_solo(robin: RoundRobin) -> None:
    rows = []
    for coach in robin.coaches:
        score = robin.score(coach.name, coach.name)
        if score is not None:
            rows.append((coach.title, percent(score.mean, 2), f"{100 * score.error:.2f}"))
    print_table(("coach", "wins", "standard error"), rows)


def _format(score: Estimate | None) -> str:
    """Format a score in percent; nothing where a coach would meet itself."""
    return "" if score is None else f"{100 * score.mean:.1f}"
