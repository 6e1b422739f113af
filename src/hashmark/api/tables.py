"""Small tables for `print` and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from hashmark.text.tables import format_table


class TableView:
    """Base of results that are shown as a table; subclasses return headings and rows."""

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        raise NotImplementedError

    def _caption(self) -> str:
        """Return the line above the table: `repr` without its brackets."""
        return repr(self).strip("<>")

    def __str__(self) -> str:
        headings, rows = self._table()
        return "\n".join([self._caption(), "", *format_table(headings, rows)])

    def _repr_html_(self) -> str:
        table = html_table(self._caption(), *self._table())
        draw = getattr(self, "_repr_svg_", None)  # of those results that have a picture
        if draw is None:
            return table
        from hashmark.api.pictures import figure

        return figure(draw(), "") + table


def html_table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return an HTML table that needs no style sheet."""
    head = "".join(f"<th>{escape(str(heading))}</th>" for heading in headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def percent(chance: float | None, digits: int = 1) -> str:
    """Return a probability as a percentage; a dash if it is unknown."""
    return "–" if chance is None else f"{100 * chance:.{digits}f} %"
