"""Drawings of a game for a page: strings of SVG and HTML, independent of a server.

    draw_field(rules, match, position, path, viewer)   the field; `drive_path(game)` gives the path
    draw_dice(rolls)                                    the dice of a turn
    draw_game_sheet(game, viewer)                       the game's own sheet, "" if it has none
    draw_lobby_picture(rules), game_sentences(rules)    a game in the lobby
    color_classes(rules, options)                       CSS classes with the colors of a match

They contain no inline style or script: the style sheet `CSS` defines the looks with custom
properties, so that a page's content security policy can forbid everything inline. Team names are
those in force (`engine/team_names`).
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
