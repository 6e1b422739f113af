"""Drawings as data: what a game lays before its players, for any screen that can draw.

A sheet (`hashmark.sheet`) is the paper of a whole game, to be kept and printed. A drawing is what
lies on the table at one moment: dice that may be picked, the line of numbers that a rewind reads,
the chart with the cell that was hit. A game makes it of a game as a viewer may see it
(`RuleSet.drawing`, after `secrets.seen`), so nothing hidden can get into it. What stands for a call
bears that call's name, and a screen makes a button of it.

    Drawing(
        "Two-minute drill",
        [
            Tray("On the table", [Die("d6", 5, "d6a", HOME, call="yards:d6a")]),
            Sheet("Clock", [Line("1st minute", [Box("12", "crossed"), Box("11")])]),
        ],
    )

A mark never stands alone: a screen says it in words too (`MARKS`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hashmark.table.names import by_name
from hashmark.table.record import NOBODY

Mark = Literal["", "crossed", "current", "hit", "next", "shaded", "faint"]
MARKS: dict[Mark, str] = {  # in words, for those who do not see them
    "": "",
    "crossed": "used",
    "current": "now",
    "hit": "read",
    "next": "next",
    "shaded": "special",
    "faint": "not in play",
}
Ground = Literal["", "green", "red", "yellow", "black"]  # of a printed cell

# The colours that a team can have. A style sheet knows each of them, light and dark.
COLOURS = (
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
Colours = tuple[str, str]
"""A team's first colour, and another one for days on which the opponents wear the first."""
USUAL: tuple[Colours, Colours] = (("blue", "navy"), ("orange", "gold"))  # told apart by everybody


@dataclass(frozen=True)
class Die:
    """One die: what it is (`d6`, `coin`, `black die`), its face, its name at this table."""

    kind: str
    face: int
    name: str = ""
    team: int = NOBODY
    mark: Mark = ""
    note: str = ""  # a few letters under it
    call: str = ""


@dataclass(frozen=True)
class Tray:
    """Dice that lie side by side."""

    title: str
    dice: Sequence[Die]
    note: str = ""


@dataclass(frozen=True)
class Slot:
    """A place on the paper where dice are laid, and what they come to there."""

    label: str
    dice: Sequence[Die] = ()
    text: str = ""


@dataclass(frozen=True)
class Slots:
    """Such places side by side."""

    title: str
    slots: Sequence[Slot]


@dataclass(frozen=True)
class Choice:
    """A call that takes up some of the dice: these, as they would lie, and what it means."""

    call: str
    dice: Sequence[Die]
    text: str


@dataclass(frozen=True)
class Choices:
    """Calls to pick from by the dice that they take."""

    title: str
    choices: Sequence[Choice]


@dataclass(frozen=True)
class Box:
    """A small box on paper, with what is written in it."""

    text: str = ""
    mark: Mark = ""
    call: str = ""


@dataclass(frozen=True)
class Line:
    """A labelled row of boxes: written numbers, spaces of a clock, downs."""

    label: str
    boxes: Sequence[Box]
    note: str = ""


@dataclass(frozen=True)
class Sheet:
    """Rows of boxes under each other."""

    title: str
    lines: Sequence[Line]


@dataclass(frozen=True)
class Cell:
    """One cell of a chart, in the colour in which it is printed."""

    text: str
    ground: Ground = ""
    mark: Mark = ""


@dataclass(frozen=True)
class Row:
    """A row of a chart under its label; `current` if it is the one that is played on."""

    label: str
    cells: Sequence[Cell]
    current: bool = False


@dataclass(frozen=True)
class Chart:
    """A printed chart, or the part of it that matters; whose it is, if it is somebody's."""

    title: str
    headings: Sequence[str]  # the first stands over the labels of the rows
    rows: Sequence[Row]
    team: int = NOBODY
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.headings) - 1:
                raise ValueError(f"{self.title}: row {row.label} does not fit the headings")


@dataclass(frozen=True)
class Card:
    """A call as a card on the table: open with its text, or face down."""

    label: str
    text: str = ""  # none while it lies face down
    team: int = NOBODY
    laid: bool = True  # an empty place if not


@dataclass(frozen=True)
class Cards:
    """The cards of a play."""

    title: str
    cards: Sequence[Card]


@dataclass(frozen=True)
class Text:
    """A sentence or two."""

    text: str


Part = Tray | Slots | Choices | Sheet | Chart | Cards | Text


@dataclass(frozen=True)
class Drawing:
    """All that a game draws of one moment."""

    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Poster:
    """How a game shows itself to somebody who picks one: three sentences, and a picture.

    The picture is made of dice on a field and at most one paper before them.
    """

    sentences: tuple[str, str, str]
    dice: Sequence[Die]
    paper: Sheet | Chart | None = None


@by_name
def drawing_of(game: Any, viewer: int) -> Drawing | None:
    """What a game draws for a viewer, of the game as he may see it; None if it draws nothing."""
    make = game.rules.drawing
    return None if make is None else make(game, viewer)
