"""Benchmark of the coach `best` of Rapid Roll: round robin and calibration.

    python benchmarks/rapid_roll_best.py round-robin [GAMES]
    python benchmarks/rapid_roll_best.py calibration [POSITIONS] [GAMES]
    python benchmarks/rapid_roll_best.py calls [POSITIONS]

The round robin plays each pair of coaches at home and away, by default 2,000 games each. The
calibration takes positions from games of `best` against `reader`, and plays each of them on by
`best` on both sides: it prints, by tenths of the predicted win probability, what came of them, and
the error of the predictions once the luck of the games is taken out. `calls` looks two plays ahead
instead of one and prints by how much that changes the difference of a call to the best one.
"""

from __future__ import annotations

import math
import sys
from itertools import combinations
from statistics import NormalDist, fmean
from typing import Any

from hashmark.engine.dice import Die
from hashmark.engine.effects import EffectHandler
from hashmark.engine.generator import RandomStream
from hashmark.engine.record import HOME
from hashmark.games.rapid_roll import RULES
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.numbers import NUMBERS
from hashmark.sim.plain import play_game
from hashmark.sim.run import simulate
from hashmark.values.heuristic_values import HeuristicValues

COACHES = ("book", "cautious", "bold", "planner", "reader", "best")
POSITIONS_PER_GAME = 8
STEPS_PER_GAME = 700  # about; a step is sampled with this chance in mind
SEED = 20
TENTHS = 10
CALLS_COMPARED = 5  # the best ones of each position
MIN_LINE_NUMBERS = 60  # numbers on the line from which a play hardly ever throws further ones
DEVIATIONS_95 = NormalDist().inv_cdf(0.975)


def points_share(home: str, away: str, games: int, seed: int) -> tuple[float, float]:
    """Return the share of wins (a tie is half of one) of the home coach, and its error."""
    result = simulate(RULES, games, seed=seed, home=home, away=away)
    share = (result.totals.wins[HOME] + result.totals.ties / 2) / result.games
    return share, math.sqrt(share * (1 - share) / result.games)


def play_round_robin(games: int) -> None:
    """Print the share of each coach against each other one, both sides together."""
    shares: dict[tuple[str, str], tuple[float, float]] = {}
    for seed, (first, second) in enumerate(combinations(COACHES, 2)):
        at_home, error = points_share(first, second, games, 2 * seed)
        away, other_error = points_share(second, first, games, 2 * seed + 1)
        share, error = (at_home + 1 - away) / 2, math.hypot(error, other_error) / 2
        shares[first, second], shares[second, first] = (share, error), (1 - share, error)
    print(f"Share of wins in percent ± standard error, {2 * games:,} games a pair\n")
    print("| coach | " + " | ".join(COACHES) + " | mean |")
    print("| --- |" + " --- |" * (len(COACHES) + 1))
    for coach in COACHES:
        row = [shares.get((coach, other)) for other in COACHES]
        cells = [f"{100 * cell[0]:.1f} ± {100 * cell[1]:.1f}" if cell else "" for cell in row]
        mean = fmean(cell[0] for cell in row if cell)
        print(f"| `{coach}` | " + " | ".join(cells) + f" | {100 * mean:.1f} |")


def sample_positions(count: int) -> list[Any]:
    """Return positions from games of the two strongest coaches."""
    names = [coach.name for coach in RULES.all_coaches()]
    m, found = RULES.new_match(), []
    luck = RandomStream(SEED, 0, 9)

    def keep(g: Any, team: int, call: int, counts: list[list[int]]) -> None:
        if team in (0, 1) and luck.randbelow(STEPS_PER_GAME) < POSITIONS_PER_GAME:
            found.append(g.copy())

    number = 0
    while len(found) < count:
        seats = [names.index("best"), names.index("reader")]
        home, away = seats if number % 2 == 0 else seats[::-1]
        play_game(RULES, m, RULES.new_position(m), SEED, number, (home, away), keep)
        number += 1
    return found[:count]


