"""Drawings as data: what a game shows its players at one moment, for any user interface.

A sheet (`hashmark.sheets`) is the paper of a whole game, to be kept and printed. A drawing shows
the table at one moment: dice that may be picked, the line of numbers that a rewind reads, the chart
with the cell that was hit. A game makes it from the game as a viewer may see it
(`Presentation.make_drawing`, after `redaction.view_for`), so it contains nothing hidden. A part
that stands for a call carries the name of that call, and a user interface makes a button of it.

    Drawing(
        "Two-minute drill",
        [
            Tray("On the table", [DrawnDie("d6", 5, "d6a", HOME, call="yards:d6a")]),
            BoxSheet("Clock", [BoxLine("1st minute", [Box("12", "crossed"), Box("11")])]),
        ],
    )

A mark is never the only signal: a user interface also says it in words (`MARK_MEANINGS`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hashmark.engine.record import NOBODY

if TYPE_CHECKING:
    from hashmark.engine.game import Game

Mark = Literal["", "crossed", "current", "hit", "next", "shaded", "faint"]
MARK_MEANINGS: dict[Mark, str] = {  # in words, for screen readers
    "": "",
    "crossed": "used",
    "current": "now",
    "hit": "read",
    "next": "next",
    "shaded": "special",
    "faint": "not in play",
}
CellColor = Literal["", "green", "red", "yellow", "black"]  # color of a printed cell

# The colors that a team can have. The style sheet defines each of them, light and dark.
TEAM_COLORS = (
    "blue",
    "orange",
    "navy",
    "red",
    "green",
    "gold",
    "purple",
    "teal",
    "black",
    "brown",
    "silver",
)
TeamColors = tuple[str, str]
"""A team's first color, and another one for days on which the opponents wear the first."""
DEFAULT_COLORS: tuple[TeamColors, TeamColors] = (("blue", "navy"), ("orange", "gold"))


@dataclass(frozen=True)
class DrawnDie:
    """One die: its type (`d6`, `coin`, `black die`), its face, its name in this game."""

    kind: str
    face: int
    name: str = ""
    team: int = NOBODY
    mark: Mark = ""
    note: str = ""  # a short text under it
    call: str = ""
    label: str = ""  # its name in words, "first blue d6"; else `name`


@dataclass(frozen=True)
class Tray:
    """Dice side by side."""

    title: str
    dice: Sequence[DrawnDie]
    note: str = ""


@dataclass(frozen=True)
class Slot:
    """A labeled place for dice, and what they come to there."""

    label: str
    dice: Sequence[DrawnDie] = ()
    text: str = ""


@dataclass(frozen=True)
class Slots:
    """Slots side by side."""

    title: str
    slots: Sequence[Slot]


@dataclass(frozen=True)
class Choice:
    """A call that uses some of the dice: these dice, as they would lie, and what it means."""

    call: str
    dice: Sequence[DrawnDie]
    text: str


@dataclass(frozen=True)
class Choices:
    """Calls to pick from by the dice that they use; the note says which dice may be picked."""

    title: str
    choices: Sequence[Choice]
    note: str = ""


@dataclass(frozen=True)
class Box:
    """A small box on paper with its text."""

    text: str = ""
    mark: Mark = ""
    call: str = ""


@dataclass(frozen=True)
class BoxLine:
    """A labeled row of boxes: written numbers, spaces of a clock, downs."""

    label: str
    boxes: Sequence[Box]
    note: str = ""


@dataclass(frozen=True)
class BoxSheet:
    """Rows of boxes, one below the other."""

    title: str
    lines: Sequence[BoxLine]


@dataclass(frozen=True)
class ChartCell:
    """One cell of a chart, in its printed color."""

    text: str
    color: CellColor = ""
    mark: Mark = ""


@dataclass(frozen=True)
class ChartRow:
    """A row of a chart with its label; `current` marks the one in play."""

    label: str
    cells: Sequence[ChartCell]
    current: bool = False


@dataclass(frozen=True)
class Chart:
    """A printed chart, or the relevant part of it, and the team it belongs to, if any."""

    title: str
    headings: Sequence[str]  # the first is above the row labels
    rows: Sequence[ChartRow]
    team: int = NOBODY
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.headings) - 1:
                raise ValueError(f"{self.title}: row {row.label} does not fit the headings")


@dataclass(frozen=True)
class Card:
    """A call as a card on the table: face up with its text, or face down."""

    label: str
    text: str = ""  # empty while it is face down
    team: int = NOBODY
    is_played: bool = True  # if false, an empty place


@dataclass(frozen=True)
class Cards:
    """The cards of a play."""

    title: str
    cards: Sequence[Card]


@dataclass(frozen=True)
class TextPart:
    """A sentence or two."""

    text: str


DrawingPart = Tray | Slots | Choices | BoxSheet | Chart | Cards | TextPart


@dataclass(frozen=True)
class Drawing:
    """Everything that a game draws of one moment."""

    title: str
    parts: Sequence[DrawingPart]


@dataclass(frozen=True)
class Poster:
    """How a game presents itself in a lobby: three sentences and a picture.

    The picture is made of dice on a field and at most one paper in front of them.
    """

    sentences: tuple[str, str, str]
    dice: Sequence[DrawnDie]
    paper: BoxSheet | Chart | None = None


def make_drawing(game: Game, viewer: int) -> Drawing | None:
    """Return a game's drawing of what the viewer may see; None if the game draws nothing."""
    make = game.rules.presentation.make_drawing
    return None if make is None else make(game, viewer)


def draw_call_charts(game: Game) -> Drawing | None:
    """Return the printed charts of the calls of this moment; None where the game has none."""
    draw = game.rules.presentation.call_charts
    return None if draw is None or game.is_over else draw(game)
