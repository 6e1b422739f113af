"""Poster of the two-minute drill for the lobby."""

from __future__ import annotations

from hashmark.table.drawings import Box, Die, Line, Poster, Sheet
from hashmark.table.record import AWAY, HOME

POSTER = Poster(
    (
        "You are alone, five points down, with seventy-five yards to go and forty spaces of clock.",
        "Roll eight dice, keep six, and lay them in pairs: one for the referee, one for the side "
        "of the field, one for the yards.",
        "Every play costs spaces, three time-outs buy some back, and only a touchdown will do.",
    ),
    dice=(
        Die("d12", 11, team=HOME),
        Die("d8", 6, team=HOME),
        Die("d4", 3, team=HOME),
        Die("d6", 5, team=AWAY),
        Die("d10", 7, team=HOME),
    ),
    paper=Sheet(
        "Game sheet",
        [
            Line("Down", [Box("1"), Box("2"), Box("3", "current"), Box("4")]),
            Line("Clock", [Box("", "crossed")] * 10),
            Line("Clock", [*[Box("", "crossed")] * 4, *[Box()] * 5, Box("12", "shaded")]),
            Line("Time-outs", [Box("T", "crossed"), Box("T"), Box("T")]),
        ],
    ),
)
