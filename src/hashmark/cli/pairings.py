"""Pairings solved by commands: on request (`hashmark solve`), or when a coach needs one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import typer

from hashmark import extras
from hashmark.cli.common import limit_blas_threads, print_json
from hashmark.cli.progress import ProgressBar
from hashmark.engine.record import MatchRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.number_text import percent
from hashmark.values import pairing_table

COACH_PREFIX = "coach:"


def solve(rules: RuleSet, m: MatchRecord, threads: int | None = None, again: bool = False) -> Path:
    """Solve a pairing unless its table exists; show the progress."""
    task = pairing_table.PairingTask(rules, m)
    if pairing_table.find(rules, m) is not None and not again:
        return task.path
    extras.require("solving a pairing", "numba")
    limit_blas_threads()
    from hashmark.values import pairing_solver

    with ProgressBar(None, "solving the pairing") as bar:
        try:
            return pairing_solver.solve(task, threads=threads, progress=bar.update)
        except KeyboardInterrupt:
            print("hashmark: interrupted; nothing was saved", file=sys.stderr)
            raise typer.Exit(130) from None


def solve_for_coaches(
    rules: RuleSet, options: Mapping[str, Any], seats: Iterable[str | None]
) -> None:
    """Solve the pairing if a coach of these seats needs its table."""
    names = {seat.removeprefix(COACH_PREFIX) for seat in seats if seat}
    if names & set(pairing_table.level_descriptions(rules)):
        solve(rules, rules.new_match(options))


def report(rules: RuleSet, m: MatchRecord, path: Path, as_json: bool) -> None:
    """Print what a new game is worth in a solved pairing."""
    from hashmark.values.sources import solved_source

    source = solved_source(rules, m)
    assert source is not None
    value = source.value(rules.new_position(m))
    size = path.stat().st_size
    if as_json:
        found = {"home": value.home, "tie": value.tie, "away": value.away, "exact": False}
        print_json({**found, "standard_error": value.error, "file": str(path), "bytes": size})
        return
    typer.echo(
        f"New game between equal coaches: home wins {percent(value.home, 1)}. "
        f"Method: {source.description}."
    )
    typer.echo(f"Table: {path} ({size / 1e6:,.0f} MB).")
