"""Drawing of the clock line: its numbers, those the play read, and those a rewind would reach.

The line is public (G13). Between plays every step is shown that a roll could have; during a play
the step is known, and with it the number that comes next.
"""

from __future__ import annotations

from collections.abc import Iterator

from hashmark.engine.drawings import (
    Box,
    BoxLine,
    BoxSheet,
    Chart,
    ChartCell,
    ChartRow,
    Drawing,
    DrawingPart,
    DrawnDie,
    Mark,
    Poster,
)
from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game
from hashmark.engine.record import HOME
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.numbers import step_of
from hashmark.games.rapid_roll.position import Position
from hashmark.games.rapid_roll.tables import CELLS, COLUMNS, SUMS
from hashmark.games.rapid_roll.words import the_period
from hashmark.text.phrases import FIRST_ORDINALS

SHOWN_NUMBERS = 36  # from the end of the line
SHOWN_REWINDS = len(FIRST_ORDINALS)  # rewinds that are shown for each step
STEPS = range(1, 7)  # the difference of a roll's digits; 6 stands for doubles


def drawing(game: Game, viewer: int) -> Drawing:
    """Return the line, the table of rewinds, and the charts that the last play was read on."""
    g = game.position
    parts: list[DrawingPart] = [_line(game), _rewinds(g)]
    chart = _charts(game)
    return Drawing("Clock line", [*parts, *([chart] if chart is not None else [])])


# --- The line -----------------------------------------------------------------------------


def _line(game: Game) -> BoxSheet:
    """Return the end of the line, newest number last, and a box for each number still to come."""
    g = game.position
    written = list(g.log[1 : 1 + g.log[0]])
    first = max(0, len(written) - SHOWN_NUMBERS)
    read_places, next_place = _read_places(game), _next_place(g)
    boxes = [
        Box(
            str(written[index]),
            "next" if index == next_place else "hit" if index in read_places else "",
        )
        for index in range(first, len(written))
    ]
    open_boxes = [Box("", "current" if index == 0 else "") for index in range(min(int(g.clock), 8))]
    if g.roll:
        open_boxes[:1] = [Box(str(g.roll), "current")]
    before = f"{first} earlier numbers not shown. " if first else ""
    note = f"{before}{g.clock} left in {the_period(g.period)}." if g.phase != p.OVER else before
    return BoxSheet(
        "Clock line", [BoxLine("Numbers", [*boxes, *open_boxes], f"{note}{_legend(boxes)}")]
    )


def _legend(boxes: list[Box]) -> str:
    """Explain the marks on the line, if there are any."""
    marks = {box.mark for box in boxes}
    legend = [("hit", "Filled: used on the last play."), ("next", "Dashed: the next rewind.")]
    return "".join(f" {words}" for mark, words in legend if mark in marks)


def _last_play(game: Game) -> Iterator[tuple[int, GameEvent]]:
    """Yield the events since the last snap or kick, each with the length of the line then."""
    turns = []
    for turn in reversed(game.turns):
        turns.append(turn)
        if any(event.name == "snaps" for event in turn.events):
            break
    begun = False
    for turn in reversed(turns):
        length = turn.before.log[0]
        for event in turn.events:
            begun = begun or event.name == "snaps"
            if begun:
                yield length, event
            length += event.name == "writes"


def _read_places(game: Game) -> set[int]:
    """Return the indices on the line that the last play has read."""
    return {length - event.places for length, event in _last_play(game) if event.name == "rewinds"}


def _next_place(g: Position) -> int:
    """Return the index on the line that the play in progress would read next; -1 if none."""
    back = (g.rewinds + 1) * step_of(g.roll) if g.roll else 0
    return g.log[0] - back if 0 < back <= g.log[0] else -1


# --- Rewinds ------------------------------------------------------------------------------


def _rewinds(g: Position) -> Chart:
    """Return the numbers that each step leads to, in order."""
    headings = ["Difference of the dice", *FIRST_ORDINALS]
    rows = [_rewind_row(g, step) for step in STEPS]
    note = "Doubles go back 6. Dash: the line is too short; roll for the number."
    return Chart("What a rewind would reach", headings, rows, note=note)


def _rewind_row(g: Position, step: int) -> ChartRow:
    current = bool(g.roll) and step_of(g.roll) == step
    cells = []
    for which in range(1, SHOWN_REWINDS + 1):
        back = which * step
        mark: Mark = ""
        if current and which <= g.rewinds:
            mark = "hit"
        elif current and which == g.rewinds + 1:
            mark = "next"
        number = str(g.log[1 + g.log[0] - back]) if back <= g.log[0] else "-"
        cells.append(ChartCell(number, mark=mark))
    return ChartRow("doubles" if step == 6 else str(step), cells, current)


# --- Charts -------------------------------------------------------------------------------


def _charts(game: Game) -> Chart | None:
    """Return the columns that the last play was read on, with the cells that it hit."""
    hits = [(event.column, event.row) for _, event in _last_play(game) if event.name == "reads"]
    columns = list(dict.fromkeys(column for column, _ in hits))
    if not columns:
        return None
    rows = [
        ChartRow(
            str(total),
            [
                ChartCell(
                    CELLS[COLUMNS[column]][total - 2],
                    mark="hit" if (column, total) in hits else "",
                )
                for column in columns
            ],
        )
        for total in SUMS
    ]
    headings = ["sum", *(COLUMNS[column].replace("-", " ") for column in columns)]
    return Chart("The last play on the charts", headings, rows)


# Shown in the lobby.
POSTER = Poster(
    (
        "Call a play, roll two dice and read the chart: one roll settles most plays.",
        "Every roll goes on a line that is also the game clock. If a play needs another number, "
        "count back along that line.",
        "Both coaches can see the line, so a coach who reads it well knows what the next play can "
        "do.",
    ),
    dice=(DrawnDie("d6", 5, team=HOME), DrawnDie("d6", 2, team=HOME)),
    paper=BoxSheet(
        "Clock line",
        [
            BoxLine("", [Box("41"), Box("23"), Box("66"), Box("35"), Box("12"), Box("54")]),
            BoxLine("", [Box("31"), Box("26"), Box("44", "hit"), Box("15"), Box("63"), Box("32")]),
            BoxLine("", [Box("52", "current"), *[Box()] * 5]),
        ],
    ),
)
