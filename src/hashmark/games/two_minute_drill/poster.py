"""Poster of the two-minute drill for the lobby."""

from __future__ import annotations

from hashmark.engine.drawings import Box, BoxLine, BoxSheet, DrawnDie, Poster
from hashmark.engine.record import AWAY, HOME

POSTER = Poster(
    (
        "You are alone, five points down, with seventy-five yards to go and forty spaces of clock.",
        "Roll eight dice, keep six, and lay them in pairs: one for the referee, one for the side "
        "of the field, one for the yards.",
        "Every play costs spaces, three time-outs buy some back, and only a touchdown will do.",
    ),
    dice=(
        DrawnDie("d12", 11, team=HOME),
        DrawnDie("d8", 6, team=HOME),
        DrawnDie("d4", 3, team=HOME),
        DrawnDie("d6", 5, team=AWAY),
        DrawnDie("d10", 7, team=HOME),
    ),
    paper=BoxSheet(
        "Game sheet",
        [
            BoxLine("Down", [Box("1"), Box("2"), Box("3", "current"), Box("4")]),
            BoxLine("Clock", [Box("", "crossed")] * 10),
            BoxLine("Clock", [*[Box("", "crossed")] * 4, *[Box()] * 5, Box("12", "shaded")]),
            BoxLine("Time-outs", [Box("T", "crossed"), Box("T"), Box("T")]),
        ],
    ),
)
