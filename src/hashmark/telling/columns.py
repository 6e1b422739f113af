"""Tables in plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
