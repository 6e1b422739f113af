"""Coaches of several strengths from one solved pairing."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """Strength of a coach: how many hidden calls in four are drawn from the equilibrium.

    The other hidden calls, and all the rest unless it `judges_the_rest`, are those of `book`.
    """

    hidden_quarters: int
    judges_the_rest: int
    description: str


LEVELS = {
    "rookie": Level(
        1, 0, "Draws one hidden call in four from the equilibrium; otherwise calls like `book`."
    ),
    "starter": Level(
        2, 1, "Draws every other hidden call from the equilibrium; also weighs kicks and the clock."
    ),
    "veteran": Level(
        3, 1, "Draws three hidden calls in four from the equilibrium; weighs everything else."
    ),
    "best": Level(
        4, 1, "Mixes hidden calls so that no opponent can exploit them; weighs everything else."
    ),
}

EXPLOITER = "exploiter"
# Not offered to players: measures how far `best` can be exploited. It knows the mix of `best` in
# every position and makes the call that gains most against it.
MEASURING_LEVELS = {
    EXPLOITER: Level(5, 1, "Answers the mix of `best` with the call that gains most against it."),
}
