"""Dice of Roll For Yardage!: each roll of the rulebook as one pool with exact odds.

The outcome of a pool is one number. Yardages that a field of 100 yards cannot tell apart are one
outcome: 99 stands for 99 yards or more. Snake eyes are `ALL_THE_WAY` for the other team, a number
of yards that reaches the goal line from anywhere.

The odds are closed forms. Two exploding dice total 6N + R: N counts the sixes, with
(n + 1) x^n (1 - x)^2 for n of them and x = 1/6, and R is the sum of two fair five-sided
dice. Only the initial pair of ones totals 2, so snake eyes are the total 2 and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from hashmark.engine.dice import D6, Odds, Pool, RerollRule
from hashmark.engine.effects import emit, roll
from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rule import rule
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage.position import Position
from hashmark.games.roll_for_yardage.tables import MAX_LOSS_YARDS

ALL_THE_WAY = 100  # yards after the other team's snake eyes
LOOSE = -100  # the ball side's own snake eyes: a fumble or a blocked kick
FAR_YARDS = 99  # this many yards or more
SNAKE_EYES = 2
MIN_MARGIN, MAX_MARGIN = -10, 9  # margins of kicks and tries are clamped to this range

# --- Throwing the dice ---------------------------------------------------------------


@rule
def explode(g: Position, face: int, team: int) -> int:
    """R6: roll a six again and add the new face, as long as it shows six."""
    total = face
    while face == 6:
        face = roll(g, D6, team)
        total += face
    return total


@rule
def roll_opposed(g: Position, team: int) -> tuple[int, int]:
    """R7: return the totals of the ball side and of the other side; only snake eyes total 2."""
    other = 1 - team
    while True:
        ball_1, ball_2 = roll(g, D6, team), roll(g, D6, team)
        other_1, other_2 = roll(g, D6, other), roll(g, D6, other)
        if ball_1 + ball_2 > SNAKE_EYES or other_1 + other_2 > SNAKE_EYES:
            break
    if ball_1 + ball_2 == SNAKE_EYES or other_1 + other_2 == SNAKE_EYES:
        return ball_1 + ball_2, other_1 + other_2
    ball = explode(g, ball_1, team) + explode(g, ball_2, team)
    return ball, explode(g, other_1, other) + explode(g, other_2, other)


@rule
def throw_yardage(g: Position, team: int) -> int:
    """R8: return the difference, down to -20; unlike parity doubles the ball side's total."""
    ball, other = roll_opposed(g, team)
    if ball == SNAKE_EYES:
        emit(g, p.ROLLS, team, ball, other)
        return LOOSE
    if other == SNAKE_EYES:
        emit(g, p.ROLLS, team, ball, other)
        return ALL_THE_WAY
    doubled = (ball + other) % 2
    ball *= 1 + doubled
    emit(g, p.ROLLS, team, ball, other, doubled)
    return max(min(ball - other, FAR_YARDS), -MAX_LOSS_YARDS)


@rule
def throw_margin(g: Position, team: int) -> int:
    """R32, R44, R46: return the kicking side's margin in an opposed roll without doubling."""
    ball, other = roll_opposed(g, team)
    emit(g, p.ROLLS, team, ball, other)
    if ball == SNAKE_EYES:
        return LOOSE
    if other == SNAKE_EYES:
        return ALL_THE_WAY
    return max(min(ball - other, MAX_MARGIN), MIN_MARGIN)


@rule
def throw_recovery(g: Position, team: int) -> int:
    """R25, R26: return the yards of the recovery; below 0 the side without the ball recovers."""
    ball, other = roll_opposed(g, team)
    while ball == other:
        ball, other = roll_opposed(g, team)
    emit(g, p.SCRAMBLES, team, ball, other)
    if ball == SNAKE_EYES:
        return -ALL_THE_WAY
    if other == SNAKE_EYES:
        return ALL_THE_WAY
    return max(min(ball - other, FAR_YARDS), -FAR_YARDS)


@rule
def throw_plain(g: Position, team: int) -> int:
    """R9: return the sum of two dice; sixes are not rolled again."""
    return roll(g, D6, team) + roll(g, D6, team)


@rule
def throw_penalty(g: Position, team: int) -> int:
    """R38: roll one die for each team; return the face that both show, or 0."""
    face = roll(g, D6, team)
    return face if roll(g, D6, 1 - team) == face else 0


