"""Odds: the exact distribution of what a call leads to."""

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
