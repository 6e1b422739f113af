"""Tables in plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hashmark.text.wrapping import wrap


def format_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    left_columns: int = 1,
    text_columns: int = 0,
) -> list[str]:
    """Return the lines of a table.

    The first `left_columns` columns and the last `text_columns` are flush left.
    """
    lines = [headings, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(headings))]

    def format_line(line: Sequence[str]) -> str:
        cells = (
            cell.ljust(width)
            if k < left_columns or k >= len(widths) - text_columns
            else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return [format_line(headings), rule, *(format_line(row) for row in lines[1:])]


def format_fitting_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], width: int
) -> list[str]:
    """Return the lines of a table that is no wider than this, if possible.

    Headings of several words take two lines before columns are left out, the last ones first; a
    line below names those.
    """
    lines = format_table(headings, rows)
    if len(lines[1]) <= width:
        return lines
    for count in range(len(headings), 1, -1):
        split_headings = [_split_heading(heading) for heading in headings[:count]]
        upper, lower = (
            [halves[0] for halves in split_headings],
            [halves[1] for halves in split_headings],
        )
        first, _, *rest = format_table(upper, [lower, *(row[:count] for row in rows)])
        rule = format_table(lower, [upper, *(row[:count] for row in rows)])[1]
        if len(rule) <= width or count == 2:
            return [first, rest[0], rule, *rest[1:], *_omitted_note(headings[count:], width)]
    return lines


def format_labeled_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], width: int
) -> list[str]:
    """Return the lines of a table of figures whose first column, of labels, is wrapped to fit.

    Narrow figures are one space apart. A row without figures is a heading.
    """
    lines = format_table(headings, rows)
    if len(lines[1]) <= width:
        return lines
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)][1:]
    room = width - sum(widths) - len(widths)
    result = []
    for row in (headings, ["-" * room, *("-" * size for size in widths)], *rows):
        figures = "".join(f" {cell:>{size}}" for cell, size in zip(row[1:], widths, strict=True))
        if figures.strip():
            *first, last = wrap(row[0], room, 4)
            result += [*first, f"{last:<{room}}{figures}"]
        else:
            result += wrap(row[0], width)
    return result


def _omitted_note(headings: Sequence[str], width: int) -> list[str]:
    """Return the note on columns that were left out."""
    if not headings:
        return []
    note = f"(columns not shown: {', '.join(headings)}; use a wider terminal)"
    return wrap(note, width)


def _split_heading(heading: str) -> tuple[str, str]:
    """Split a heading in two lines at its last space."""
    upper, space, lower = heading.rpartition(" ")
    return (upper, lower) if space else ("", heading)
