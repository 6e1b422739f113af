"""The words of a two-minute drill's sheet, each result alone, and where its field begins."""

from __future__ import annotations

from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.sheet import _what, sheet
from hashmark.sheet.document import Columns, Document, Field
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
