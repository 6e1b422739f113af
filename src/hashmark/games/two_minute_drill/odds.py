"""Exact odds of the parts of a play, as fractions.

A roll of eight dice has five million outcomes, so `hashmark odds` does not list them: it shows
what they amount to. The groups are counted for the free choice that the rules force on a coach
who pays nothing: the d4, the lower d6 and the two lowest of the other dice.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import DICE, OT, REFEREE_TABLE, TEN, TOP_FACE, TWELVE
from hashmark.number_text import percent

Hand = tuple[int, ...]
GROUPS = (
    "no group",
    "one pair",
    "two pairs",
    "three pairs",
    "three of a kind with DT",
    "three of a kind all OT",
    "two threes, both with DT",
    "two threes, one each",
    "four of a kind with DT",
    "four of a kind all OT",
    "five of a kind",
    "six of a kind, odd",
    "six of a kind, even",
)
PAIRS_UP_TO = 4  # the first of GROUPS without three or more


@cache
def forced_hands(others: tuple[int, ...]) -> dict[Hand, int]:
    """Return how often each hand of four OT faces is kept, in the order d4, d6, the two others.

    `others` holds the numbers of sides of the dice in play besides the d4 and the two d6.
    """
    kept: Counter[Hand] = Counter()
    for first, second, *rest in product(*(range(1, n + 1) for n in (6, 6, *others))):
        low, high = sorted((first, second))
        kept[(low, *sorted((high, *rest))[:2])] += 1
    return {(four, *three): n for four in range(1, 5) for three, n in kept.items()}


def group_name(offense: Hand, defense: Hand) -> str:
    """Return the group of the six dice, as named in GROUPS."""
    counts = Counter((*offense, *defense))
    size = max(counts.values())
    of_size = [face for face, count in counts.items() if count == size]
    with_dt = sum(face in defense for face in of_size)
    if size <= 2:
        pairs = sum(count == 2 for count in counts.values())
        return GROUPS[pairs]
    if size == 3 and len(of_size) == 2:
        return GROUPS[6] if with_dt == 2 else GROUPS[7]
    if size <= 4:
        return GROUPS[(4 if size == 3 else 8) + (0 if with_dt else 1)]
    if size == 5:
        return GROUPS[10]
    return GROUPS[11] if of_size[0] % 2 else GROUPS[12]


@cache
def groups(others: tuple[int, ...]) -> dict[str, Fraction]:
    """Return the chance of each group under the forced choice."""
    ways: Counter[str] = Counter()
    for offense, count in forced_hands(others).items():
        for defense in product(range(1, 7), repeat=2):
            ways[group_name(offense, defense)] += count
    total = sum(ways.values())
    return {name: Fraction(ways[name], total) for name in GROUPS}


def three_or_more(others: tuple[int, ...]) -> Fraction:
    """Return the chance of a special result that ends the play."""
    return sum(list(groups(others).values())[PAIRS_UP_TO:], Fraction(0))


@cache
def referee_sums(sides: int) -> dict[int, Fraction]:
    """Return the chances of the sums of a fair OT die and a DT die."""
    sums = Counter(a + b for a, b in product(range(1, sides + 1), range(1, 7)))
    return {total: Fraction(count, 6 * sides) for total, count in sorted(sums.items())}


def referee_row(sides: int) -> list[Fraction]:
    """Return the chance of each line of the referee table."""
    sums = referee_sums(sides).items()
    limits = ((2, 2), (3, 4), (5, 5), (6, 6), (7, 9), (10, 18))
    return [sum((p for n, p in sums if a <= n <= b), Fraction(0)) for a, b in limits]


def others_in_play(m: Match, g: Position) -> tuple[int, ...]:
    """Return the sides of the dice besides d4 and d6 that the next roll has (R4)."""
    dice = [8]
    if g.clock > m.d10_leaves_at:
        dice.append(TOP_FACE[TEN])
    if g.clock > m.d12_leaves_at:
        dice.append(TOP_FACE[TWELVE])
    return tuple(dice)


def odds_tables(m: Match, g: Position) -> list[tuple[str, list[str], list[list[str]]]]:
    """Return tables for `hashmark odds`: groups of the next roll, referee sums, effort by die."""
    others = others_in_play(m, g)
    chances = [*groups(others).items(), ("three or more", three_or_more(others))]
    rolled = [[name, percent(float(chance), 4)] for name, chance in chances]
    dice = [die for die in OT if die < TEN or TOP_FACE[die] in others]
    pairs = [
        [
            DICE[die],
            *(percent(float(p), 2) for p in referee_row(TOP_FACE[die])),
            f"1 in {TOP_FACE[die]}",
        ]
        for die in dice
    ]
    return [
        (
            f"Groups in a roll of {len(others) + 5} dice, keeping the free dice",
            ["dice", "chance"],
            rolled,
        ),
        (
            "Referee sum of each OT die with a DT die, and chance of extra effort",
            ["die", *(row[0] for row in REFEREE_TABLE), "effort"],
            pairs,
        ),
    ]
