"""Width of text: exactly the widths of the fonts that a PDF uses."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import getFont, stringWidth  # type: ignore[import-untyped]

from hashmark.reports.font_widths import LETTER_WIDTHS
from hashmark.reports.text_width import text_width
from hashmark.sheets.pdf import BOLD_FONT, PLAIN_FONT

LAST_CODE_POINT = (
    0xFFFF  # last code point to check: the signs of Symbol and Dingbats come before it
)


def can_draw(letter: str) -> bool:
    font = getFont(PLAIN_FONT)
    for candidate in (font, *font.substitutionFonts):
        try:
            letter.encode(candidate.encName)
        except UnicodeEncodeError:
            continue
        return True
    return False


def test_the_table_has_exactly_the_letters_of_the_fonts() -> None:
    drawable_letters = {chr(code) for code in range(LAST_CODE_POINT + 1) if can_draw(chr(code))}
    assert set(LETTER_WIDTHS) == drawable_letters


@pytest.mark.parametrize(("font", "bold"), [(PLAIN_FONT, False), (BOLD_FONT, True)])
def test_every_letter_is_as_wide_as_it_is_drawn(font: str, bold: bool) -> None:
    for letter in LETTER_WIDTHS:
        assert text_width(letter, 3.1, bold) == pytest.approx(stringWidth(letter, font, 3.1)), (
            letter
        )
    text = "Bears – 35 → ✓ “½”"
    assert text_width(text, 4.2, bold) == pytest.approx(stringWidth(text, font, 4.2))
