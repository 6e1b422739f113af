"""Odds: the exact distribution of the outcomes of a call.

The package is callable, because its name is also that of a public function:
`hashmark.odds("fourth-down", position)` returns the odds of every legal call. The reference of the
Python API and `help(hashmark.api.odds.odds)` describe it.
"""

from hashmark import make_callable
from hashmark.odds.outlook import Outcome, Outlook, outlook, outlooks
from hashmark.odds.plays import Follower, Matrix, matrix

__all__ = [
    "Follower",
    "Matrix",
    "Outcome",
    "Outlook",
    "matrix",
    "outlook",
    "outlooks",
]

make_callable(__name__, "hashmark.api.odds")
