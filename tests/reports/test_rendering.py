"""Templates: found in the package, escaped, and with readable colors."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode

import pytest
from jinja2 import UndefinedError

from hashmark.reports import rendering
from hashmark.reports.rendering import content_security_policy, format_number, load_asset

INK = ("ink", "soft")  # colors of text
GROUNDS = ("paper", "desk", "ground", "band")  # colors behind text
DRAWN = ("main", "mark", "accent")  # colors of shapes on paper


def test_all_templates_can_be_read() -> None:
    names = rendering.jinja_environment().list_templates()
    assert {"base.html", "report.html", "sheet.html", "page.js", "base.css"} <= set(names)
    for name in names:
        if name.endswith(".html"):
            rendering.jinja_environment().get_template(name)


def test_a_missing_template_variable_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        rendering.render("report.html")


def test_the_policy_contains_the_hash_of_the_script() -> None:
    digest = b64encode(hashlib.sha256(load_asset("page.js").encode()).digest()).decode()
    assert f"'sha256-{digest}'" in content_security_policy()
    assert "</script" not in load_asset("page.js")
    assert "innerHTML" not in load_asset("page.js")


@pytest.mark.parametrize(("value", "said"), [(1.0, "1"), (0.126, "0.13"), (-3.5, "-3.5"), (0, "0")])
def test_numbers_of_drawings_are_short(value: float, said: str) -> None:
    assert format_number(value) == said


# --- Colors ---------------------------------------------------------------------------------


def style_colors(dark: bool) -> dict[str, str]:
    """Return the colors of the style sheet by name."""
    rules = re.findall(r":root \{[^}]*--desk[^}]*\}", load_asset("base.css"))
    assert len(rules) == 2
    return dict(re.findall(r"--(\w+): (#\w{6});", rules[dark]))


def luminance(color: str) -> float:
    """Return the relative luminance of a color as defined by WCAG."""
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_colors_have_enough_contrast(dark: bool) -> None:
    colors = style_colors(dark)
    assert set(colors) == set(style_colors(not dark))
    for ink in INK:
        for ground in GROUNDS:
            assert contrast(colors[ink], colors[ground]) >= 4.5, (ink, ground)
    for drawn in DRAWN:
        assert contrast(colors[drawn], colors["paper"]) >= 3, drawn
    assert contrast(colors["mark"], colors["pale"]) >= 3  # the outline over the columns
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
