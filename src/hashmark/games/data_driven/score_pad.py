"""Printable score pad of Data-Driven Football: clock, tallies, cards, charts and calls."""

from __future__ import annotations

from hashmark.games.data_driven.call_words import CALL_TEXTS, FORMATION_TEXTS, PLAY_TEXTS
from hashmark.games.data_driven.roll_words import in_words
from hashmark.games.data_driven.tables import (
    FORMATIONS,
    PLAYS,
    PRIORITY_CHART,
    PRIORITY_COLUMNS,
    QUARTER_SECONDS,
)
from hashmark.sheets import shared_blocks
from hashmark.sheets.document import (
    Block,
    Box,
    Boxes,
    BoxRow,
    Card,
    Cards,
    Cell,
    Column,
    Columns,
    Document,
    Entries,
    Entry,
    Field,
    Heading,
    Note,
    Page,
    Table,
)
from hashmark.text.phrases import FIRST_ORDINALS

TEAMS = ("Home", "Away")
BOX_SECONDS = 10  # time that one box of the clock stands for
BOXES_PER_MINUTE = 60 // BOX_SECONDS
BOXES_PER_ROW = 30  # boxes: five minutes
MAX_TALLY_BOXES = 30  # boxes of a tally
LETTERS = "ABCDEF"

CLOCK_INSTRUCTIONS = (
    "Each box is ten seconds; a gray box ends a minute and shows the minutes left. Cross off with "
    "\\ in regulation and / in overtime, and with | every third play in bounds (30 seconds)."
)
TIMING = (
    ("play in bounds, sack, scramble, kneel, recovery of an own fumble", ":40"),
    ("every third of these, with full timing", ":30"),
    ("then the offense hurries up (uses one from its quota)", ":20"),
    ("then either team calls a time-out", ":10"),
    ("then the offense spikes the ball (uses a down)", ":10"),
    (
        "out of bounds (*), under 2:00 in the 2nd quarter or from 5:00 in the 4th and overtime",
        ":10",
    ),
    ("out of bounds (*) before that", ":40"),
    ("incomplete pass", ":10"),
    ("turnover, turnover on downs, punt, kickoff, field goal", ":10"),
    ("score, safety", ":10"),
    ("flag after the snap: accepted, declined or offsetting", ":10"),
    ("foul before the snap", "0"),
    ("extra point, two-point try", "0"),
)
PRIORITY_TEXT = (
    "ADD: add both numbers. OFF, DEF: that side's result counts, the other's does not. INC: "
    "incomplete. SHORT: the shorter of the two. F@DEF: fumble at the defense's yardage. NOTE: note "
    "the penalty and roll again. A white box is 0."
)
DICE_TEXT = (
    "Offense and special teams: ten times the black die, plus yellow and white: 10 to 39. "
    "Defense: red plus green: 1 to 5."
)
KICK_CALLS = ("receive", "kick", "kickoff", "squib", "onside", "return", "touchback", "let-it-roll")
FLAG_CALLS = ("fall-on-it", "rekick", "keep", "tack-on", "accept", "decline")
TRY_CALLS = ("extra-point", "two-point")
CLOCK_CALLS = ("stand", "audible", "audible-timeout", "timeout", "hurry-up", "spike")
FOURTH_DOWN_CALLS = ("punt", "field-goal", "kneel", "safety")


def blank_score_pad() -> Document:
    """Return the score pad, tally page, formation cards and reference charts."""
    return Document(
        "Data-Driven Football",
        [
            Page("Score pad", _pad()),
            Page("Call tally", [*map(_tally, TEAMS), Note(TALLY_TEXT, small=True), _drives()]),
            Page("Formation cards, one set for each coach", [_cards()]),
            Page("Timing and priority", _charts()),
            Page("Calls", _calls()),
        ],
    )


# --- The pad --------------------------------------------------------------------------------


def _pad() -> list[Block]:
    return [
        Entries([Entry("Home"), Entry("Away"), Entry("Date", width=0.6)]),
        shared_blocks.scoreboard((*FIRST_ORDINALS, "OT"), teams=TEAMS),
        _indicators(),
        _clock(),
        Note(CLOCK_INSTRUCTIONS, small=True),
        Columns([[_time_outs()], [_audibles()]]),
        _hurry_ups(),
        Field("HOME", "AWAY", ticks=1),
    ]


def _indicators() -> Boxes:
    """Return the boxes on which coins mark the quarter and the down."""
    quarters = [Box("Quarter", "shaded", 2.6), *(Box(name, width=1.4) for name in QUARTER_NAMES)]
    downs = [Box("Down", "shaded", 2.6), *(Box(name, width=1.4) for name in FIRST_ORDINALS)]
    return Boxes([BoxRow("", [*quarters, *downs])])


QUARTER_NAMES = ("1", "2", "3", "4", "OT")


def _clock() -> Boxes:
    """Return ten-second boxes of four quarters and an overtime, five minutes a line."""
    rows = [BoxRow(name, _quarter(), BOXES_PER_ROW) for name in (*FIRST_ORDINALS, "OT")]
    return Boxes(rows, title="Time")