@rule
def throw_toss(g: Position, team: int) -> int:
    """R3: roll one die for each team until they differ; return 1 for home, 2 for away."""
    home, away = roll(g, D6, HOME), roll(g, D6, AWAY)
    while home == away:
        home, away = roll(g, D6, HOME), roll(g, D6, AWAY)
    return 1 + HOME if home > away else 1 + AWAY


# --- Exact odds ----------------------------------------------------------------------

_X = Fraction(1, 6)  # chance of a six
_REMAINDERS = {r: Fraction(5 - abs(r - 6), 25) for r in range(2, 11)}
_VOID_FACTOR = Fraction(1296, 1295)  # correction: 1 of 1296 opposed rolls is void
SNAKE_EYES_CHANCE = Fraction(1, 37)  # chance of each side among the rolls that count
ORDINARY_CHANCE = 1 - 2 * SNAKE_EYES_CHANCE

EQUAL_PARITY, UNEQUAL_PARITY, ANY_PARITY = (0,), (1,), (0, 1)  # parity of the sum of both totals


def _series(p: Fraction, q: Fraction, r: Fraction, s: Fraction, z: Fraction) -> Fraction:
    """Return the sum of (p + q j)(r + s j) z^j over j = 0, 1, 2, ..."""
    linear, square = (p * s + q * r) * z / (1 - z) ** 2, q * s * z * (1 + z) / (1 - z) ** 3
    return p * r / (1 - z) + linear + square


