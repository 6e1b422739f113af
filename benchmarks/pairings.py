"""The coaches of solved pairings in figures: time to solve, win rates, exploitability.

    python benchmarks/pairings.py                     # one pairing, 400 games each: some 5 minutes
    python benchmarks/pairings.py --all --games 1000  # ten pairings of real teams
    python benchmarks/pairings.py ARI-2008:PIT-2008 -o quarter_seconds=120

Each line has the result of the coach `best` at home and away together, with standard errors. The
*exploiter* knows the mix of `best` in every position and makes the call that gains most against it,
one ply deep; what it wins over `best` against itself is how much the mixes give away.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hashmark.cli.common import parse_options, team_arguments
from hashmark.engine import coaches, registry
from hashmark.sim import simulate
from hashmark.values import pairing_table

GAME = "data-driven"
PAIRINGS = (
    *("ARI-2008:PIT-2008", "DET-2008:NYG-2008", "NE-2007:NYG-2007", "IND-2006:CHI-2006"),
    *("NO-2009:IND-2009", "GB-2010:PIT-2010", "DEN-2012:BAL-2012", "KC-2018:NE-2018"),
    *("SF-2019:KC-2019", "TB-2020:KC-2020"),
)
OPPONENTS = ("book", "bold", "plan", "rookie", "starter", "veteran", "exploiter", "best")


def main() -> None:
    arguments = parse_arguments()
    coaches.register("hashmark.values.pairing_coach:exploiter")
    pairings = PAIRINGS if arguments.all else arguments.pairings or PAIRINGS[:1]
    for pairing in pairings:
        home, _, away = pairing.partition(":")
        options = {**team_arguments(GAME, home, away), **parse_options(arguments.option)}
        print(f"{home} against {away}: {describe_table(options)}", flush=True)
        for opponent in arguments.against or OPPONENTS:
            print(
                f"  best against {opponent}: {match(options, opponent, arguments.games)}",
                flush=True,
            )


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairings", nargs="*", metavar="HOME:AWAY")
    parser.add_argument("--all", action="store_true", help="all ten pairings")
    parser.add_argument("--games", type=int, default=400, help="games with each side at home")
    parser.add_argument("--against", nargs="*", choices=OPPONENTS)
    parser.add_argument("-o", "--option", action="append")
    return parser.parse_args()


def describe_table(options: dict[str, Any]) -> str:
    """Solve the pairing if necessary; return how long it took, and what its mixes give away."""
    rules = registry.load(GAME)
    m = rules.new_match(options)
    text = "solved before"
    if pairing_table.find(rules, m) is None:
        from hashmark.values import pairing_solver

        wall, processor = time.perf_counter(), time.process_time()
        pairing_solver.solve(pairing_table.PairingTask(rules, m))
        text = (
            f"solved in {time.perf_counter() - wall:.0f} s "
            f"({time.process_time() - processor:.0f} s of processor time)"
        )
    gap = 100 * pairing_table.solver_gap(rules, m)
    return f"{text}; mean gap of a solved situation {gap:.3f} percentage points"


def match(options: dict[str, Any], opponent: str, games: int) -> str:
    """Return the result of `best` against a coach, over both sides; the same dice for each."""
    started = time.process_time()
    results = [
        simulate(GAME, games, seed=seed, home=home, away=away, options=options)
        for seed, (home, away) in enumerate((("best", opponent), (opponent, "best")), start=1)
    ]
    wins = [result.totals.wins[side] for side, result in enumerate(results)]
    ties = sum(result.totals.ties for result in results)
    share = (sum(wins) + ties / 2) / (2 * games)
    margins = [result.margin() for result in results]
    margin = (margins[0].mean - margins[1].mean) / 2
    error = sum(estimate.error**2 for estimate in margins) ** 0.5 / 2
    seconds = (time.process_time() - started) / (2 * games)
    return (
        f"wins {100 * share:.1f} % (SE {100 * (share * (1 - share) / (2 * games)) ** 0.5:.1f}), "
        f"margin {margin:+.2f} points a game (SE {error:.2f}), {1000 * seconds:.0f} ms a game"
    )


if __name__ == "__main__":
    main()
