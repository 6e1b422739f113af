"""What is on a score sheet: a document of pages, a page of blocks. Values only, no drawing.

A game builds a document from a game (what is written in) or from nothing (a blank sheet
to print); the renderers know documents and no games. A small sheet:

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
                    Boxes([BoxRow("Time outs", [Box("3", "crossed"), Box("2"), Box("1")])]),
                ],
            )
        ],
    )

Any text may be long or hold any character; a renderer wraps or shortens it, never at a
no-break space, of which several keep their width. An empty text in a cell, a box or an
entry is a place to write in by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hashmark.table.drawings import Ground

Align = Literal["left", "center", "right"]
CellStyle = Literal["plain", "strong", "shaded", "struck"]
BoxStyle = Literal["open", "crossed", "ticked", "current", "shaded"]
MarkStyle = Literal["ball", "line", "gain", "star"]

NO_BREAK = "\u00a0"


@dataclass(frozen=True)
class Heading:
    """A heading over the blocks that follow."""

    text: str


@dataclass(frozen=True)
class Note:
    """A paragraph; line breaks are kept, an empty line parts two paragraphs."""

    text: str
    small: bool = False  # fine print: abbreviations, a rule to remember


@dataclass(frozen=True)
class Entry:
    """A label with something after it, or with a line to write on."""

    label: str
    text: str = ""
    width: float = 1  # share of the row

    def __post_init__(self) -> None:
        _positive(self.width)


@dataclass(frozen=True)
class Entries:
    """Entries side by side in one row: names of the teams, the date."""

    entries: Sequence[Entry]


@dataclass(frozen=True)
class Column:
    """One column of a table; the heading may hold line breaks."""

    heading: str
    width: float = 1  # share of the table's width
    align: Align = "left"

    def __post_init__(self) -> None:
        _positive(self.width)


@dataclass(frozen=True)
class Cell:
    """A table cell that is more than plain text; plain text shows no coloured ground."""

    text: str
    style: CellStyle = "plain"
    ground: Ground = ""


@dataclass(frozen=True)
class Table:
    """Columns and rows; blank rows fill it up to at least `fill` rows.

    A row shorter than the columns goes on blank. A table that does not fit on its page
    goes on on the next one, under the same headings.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[str | Cell]] = ()
    fill: int = 0
    title: str = ""
    dense: bool = False  # low rows in small letters: a long list to look things up in

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if len(row) > len(self.columns):
                raise ValueError(
                    f"row {number} has {len(row)} cells for {len(self.columns)} columns"
                )

    @property
    def is_for_pencil(self) -> bool:
        """Whether it waits to be written: there are blank rows, or most cells are empty."""
        written = sum(bool(cell.text) for row in self.rows for cell in self._cells(row))
        return self.fill > len(self.rows) or 2 * written < len(self.rows) * len(self.columns)

    def filled(self) -> list[list[Cell]]:
        """Every row, the blank ones too, with a cell in each column."""
        blank: list[Sequence[str | Cell]] = [()] * (self.fill - len(self.rows))
        return [self._cells(row) for row in [*self.rows, *blank]]

    def _cells(self, row: Sequence[str | Cell]) -> list[Cell]:
        cells = [cell if isinstance(cell, Cell) else Cell(cell) for cell in row]
        return cells + [Cell("")] * (len(self.columns) - len(cells))


@dataclass(frozen=True)
class Box:
    """A small box: what is written in it, and whether it is used up.

    `crossed` is crossed off (its text stays readable), `ticked` has a check mark, `current`
    is where the marker stands (ringed), `shaded` has a grey ground (a special space).
    """

    text: str = ""
    style: BoxStyle = "open"
    width: float = 1  # in boxes; a box to write a word in is wider

    def __post_init__(self) -> None:
        _positive(self.width)


@dataclass(frozen=True)
class BoxRow:
    """A labelled row of boxes; `per_row` breaks a long one (0: where the page ends)."""

    label: str
    boxes: Sequence[Box]
    per_row: int = 0


@dataclass(frozen=True)
class Boxes:
    """Rows of boxes under each other, labels aligned: clocks, time outs, downs."""

    rows: Sequence[BoxRow]
    title: str = ""


@dataclass(frozen=True)
class Mark:
    """Something at one place of the field.

    `ball` is a dot, `star` a star, `line` a line across the field (scrimmage), `gain` a
    dashed one (the line to gain). `across` goes from 0, the left side line looking to the right
    end zone (the top of a lying field), to 1.
    """

    at: float  # yards from the left goal line, -10 to 110
    text: str = ""
    style: MarkStyle = "ball"
    across: float = 0.5


@dataclass(frozen=True)
class Arrow:
    """A movement along the field: a play, a drive, a kick.

    Arrows without `across` are drawn under each other in their order, so that a list of
    drives makes a drive chart.
    """

    start: float
    end: float
    text: str = ""
    dashed: bool = False
    across: float | None = None


@dataclass(frozen=True)
class Field:
    """A field of 100 yards with two end zones; yards count from the left goal line, 0 to 100.

    `ticks` is the distance of the small yard marks (0: none), `hashes` draws the dotted
    lines of the hash marks. An upright field has its left end at the bottom (plain text
    always shows a lying one).
    """

    left: str = "HOME"
    right: str = "AWAY"
    ticks: int = 5
    hashes: bool = False
    upright: bool = False
    marks: Sequence[Mark] = ()
    arrows: Sequence[Arrow] = ()

    def lanes(self) -> list[tuple[Arrow, float]]:
        """Every arrow with its place across the field; those without one share it evenly."""
        free = self.stacked
        places = iter((n + 1) / (free + 1) for n in range(free))
        return [(a, next(places) if a.across is None else a.across) for a in self.arrows]

    @property
    def stacked(self) -> int:
        """How many arrows are drawn under each other."""
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
            _positive(share)

    @property
    def widths(self) -> list[float]:
        """The part of the whole width that each column has."""
        return parts(self.shares or [1] * len(self.columns))


@dataclass(frozen=True)
class Card:
    """A card to cut out: a large sign, a name, and a few words."""

    sign: str
    name: str
    text: str = ""


@dataclass(frozen=True)
class Cards:
    """Cards of one size in rows, with lines to cut along."""

    cards: Sequence[Card]
    per_row: int = 3
    height: float = 60.0  # millimetres on paper

    def __post_init__(self) -> None:
        _positive(self.per_row)
        _positive(self.height)

    def rows(self) -> list[Sequence[Card]]:
        """The cards row by row."""
        starts = range(0, len(self.cards), self.per_row)
        return [self.cards[at : at + self.per_row] for at in starts]


Block = Heading | Note | Entries | Table | Boxes | Field | Cards | Columns


@dataclass(frozen=True)
class Page:
    """One sheet of paper. What does not fit goes on on another one with the same heading."""

    heading: str
    blocks: Sequence[Block]
    landscape: bool = False


@dataclass(frozen=True)
class Document:
    """A whole score sheet."""

    title: str
    pages: Sequence[Page]


def unbroken(text: str) -> str:
    """The text with no-break spaces: it stays on one line."""
    return text.replace(" ", NO_BREAK)


def along(team: int, spot: float) -> float:
    """Where a team's spot (yards from its own goal line) is on the field: home is on the left."""
    return spot if team == 0 else 100 - spot


def parts(shares: Sequence[float]) -> list[float]:
    """Shares as parts of one."""
    return [share / sum(shares) for share in shares]


def _positive(width: float) -> None:
    if not width > 0:
        raise ValueError(f"a width is more than nothing, not {width}")
