"""Contents of a score sheet: a document of pages, a page of blocks. Values only, no drawing.

A game builds a document from a game (filled in) or from nothing (a blank sheet to print); the
renderers know documents and no games. A small sheet:

    Document(
        "Roll For Yardage!",
        [
            Page(
                "1st quarter",
                [
                    Field(marks=[Mark(35, "K")]),
                    Table(
                        [Column("Play", 1, "right"), Column("Result", 4, "left")],
                        [["1", "kickoff, touchback"], ["2", Cell("touchdown", "strong")]],
                        fill=34,
                    ),
                    Boxes([BoxRow("Time-outs", [Box("3", "crossed"), Box("2"), Box("1")])]),
                ],
            )
        ],
    )

Any text may be long or contain any character. A renderer wraps or shortens it, never at a no-break
space; several no-break spaces keep their width. An empty text in a cell, a box or an entry is a
place to write in by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hashmark.engine import drawings

Align = Literal["left", "center", "right"]
CellStyle = Literal["plain", "strong", "shaded", "struck"]
BoxStyle = Literal["open", "crossed", "ticked", "current", "shaded"]
MarkStyle = Literal["ball", "line", "gain", "star"]

NO_BREAK_SPACE = "\u00a0"
MARK_BY_STYLE: dict[BoxStyle, drawings.Mark] = {
    "open": "",
    "crossed": "crossed",
    "ticked": "hit",
    "current": "current",
    "shaded": "shaded",
}


@dataclass(frozen=True)
class Heading:
    """Heading over the blocks that follow."""

    text: str


@dataclass(frozen=True)
class Note:
    """Paragraph; line breaks are kept, an empty line separates two paragraphs."""

    text: str
    small: bool = False  # fine print: abbreviations, a rule to remember


@dataclass(frozen=True)
class Entry:
    """Label with a text after it, or with a line to write on."""

    label: str
    text: str = ""
    width: float = 1  # share of the row's width

    def __post_init__(self) -> None:
        _require_positive(self.width)


@dataclass(frozen=True)
class Entries:
    """Entries side by side in one row: names of the teams, the date."""

    entries: Sequence[Entry]


@dataclass(frozen=True)
class Column:
    """Column of a table; the heading may contain line breaks."""

    heading: str
    width: float = 1  # share of the table's width
    align: Align = "left"

    def __post_init__(self) -> None:
        _require_positive(self.width)


@dataclass(frozen=True)
class Cell:
    """Table cell with a style or a color; plain text output shows no color."""

    text: str
    style: CellStyle = "plain"
    ground: drawings.CellColor = ""


@dataclass(frozen=True)
class Table:
    """Columns and rows; blank rows fill the table up to at least `fill` rows.

    A row shorter than the columns is continued with blank cells. A table that does not fit on its
    page continues on the next one, under the same headings.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[str | Cell]] = ()
    fill: int = 0
    title: str = ""
    dense: bool = False  # low rows in small letters, for a long list

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if len(row) > len(self.columns):
                raise ValueError(
                    f"row {number} has {len(row)} cells for {len(self.columns)} columns"
                )

    @property
    def is_for_pencil(self) -> bool:
        """Return whether the table is to be written in: blank rows, or mostly empty cells."""
        written_count = sum(bool(cell.text) for row in self.rows for cell in self._cells(row))
        return self.fill > len(self.rows) or 2 * written_count < len(self.rows) * len(self.columns)

    def filled(self) -> list[list[Cell]]:
        """Return every row, including blank ones, with a cell in each column."""
        blank: list[Sequence[str | Cell]] = [()] * (self.fill - len(self.rows))
        return [self._cells(row) for row in [*self.rows, *blank]]

    def _cells(self, row: Sequence[str | Cell]) -> list[Cell]:
        cells = [cell if isinstance(cell, Cell) else Cell(cell) for cell in row]
        return cells + [Cell("")] * (len(self.columns) - len(cells))


@dataclass(frozen=True)
class Box:
    """Small box with a text and a style.

    `crossed` is crossed off (its text stays readable), `ticked` has a check mark, `current`
    is where the marker stands (ringed), `shaded` has a gray background (a special space).
    """

    text: str = ""
    style: BoxStyle = "open"
    width: float = 1  # in box widths; a box to write a word in is wider

    def __post_init__(self) -> None:
        _require_positive(self.width)


@dataclass(frozen=True)
class BoxRow:
    """Labeled row of boxes; `per_row` breaks a long one (0: at the end of the page)."""

    label: str
    boxes: Sequence[Box]
    per_row: int = 0


@dataclass(frozen=True)
class Boxes:
    """Rows of boxes below each other with aligned labels: clocks, timeouts, downs."""

    rows: Sequence[BoxRow]
    title: str = ""


