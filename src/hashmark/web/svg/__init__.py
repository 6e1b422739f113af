"""Drawings of a game for a page: strings of SVG and HTML, independent of a server.

    draw_field(rules, match, position, path, viewer, names=names)
                                                        the field; `drive_path(game)` gives the path
                                                        and `last_drive(game)` the one before
    draw_dice(rolls, names)                             the dice of a turn
    draw_drive_chart(charted_drives(game), names)       all drives of a game
    draw_win_curve(points, turns, periods, names)       win probability through a game
    draw_game_sheet(game, viewer)                       the game's own sheet, "" if it has none
    render_call_charts(game)                            the charts of the calls of this moment
    draw_lobby_picture(rules), game_sentences(rules)    a game in the lobby
    draw_moment(rules)                                  a moving moment of it, or None
    color_classes(rules, options)                       CSS classes with the colors of a match

They contain no inline style or script: `STYLE_SHEET` defines the looks with custom
properties, so that a page's content security policy can forbid everything inline.
"""

from __future__ import annotations

from pathlib import Path

from hashmark.web.svg.dice import draw_dice
from hashmark.web.svg.drive import charted_drives, drive_path, last_drive
from hashmark.web.svg.drive_chart import draw_drive_chart
from hashmark.web.svg.field import draw_field
from hashmark.web.svg.game_sheet import draw_game_sheet, render_call_charts
from hashmark.web.svg.lobby_moments import draw_moment
from hashmark.web.svg.lobby_pictures import draw_lobby_picture, game_sentences
from hashmark.web.svg.team_colors import color_classes, team_class
from hashmark.web.svg.win_curve import draw_win_curve

STYLE_SHEET = Path(__file__).parent / "templates" / "drawings.css"

__all__ = [
    "STYLE_SHEET",
    "charted_drives",
    "color_classes",
    "draw_dice",
    "draw_drive_chart",
    "draw_field",
    "draw_game_sheet",
    "draw_lobby_picture",
    "draw_moment",
    "draw_win_curve",
    "drive_path",
    "game_sentences",
    "last_drive",
    "render_call_charts",
    "team_class",
]
