"""Dice and pools of dice: sampling, exact odds, and how a person rolls them.

A pool is what the rulebook asks for in one roll ("2d6, sixes roll again"). Its outcome is one
integer. It has two descriptions that must agree, which a test proves: `throw`, a rule that rolls
the single dice in the order a person does, and `odds`, the exact distribution of the outcome, which
enumeration uses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Odds = tuple[tuple[int, Fraction], ...]


class RerollRule(NamedTuple):
    """Reroll rule: of the dice rolled at once, each that shows this face is rolled again."""

    face: int
    dice_count: int


class Pool:
    """Dice rolled together, with one integer as the outcome."""

    def __init__(
        self,
        name: str,
        description: str,
        throw: Callable[[Any, int], int],
        odds: Odds,
        label: str = "",
        reroll: RerollRule | None = None,
    ) -> None:
        if sum(p for _, p in odds) != 1:
            raise ValueError(f"pool {name}: the odds do not add up to 1")
        if any(p <= 0 for _, p in odds) or len({value for value, _ in odds}) != len(odds):
            raise ValueError(f"pool {name}: an outcome is listed twice or can never happen")
        self.name, self.description, self.throw, self.odds = name, description, throw, odds
        self.label = label or name  # what it is rolled for, in a word or two
        self.reroll = reroll
        self.lowest = min(value for value, _ in odds)

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def chance(self, at_most: int) -> Fraction:
        """Return the exact chance of an outcome of at most this value."""
        return sum((p for value, p in self.odds if value <= at_most), Fraction(0))


class Die(Pool):
    """One die; every side is equally likely, and several sides may show the same face."""

    def __init__(self, name: str, faces: Sequence[int], purpose: str = "") -> None:
        self.faces = tuple(faces)
        count = Counter(self.faces)
        odds = tuple((face, Fraction(n, len(self.faces))) for face, n in sorted(count.items()))
        label = re.sub(r"^for (the |a )?", "", re.split("[,;]", purpose)[0])
        super().__init__(name, f"{name} {purpose}".rstrip(), _throw_one, odds, label)

    def with_purpose(self, purpose: str) -> Die:
        """Return the same die with what it is rolled for, shown in prompts: "for the drive"."""
        return Die(self.name, self.faces, purpose)

    def has_face(self, face: object) -> bool:
        """Return whether the die has this face."""
        return isinstance(face, int) and not isinstance(face, bool) and face in self.faces

    def describe_faces(self) -> str:
        """Return the faces as text for prompts and error messages."""
        low, high = min(self.faces), max(self.faces)
        if set(self.faces) == set(range(low, high + 1)):
            return f"{low} to {high}"
        return ", ".join(str(face) for face in sorted(set(self.faces)))


def _throw_one(g: object, team: int) -> int:
    raise TypeError("a single die is rolled by the effect handler itself")


def make_die(sides: int) -> Die:
    """Return a die numbered from 1."""
    return Die(f"d{sides}", range(1, sides + 1))


COIN = Die("coin", (1, 2))
D4, D6, D8, D10, D12, D20 = (make_die(n) for n in (4, 6, 8, 10, 12, 20))
