"""Lobby poster of Roll For Yardage!."""

from __future__ import annotations

from hashmark.engine.drawings import DrawnDie, Poster
from hashmark.engine.record import AWAY, HOME

POSTER = Poster(
    (
        "Both teams roll two dice on every play, and the difference is the gain or the loss.",
        "Sixes roll again, unlike totals double the offence's, and a pair of ones undoes whoever "
        "rolled it.",
        "Nothing to learn but when to kick: the quickest way to football with dice.",
    ),
    dice=(
        DrawnDie("d6", 6, team=HOME),
        DrawnDie("d6", 4, team=HOME),
        DrawnDie("d6", 3, team=AWAY),
        DrawnDie("d6", 2, team=AWAY),
    ),
)
