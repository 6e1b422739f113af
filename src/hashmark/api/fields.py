"""The field as a picture that stands alone, for notebooks."""

from __future__ import annotations

from html import escape

from hashmark.engine.game import Game
from hashmark.web.svg import STYLE_SHEET
from hashmark.web.svg.drive import drive_path
from hashmark.web.svg.field import draw_field


def field_svg(game: Game) -> str:
    """Return the field of a game with its style, as one SVG image."""
    path = drive_path(game)
    image = str(draw_field(game.rules, game.match, game.position, path, names=game.names))
    head, _, rest = image.partition(">")
    style = STYLE_SHEET.read_text(encoding="utf-8")
    return f"{head}><style>{style}</style>{rest}"


def field_html(image: str, caption: str) -> str:
    """Return a picture with a line of text below it."""
    text = f"<figcaption>{escape(caption)}</figcaption>"
    return f'<figure style="max-width: 44em">{image}{text}</figure>'
