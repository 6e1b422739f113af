"""Text of the two-minute drill's sheet, each result alone, and where its field begins."""

from __future__ import annotations

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import NO_CALL
from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.sheet import (
    DriveSheet,
    _arrows,
    _describe_events,
    _play_row,
    sheet,
)
from hashmark.sheets.document import Arrow, Columns, Document, Field

# What the row of a play says of each event, with a 5 and to the right; other events add nothing.
DESCRIPTIONS = {
    "stops for dice": "Time-out to change the dice",
    "triple forward": "Three 5s",
    "triple back": "Three 5s, all offense",
    "quad forward": "Four 5s",
    "quad back": "Four 5s, all offense",
    "five": "Five 5s",
    "six odd": "Six 5s",
    "six even": "Six 5s: returned for a touchdown",
    "offence penalty": "Penalty on the offense",
    "incomplete": "Incomplete pass",
    "fumble lost": "Fumble lost",
    "fumble kept": "Fumble recovered",
    "last chance": "Last chance",
    "recovers": "Ball recovered",
    "effort": "Extra effort: 5",
    "gains": "Play to the right",
    "out of bounds": "Out of bounds",
    "saves clock": "Time-out",
    "takes penalty": "Penalty taken",
    "touchdown": "Touchdown",
    "reaches range": "Field goal",
    "safety": "Safety",
    "out of time": "Out of time",
    "lost on downs": "Turnover on downs",
    "lost on fumble": "Under a minute left",
    "lost on last chance": "Not recovered",
}


def test_each_event_is_described() -> None:
    texts = {
        kind.name: _describe_events([GameEvent(kind, 0, (5, 0, p.RIGHT))])
        for kind in p.STATISTICS.kinds
    }
    assert {name: words for name, words in texts.items() if words} == DESCRIPTIONS


def test_events_are_joined_into_one_sentence() -> None:
    events = [GameEvent(p.GAINS, 0, (5, 0, p.LEFT)), GameEvent(p.OUT_OF_BOUNDS, 0, (0, 0, 0))]
    assert _describe_events(events) == "Play to the left, out of bounds"


def test_only_referee_events_have_a_sum_and_only_moves_have_yards() -> None:
    """A row for each event alone."""
    rows = {
        kind.name: _play_row(p.Position(), [GameEvent(kind, 0, (-5, 7, 2))], TEAMS)
        for kind in p.STATISTICS.kinds
    }
    sums = ["offence penalty", "incomplete", "fumble lost", "fumble kept", "good play"]
    sums += ["defence penalty", "recovers"]
    assert {name for name, row in rows.items() if row[4]} == set(sums)
    assert {name for name, row in rows.items() if row[5]} == {"gains", "takes penalty", "dead ball"}
    assert rows["recovers"][4] == "2"
    assert rows["dead ball"][5] == "-5"


def test_plays_and_penalties_are_arrows_on_the_field() -> None:
    """A play goes to its side, out of bounds farther; a penalty is dashed where the ball was."""
    before = p.Position()
    before.spot, before.hash = 40, p.LEFT
    play, out = GameEvent(p.GAINS, 0, (5, 45, p.RIGHT)), GameEvent(p.OUT_OF_BOUNDS, 0, (0, 0, 0))
    dead, taken = GameEvent(p.DEAD_BALL, 0, (-5, 35, 0)), GameEvent(p.TAKES_PENALTY, 0, (10, 50, 0))
    moved_nowhere = GameEvent(p.DEAD_BALL, 0, (0, 40, 0))
    events_by_turn = [[play], [play, out], [dead], [taken], [moved_nowhere], [out]]
    drive = DriveSheet(0, before, [(before, events) for events in events_by_turn])
    assert _arrows(drive) == [
        Arrow(40, 45, across=2 / 3),
        Arrow(40, 45, across=0.92),
        Arrow(40, 35, "", True, 1 / 3),
        Arrow(40, 50, "", True, 1 / 3),
    ]


def field_of(document: Document) -> Field:
    """Return the field of the first page."""
    [columns] = [block for block in document.pages[0].blocks if isinstance(block, Columns)]
    [field] = [block for column in columns.columns for block in column if isinstance(block, Field)]
    return field


def test_the_field_begins_where_the_first_play_did() -> None:
    """Even if that play ends with its first turn."""
    dice = {"d4": 1, "d6a": 2, "d6b": 4, "d8": 7, "dta": 3, "dtb": 2}
    placed = {"referee_ot": "d6b", "referee_dt": "dta", "yards_ot": "d8"}
    start = {"phase": "result", "spot": 31, "dice": dice, **placed}
    game = Game(RULES, {}, dice=SeededDice(1), start=start)
    spots = []
    for call in (RULES.call_codes["play"], NO_CALL):
        game.play(call)
        spots.append(field_of(sheet(game)).marks[0].at)
    assert game.turns[1].before.spot == 36
    assert spots == [31, 31]
