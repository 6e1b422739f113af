"""The dice of Roll For Yardage!: each roll of the rulebook as one pool with exact odds.

A pool's outcome is one number. What no field of 100 yards can tell apart is one outcome: 99
stands for 99 yards or more. Snake eyes are `ALL_THE_WAY` for the other team, a number of
yards that reaches the goal line from anywhere.

The odds are closed forms. Two exploding dice total 6N + R: N counts the sixes, with
(n + 1) x^n (1 - x)^2 for n of them and x = 1/6, and R is the sum of two fair five-sided
dice. Only the initial pair of ones totals 2, so snake eyes are the total 2 and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage.position import Position
from hashmark.games.roll_for_yardage.tables import MOST_LOST
from hashmark.table.dice import D6, Again, Odds, Pool
from hashmark.table.effects import roll, tell
from hashmark.table.record import AWAY, HOME
from hashmark.table.rule import rule

ALL_THE_WAY = 100  # yards after the other team's snake eyes
LOOSE = -100  # the ball side's own snake eyes: a fumble or a blocked kick
FAR = 99  # this many yards or more
SNAKE_EYES = 2
LEAST_MARGIN, MOST_MARGIN = -10, 9  # margins of kicks and tries beyond these are all alike

# --- Throwing the dice ---------------------------------------------------------------


@rule
def exploded(g: Position, face: int, team: int) -> int:
    """R6: a six is rolled again and the new face added, as long as it shows six."""
    total = face
    while face == 6:
        face = roll(g, D6, team)
        total += face
    return total


@rule
def opposed(g: Position, team: int) -> tuple[int, int]:
    """R7: the totals of the ball side and of the other side; 2 stands for snake eyes only."""
    other = 1 - team
    while True:
        ball_1, ball_2 = roll(g, D6, team), roll(g, D6, team)
        other_1, other_2 = roll(g, D6, other), roll(g, D6, other)
        if ball_1 + ball_2 > SNAKE_EYES or other_1 + other_2 > SNAKE_EYES:
            break
    if ball_1 + ball_2 == SNAKE_EYES or other_1 + other_2 == SNAKE_EYES:
        return ball_1 + ball_2, other_1 + other_2
    ball = exploded(g, ball_1, team) + exploded(g, ball_2, team)
    return ball, exploded(g, other_1, other) + exploded(g, other_2, other)


@rule
def throw_yardage(g: Position, team: int) -> int:
    """R8: unlike parity doubles the ball side's total; yards are the difference, down to -20."""
    ball, other = opposed(g, team)
    if ball == SNAKE_EYES:
        tell(g, p.ROLLS, team, ball, other)
        return LOOSE
    if other == SNAKE_EYES:
        tell(g, p.ROLLS, team, ball, other)
        return ALL_THE_WAY
    doubled = (ball + other) % 2
    ball *= 1 + doubled
    tell(g, p.ROLLS, team, ball, other, doubled)
    return max(min(ball - other, FAR), -MOST_LOST)


@rule
def throw_margin(g: Position, team: int) -> int:
    """R32, R44, R46: an opposed roll without doubling, as the kicking side's margin."""
    ball, other = opposed(g, team)
    tell(g, p.ROLLS, team, ball, other)
    if ball == SNAKE_EYES:
        return LOOSE
    if other == SNAKE_EYES:
        return ALL_THE_WAY
    return max(min(ball - other, MOST_MARGIN), LEAST_MARGIN)


@rule
def throw_recovery(g: Position, team: int) -> int:
    """R25, R26: who recovers and how far; below 0 it is the side that did not have the ball."""
    ball, other = opposed(g, team)
    while ball == other:
        ball, other = opposed(g, team)
    tell(g, p.SCRAMBLES, team, ball, other)
    if ball == SNAKE_EYES:
        return -ALL_THE_WAY
    if other == SNAKE_EYES:
        return ALL_THE_WAY
    return max(min(ball - other, FAR), -FAR)


