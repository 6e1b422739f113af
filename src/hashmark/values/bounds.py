"""Bounds on a chance from games that were played: what it is at least, with a stated confidence.

Best play is worth at most 1, and at least what any coach reaches. Of a coach only games are known,
so the bound from below has a confidence; it holds for any number of games (Clopper and Pearson).
"""

from __future__ import annotations

import math

CONFIDENCE = 0.95
HALVINGS = 200  # of the interval in which the bound lies: more than floating point can tell


def at_least(won: int, games: int, confidence: float = CONFIDENCE) -> float:
    """The smallest chance to win under which so many wins, or more, are not too unlikely."""
    if won == 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if chance_of_failures(games - won, games, middle) > 1 - confidence:
            high = middle
        else:
            low = middle
    return low


def chance_of_failures(most: int, games: int, chance: float) -> float:
    """The chance of at most so many failures in games that are won with this chance."""
    if chance in (0.0, 1.0):
        return float(chance == 1.0 or most >= games)
    whole = math.lgamma(games + 1)
    terms = (
        whole
        - math.lgamma(failed + 1)
        - math.lgamma(games - failed + 1)
        + failed * math.log1p(-chance)
        + (games - failed) * math.log(chance)
        for failed in range(most + 1)
    )
    return math.fsum(math.exp(term) for term in terms)
