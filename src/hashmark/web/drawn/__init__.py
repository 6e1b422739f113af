"""What a page draws of a game: strings of SVG and HTML, and nothing of a server.

    field(rules, match, position, path, viewer)   the field; `path_of(game)` finds the path
    dice(rolls)                                    the dice of a turn
    paper(game, viewer)                            the game's own paper, "" if it has none
    picture(rules), sentences(rules)               a game in a lobby
    worn(rules, options)                           the classes that give a match its colours

No style stands in it and no script: all looks are in the style sheet `CSS`, whose colours are
custom properties, so that a page may forbid everything inline. Names are those in force
(`table/names.naming`).
"""

from __future__ import annotations

from pathlib import Path

from hashmark.web.drawn.drive import path_of
from hashmark.web.drawn.papers import paper
from hashmark.web.drawn.pictures import picture, sentences
from hashmark.web.drawn.sides import worn
from hashmark.web.drawn.throws import dice
from hashmark.web.drawn.turf import field

CSS = Path(__file__).parent / "templates" / "drawn.css"

__all__ = ["CSS", "dice", "field", "paper", "path_of", "picture", "sentences", "worn"]
