"""Markup is escaped, short and well formed."""

from __future__ import annotations

from markupsafe import Markup

from hashmark.web.svg.markup import class_names, escape_line, join_markup, svg_image, tag
from web.svg.game_positions import check_markup, parse_markup


def test_text_and_attributes_are_escaped() -> None:
    markup = tag(
        "p", '<b>"&', title='"><script>', class_="a", data_call="x", hidden=None, open=True
    )
    assert "<script>" not in markup
    element = parse_markup(markup)[0]
    assert element.text == '<b>"&'
    assert element.attrib == {"title": '"><script>', "class": "a", "data-call": "x", "open": ""}


def test_control_characters_are_dropped() -> None:
    assert escape_line("a\x1b[31m\x00\nb") == "a[31m b"


def test_markup_is_kept_and_numbers_are_short() -> None:
    assert tag("g", Markup("<b></b>"), x=1.50001, y=2) == '<g x="1.5" y="2"><b></b></g>'
    assert join_markup(["<", Markup("<i></i>")]) == "&lt;<i></i>"
    assert class_names("", "a", "", "b") == "a b"
    assert class_names("", "") is None


def test_a_picture_has_a_title_and_a_description() -> None:
    svg = check_markup(svg_image(10, 20, "A & B", desc="more"))[0]
    assert [child.text for child in svg] == ["A & B", "more"]
    assert svg.get("viewBox") == "0 0 10 20"