@rule
def throw_plain(g: Position, team: int) -> int:
    """R9: two dice, sixes are not rolled again."""
    return roll(g, D6, team) + roll(g, D6, team)


@rule
def throw_penalty(g: Position, team: int) -> int:
    """R38: one die each; the face that both show, or 0."""
    face = roll(g, D6, team)
    return face if roll(g, D6, 1 - team) == face else 0


@rule
def throw_toss(g: Position, team: int) -> int:
    """R3: one die each, the higher wins, again after a tie; 1 for home and 2 for away."""
    home, away = roll(g, D6, HOME), roll(g, D6, AWAY)
    while home == away:
        home, away = roll(g, D6, HOME), roll(g, D6, AWAY)
    return 1 + HOME if home > away else 1 + AWAY


# --- Their exact odds ----------------------------------------------------------------

_X = Fraction(1, 6)
_REMAINDERS = {r: Fraction(5 - abs(r - 6), 25) for r in range(2, 11)}
_COUNTS = Fraction(1296, 1295)  # of all opposed rolls, 1 in 1296 is void
BY_SNAKE_EYES = Fraction(1, 37)  # of the rolls that count, for each side
ORDINARY = 1 - 2 * BY_SNAKE_EYES

LIKE, UNLIKE, ANY = (0,), (1,), (0, 1)  # parity of the sum of both totals


def _series(p: Fraction, q: Fraction, r: Fraction, s: Fraction, z: Fraction) -> Fraction:
    """The sum of (p + q j)(r + s j) z^j over j = 0, 1, 2, ..."""
    linear, square = (p * s + q * r) * z / (1 - z) ** 2, q * s * z * (1 + z) / (1 - z) ** 3
    return p * r / (1 - z) + linear + square


