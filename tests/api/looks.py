"""Checks of everything that a notebook shows."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree


def check_looks(shown: Any, has_picture: bool = True) -> None:
    """A line for `repr`, HTML with an isolated picture, and an SVG image that stands alone."""
    assert "\n" not in repr(shown)
    assert len(repr(shown)) < 160
    html = shown._repr_html_()
    assert ("data:image/svg+xml" in html) == has_picture
    assert "<style" not in html
    if has_picture:
        root = ElementTree.fromstring(shown._repr_svg_())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}style") is not None
