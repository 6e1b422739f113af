"""Confidence bounds on a win probability from games played.

Best play is worth at most 1 and at least what any coach achieves. A coach is known only from
sampled games, so its lower bound has a confidence level. The bound is exact for any number of
games (Clopper and Pearson).
"""

from __future__ import annotations

import math

CONFIDENCE = 0.95
BISECTION_STEPS = 200  # bisection steps; more than floating point can resolve


def lower_bound(won: int, games: int, confidence: float = CONFIDENCE) -> float:
    """Return the lower confidence bound on a win probability: `won` wins in `games` games."""
    if won == 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        if failures_cdf(games - won, games, middle) > 1 - confidence:
            high = middle
        else:
            low = middle
    return low


def failures_cdf(most: int, games: int, chance: float) -> float:
    """Return the probability of at most `most` losses when each game is won with `chance`."""
    if chance in (0.0, 1.0):
        return float(chance == 1.0 or most >= games)
    log_factorial = math.lgamma(games + 1)
    terms = (
        log_factorial
        - math.lgamma(losses + 1)
        - math.lgamma(games - losses + 1)
        + losses * math.log1p(-chance)
        + (games - losses) * math.log(chance)
        for losses in range(most + 1)
    )
    return math.fsum(math.exp(term) for term in terms)
