"""The game sheet: field, downs, clock, time-outs, tables; filled from a game or blank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.meaning import ORDINALS
from hashmark.games.two_minute_drill.position import Position
from hashmark.games.two_minute_drill.tables import (
    D10_LEAVES_AT,
    D12_LEAVES_AT,
    DICE,
    FULL_CLOCK,
    OT,
    REFEREE,
    REPLY_LINE,
    SPECIAL,
    START_SPOT,
    TIME_OUTS,
)
from hashmark.games.two_minute_drill.words import SIDES, situation, time
from hashmark.sheet import parts
from hashmark.sheet.document import (
    Arrow,
    Block,
    Box,
    Boxes,
    BoxRow,
    BoxStyle,
    Column,
    Columns,
    Document,
    Field,
    Heading,
    Mark,
    Note,
    Page,
    Table,
)
from hashmark.table.events import Told
from hashmark.table.game import Game
from hashmark.table.names import NAMES, SHORT_NAMES
from hashmark.table.record import HOME
from hashmark.telling.report import score_words
from hashmark.telling.speech import capital, yard_line
from hashmark.telling.summary import positions_after

ACROSS = (1 / 3, 0.5, 2 / 3)  # left hash mark, centre, right hash mark
OUT = {p.LEFT: 0.08, p.RIGHT: 0.92}  # out of bounds

HOW_TO = (
    "Roll all dice in play. You may mark 1 space to roll one or both DT dice again. Keep the DT "
    "dice, the d4, either OT d6 and the two lowest of the other OT dice, or mark 1 space and keep "
    "any two of them. Look for special results, turn dice with pips, then place the pairs from "
    "the top down."
)
CLOCK_NOTE = (
    "A play marks 2 spaces, 1 for every 10 yards gained or part of them, 1 for each extra-effort "
    "roll, 1 if tackled in bounds. A time-out saves 2. Without the space marked 12 there is no "
    "d12, without the one marked 10 no d10."
)
PAIRS = (
    ("Referee", "OT + DT", "see the table; it applies at once"),
    ("Side of field", "OT + OT", "even left, odd right; out of bounds from that hash mark"),
    ("Yards gained", "OT - DT", "OT at its highest face: roll again and add, if you like"),
)


@dataclass
class Drive:
    """What the sheet of one drive shows."""

    team: int
    last: Position  # where it stands, or how it ended
    events: list[tuple[Position, list[Told]]] = field(default_factory=list)


def sheet(game: Game | None) -> Document:
    """The sheet of a game as far as it has gone, or a blank one."""
    if game is None:
        return Document("Two-minute drill", [_page(None, "Game sheet")])
    pages: list[Page] = []
    for number, drive in enumerate(_drives(game)):
        name = f"{NAMES[drive.team]}: {'the reply' if number else 'the drive'}"
        pages.append(_page(drive, capital(name), score_words(game, drive.last.score)))
        pages.append(Page(f"Plays of {NAMES[drive.team]}", [_plays(drive)]))
    scores = parts.scoring(game)
    if scores is not None:
        pages[-1] = Page(pages[-1].heading, [*pages[-1].blocks, scores])
    return Document("Two-minute drill", pages)


def _drives(game: Game) -> list[Drive]:
    """The turns of each drive; the reply has a sheet of its own."""
    drives: list[Drive] = []
    for turn, position in zip(game.turns, positions_after(game), strict=True):
        if not drives or drives[-1].team != turn.before.possession:
            drives.append(Drive(turn.before.possession, turn.before))
        drives[-1].events.append((turn.before, list(turn.events)))
        drives[-1].last = _won(position) if _replied(turn.before, position) else position
    if not drives or drives[-1].team != game.position.possession:
        drives.append(Drive(game.position.possession, game.position))
    return drives


def _replied(before: Position, after: Position) -> bool:
    """Whether the first drive was won and the reply begins."""
    return before.period != after.period


def _won(reply: Position) -> Position:
    """How the first drive ended, from the position that the reply begins with."""
    end: Position = reply.copy()
    end.phase, end.winner, end.possession, end.spot = p.OVER, HOME, HOME, 0
    return end


# --- The front --------------------------------------------------------------------------


def _page(drive: Drive | None, heading: str, score: str = "") -> Page:
    """Field on the right, everything to mark on the left, as on paper."""
    tables: list[Block] = [
        to_mark(None if drive is None else drive.last),
        Note(CLOCK_NOTE, small=True),
        Heading("Offensive plays"),
        Note(HOW_TO, small=True),
        _pairs(),
        _printed("Special results", ("Dice", "Meaning"), SPECIAL, (1, 3.4)),
        _printed("Referee", ("Sum", "Call", "Meaning"), REFEREE, (0.6, 1.7, 3)),
    ]
    front: list[Block] = [Columns([tables, [_field(drive)]], (1.5, 1))]
    if drive is None:
        return Page(heading, [*front, _record()])
    return Page(heading, [Note(_said(drive, score)), *front])


def _said(drive: Drive, score: str) -> str:
    """The score and what stands before the coach."""
    return f"{capital(situation(p.Match(), drive.last))}. Score: {score}."


def to_mark(g: Position | None) -> Boxes:
    """Downs, to go, the clock in two rows of a minute, time-outs; blank without a position."""
    down = 0 if g is None or g.chance or g.phase == p.OVER else g.down
    downs: list[Box] = [Box(str(n), "current" if n == down else "open") for n in range(1, 5)]
    to_go = Box("10" if g is None else str(g.to_go) if down else "", width=2)
    used = 0 if g is None else FULL_CLOCK - g.clock
    clock = [_space(n, n <= used) for n in range(1, FULL_CLOCK + 1)]
    outs = 0 if g is None else TIME_OUTS - g.timeouts
    timeouts = [Box("T-O", "crossed" if n < outs else "open", 2) for n in range(TIME_OUTS)]
    return Boxes(
        [
            BoxRow("Down", downs),
            BoxRow("To go", [to_go]),
            BoxRow("Clock", clock, per_row=20),
            BoxRow("Time-outs", timeouts),
        ]
    )


def _space(number: int, used: bool) -> Box:
    """A clock space; two of them bear the die that leaves with them."""
    marks = {FULL_CLOCK - D12_LEAVES_AT: "12", FULL_CLOCK - D10_LEAVES_AT: "10"}
    text = marks.get(number, "")
    style: BoxStyle = "crossed" if used else "shaded" if text else "open"
    return Box(text, style)


def _pairs() -> Table:
    """Where the dice are placed."""
    columns = [Column("Pair", 1.3), Column("Dice", 0.9), Column("", 0.6), Column("Result", 3)]
    rows = [[name, dice, "", result] for name, dice, result in PAIRS]
    return Table(columns, rows, title="Dice assignments")


def _printed(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
) -> Table:
    columns = [Column(head, width) for head, width in zip(heads, widths, strict=True)]
    return Table(columns, [list(row) for row in rows], title=title)


def _record() -> Table:
    """Rows to note each play in by hand."""
    heads = ("Play", "Clock", "Down, to go", "At", "Referee", "Yards", "What happened")
    columns = [
        Column(head, width)
        for head, width in zip(heads, (0.5, 0.7, 1.2, 1, 1, 0.8, 4), strict=True)
    ]
    return Table(columns, [[str(number)] for number in range(1, 16)])


# --- The field --------------------------------------------------------------------------


def _field(drive: Drive | None) -> Block:
    """The field in marks of two yards, the way up; every play a line to its side."""
    team = 0 if drive is None else drive.team
    start = START_SPOT if drive is None or not drive.events else drive.events[0][0].spot
    marks: list[Mark] = [Mark(start, "start", "star")]
    arrows: list[Arrow] = []
    if team == 1:
        marks.append(Mark(REPLY_LINE, "range", "gain"))
    if drive is not None:
        arrows = _arrows(drive)
        if drive.last.phase != p.OVER and drive.last.possession == team:
            marks.append(Mark(drive.last.spot, "ball", across=ACROSS[drive.last.hash]))
    return Field(
        SHORT_NAMES[team].upper(),
        SHORT_NAMES[1 - team].upper(),
        2,
        True,
        True,
        marks=marks,
        arrows=arrows,
    )


def _arrows(drive: Drive) -> list[Arrow]:
    """Plays and, dashed, penalties."""
    arrows = []
    for before, events in drive.events:
        names = {told.name for told in events}
        for told in events:
            if told.name == "gains":
                across = OUT[told.c] if "out of bounds" in names else ACROSS[told.c]
                arrows.append(Arrow(before.spot, before.spot + told.a, across=across))
            elif told.name in ("dead ball", "takes penalty") and told.a:
                across = ACROSS[before.hash]
                arrows.append(Arrow(before.spot, before.spot + told.a, "", True, across))
    return arrows


# --- The plays --------------------------------------------------------------------------

RESULTS = {
    "triple forward": "three {}s",
    "triple back": "three {}s, offence",
    "quad forward": "four {}s",
    "quad back": "four {}s, offence",
    "five": "five {}s",
    "six odd": "six {}s: touchdown",
    "six even": "six {}s: returned",
    "offence penalty": "offence penalty",
    "incomplete": "incomplete",
    "fumble lost": "fumble lost",
    "fumble kept": "fumble kept",
    "recovers": "ball back",
    "last chance": "last chance",
    "stops for dice": "time-out for the dice",
    "saves clock": "time-out",
    "touchdown": "touchdown",
    "reaches range": "in range",
    "safety": "safety",
    "out of time": "out of time",
    "lost on downs": "out of downs",
    "lost on fumble": "ball lost",
    "lost on last chance": "not recovered",
}
SUMS = ("offence penalty", "incomplete", "fumble lost", "fumble kept", "good play")
REFEREE_EVENTS = (*SUMS, "defence penalty", "recovers")


def _plays(drive: Drive) -> Table:
    """A row for each play: where it began, the dice, the referee, what came of it, the clock."""
    columns = [
        Column("#", 0.5, "right"),
        Column("Clock", 0.7, "right"),
        Column("Down", 1.3),
        Column("At", 1.3),
        Column("Rolled (OT, DT)", 2.1),
        Column("Referee", 0.9, "center"),
        Column("Yards", 0.8, "right"),
        Column("What happened", 4),
    ]
    rows: list[list[str]] = []
    for before, events in _by_play(drive):
        rows.append([str(len(rows) + 1), *_row(before, events)])
    return Table(columns, rows)


def _by_play(drive: Drive) -> list[tuple[Position, list[Told]]]:
    """The events of each play under the position it began with."""
    plays: list[tuple[Position, list[Told]]] = []
    for before, events in drive.events:
        if before.phase == p.SCRIMMAGE or not plays:
            plays.append((before, []))
        plays[-1][1].extend(events)
    return plays


def _row(before: Position, events: list[Told]) -> list[str]:
    down = "last chance" if before.chance else f"{ORDINALS[before.down]} and {before.to_go}"
    at = yard_line(before.possession, before.spot).removeprefix("the ")
    told = {one.name: one for one in events}
    dice = _dice(told["rolls"]) if "rolls" in told else ""
    sums = [str(one.c) for one in events if one.name in REFEREE_EVENTS]
    moves = [one.a for one in events if one.name in ("gains", "takes penalty", "dead ball")]
    yards = f"{sum(moves):+d}" if moves else ""
    return [time(before.clock), down, at, dice, ", ".join(sums), yards, _what(events)]


def _dice(rolled: Told) -> str:
    """The faces as they fell."""
    offence = [rolled.a >> (4 * die) & 15 for die in OT]
    defence = [rolled.b >> (4 * at) & 15 for at in range(len(DICE) - len(OT))]
    return f"{' '.join(str(face) for face in offence if face)}, {' '.join(map(str, defence))}"


def _what(events: list[Told]) -> str:
    """What happened in a few words."""
    words = []
    for told in events:
        if told.name == "gains":
            words.append(f"play to the {SIDES[told.c]}")
        elif told.name == "takes penalty":
            words.append("penalty taken")
        elif told.name == "out of bounds":
            words.append("out of bounds")
        elif told.name == "effort":
            words.append(f"extra effort {told.a}")
        elif told.name in RESULTS:
            words.append(RESULTS[told.name].format(told.a))
    return capital(", ".join(words))
