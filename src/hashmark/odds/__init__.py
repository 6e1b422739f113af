"""Odds: the exact distribution of the outcomes of a call."""

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
