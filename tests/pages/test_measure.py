"""The room that text takes: the very widths of the fonts with which a PDF is drawn."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import getFont, stringWidth  # type: ignore[import-untyped]

from hashmark.pages.measure import text_width
from hashmark.pages.widths import WIDTHS
from hashmark.sheet.pen import BOLD, PLAIN

LAST = 0xFFFF  # what no page of paper goes beyond: signs of Symbol and Dingbats are before it


def can_draw(letter: str) -> bool:
    font = getFont(PLAIN)
    for one in (font, *font.substitutionFonts):
        try:
            letter.encode(one.encName)
        except UnicodeEncodeError:
            continue
        return True
    return False


def test_the_letters_are_those_of_the_fonts() -> None:
    drawn = {chr(code) for code in range(LAST + 1) if can_draw(chr(code))}
    assert set(WIDTHS) == drawn


@pytest.mark.parametrize(("font", "bold"), [(PLAIN, False), (BOLD, True)])
def test_every_letter_is_as_wide_as_it_is_drawn(font: str, bold: bool) -> None:
    for letter in WIDTHS:
        assert text_width(letter, 3.1, bold) == pytest.approx(stringWidth(letter, font, 3.1)), (
            letter
        )
    text = "Bears – 35 → ✓ “½”"
    assert text_width(text, 4.2, bold) == pytest.approx(stringWidth(text, font, 4.2))
