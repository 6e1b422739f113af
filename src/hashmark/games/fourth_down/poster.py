"""Lobby poster of 4th Down!."""

from __future__ import annotations

from hashmark.engine.drawings import DrawnDie, Poster
from hashmark.engine.record import HOME

POSTER = Poster(
    (
        "A whole game in a quarter of an hour: every drive is one roll of a twenty-sided die.",
        "Choose how the drive is called, safe and slow or long and risky, and read the yards and "
        "the time from its table.",
        "Then comes the question that names the game: fourth down, and you kick, punt or go for "
        "it.",
    ),
    dice=(DrawnDie("d20", 17, team=HOME),),
)
