"""What a game declares so that it can be solved whole; the referee kit holds it to that.

A solver works backwards in time over *layers*: all positions with the same period, clock and
`carried` fields. What is left of a position, without its score, is its *key*. Both teams must be
alike: a position in which home and away are swapped leads to the same, swapped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Solving:
    """The rules of one game that a solver asks besides those that are played.

    `steady(m, g)` is above 0 where the next step reads neither period nor clock nor what is
    carried, and only moves them on: all layers with the same number take the same steps, but for
    the time they begin at. `instant(m, g)`: no call here rolls dice, and there are two at most;
    such positions are too many to be kept, and are decided where they come up. `kept(m, g)`: only
    few leads can come here, so the lead is part of the position (an overtime). Anywhere else a
    step that looks at the score (`RuleSet.score_counts`) looks only at who leads after its points.
    """

    steady: Callable[[Any, Any], int]
    instant: Callable[[Any, Any], bool]
    kept: Callable[[Any, Any], bool]
    carried: tuple[str, ...] = ()
    leads: int = 48  # how far leads are kept; who is further ahead counts as the winner