@dataclass(frozen=True)
class Mark:
    """Mark at one place of the field.

    `ball` is a dot, `star` a star, `line` a line across the field (scrimmage), `gain` a
    dashed one (the line to gain). `across` goes from 0, the left sideline looking to the right
    end zone (the top of a horizontal field), to 1.
    """

    at: float  # yards from the left goal line, -10 to 110
    text: str = ""
    style: MarkStyle = "ball"
    across: float = 0.5


@dataclass(frozen=True)
class Arrow:
    """Movement along the field: a play, a drive, a kick.

    Arrows without `across` are drawn below each other in order, so that a list of drives makes a
    drive chart.
    """

    start: float
    end: float
    text: str = ""
    dashed: bool = False
    across: float | None = None


@dataclass(frozen=True)
class Field:
    """Field of 100 yards with two end zones; yards count from the left goal line, 0 to 100.

    `ticks` is the distance of the small yard marks (0: none), `hashes` draws the dotted
    lines of the hash marks. An upright field has its left end at the bottom (plain text
    always shows a horizontal one).
    """

    left: str = "HOME"
    right: str = "AWAY"
    ticks: int = 5
    hashes: bool = False
    upright: bool = False
    marks: Sequence[Mark] = ()
    arrows: Sequence[Arrow] = ()

    def lanes(self) -> list[tuple[Arrow, float]]:
        """Return every arrow with its place across the field; arrows without one share it."""
        lane_count = self.stacked
        places = iter((n + 1) / (lane_count + 1) for n in range(lane_count))
        return [(a, next(places) if a.across is None else a.across) for a in self.arrows]

    @property
    def stacked(self) -> int:
        """Return how many arrows are drawn below each other."""
        return sum(arrow.across is None for arrow in self.arrows)


@dataclass(frozen=True)
class Columns:
    """Lists of blocks side by side; `shares` are their widths (all equal if not given)."""

    columns: Sequence[Sequence[Block]]
    shares: Sequence[float] = ()

    def __post_init__(self) -> None:
        if self.shares and len(self.shares) != len(self.columns):
            raise ValueError(f"{len(self.shares)} shares for {len(self.columns)} columns")
        for share in self.shares:
            _require_positive(share)

    @property
    def widths(self) -> list[float]:
        """Return the fraction of the whole width that each column has."""
        return to_fractions(self.shares or [1] * len(self.columns))


@dataclass(frozen=True)
class Card:
    """Card to cut out: a large sign, a name, and a few words."""

    sign: str
    name: str
    text: str = ""


@dataclass(frozen=True)
class Cards:
    """Cards of one size in rows, with lines to cut along."""

    cards: Sequence[Card]
    per_row: int = 3
    height: float = 60.0  # millimeters on paper

    def __post_init__(self) -> None:
        _require_positive(self.per_row)
        _require_positive(self.height)

    def rows(self) -> list[Sequence[Card]]:
        """Return the cards row by row."""
        starts = range(0, len(self.cards), self.per_row)
        return [self.cards[start : start + self.per_row] for start in starts]


Block = Heading | Note | Entries | Table | Boxes | Field | Cards | Columns


@dataclass(frozen=True)
class Page:
    """One page; blocks that do not fit continue on another sheet of paper with the same heading."""

    heading: str
    blocks: Sequence[Block]
    landscape: bool = False


@dataclass(frozen=True)
class Document:
    """A whole score sheet."""

    title: str
    pages: Sequence[Page]


def without_breaks(text: str) -> str:
    """Return the text with no-break spaces, so that it stays on one line."""
    return text.replace(" ", NO_BREAK_SPACE)


def field_yards(team: int, spot: float) -> float:
    """Return a team's spot (yards from its own goal line) on the field; home is on the left."""
    return spot if team == 0 else 100 - spot


def to_fractions(shares: Sequence[float]) -> list[float]:
    """Return the shares as fractions of their sum."""
    return [share / sum(shares) for share in shares]


def boxes_to_drawing(boxes: Boxes, title: str) -> drawings.BoxSheet:
    """Return the same rows as a drawing; a long row is broken where the sheet breaks it."""
    return drawings.BoxSheet(title, [line for row in boxes.rows for line in _drawing_lines(row)])


def _drawing_lines(row: BoxRow) -> Iterator[drawings.BoxLine]:
    per_line = row.per_row or max(len(row.boxes), 1)
    for start in range(0, len(row.boxes), per_line):
        line = row.boxes[start : start + per_line]
        boxes = [drawings.Box(box.text, MARK_BY_STYLE[box.style]) for box in line]
        yield drawings.BoxLine(row.label if start == 0 else "", boxes)


def _require_positive(width: float) -> None:
    if not width > 0:
        raise ValueError(f"a width must be positive, not {width}")
