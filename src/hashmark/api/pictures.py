"""Pictures that stand alone, for notebooks: the field, and the charts of reports, as SVG.

In HTML a picture is an image of its own, so that its style does not touch the notebook.
"""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape
from itertools import count
from typing import TYPE_CHECKING

from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.reports.rendering import jinja_environment, load_asset
from hashmark.web.svg import STYLE_SHEET
from hashmark.web.svg.drive import drive_path
from hashmark.web.svg.field import draw_field

if TYPE_CHECKING:
    from hashmark.api.positions import Situation
    from hashmark.reports.report import Report
    from hashmark.reports.shapes import Chart

CHART_STYLES = ("base.css", "report.css")  # of reports
CHART_FONT = 'svg text { font-family: "Helvetica Neue", Helvetica, Arial, sans-serif; }'
NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
WIDTH = "44em"


def field_svg(game: Game) -> str:
    """Return the field of a game with the path of the current drive."""
    path = drive_path(game)
    image = draw_field(game.rules, game.match, game.position, path, names=game.names)
    return _with_style(str(image), STYLE_SHEET.read_text(encoding="utf-8"))


def situation_svg(situation: Situation) -> str:
    """Return the field of a position."""
    image = draw_field(situation.rules, situation.match, situation.position, names=TEAMS)
    return _with_style(str(image), STYLE_SHEET.read_text(encoding="utf-8"))


def chart_svg(chart: Chart) -> str:
    """Return a chart of a report."""
    template = jinja_environment().get_template("chart.html")
    figure = str(template.make_module({"number": count(1).__next__}).chart(chart))  # type: ignore[attr-defined]
    image = re.search(r"<svg .*?</svg>", figure, re.DOTALL)
    assert image is not None
    style = "".join(load_asset(name) for name in CHART_STYLES)
    return _with_style(image[0].replace("<svg ", f"<svg {NAMESPACE} ", 1), style + CHART_FONT)


def report_svg(report: Report | None) -> str:
    """Return the first chart of a report."""
    if report is None or not report.charts():
        raise HashmarkError("there is nothing to draw: nothing was measured")
    return chart_svg(report.charts()[0])


def _with_style(image: str, style: str) -> str:
    head, _, rest = image.partition(">")
    return f"{head}><style>{style}</style>{rest}"


def figure(image: str, caption: str) -> str:
    """Return an SVG image as HTML, with a line of text below it."""
    data = b64encode(image.encode()).decode()
    text = escape(caption)
    below = f"<figcaption>{text}</figcaption>" if caption else ""
    return (
        f'<figure style="max-width: {WIDTH}"><img alt="{text}" width="100%" '
        f'src="data:image/svg+xml;base64,{data}">{below}</figure>'
    )