@cache
def _sixes(factor: int, k: int) -> Fraction:
    """Return the chance that factor x the ball side's sixes less the other's are exactly k."""
    ball = max(0, -(-k // factor))
    other = factor * ball - k
    one, step = Fraction(1), Fraction(factor)
    below = _series(ball + one, one, other + one, step, _X ** (factor + 1))
    return (1 - _X) ** 4 * _X ** (ball + other) * below


@cache
def _sixes_up_to(factor: int, k: int) -> Fraction:
    """Return the chance that they are k or less, for k up to 0."""
    one, step = Fraction(1), (1 - _X) * factor
    return (1 - _X) ** 2 * _X**-k * _series(one, one, 1 - k * (1 - _X), step, _X ** (factor + 1))


def _chance_of_sixes(m: int) -> Fraction:
    """Return the chance that two exploding dice show m sixes or more."""
    return _X**m * (1 + m * (1 - _X))


@cache
def _total(t: int) -> Fraction:
    """Return the chance that two exploding dice total t."""
    chance = Fraction(0)
    for r, w in _REMAINDERS.items():
        if t >= r and (t - r) % 6 == 0:
            sixes = (t - r) // 6
            chance += w * (_chance_of_sixes(sixes) - _chance_of_sixes(sixes + 1))
    return chance


@cache
def _remainder_differences(factor: int, parities: tuple[int, ...]) -> Odds:
    """Return the odds of the difference of totals without the sixes of both sides."""
    chances: dict[int, Fraction] = {}
    for r, w in _REMAINDERS.items():
        for s, v in _REMAINDERS.items():
            if (r + s) % 2 in parities:
                rest = factor * r - s
                chances[rest] = chances.get(rest, 0) + w * v
    return _sorted_odds(chances)


def ordinary_chance(yards: int, factor: int, parities: tuple[int, ...]) -> Fraction:
    """Return the chance that neither side rolls snake eyes and they differ by these yards."""
    chance = Fraction(0)
    for rest, w in _remainder_differences(factor, parities):
        if (yards - rest) % 6 == 0:
            chance += w * _sixes(factor, (yards - rest) // 6)
    snake_eyes = {(SNAKE_EYES, factor * SNAKE_EYES - yards)}
    if (yards + SNAKE_EYES) % factor == 0:
        snake_eyes.add(((yards + SNAKE_EYES) // factor, SNAKE_EYES))
    for ball, other in snake_eyes:
        if (ball + other) % 2 in parities:
            chance -= _total(ball) * _total(other)
    return chance * _VOID_FACTOR


def ordinary_chance_up_to(yards: int, factor: int, parities: tuple[int, ...]) -> Fraction:
    """Return the same chance for a loss of this many yards or more, at least four."""
    chance = Fraction(0)
    for rest, w in _remainder_differences(factor, parities):
        chance += w * _sixes_up_to(factor, (yards - rest) // 6)
    for s, w in _REMAINDERS.items():
        if (SNAKE_EYES + s) % 2 in parities:
            sixes = -((yards - factor * SNAKE_EYES + s) // 6)
            chance -= _total(SNAKE_EYES) * w * _chance_of_sixes(sixes)
    return chance * _VOID_FACTOR


def _sorted_odds(chances: dict[int, Fraction]) -> Odds:
    return tuple(sorted(chances.items()))


def yardage_odds() -> Odds:
    """R8: return the odds of every loss and gain, doubled where the totals are unlike."""
    cases = ((1, EQUAL_PARITY), (2, UNEQUAL_PARITY))
    chances = {LOOSE: SNAKE_EYES_CHANCE, ALL_THE_WAY: SNAKE_EYES_CHANCE}
    chances[-MAX_LOSS_YARDS] = sum(
        (ordinary_chance_up_to(-MAX_LOSS_YARDS, *case) for case in cases), Fraction(0)
    )
    for yards in range(1 - MAX_LOSS_YARDS, FAR_YARDS):
        chances[yards] = sum((ordinary_chance(yards, *case) for case in cases), Fraction(0))
    chances[FAR_YARDS] = 1 - sum(chances.values(), Fraction(0))
    return _sorted_odds(chances)


def margin_odds() -> Odds:
    """R32, R44, R46: return the odds of the difference of the totals, without doubling."""
    chances = {LOOSE: SNAKE_EYES_CHANCE, ALL_THE_WAY: SNAKE_EYES_CHANCE}
    chances[MIN_MARGIN] = ordinary_chance_up_to(MIN_MARGIN, 1, ANY_PARITY)
    for margin in range(MIN_MARGIN + 1, MAX_MARGIN):
        chances[margin] = ordinary_chance(margin, 1, ANY_PARITY)
    chances[MAX_MARGIN] = 1 - sum(chances.values(), Fraction(0))
    return _sorted_odds(chances)


def recovery_odds() -> Odds:
    """R25, R26: return the same odds without ties; both sides have equal chances."""
    decided = 1 - ordinary_chance(0, 1, ANY_PARITY)
    chances = {}
    for yards in range(1, ALL_THE_WAY + 1):
        if yards == ALL_THE_WAY:
            chance = SNAKE_EYES_CHANCE
        elif yards == FAR_YARDS:
            chance = ordinary_chance_up_to(-FAR_YARDS, 1, ANY_PARITY)
        else:
            chance = ordinary_chance(yards, 1, ANY_PARITY)
        chances[yards] = chances[-yards] = chance / decided
    return _sorted_odds(chances)


def _two_dice_odds() -> Odds:
    return tuple((total, Fraction(6 - abs(total - 7), 36)) for total in range(2, 13))


_NO_PENALTY = (0, Fraction(5, 6))
_EACH_PENALTY = tuple((face, Fraction(1, 36)) for face in range(1, 7))
_HALF = Fraction(1, 2)

_AGAINST = "2d6 against 2d6"
_SIXES_AGAIN = RerollRule(6, 2)

YARDAGE = Pool(
    "yardage",
    f"{_AGAINST} for yards; sixes roll again",
    throw_yardage,
    yardage_odds(),
    reroll=_SIXES_AGAIN,
)
MARGIN = Pool(
    "margin", f"{_AGAINST}; sixes roll again", throw_margin, margin_odds(), reroll=_SIXES_AGAIN
)
RECOVERY = Pool(
    "recovery",
    f"{_AGAINST} for the loose ball; sixes and ties roll again",
    throw_recovery,
    recovery_odds(),
    reroll=_SIXES_AGAIN,
)
PLAIN = Pool("2d6", "2d6", throw_plain, _two_dice_odds())
PENALTY = Pool(
    "penalty check",
    "d6 against d6 for the penalty check",
    throw_penalty,
    (_NO_PENALTY, *_EACH_PENALTY),
)
TOSS = Pool(
    "toss",
    "d6 against d6 for the toss; ties roll again",
    throw_toss,
    ((1, _HALF), (2, _HALF)),
)
