"""Widths of the columns of a table on paper: as the sheet asks, but wide enough for its words.

A column that would break a word (the name of a team, mostly) takes the missing width from columns
that have more than they need, first from those whose texts stay on one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import ge

from hashmark.reports.text_cleaning import printable, split_words
from hashmark.reports.text_width import drawable, text_width
from hashmark.sheets.document import Table, to_fractions


@dataclass(frozen=True)
class TextSizes:
    """Text sizes of a table in millimeters: cells, headings, and the padding beside each text."""

    cell: float
    head: float
    pad: float


def column_widths(table: Table, width: float, sizes: TextSizes) -> list[float]:
    """Return the width of each column of a table with this total width."""
    requested = [
        width * share for share in to_fractions([column.width for column in table.columns])
    ]
    word_widths = _needed_widths(table, sizes, split_words)
    if all(map(ge, requested, word_widths)):
        return requested
    if sum(word_widths) > width:
        return _capped_widths(word_widths, width)
    line_widths = _needed_widths(table, sizes, str.splitlines)
    whole_lines = [
        max(needed, min(given, line_width))
        for needed, given, line_width in zip(word_widths, requested, line_widths, strict=True)
    ]
    if sum(whole_lines) <= width:
        return _interpolated(whole_lines, list(map(max, requested, whole_lines)), width)
    return _interpolated(word_widths, whole_lines, width)


def _capped_widths(needs: Sequence[float], width: float) -> list[float]:
    """Return widths where not all words have room: only the longest break, at a common width."""
    left, limit = width, 0.0
    for count, need in enumerate(sorted(needs)):
        limit = left / (len(needs) - count)
        if need > limit:
            break
        left -= need
    return [min(need, limit) for need in needs]


def _interpolated(least: Sequence[float], most: Sequence[float], width: float) -> list[float]:
    """Return widths that fill the table, all at the same fraction between least and most."""
    spare = sum(most) - sum(least)
    fraction = (width - sum(least)) / spare if spare else 0.0
    return [low + fraction * (high - low) for low, high in zip(least, most, strict=True)]


def _needed_widths(
    table: Table, sizes: TextSizes, pieces: Callable[[str], Iterable[str]]
) -> list[float]:
    """Return the width that the longest piece of each column needs: its longest word, or line."""
    rows = table.filled()

    def widest(texts: Iterable[str], size: float, bold: bool) -> float:
        split_texts = {piece for text in set(texts) for piece in pieces(drawable(printable(text)))}
        return max((text_width(piece, size, bold) for piece in split_texts), default=0.0)

    widths = []
    for index, column in enumerate(table.columns):
        strong = [row[index].text for row in rows if row[index].style == "strong"]
        plain = [row[index].text for row in rows if row[index].style != "strong"]
        needs = [widest([column.heading], sizes.head, True), widest(strong, sizes.cell, True)]
        widths.append(2 * sizes.pad + max(0.1, *needs, widest(plain, sizes.cell, False)))
    return widths


def to_percentages(widths: Sequence[float]) -> list[float]:
    """Return the widths in percent of their sum."""
    return [100 * part for part in to_fractions(widths)]
