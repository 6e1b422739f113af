"""Lobby poster of Roll For Yardage!."""

from __future__ import annotations

from hashmark.table.drawings import Die, Poster
from hashmark.table.record import AWAY, HOME

POSTER = Poster(
    (
        "Both teams roll two dice on every play, and the difference is the gain or the loss.",
        "Sixes roll again, unlike totals double the offence's, and a pair of ones undoes whoever "
        "rolled it.",
        "Nothing to learn but when to kick: the quickest way to football with dice.",
    ),
    dice=(
        Die("d6", 6, team=HOME),
        Die("d6", 4, team=HOME),
        Die("d6", 3, team=AWAY),
        Die("d6", 2, team=AWAY),
    ),
)
