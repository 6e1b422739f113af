"""How wide the columns of a table are on paper: as the sheet asks, but wide enough for its words.

A column that would break a word (the name of a team, mostly) takes what it lacks from those that
have more than they need, first from those whose texts stay on one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import ge

from hashmark.pages.letters import printable, words
from hashmark.pages.measure import drawable, text_width
from hashmark.sheet.document import Table, parts


@dataclass(frozen=True)
class Letters:
    """How a table is written, in millimetres: its cells, its headings, and beside each text."""

    cell: float
    head: float
    pad: float


def column_widths(table: Table, width: float, letters: Letters) -> list[float]:
    """The width of each column of a table that is so wide."""
    asked = [width * part for part in parts([column.width for column in table.columns])]
    word = _longest(table, letters, words)
    if all(map(ge, asked, word)):
        return asked
    if sum(word) > width:
        return _levelled(word, width)
    line = _longest(table, letters, str.splitlines)
    whole = [max(needs, min(has, long)) for needs, has, long in zip(word, asked, line, strict=True)]
    if sum(whole) <= width:
        return _between(whole, list(map(max, asked, whole)), width)
    return _between(word, whole, width)


def _levelled(needs: Sequence[float], width: float) -> list[float]:
    """Where not every word has room: only the longest are broken, at a width in common."""
    left, most = width, 0.0
    for done, need in enumerate(sorted(needs)):
        most = left / (len(needs) - done)
        if need > most:
            break
        left -= need
    return [min(need, most) for need in needs]


def _between(least: Sequence[float], most: Sequence[float], width: float) -> list[float]:
    """Widths that fill the table, each as far from its least to its most as the others."""
    spare = sum(most) - sum(least)
    part = (width - sum(least)) / spare if spare else 0.0
    return [low + part * (high - low) for low, high in zip(least, most, strict=True)]


def _longest(table: Table, letters: Letters, pieces: Callable[[str], Iterable[str]]) -> list[float]:
    """The room that the longest piece of each column needs: its longest word, or line."""
    rows = table.filled()
    return [
        2 * letters.pad
        + max(
            0.1,
            _room([column.heading], letters.head, pieces, bold=True),
            _room((r[at].text for r in rows if r[at].style != "strong"), letters.cell, pieces),
            _room(
                (r[at].text for r in rows if r[at].style == "strong"),
                letters.cell,
                pieces,
                bold=True,
            ),
        )
        for at, column in enumerate(table.columns)
    ]


def _room(
    texts: Iterable[str],
    size: float,
    pieces: Callable[[str], Iterable[str]],
    *,
    bold: bool = False,
) -> float:
    every = {piece for text in set(texts) for piece in pieces(drawable(printable(text)))}
    return max((text_width(piece, size, bold) for piece in every), default=0.0)


def shares(widths: Sequence[float]) -> list[float]:
    """Widths in hundredths of the whole."""
    return [100 * part for part in parts(widths)]