@cache
def _sixes(factor: int, k: int) -> Fraction:
    """The chance that factor x the ball side's sixes less the other's are exactly k."""
    ball = max(0, -(-k // factor))
    other = factor * ball - k
    one, step = Fraction(1), Fraction(factor)
    below = _series(ball + one, one, other + one, step, _X ** (factor + 1))
    return (1 - _X) ** 4 * _X ** (ball + other) * below


@cache
def _sixes_up_to(factor: int, k: int) -> Fraction:
    """The chance that they are k or less, for k up to 0."""
    one, step = Fraction(1), (1 - _X) * factor
    return (1 - _X) ** 2 * _X**-k * _series(one, one, 1 - k * (1 - _X), step, _X ** (factor + 1))


def _six_or_more(m: int) -> Fraction:
    """The chance that two exploding dice show m sixes or more."""
    return _X**m * (1 + m * (1 - _X))


@cache
def _total(t: int) -> Fraction:
    """The chance that two exploding dice total t."""
    chance = Fraction(0)
    for r, w in _REMAINDERS.items():
        if t >= r and (t - r) % 6 == 0:
            sixes = (t - r) // 6
            chance += w * (_six_or_more(sixes) - _six_or_more(sixes + 1))
    return chance


@cache
def _rests(factor: int, parities: tuple[int, ...]) -> Odds:
    """What factor x the ball side's total less the other's leaves beside the sixes of both."""
    chances: dict[int, Fraction] = {}
    for r, w in _REMAINDERS.items():
        for s, v in _REMAINDERS.items():
            if (r + s) % 2 in parities:
                rest = factor * r - s
                chances[rest] = chances.get(rest, 0) + w * v
    return _listed(chances)


def ordinary(yards: int, factor: int, parities: tuple[int, ...]) -> Fraction:
    """The chance that both roll something else than snake eyes and differ by these yards."""
    chance = Fraction(0)
    for rest, w in _rests(factor, parities):
        if (yards - rest) % 6 == 0:
            chance += w * _sixes(factor, (yards - rest) // 6)
    snake_eyes = {(SNAKE_EYES, factor * SNAKE_EYES - yards)}
    if (yards + SNAKE_EYES) % factor == 0:
        snake_eyes.add(((yards + SNAKE_EYES) // factor, SNAKE_EYES))
    for ball, other in snake_eyes:
        if (ball + other) % 2 in parities:
            chance -= _total(ball) * _total(other)
    return chance * _COUNTS


def ordinary_up_to(yards: int, factor: int, parities: tuple[int, ...]) -> Fraction:
    """The same for a loss of so many yards or more, at least four."""
    chance = Fraction(0)
    for rest, w in _rests(factor, parities):
        chance += w * _sixes_up_to(factor, (yards - rest) // 6)
    for s, w in _REMAINDERS.items():
        if (SNAKE_EYES + s) % 2 in parities:
            sixes = -((yards - factor * SNAKE_EYES + s) // 6)
            chance -= _total(SNAKE_EYES) * w * _six_or_more(sixes)
    return chance * _COUNTS


def _listed(chances: dict[int, Fraction]) -> Odds:
    return tuple(sorted(chances.items()))


def yardage_odds() -> Odds:
    """R8: every loss and gain, doubled where the totals are unlike."""
    kinds = ((1, LIKE), (2, UNLIKE))
    chances = {LOOSE: BY_SNAKE_EYES, ALL_THE_WAY: BY_SNAKE_EYES}
    chances[-MOST_LOST] = sum((ordinary_up_to(-MOST_LOST, *k) for k in kinds), Fraction(0))
    for yards in range(1 - MOST_LOST, FAR):
        chances[yards] = sum((ordinary(yards, *k) for k in kinds), Fraction(0))
    chances[FAR] = 1 - sum(chances.values(), Fraction(0))
    return _listed(chances)


def margin_odds() -> Odds:
    """R32, R44, R46: the difference of the totals, without doubling."""
    chances = {LOOSE: BY_SNAKE_EYES, ALL_THE_WAY: BY_SNAKE_EYES}
    chances[LEAST_MARGIN] = ordinary_up_to(LEAST_MARGIN, 1, ANY)
    for margin in range(LEAST_MARGIN + 1, MOST_MARGIN):
        chances[margin] = ordinary(margin, 1, ANY)
    chances[MOST_MARGIN] = 1 - sum(chances.values(), Fraction(0))
    return _listed(chances)


def recovery_odds() -> Odds:
    """R25, R26: the same without ties; both sides have equal chances."""
    decided = 1 - ordinary(0, 1, ANY)
    chances = {}
    for yards in range(1, ALL_THE_WAY + 1):
        if yards == ALL_THE_WAY:
            chance = BY_SNAKE_EYES
        elif yards == FAR:
            chance = ordinary_up_to(-FAR, 1, ANY)
        else:
            chance = ordinary(yards, 1, ANY)
        chances[yards] = chances[-yards] = chance / decided
    return _listed(chances)


def _sums() -> Odds:
    return tuple((total, Fraction(6 - abs(total - 7), 36)) for total in range(2, 13))


_NO_PENALTY = (0, Fraction(5, 6))
_EACH_PENALTY = tuple((face, Fraction(1, 36)) for face in range(1, 7))
_HALF = Fraction(1, 2)

_AGAINST = "2d6 against 2d6"
_SIXES = Again(6, 2)

YARDAGE = Pool(
    "yardage",
    f"{_AGAINST} for yards, sixes roll again",
    throw_yardage,
    yardage_odds(),
    again=_SIXES,
)
MARGIN = Pool("margin", f"{_AGAINST}, sixes roll again", throw_margin, margin_odds(), again=_SIXES)
RECOVERY = Pool(
    "recovery",
    f"{_AGAINST} for the loose ball, sixes and ties roll again",
    throw_recovery,
    recovery_odds(),
    again=_SIXES,
)
PLAIN = Pool("2d6", "2d6", throw_plain, _sums())
PENALTY = Pool(
    "penalty check",
    "a die against the other team's for a penalty",
    throw_penalty,
    (_NO_PENALTY, *_EACH_PENALTY),
)
TOSS = Pool(
    "toss",
    "a die against the other team's, again after a tie",
    throw_toss,
    ((1, _HALF), (2, _HALF)),
)
