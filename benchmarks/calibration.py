"""Calibration of win probabilities: predicted against played on, by tenths.

    python benchmarks/calibration.py fourth-down --positions 1000

Positions are drawn from games between strong coaches, one from each game, so that they are
independent. Each is valued instantly and played on to the end with new dice by the same coaches.
A tenth is calibrated if the difference is within two standard errors: by chance, one in twenty is
not.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from random import Random

from hashmark.engine import registry
from hashmark.engine.record import HOME, MatchRecord, PositionRecord, winner
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.sim.plain import play_game
from hashmark.values.shipped import ShippedSource
from hashmark.values.sources import instant_source
from hashmark.values.value import DEFAULT_TIE_VALUE, Value, ValueSource

TENTHS = 10
CALIBRATED_ERRORS = 2.0


@dataclass(frozen=True)
class Sample:
    """A position's predicted worth for home, and that of the result when it was played on."""

    predicted: float
    result: float


def sample(
    rules: RuleSet, m: MatchRecord, source: ValueSource, coach: str, positions: int, seed: int
) -> list[Sample]:
    """Value a position of each of many games, and play it on."""
    seat = [one.name for one in rules.all_coaches()].index(coach)
    random = Random(seed)
    samples = []
    for number in range(positions):
        seen: list[PositionRecord] = []

        def see(g: PositionRecord, *given: object, seen: list[PositionRecord] = seen) -> None:
            if rules.is_play_over(m, g):
                seen.append(g.copy())

        play_game(rules, m, rules.new_position(m), seed, number, (seat, seat), see)
        g = random.choice(seen)
        end, _, _ = play_game(rules, m, g, seed + 1, number, (seat, seat))
        result = Value.of_winner(winner(end)).worth(HOME, DEFAULT_TIE_VALUE)
        samples.append(Sample(source.value(g).worth(HOME), result))
    return samples


def lines_of(samples: list[Sample]) -> list[str]:
    """Return a line for each tenth: positions, both means, the difference and its error."""
    lines = [f"{'predicted':>10} {'positions':>9} {'mean':>7} {'played':>7} {'difference':>16}"]
    for tenth in range(TENTHS):
        inside = [one for one in samples if min(int(one.predicted * TENTHS), TENTHS - 1) == tenth]
        if not inside:
            continue
        count = len(inside)
        predicted = sum(one.predicted for one in inside) / count
        played = sum(one.result for one in inside) / count
        variance = sum(one.predicted * (1 - one.predicted) for one in inside) / count
        error = math.sqrt(variance / count)
        mark = "" if abs(played - predicted) <= CALIBRATED_ERRORS * error else "  outside"
        lines.append(
            f"{10 * tenth:>5}-{10 * tenth + 10:<3}% {count:>9} {100 * predicted:>6.1f}% "
            f"{100 * played:>6.1f}% {100 * (played - predicted):>+8.1f} ± {100 * error:.1f}{mark}"
        )
    return lines


def main() -> None:
    """Print the calibration of one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", choices=registry.names())
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--coach", default="best")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = registry.load(given.rules)
    m = rules.new_match()
    source = ShippedSource.find(rules, m, DEFAULT_TIE_VALUE) or instant_source(rules, m)
    if source is None:
        raise HashmarkError(f"{rules.name} has no instant values")
    samples = sample(rules, m, source, given.coach, given.positions, given.seed)
    print("\n".join(lines_of(samples)))
    print(f"{source.description}; coach {given.coach}, seed {given.seed}")


if __name__ == "__main__":
    main()
