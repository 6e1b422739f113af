"""The special dice: offense dice, defense dice, the ten-sided die and the choice dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from hashmark.engine.dice import D20, Die, Odds, Pool, make_die
from hashmark.engine.effects import roll
from hashmark.engine.rule import rule
from hashmark.games.data_driven.position import Position

BLACK = Die("black die", (3, 3, 3, 2, 2, 1))
YELLOW = Die("yellow die", (0, 0, 1, 2, 3, 4))
WHITE = Die("white die", (0, 1, 2, 3, 4, 5))
RED = Die("red die", (1, 1, 1, 2, 2, 3))
GREEN = Die("green die", (0, 0, 0, 0, 1, 2))
BOUNCE_DIE = Die("ten-sided die", range(10))  # R3: used by R61 only
FALSE_READ_DIE = D20
CROWD_DIE = Die("crowd die", range(1, 21))  # E3: a separate twenty-sided die


@rule
def throw_offense(g: Position, team: int) -> int:
    """R1: Roll ten times the black die plus yellow and white: 10 to 39."""
    black = roll(g, BLACK, team)
    yellow = roll(g, YELLOW, team)
    return 10 * black + yellow + roll(g, WHITE, team)


@rule
def throw_defense(g: Position, team: int) -> int:
    """R2: Roll the sum of red and green: 1 to 5."""
    red = roll(g, RED, team)
    return red + roll(g, GREEN, team)


def _odds(*dice: tuple[int, Die]) -> Odds:
    """Return the exact odds of a sum of dice, each multiplied by its factor."""
    faces = product(*([factor * face for face in each_die.faces] for factor, each_die in dice))
    totals = Counter(sum(combination) for combination in faces)
    return tuple((total, Fraction(n, totals.total())) for total, n in sorted(totals.items()))


OFFENSE_DICE = Pool(
    "offense dice",
    "the black, yellow and white dice",
    throw_offense,
    _odds((10, BLACK), (1, YELLOW), (1, WHITE)),
)
DEFENSE_DICE = Pool(
    "defense dice", "the red and green dice", throw_defense, _odds((1, RED), (1, GREEN))
)

CHOICE_2, CHOICE_3, CHOICE_4, CHOICE_5, CHOICE_6, CHOICE_7, CHOICE_8 = (
    make_die(n) for n in range(2, 9)
)


@rule
def roll_choice_die(g: Position, faces: int, team: int) -> int:
    """R92: Roll a fair choice die with this number of faces."""
    if faces == 2:
        return roll(g, CHOICE_2, team)
    if faces == 3:
        return roll(g, CHOICE_3, team)
    if faces == 4:
        return roll(g, CHOICE_4, team)
    if faces == 5:
        return roll(g, CHOICE_5, team)
    if faces == 6:
        return roll(g, CHOICE_6, team)
    if faces == 7:
        return roll(g, CHOICE_7, team)
    return roll(g, CHOICE_8, team)


OFFENSE_WEIGHTS = tuple(int(p * 216) for _, p in OFFENSE_DICE.odds)  # R4
DEFENSE_WEIGHTS = tuple(int(p * 36) for _, p in DEFENSE_DICE.odds)
