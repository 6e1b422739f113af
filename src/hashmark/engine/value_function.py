"""Value functions that games ship: win probability without search, in plain Python.

A game declares one as `SolverHooks.value_function`: a file in its `data` directory and an evaluator
that needs no extra and answers in a few milliseconds. Its error is measured on positions of
simulated games when it is made, and stored with it. `hashmark.values.sources` says when it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from hashmark.engine.record import MatchRecord, PositionRecord

Chances: TypeAlias = tuple[float, float, float]
"""That home wins, that the game is tied, that away wins."""


@dataclass(frozen=True)
class MeasuredError:
    """Error of a value function on positions of simulated games, as fractions of a win.

    An error is the absolute difference of home's worth, a tie counting half. `rms_by_tenth` holds
    the root mean square error by tenth of the worth that the function gives; `calls` is that of the
    difference between the best call and another one.
    """

    mean: float
    p99: float  # 99 % of the positions are off by at most this
    rms_by_tenth: tuple[float, ...]
    calls: float
    positions: int
    reference: str  # what it was compared with, such as "the solved game"

    def at(self, worth: float) -> float:
        """Return the root mean square error where the function gives this worth."""
        tenths = len(self.rms_by_tenth)
        return self.rms_by_tenth[min(max(int(worth * tenths), 0), tenths - 1)]


class ValueFunction(Protocol):
    """Evaluator of positions of one match."""

    @property
    def error(self) -> MeasuredError:
        """Error measured when the function was made."""

    @property
    def is_best_play(self) -> bool:
        """Whether the values are those of best play by both teams."""

    def chances(self, m: MatchRecord, g: PositionRecord) -> Chances | None:
        """Return the chances of a position that is not over.

        None means that the function does not cover it: it is valued by one more step of the rules.
        """


@dataclass(frozen=True)
class ShippedValues:
    """Declaration of a game's value function.

    Both functions take the rule set and a match. `supports` says for which matches it holds; `load`
    reads the file and returns the evaluator of a match. Readers cache what `load` returns.
    """

    supports: Callable[[Any, Any], bool]
    load: Callable[[Any, Any], ValueFunction]