def _quarter() -> list[Box]:
    boxes = []
    for number in range(1, QUARTER_SECONDS // BOX_SECONDS + 1):
        left = (QUARTER_SECONDS - number * BOX_SECONDS) // 60
        ends = number % BOXES_PER_MINUTE == 0
        boxes.append(Box(str(left), "shaded") if ends else Box())
    return boxes


def _time_outs() -> Boxes:
    """Return three timeout boxes a half for each team, and two for overtime."""
    rows = []
    for team in TEAMS:
        boxes = []
        for half, most in (("1st", 3), ("2nd", 3), ("OT", 2)):
            boxes += [Box(half, "shaded", 1.5), *[Box()] * most]
        rows.append(BoxRow(team, boxes, len(boxes)))
    return Boxes(rows, title="Time-outs, by half")


def _audibles() -> Boxes:
    """Return up to three audible boxes on either side of the ball."""
    rows = []
    for team in TEAMS:
        boxes = []
        for side in ("offense", "defense"):
            boxes += [Box(side, "shaded", 3), *[Box()] * 3]
        rows.append(BoxRow(team, boxes, len(boxes)))
    return Boxes(rows, title="Audibles")


def _hurry_ups() -> Boxes:
    """Return each team's quota box, and a box for each hurry-up used."""
    rows = [
        BoxRow(team, [Box("of", "shaded", 2), Box("", width=2), *[Box()] * 26], 28)
        for team in TEAMS
    ]
    return Boxes(rows, title="Hurry-ups")


# --- Tallies --------------------------------------------------------------------------------

TALLY_TEXT = (
    "Write the maximum of each play in the wide box and check one box for every call that is "
    "resolved, penalties included; at the maximum the play may no longer be called. Overtime adds "
    "a quarter of the maximum. Call each play at least once."
)


def _tally(team: str) -> Boxes:
    """Return a row of boxes for each play: its maximum, then one box for each call."""
    rows = [
        BoxRow(f"{number} {in_words(play)}", [Box("", width=2), *[Box()] * MAX_TALLY_BOXES], 31)
        for number, play in enumerate(PLAYS, 1)
    ]
    return Boxes(rows, title=f"{team} calls: ____________________")


def _drives() -> Table:
    """Return a table with an empty line for each drive."""
    heads = (("Team", 1.4), ("Quarter, clock", 1.4), ("From", 1.2), ("Result", 3), ("Score", 1.2))
    columns = [Column(head, width) for head, width in heads]
    return Table(columns, fill=11, title="Drives")


# --- Cards and charts -----------------------------------------------------------------------


def _cards() -> Cards:
    """Return the six formation cards, twice."""
    cards = [
        Card(letter, in_words(name).capitalize(), FORMATION_TEXTS[name])
        for letter, name in zip(LETTERS, FORMATIONS, strict=True)
    ]
    return Cards([*cards, *cards], height=62)


def _charts() -> list[Block]:
    """Return the timing table and the Priority Chart."""
    timing = Table([Column("After", 6), Column("Seconds", 1, "center")], TIMING, title="Timing")
    rows: list[list[str | Cell]] = [
        [Cell(row, "strong"), *cells] for row, cells in PRIORITY_CHART.items()
    ]
    heads = [Column("offense", 1.2), *(Column(name, 1, "center") for name in PRIORITY_COLUMNS)]
    return [
        timing,
        Table(heads, rows, title="Priority Chart: offense down, defense across"),
        Note(PRIORITY_TEXT, small=True),
        Heading("Dice"),
        Note(DICE_TEXT),
    ]


def _calls() -> list[Block]:
    """Return the calls as players know them: numbers for plays, letters for formations."""
    plays = [
        [str(number), in_words(name), PLAY_TEXTS[name]] for number, name in enumerate(PLAYS, 1)
    ]
    formations = [
        [letter, in_words(name), FORMATION_TEXTS[name]]
        for letter, name in zip(LETTERS, FORMATIONS, strict=True)
    ]
    fourth = [
        *map(_named, FOURTH_DOWN_CALLS),
        ["", "pooch", "a punt shortened by a number of yards you name"],
    ]
    return [
        _call_table("Plays", plays),
        _call_table("Formations", formations),
        _call_table("Instead of a play", fourth),
        _call_table("Kicks and returns", [*map(_named, KICK_CALLS)]),
        _call_table("After flags and fumbles", [*map(_named, FLAG_CALLS)]),
        _call_table("Tries", [*map(_named, TRY_CALLS)]),
        _call_table("Audibles and the clock", [*map(_named, CLOCK_CALLS)]),
    ]


def _named(name: str) -> list[str]:
    return ["", in_words(name), CALL_TEXTS[name]]


def _call_table(title: str, rows: list[list[str]]) -> Table:
    return Table([Column("", 0.4, "center"), Column("", 1.8), Column("", 6)], rows, title=title)
