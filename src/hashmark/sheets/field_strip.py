"""Field in letters: a horizontal strip, two yards to a letter, or one if there is room."""

from __future__ import annotations

from rich.cells import cell_len

from hashmark.reports.text_cleaning import one_line
from hashmark.sheets.document import Arrow, Field, Mark

_SIGNS = {"ball": "●", "star": "★", "line": "┃", "gain": "┊"}


def render_field(field: Field, width: int) -> list[str]:
    """Return the field in lines of text, 63 or 123 letters long."""
    letters = _FieldGrid(1 if width >= 123 else 2, max(5 if field.hashes else 3, field.stacked))
    letters.ends(field)
    if field.hashes:
        letters.hashes()
    for mark in sorted(field.marks, key=lambda mark: mark.style in ("ball", "star")):
        letters.mark(mark)
    for arrow, across in field.lanes():
        letters.arrow(arrow, across)
    return [
        letters.numbers(),
        letters.border("┌┬┐", "┴", field.ticks),
        *("│" + "".join(row) + "│" for row in letters.grid),
        letters.border("└┴┘", "┬", field.ticks),
        *letters.legend(field),
    ]


class _FieldGrid:
    """Grid of letters from end line to end line."""

    def __init__(self, yards: int, rows: int) -> None:
        self.yards = yards
        self.length = 120 // yards + 1
        self.grid = [[" "] * self.length for _ in range(rows)]

    def column(self, yard: float) -> int:
        """Return the column at this distance from the left goal line."""
        return round((max(-10.0, min(110.0, yard)) + 10) / self.yards)

    def row(self, across: float) -> int:
        rows = len(self.grid)
        return int(max(0.0, min(rows - 1.0, across * rows)))

    def write(self, row: int, start: int, text: str) -> None:
        """Write letters that are one cell wide; wider ones become a question mark."""
        for column, letter in enumerate(text, start):
            if 0 <= column < self.length:
                self.grid[row][column] = letter if cell_len(letter) == 1 else "?"

    def ends(self, field: Field) -> None:
        """Draw goal lines, ten-yard lines, and the names of the end zones."""
        for row in self.grid:
            for yard in range(10, 100, 10):
                row[self.column(yard)] = "·"
            row[self.column(0)] = row[self.column(100)] = "│"
        room = self.column(0)
        middle = len(self.grid) // 2
        self.write(middle, 0, one_line(field.left)[:room].center(room))
        self.write(middle, self.column(100) + 1, one_line(field.right)[:room].center(room))

    def hashes(self) -> None:
        """Draw the hash marks at a third and two thirds of the width."""
        for row in (self.row(1 / 3), self.row(2 / 3)):
            for yard in range(5, 100, 5):
                self.grid[row][self.column(yard)] = "+" if yard % 10 else "┼"

    def mark(self, mark: Mark) -> None:
        if mark.style in ("ball", "star"):
            self.grid[self.row(mark.across)][self.column(mark.at)] = _SIGNS[mark.style]
            return
        for row in self.grid:
            row[self.column(mark.at)] = _SIGNS[mark.style]

    def arrow(self, arrow: Arrow, across: float) -> None:
        """Draw a line with its head, and the text where there is room: ahead, behind, or on it."""
        row, start, end = self.row(across), self.column(arrow.start), self.column(arrow.end)
        low, high = min(start, end), max(start, end)
        self.write(row, low, ("╌" if arrow.dashed else "─") * (high - low))
        self.write(row, start, "├" if end > start else "┤")
        self.write(row, end, "▶" if end > start else "◀" if end < start else "◆")
        text = one_line(arrow.text)
        ahead, behind = high + 2, low - 1 - len(text)
        if ahead + len(text) <= self.length and (end >= start or behind < 0):
            self.write(row, ahead, text)
        elif behind >= 0:
            self.write(row, behind, text)
        else:
            self.write(row, low + 1, text[: max(0, high - low - 1)])

    def border(self, ends: str, tick: str, ticks: int) -> str:
        """Return a sideline with its yard marks."""
        line = ["─"] * self.length
        fits = ticks > self.yards and ticks % self.yards == 0
        for yard in range(0, 101, ticks if fits else 10) if ticks > 0 else ():
            line[self.column(yard)] = tick
        line[self.column(0)] = line[self.column(100)] = ends[1]
        return ends[0] + "".join(line) + ends[2]

    def numbers(self) -> str:
        """Return the yard numbers over the field."""
        line = [" "] * (self.length + 2)
        for yard in range(10, 100, 10):
            label = str(min(yard, 100 - yard))
            start = self.column(yard) + 1 - len(label) // 2
            line[start : start + len(label)] = label
        return "".join(line).rstrip()

    def legend(self, field: Field) -> list[str]:
        """Return the texts of the marks below the field, each at its place if there is room."""
        lines: list[str] = []
        for mark in sorted(field.marks, key=lambda mark: mark.at):
            text = one_line(mark.text)
            if not text:
                continue
            start = max(0, min(self.column(mark.at) + 1, self.length + 2 - cell_len(text) - 2))
            entry = f"{_SIGNS[mark.style]} {text}"
            for index, line in enumerate(lines):
                if cell_len(line) + 2 <= start:
                    lines[index] = line + " " * (start - cell_len(line)) + entry
                    break
            else:
                lines.append(" " * start + entry)
        return lines