def calibrate(count: int, games: int) -> None:
    """Print predicted against played-on results, and the error of the predictions."""
    source = HeuristicValues(RULES, RULES.new_match())
    pairs: list[tuple[float, float]] = []
    for number, g in enumerate(sample_positions(count)):
        result = simulate(
            RULES, games, seed=SEED + number, home="best", away="best", start=g.to_json()
        )
        played = (result.totals.wins[HOME] + result.totals.ties / 2) / result.games
        pairs.append((source.value(g).worth(HOME), played))
    print("| predicted | positions | mean prediction | played on | deviation / standard error |")
    print("| --- | --- | --- | --- | --- |")
    for tenth in range(TENTHS):
        inside = [pair for pair in pairs if min(int(pair[0] * TENTHS), TENTHS - 1) == tenth]
        if not inside:
            continue
        predicted, played = fmean(x for x, _ in inside), fmean(y for _, y in inside)
        error = math.sqrt(sum(x * (1 - x) for x, _ in inside) / games) / len(inside)
        print(
            f"| {10 * tenth} to {10 * tenth + 10} % | {len(inside)} | {100 * predicted:.1f} % | "
            f"{100 * played:.1f} ± {100 * error:.1f} % | {(played - predicted) / error:+.1f} |"
        )
    print_error(pairs, games)


def print_error(pairs: list[tuple[float, float]], games: int) -> None:
    """Print the root mean square error of the predictions, without the luck of the games."""
    squares = [((x - y) ** 2, y * (1 - y) / (games - 1)) for x, y in pairs]
    excess = [square - luck for square, luck in squares]
    mean = fmean(excess)
    error = math.sqrt(fmean((x - mean) ** 2 for x in excess) / len(excess))
    unit = fmean(x * (1 - x) for x, _ in pairs)
    high = math.sqrt(max(mean + DEVIATIONS_95 * error, 0))
    print(
        f"\nError of one prediction: {100 * math.sqrt(max(mean, 0)):.2f} percentage points (at "
        f"most {100 * high:.2f} with 97.5 % confidence), or "
        f"{math.sqrt(max(mean, 0) / unit):.3f} standard deviations of one game; bias "
        f"{100 * fmean(y - x for x, y in pairs):+.2f}; {len(pairs):,} positions, {games} games each"
    )


class OneRoll(EffectHandler):
    """Rolls one number; further dice of a play, which the line makes rare, show a 1."""

    def __init__(self, number: int) -> None:
        self.faces = [number // 10, number % 10]

    def roll_die(self, die: Die, team: int) -> int:
        return self.faces.pop(0) if self.faces else 1


def worth_two_plays_ahead(source: HeuristicValues, g: Any, call: int, team: int) -> float:
    """Return the mean over the rolls of a call of the worth with the line of the next play."""
    m: Any = source.m
    best, total = RULES.coach("best"), 0.0
    for number in NUMBERS:
        after = g.copy()
        after.handler = OneRoll(number)
        RULES.step(m, after, call)
        while after.window != p.NONE and after.roll:
            RULES.step(m, after, RULES.decide(best, m, after))
        total += source.value(after).worth(team)
    return total / len(NUMBERS)


def compare_calls(count: int) -> None:
    """Print how far the differences between calls change with another play of search."""
    source = HeuristicValues(RULES, RULES.new_match())
    squares: list[float] = []
    units: list[float] = []
    for g in sample_positions(count):
        if g.window != p.NONE or g.phase != p.SCRIMMAGE or g.log[0] < MIN_LINE_NUMBERS:
            continue
        judged = source.judge(g)
        ahead = {
            call: worth_two_plays_ahead(source, g, call, judged.team)
            for call in sorted(judged.calls, key=judged.loss)[:CALLS_COMPARED]
        }
        for call, worth in ahead.items():
            if call != judged.best:
                change = ahead[judged.best] - worth - judged.loss(call)
                squares.append(change * change)
                units.append(judged.value.home * judged.value.away)
    error, unit = math.sqrt(fmean(squares)), math.sqrt(fmean(units))
    print(
        f"Differences to the best call change by {100 * error:.2f} percentage points (root mean "
        f"square), {error / unit:.3f} standard deviations of one game; {len(squares):,} calls"
    )


def main() -> None:
    """Run the part that is named first, with the numbers that follow."""
    part, *numbers = sys.argv[1:] or ["round-robin"]
    if part == "calibration":
        positions, games = (*numbers, *("1000", "40")[len(numbers) :])
        calibrate(int(positions), int(games))
    elif part == "calls":
        compare_calls(int((*numbers, "100")[0]))
    else:
        play_round_robin(int((*numbers, "2000")[0]))


if __name__ == "__main__":
    main()
