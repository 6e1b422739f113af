"""Game sheet: field, downs, clock, timeouts, tables; filled from a game or blank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game
from hashmark.engine.record import HOME, TEAMS
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import tables as t
from hashmark.games.two_minute_drill.position import Position
from hashmark.games.two_minute_drill.words import SIDES, format_time, situation
from hashmark.sheets import shared_blocks
from hashmark.sheets.document import (
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
from hashmark.text.game_report import score_text
from hashmark.text.phrases import capitalize, down_and_distance, team_clause, yard_line
from hashmark.text.summary import positions_after

HASH_ACROSS = (1 / 3, 0.5, 2 / 3)  # share of the width: left hash mark, center, right hash mark
OUT_ACROSS = {p.LEFT: 0.08, p.RIGHT: 0.92}  # out of bounds

HOW_TO = (
    "OT is the offense's dice, DT the defense's. Roll all dice in play. You may mark 1 space to "
    "reroll one or both DT dice. Keep the DT dice, the d4, either OT d6, and the two lowest of the "
    "other OT dice, or mark 1 space to keep any two of them. Check for special results, turn dice "
    "with pips, then place the pairs from top to bottom."
)
CLOCK_NOTE = (
    "A play marks 2 spaces, plus 1 per 10 yards gained (round up), 1 per extra-effort roll, and 1 "
    "for a tackle in bounds. A time-out saves 2. Crossing off the 12 takes the d12 out of play, "
    "crossing off the 10 the d10."
)
PAIRS = (
    ("Referee", "OT + DT", "see the table; applies at once"),
    ("Side of field", "OT + OT", "even left, odd right; out of bounds if already on that hash"),
    ("Yards gained", "OT - DT", "OT at its highest face: you may roll it again and add"),
)


@dataclass
class DriveSheet:
    """Contents of the sheet of one drive."""

    team: int
    last: Position  # the current position, or the one at the end
    events: list[tuple[Position, list[GameEvent]]] = field(default_factory=list)


def sheet(game: Game | None) -> Document:
    """Return the sheet of a game so far, or a blank one."""
    if game is None:
        return Document("Two-minute drill", [_page(None, "Game sheet", TEAMS)])
    pages: list[Page] = []
    names = game.names
    for number, drive in enumerate(_drives(game)):
        name = f"{names[drive.team]}: {'reply drive' if number else 'drive'}"
        pages.append(_page(drive, capitalize(name), names, score_text(game, drive.last.score)))
        pages.append(Page(capitalize(f"{names[drive.team]}: plays"), [_plays(drive, names)]))
    scores = shared_blocks.scoring_table(game)
    if scores is not None:
        pages[-1] = Page(pages[-1].heading, [*pages[-1].blocks, scores])
    return Document("Two-minute drill", pages)


def _drives(game: Game) -> list[DriveSheet]:
    """Group the turns by drive; the reply has a sheet of its own."""
    drives: list[DriveSheet] = []
    for turn, position in zip(game.turns, positions_after(game), strict=True):
        if not drives or drives[-1].team != turn.before.possession:
            drives.append(DriveSheet(turn.before.possession, turn.before))
        drives[-1].events.append((turn.before, list(turn.events)))
        drives[-1].last = _end_of_drive(position) if _replied(turn.before, position) else position
    if not drives or drives[-1].team != game.position.possession:
        drives.append(DriveSheet(game.position.possession, game.position))
    return drives


def _replied(before: Position, after: Position) -> bool:
    """Return whether the first drive was won and the reply begins."""
    return before.period != after.period


def _end_of_drive(reply: Position) -> Position:
    """Return how the first drive ended, from the position in which the reply begins."""
    end: Position = reply.copy()
    end.phase, end.winner, end.possession, end.spot = p.OVER, HOME, HOME, 0
    return end


# --- The front --------------------------------------------------------------------------


def _page(drive: DriveSheet | None, heading: str, names: TeamNames, score: str = "") -> Page:
    """Return the front page: the field on the right, everything to mark on the left."""
    tables: list[Block] = [
        sheet_boxes(None if drive is None else drive.last),
        Note(CLOCK_NOTE, small=True),
        Heading("Offensive plays"),
        Note(HOW_TO, small=True),
        _pairs(),
        _printed_table("Special results", ("Dice", "Meaning"), t.SPECIAL_TABLE, (1, 3.4)),
        _printed_table("Referee", ("Sum", "Call", "Meaning"), t.REFEREE_TABLE, (0.6, 1.7, 3)),
    ]
    front: list[Block] = [Columns([tables, [_field(drive, short_names(names))]], (1.5, 1))]
    if drive is None:
        return Page(heading, [*front, _blank_plays()])
    return Page(heading, [Note(_summary(drive, score, names)), *front])


def _summary(drive: DriveSheet, score: str, names: TeamNames) -> str:
    """Return the situation and the score."""
    if drive.team == HOME and drive.last.period == 2:
        text = team_clause(names[HOME], "[wins] the drive")
    else:
        text = situation(p.Match(), drive.last, names)
    return f"{capitalize(text)}. Score: {score}."


def sheet_boxes(g: Position | None) -> Boxes:
    """Return downs, to go, clock and timeouts as boxes to mark; blank without a position."""
    down = 0 if g is None or g.chance or g.phase == p.OVER else g.down
    downs: list[Box] = [Box(str(n), "current" if n == down else "open") for n in range(1, 5)]
    to_go = Box("10" if g is None else str(g.to_go) if down else "", width=2)
    used = 0 if g is None else t.FULL_CLOCK_SPACES - g.clock
    clock = [_space(n, n <= used) for n in range(1, t.FULL_CLOCK_SPACES + 1)]
    outs = 0 if g is None else t.TIMEOUTS_PER_DRIVE - g.timeouts
    timeouts = [
        Box("TO", "crossed" if n < outs else "open", 2) for n in range(t.TIMEOUTS_PER_DRIVE)
    ]
    return Boxes(
        [
            BoxRow("Down", downs),
            BoxRow("To go", [to_go]),
            BoxRow("Clock", clock, per_row=20),
            BoxRow("Time-outs", timeouts),
        ]
    )


def _space(number: int, used: bool) -> Box:
    """Return a clock space; two of them show the die that leaves with them."""
    marks = {
        t.FULL_CLOCK_SPACES - t.D12_LEAVES_AT: "12",
        t.FULL_CLOCK_SPACES - t.D10_LEAVES_AT: "10",
    }
    text = marks.get(number, "")
    style: BoxStyle = "crossed" if used else "shaded" if text else "open"
    return Box(text, style)


def _pairs() -> Table:
    """Return the table of pairs in which dice are placed."""
    columns = [Column("Pair", 1.3), Column("Dice", 0.9), Column("", 0.6), Column("Result", 3)]
    rows = [[name, dice, "", result] for name, dice, result in PAIRS]
    return Table(columns, rows, title="Dice assignments")


def _printed_table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
) -> Table:
    columns = [Column(head, width) for head, width in zip(heads, widths, strict=True)]
    return Table(columns, [list(row) for row in rows], title=title)


def _blank_plays() -> Table:
    """Return blank rows to note each play by hand."""
    heads = ("Play", "Clock", "Down", "Ball on", "Referee", "Yards", "What happened")
    columns = [
        Column(head, width)
        for head, width in zip(heads, (0.5, 0.7, 1.2, 1, 1, 0.8, 4), strict=True)
    ]
    return Table(columns, [[str(number)] for number in range(1, 16)])


# --- The field --------------------------------------------------------------------------


def _field(drive: DriveSheet | None, names: TeamNames) -> Block:
    """Return the field in marks of two yards, upward, with an arrow for every play."""
    team = 0 if drive is None else drive.team
    start = t.START_SPOT if drive is None or not drive.events else drive.events[0][0].spot
    marks: list[Mark] = [Mark(start, "start", "star")]
    arrows: list[Arrow] = []
    if team == 1:
        marks.append(Mark(t.REPLY_LINE, "FG range", "gain"))
    if drive is not None:
        arrows = _arrows(drive)
        if drive.last.phase != p.OVER and drive.last.possession == team:
            marks.append(Mark(drive.last.spot, "ball", across=HASH_ACROSS[drive.last.hash]))
    return Field(
        names[team].upper(),
        names[1 - team].upper(),
        2,
        True,
        True,
        marks=marks,
        arrows=arrows,
    )


def _arrows(drive: DriveSheet) -> list[Arrow]:
    """Return an arrow for each play and, dashed, for each penalty."""
    arrows = []
    for before, events in drive.events:
        names = {event.name for event in events}
        for event in events:
            if event.name == "gains":
                across = (
                    OUT_ACROSS[event.side] if "out of bounds" in names else HASH_ACROSS[event.side]
                )
                arrows.append(Arrow(before.spot, before.spot + event.yards, across=across))
            elif event.name in ("dead ball", "takes penalty") and event.yards:
                across = HASH_ACROSS[before.hash]
                arrows.append(Arrow(before.spot, before.spot + event.yards, "", True, across))
    return arrows


# --- The plays --------------------------------------------------------------------------

RESULTS = {
    "triple forward": "three {event.face}s",
    "triple back": "three {event.face}s, all offense",
    "quad forward": "four {event.face}s",
    "quad back": "four {event.face}s, all offense",
    "five": "five {event.face}s",
    "six odd": "six {event.face}s",
    "six even": "six {event.face}s: returned for a touchdown",
    "offence penalty": "penalty on the offense",
    "incomplete": "incomplete pass",
    "fumble lost": "fumble lost",
    "fumble kept": "fumble recovered",
    "recovers": "ball recovered",
    "last chance": "last chance",
    "stops for dice": "time-out to change the dice",
    "saves clock": "time-out",
    "touchdown": "touchdown",
    "reaches range": "field goal",
    "safety": "safety",
    "out of time": "out of time",
    "lost on downs": "turnover on downs",
    "lost on fumble": "under a minute left",
    "lost on last chance": "not recovered",
}
SUMS = ("offence penalty", "incomplete", "fumble lost", "fumble kept", "good play")
REFEREE_EVENTS = (*SUMS, "defence penalty", "recovers")


def _plays(drive: DriveSheet, names: TeamNames) -> Table:
    """Return a row for each play: its start, the dice, the referee, the result, the clock."""
    columns = [
        Column("#", 0.5, "right"),
        Column("Clock", 0.7, "right"),
        Column("Down", 1.3),
        Column("Ball on", 1.3),
        Column("Rolled (OT, DT)", 2.1),
        Column("Referee", 0.9, "center"),
        Column("Yards", 0.8, "right"),
        Column("What happened", 4),
    ]
    rows: list[list[str]] = []
    for before, events in _by_play(drive):
        rows.append([str(len(rows) + 1), *_play_row(before, events, names)])
    return Table(columns, rows)


def _by_play(drive: DriveSheet) -> list[tuple[Position, list[GameEvent]]]:
    """Return the events of each play with the position in which it began."""
    plays: list[tuple[Position, list[GameEvent]]] = []
    for before, events in drive.events:
        if before.phase == p.SCRIMMAGE or not plays:
            plays.append((before, []))
        plays[-1][1].extend(events)
    return plays


def _play_row(before: Position, events: list[GameEvent], names: TeamNames) -> list[str]:
    down = (
        "last chance"
        if before.chance
        else down_and_distance(before.down, before.to_go, before.spot)
    )
    spot = yard_line(before.possession, before.spot, names).removeprefix("the ")
    by_name = {event.name: event for event in events}
    dice = _rolled_dice(by_name["rolls"]) if "rolls" in by_name else ""
    sums = [str(event.sum) for event in events if event.name in REFEREE_EVENTS]
    moves = [
        event.yards for event in events if event.name in ("gains", "takes penalty", "dead ball")
    ]
    yards = f"{sum(moves):+d}" if moves else ""
    return [
        format_time(before.clock),
        down,
        spot,
        dice,
        ", ".join(sums),
        yards,
        _describe_events(events),
    ]


def _rolled_dice(rolled: GameEvent) -> str:
    """Return the faces as rolled."""
    offense = [rolled.offense_faces >> (4 * die) & 15 for die in t.OT]
    defense = [rolled.defense_faces >> (4 * index) & 15 for index in range(len(t.DICE) - len(t.OT))]
    return f"{' '.join(str(face) for face in offense if face)}, {' '.join(map(str, defense))}"


def _describe_events(events: list[GameEvent]) -> str:
    """Return what happened in a few words."""
    words = []
    for event in events:
        if event.name == "gains":
            words.append(f"play to the {SIDES[event.side]}")
        elif event.name == "takes penalty":
            words.append("penalty taken")
        elif event.name == "out of bounds":
            words.append("out of bounds")
        elif event.name == "effort":
            words.append(f"extra effort: {event.face}")
        elif event.name in RESULTS:
            words.append(RESULTS[event.name].format(event=event))
    return capitalize(", ".join(words))
