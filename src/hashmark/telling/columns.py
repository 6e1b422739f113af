"""Tables in plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hashmark.telling.wrapping import wrapped


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1, words: int = 0
) -> list[str]:
    """Lines of a small table; the first `left` columns and the last `words` are set flush left,
    the others right.
    """
    lines = [headings, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(headings))]

    def set_line(line: Sequence[str]) -> str:
        cells = (
            cell.ljust(width) if k < left or k >= len(widths) - words else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return [set_line(headings), rule, *(set_line(row) for row in lines[1:])]


def fitting(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Lines of a table that is no wider than this, if that can be.

    Headings of several words take two lines before columns are left out, the last ones first; a
    line below names those.
    """
    lines = table(headings, rows)
    if len(lines[1]) <= width:
        return lines
    for count in range(len(headings), 1, -1):
        split = [_in_two(heading) for heading in headings[:count]]
        upper, lower = [one[0] for one in split], [one[1] for one in split]
        first, _, *rest = table(upper, [lower, *(row[:count] for row in rows)])
        rule = table(lower, [upper, *(row[:count] for row in rows)])[1]
        if len(rule) <= width or count == 2:
            return [first, rest[0], rule, *rest[1:], *_lacking(headings[count:], width)]
    return lines


def _lacking(headings: Sequence[str], width: int) -> list[str]:
    """What is said of columns that were left out."""
    if not headings:
        return []
    said = f"(left out here: {', '.join(headings)}; a wider terminal shows them)"
    return wrapped(said, width)


def _in_two(heading: str) -> tuple[str, str]:
    """A heading on two lines, cut at its last space."""
    upper, space, lower = heading.rpartition(" ")
    return (upper, lower) if space else ("", heading)
