"""`hashmark warm`: compile everything ahead of time.

A process of its own compiles, since nothing can interrupt a compiler from within. Finished parts
are cached even if the process is ended early.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from hashmark import extras
from hashmark.cli.progress import show_notices
from hashmark.compiler import subprocesses
from hashmark.engine import registry
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError

EXAMPLE = "hashmark warm fourth-down data-driven"


def command(
    rules: Annotated[
        list[str] | None,
        typer.Argument(metavar="RULES", help="Games to compile; default: all."),
    ] = None,
) -> None:
    """Compile games ahead of time, so that the first run is fast.

    Covers simulations, odds, rollouts and, for data-driven, seasons. Ctrl-C stops it; finished
    parts are cached, and the same command resumes.
    """
    extras.require("warm", "numba")
    names = [registry.load(name).name for name in rules or registry.names()]
    with subprocesses.start_process(
        "hashmark.cli.warm:compile_all", *names, read_output=True
    ) as process:
        try:
            for line in process.stdout or ():
                typer.echo(line.rstrip())
        except BaseException as ending:
            process.kill()
            if not isinstance(ending, KeyboardInterrupt):
                raise
            print("hashmark: interrupted; finished parts are cached", file=sys.stderr)
            raise typer.Exit(130) from None
    if process.returncode:
        raise HashmarkError("compilation failed; `hashmark simulate` shows the reason")


def compile_all(*names: str) -> None:
    """Compile everything that is not compiled yet, with a line on each; runs in its own process."""
    for name in names:
        for use, make in _uses(registry.load(name)):
            notices: list[str] = []

            def show(notice: str, notices: list[str] = notices) -> None:
                notices.append(notice)
                print(f"{notice} ...", flush=True)

            started = time.perf_counter()
            with show_notices(show):
                make()
            seconds = time.perf_counter() - started
            result = f"compiled in {seconds:.0f} s" if notices else "ready"
            print(f"{name}: {use} {result}", flush=True)


def _uses(rules: RuleSet) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the uses a game is compiled for, each with a function that compiles it."""
    yield "simulation", lambda: _simulation(rules)
    yield "odds", lambda: _odds(rules)
    yield "rollouts", lambda: _rollouts(rules)
    if rules.name == "data-driven":
        yield "seasons and what-ifs", _seasons


def _simulation(rules: RuleSet) -> None:
    from hashmark.sim.background_compile import compile_games

    compile_games(rules.name)


def _odds(rules: RuleSet) -> None:
    from hashmark.odds.background_compile import compile_odds

    compile_odds(rules.name)


def _rollouts(rules: RuleSet) -> None:
    from hashmark.values.rollouts import Rollouts

    Rollouts(rules, rules.new_match()).runner.prepare()


def _seasons() -> None:
    import numpy as np

    from hashmark.games.data_driven.charts import files
    from hashmark.games.data_driven.menu_choices import DEFAULT_CHARTS
    from hashmark.league.seasons import pairings, standings

    teams = [*files.load(DEFAULT_CHARTS).teams]
    pairings.PairingBatch(DEFAULT_CHARTS, [pairings.Pairing(teams[0], teams[-1])]).prepare()
    standings.rank_seasons([], np.zeros((0, 0, 2), np.int16), standings.coin_tosses(0, []), 1)
