"""The words of a two-minute drill's sheet, each result alone, and where its field begins."""

from __future__ import annotations

from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.sheet import Drive, _arrows, _row, _what, sheet
from hashmark.sheet.document import Arrow, Columns, Document, Field
from hashmark.table.events import Told
from hashmark.table.game import Game, SeededDice

# What the row of a play says of each event, told with a 5 and to the right; the others are silent.
SAID = {
    "stops for dice": "Time-out for the dice",
    "triple forward": "Three 5s",
    "triple back": "Three 5s, offence",
    "quad forward": "Four 5s",
    "quad back": "Four 5s, offence",
    "five": "Five 5s",
    "six odd": "Six 5s: touchdown",
    "six even": "Six 5s: returned",
    "offence penalty": "Offence penalty",
    "incomplete": "Incomplete",
    "fumble lost": "Fumble lost",
    "fumble kept": "Fumble kept",
    "last chance": "Last chance",
    "recovers": "Ball back",
    "effort": "Extra effort 5",
    "gains": "Play to the right",
    "out of bounds": "Out of bounds",
    "saves clock": "Time-out",
    "takes penalty": "Penalty taken",
    "touchdown": "Touchdown",
    "reaches range": "In range",
    "safety": "Safety",
    "out of time": "Out of time",
    "lost on downs": "Out of downs",
    "lost on fumble": "Ball lost",
    "lost on last chance": "Not recovered",
}


def test_what_the_sheet_says_of_each_event() -> None:
    said = {one.name: _what([Told(one, 0, 5, 0, p.RIGHT)]) for one in p.STATISTICS.events}
    assert {name: words for name, words in said.items() if words} == SAID


def test_what_happened_is_one_sentence() -> None:
    events = [Told(p.GAINS, 0, 5, 0, p.LEFT), Told(p.OUT_OF_BOUNDS, 0, 0, 0, 0)]
    assert _what(events) == "Play to the left, out of bounds"


def test_which_events_have_a_sum_or_yards_in_their_row() -> None:
    """The sum is the referee's, the yards are those of the ball; a row for each event alone."""
    rows = {one.name: _row(p.Position(), [Told(one, 0, -5, 7, 2)]) for one in p.STATISTICS.events}
    sums = ["offence penalty", "incomplete", "fumble lost", "fumble kept", "good play"]
    sums += ["defence penalty", "recovers"]
    assert {name for name, row in rows.items() if row[4]} == set(sums)
    assert {name for name, row in rows.items() if row[5]} == {"gains", "takes penalty", "dead ball"}
    assert rows["recovers"][4] == "2"
    assert rows["dead ball"][5] == "-5"


def test_arrows_on_the_field() -> None:
    """A play goes to its side, out of bounds farther; a penalty is dashed where the ball was."""
    before = p.Position()
    before.spot, before.hash = 40, p.LEFT
    play, out = Told(p.GAINS, 0, 5, 45, p.RIGHT), Told(p.OUT_OF_BOUNDS, 0, 0, 0, 0)
    dead, taken = Told(p.DEAD_BALL, 0, -5, 35, 0), Told(p.TAKES_PENALTY, 0, 10, 50, 0)
    moved_nowhere = Told(p.DEAD_BALL, 0, 0, 40, 0)
    told = [[play], [play, out], [dead], [taken], [moved_nowhere], [out]]
    drive = Drive(0, before, [(before, events) for events in told])
    assert _arrows(drive) == [
        Arrow(40, 45, across=2 / 3),
        Arrow(40, 45, across=0.92),
        Arrow(40, 35, "", True, 1 / 3),
        Arrow(40, 50, "", True, 1 / 3),
    ]


def field_of(document: Document) -> Field:
    """The field of the first page."""
    [columns] = [one for one in document.pages[0].blocks if isinstance(one, Columns)]
    [field] = [one for column in columns.columns for one in column if isinstance(one, Field)]
    return field


def test_the_field_begins_where_the_first_play_did() -> None:
    """Also if that play is over with its first turn."""
    dice = {"d4": 1, "d6a": 2, "d6b": 4, "d8": 7, "dta": 3, "dtb": 2}
    placed = {"referee_ot": "d6b", "referee_dt": "dta", "yards_ot": "d8"}
    start = {"phase": "result", "spot": 31, "dice": dice, **placed}
    game = Game(RULES, {}, dice=SeededDice(1), start=start)
    spots = []
    for call in ("play", None):
        game.play(call)
        spots.append(field_of(sheet(game)).marks[0].at)
    assert game.turns[1].before.spot == 36
    assert spots == [31, 31]
