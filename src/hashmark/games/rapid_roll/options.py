"""Options of Rapid Roll Football, and the match made from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hashmark.engine.options import Option
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.position import Match
from hashmark.games.rapid_roll.tables import MAX_KICKOFF_SPOT, SHADEABLE, SHADING, SUMS
from hashmark.sanitize import quote
from hashmark.storage.user_files import parse_json

Records = dict[str, tuple[int, ...]]
Shading = dict[str, tuple[int, ...]]


def _object(given: object, option: str) -> Mapping[str, Any]:
    """Return a JSON object, parsing it if given as text (as on the command line)."""
    if isinstance(given, str):
        given = parse_json(given, f"option {option}")
    if not isinstance(given, Mapping):
        raise HashmarkError(f"option {option}: expected an object, not {quote(given)}")
    return given


def _whole_numbers(given: object, where: str) -> tuple[int, ...]:
    if isinstance(given, (list, tuple)) and all(
        isinstance(number, int) and not isinstance(number, bool) and number >= 0 for number in given
    ):
        return tuple(given)
    raise HashmarkError(f"{where}: expected a list of whole numbers, not {quote(given)}")


def parse_records(given: object) -> Records | None:
    """R13, G28: parse `{"home": [wins, losses], "away": [wins, losses, ties]}`, or nothing."""
    if given in (None, "", "none", "null"):
        return None
    records = _object(given, "records")
    for team in records:
        if team not in TEAMS:
            raise UnknownName("team in option records", team, TEAMS)
    parsed = {}
    for team in TEAMS:
        if team not in records:
            raise HashmarkError(f"option records: the record of {team} is missing")
        record = _whole_numbers(records[team], f"option records, {team}")
        if len(record) not in (2, 3):
            raise HashmarkError(f"option records, {team}: give wins and losses, then ties if any")
        if record[0] > 999:
            raise HashmarkError(f"option records, {team}: {record[0]} wins are more than 999")
        parsed[team] = record
    return parsed


def parse_shading(given: object) -> Shading:
    """G1: parse a mapping of column to list of rows; it replaces the whole default set."""
    parsed = {}
    for column, rows in _object(given, "shading").items():
        if column not in SHADEABLE:
            raise UnknownName("column in option shading", column, SHADEABLE)
        parsed[column] = _whole_numbers(rows, f"option shading, {column}")
        for row in parsed[column]:
            if row not in SUMS:
                raise HashmarkError(f"option shading, {column}: row {row} is not between 2 and 12")
    return parsed


def magic_yards(records: Records | None) -> list[int]:
    """R13, R14: 2 for each extra victory; a home team at .500 or better is credited with one."""
    if records is None:
        return [0, 0]
    (home, home_lost), (away, _) = (records[team][:2] for team in TEAMS)
    surplus = home + (1 if home >= home_lost else 0) - away
    return [max(2 * surplus, 0), max(-2 * surplus, 0)]


def fill_match(m: Match, values: Mapping[str, Any]) -> None:
    """Put the options that are not plain switches into the match."""
    m.magic = magic_yards(values["records"])
    for column, rows in values["shading"].items():
        for row in rows:
            m.shading[SHADEABLE.index(column)][row] = 1


_SWITCH = (False, True)

OPTIONS = (
    Option(
        "records",
        'Season records, such as {"home": [10, 6], "away": [7, 9]}; they set the magic yards.',
        ("none", '{"home": [wins, losses], "away": [wins, losses]}'),
        parser=parse_records,
    ),
    Option(
        "shading",
        "Shaded cells: the rows of each column.",
        (json.dumps(SHADING),),
        default=SHADING,
        parser=parse_shading,
    ),
    Option("repeat", "When a call counts as the same play twice in a row.", p.REPEATS),
    Option("kickoff_line", "Yard line of kickoffs.", range(1, MAX_KICKOFF_SPOT + 1), default=30),
    Option("touchback", "Yard line of touchbacks.", range(1, 51), default=20),
    Option("decline", "Penalties may be declined.", _SWITCH, default=True),
    Option("defense_timeouts", "The defense may call time-outs, too.", _SWITCH, default=True),
    Option("missed_fg", "Where a missed field goal is spotted.", p.MISSED_FIELD_GOALS),
    Option(
        "incomplete_stops_clock",
        "Incomplete passes stop the clock late in a half.",
        _SWITCH,
        default=False,
    ),
    Option("overtime", "What follows a tied game.", p.OVERTIMES),
    Option(
        "numbers_per_quarter",
        "Length of a quarter in numbers.",
        range(1, p.MAX_QUARTER_NUMBERS + 1),
        default=40,
    ),
    Option("new_quarterbacks", "How often a team may change quarterbacks.", p.NEW_QUARTERBACKS),
    Option(
        "receivers_foul",
        "Where a return-team foul (RT n) on a kickoff puts the ball.",
        p.RECEIVERS_FOULS,
    ),
    Option(
        "kickers_foul",
        "What a kicking-team foul without a plus (KT n) means on a kickoff.",
        p.KICKERS_FOULS,
    ),
)
