"""Pictures that stand alone."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.api.pictures import chart_svg, figure, report_svg
from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.report import Report


def test_a_chart_of_a_report_stands_alone() -> None:
    image = chart_svg(draw_bar_chart("Titles & rings", "two teams", [BarRow("A<B", 0.5, "50 %")]))
    root = ElementTree.fromstring(image)
    assert "A<B" in "".join(root.itertext())
    assert "var(--main)" in image
    assert ":root" in image


def test_a_figure_isolates_the_picture_and_escapes_its_caption() -> None:
    html = figure("<svg><style>p { color: red }</style></svg>", "4th & 3 <b>")
    assert "4th &amp; 3 &lt;b&gt;" in html
    assert "color: red" not in html


def test_nothing_measured_is_nothing_to_draw() -> None:
    for report in (None, Report("Empty", "", [])):
        with pytest.raises(hm.HashmarkError, match="nothing to draw"):
            report_svg(report)


def test_the_field_of_a_game_shows_the_names_of_the_teams() -> None:
    game = hm.Game("data-driven", seed=1, home="2008:ARI", away="2008:PIT")
    check_looks(game)
    assert "PITTSBURGH" in game._repr_svg_()
