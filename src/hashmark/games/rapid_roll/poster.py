"""Poster of Rapid Roll Football for the lobby."""

from __future__ import annotations

from hashmark.engine.drawings import Box, BoxLine, BoxSheet, DrawnDie, Poster
from hashmark.engine.record import HOME

POSTER = Poster(
    (
        "Call a play, roll two dice, and read a chart: most plays are over with one roll.",
        "Each roll is written on a line that is the game clock, and whatever else a play needs is "
        "read from that line, counted back from its end.",
        "The line lies open before both coaches, so who reads it well knows what the next play "
        "may bring.",
    ),
    dice=(DrawnDie("d6", 5, team=HOME), DrawnDie("d6", 2, team=HOME)),
    paper=BoxSheet(
        "Clock line",
        [
            BoxLine("", [Box("41"), Box("23"), Box("66"), Box("35"), Box("12"), Box("54")]),
            BoxLine("", [Box("31"), Box("26"), Box("44", "hit"), Box("15"), Box("63"), Box("32")]),
            BoxLine("", [Box("52", "current"), *[Box()] * 5]),
        ],
    ),
)
