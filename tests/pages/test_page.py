"""Pages: whole documents, nothing that a text could break, axes with round numbers."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hashmark.telling.page import Bar, Dot, Section

from hashmark.telling import page

EVIL = "<b>\"&'"


def drawn(svg: str) -> ElementTree.Element:
    """A figure as XML; it must be well-formed."""
    return ElementTree.fromstring(svg)


def test_a_page_stands_alone_and_escapes_what_it_is_told() -> None:
    text = page.page(EVIL, EVIL, [Section(EVIL, page.paragraph(EVIL), EVIL)], EVIL, EVIL)
    assert text.startswith("<!doctype html>")
    assert "<b>" not in text
    assert text.count("&lt;b&gt;") == 8
    assert not re.search(r"https?:|@import|url\(|<script", text)


def test_a_table_has_headings_for_columns_and_rows() -> None:
    text = page.table("caption", ("a", "b", "c"), [("x", "1", EVIL)], left=2)
    assert text.count('scope="col"') == 3
    assert text.count('scope="row"') == 1
    assert "<b>" not in text
    assert text.count('class="left"') == 3  # two headings and a cell


@pytest.mark.parametrize(
    "svg",
    [
        page.bars("t", "d", [Bar(EVIL, 3, EVIL, (1, 5), 4), Bar("b", 0, "", here=True)]),
        page.bars("t", "d", []),
        page.histogram("t", "d", [0.1, 0.7, 0.2], first=3, mark=4, head=EVIL),
        page.histogram("t", "d", []),
        page.scatter("t", "d", [Dot(1, 2, EVIL, (1, 3)), Dot(1, 2, here=True)], EVIL, "up"),
        page.scatter("t", "d", [], "across", "up", diagonal=True),
    ],
)
def test_drawings_are_well_formed_and_described(svg: str) -> None:
    found = drawn(svg)
    names = [one.tag for one in found.iter()]
    assert names[:2] == ["figure", "svg"]
    assert "title" in names
    assert "desc" in names
    assert "nan" not in svg


def test_bars_grow_with_their_values() -> None:
    svg = drawn(page.bars("t", "d", [Bar("a", 1, ""), Bar("b", 4, "")]))
    one, four = (float(rect.get("width", "")) for rect in svg.iter("rect"))
    assert four == pytest.approx(4 * one, abs=0.2)


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-3, 12, [-5, -2.5, 0, 2.5, 5, 7.5, 10, 12.5]),
        (0, 0, [-1, -0.5, 0, 0.5, 1]),
    ],
)
def test_ticks_are_round_and_span_the_range(low: float, high: float, found: list[float]) -> None:
    assert page.ticks(low, high) == found


def test_labels_do_not_hide_each_other() -> None:
    crowd = [Dot(0.0, 0.0, f"team {n}") for n in range(30)]
    svg = page.scatter("t", "d", crowd, "x", "y")
    said = len(re.findall(r">team \d+<", svg))
    assert 1 < said < 30
