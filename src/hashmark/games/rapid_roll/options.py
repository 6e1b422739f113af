"""The switches of Rapid Roll Football, and the check of a position that a user sets up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.clock import OVERTIME_TIME_OUTS
from hashmark.games.rapid_roll.tables import SAFETY_KICK_SPOT, SHADEABLE, SHADING, SUMS, TRY_SPOT
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.files import parse_json
from hashmark.table.readable import shown
from hashmark.table.record import HOME, NOBODY, TEAMS
from hashmark.table.rules import Option

FARTHEST_KICK = 79  # an onside kick from farther up could leave the field

Records = dict[str, tuple[int, ...]]
Shading = dict[str, tuple[int, ...]]


def _object(given: Any, option: str) -> Mapping[str, Any]:
    """A JSON object, or the text of one (the command line gives text)."""
    if isinstance(given, str):
        given = parse_json(given, f"option {option}")
    if not isinstance(given, Mapping):
        raise HashmarkError(f"option {option}: expected an object, not {shown(given)}")
    return given


def _whole_numbers(given: Any, where: str) -> tuple[int, ...]:
    whole = isinstance(given, (list, tuple)) and all(
        isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in given
    )
    if not whole:
        raise HashmarkError(f"{where}: expected a list of whole numbers, not {shown(given)}")
    return tuple(given)


def read_records(given: Any) -> Records | None:
    """R13, G28: `{"home": [wins, losses], "away": [wins, losses, ties]}`, or nothing."""
    if given in (None, "", "none", "null"):
        return None
    records = _object(given, "records")
    for team in records:
        if team not in TEAMS:
            raise UnknownName("team in option records", team, TEAMS)
    read = {}
    for team in TEAMS:
        if team not in records:
            raise HashmarkError(f"option records: no record of {team}")
        record = _whole_numbers(records[team], f"option records, {team}")
        if len(record) not in (2, 3):
            raise HashmarkError(f"option records, {team}: give wins and losses, and ties if any")
        if record[0] > 999:
            raise HashmarkError(f"option records, {team}: {record[0]} victories are too many")
        read[team] = record
    return read


def read_shading(given: Any) -> Shading:
    """G1: column to list of rows; it replaces the whole set."""
    read = {}
    for column, rows in _object(given, "shading").items():
        if column not in SHADEABLE:
            raise UnknownName("column in option shading", column, SHADEABLE)
        read[column] = _whole_numbers(rows, f"option shading, {column}")
        for row in read[column]:
            if row not in SUMS:
                raise HashmarkError(f"option shading, {column}: row {row} is not from 2 to 12")
    return read


def magic_yards(records: Records | None) -> list[int]:
    """R13, R14: 2 for each victory more; a home team at .500 or better is credited with one."""
    if records is None:
        return [0, 0]
    (home, home_lost), (away, _) = (records[team][:2] for team in TEAMS)
    more = home + (1 if home >= home_lost else 0) - away
    return [max(2 * more, 0), max(-2 * more, 0)]


def make_match(m: Any, values: Mapping[str, Any]) -> None:
    """Put the options that are no plain switches into the match."""
    m.magic = magic_yards(values["records"])
    for column, rows in values["shading"].items():
        for row in rows:
            m.shading[SHADEABLE.index(column)][row] = 1


_SWITCH = (False, True)

OPTIONS = (
    Option(
        "records",
        'The teams\' season records, such as {"home": [10, 6], "away": [7, 9]}: magic yards.',
        ("none", '{"home": [wins, losses], "away": [wins, losses]}'),
        reader=read_records,
    ),
    Option(
        "shading",
        "The shaded cells: column to list of rows.",
        (json.dumps(SHADING),),
        default=SHADING,
        reader=read_shading,
    ),
    Option("repeat", "What makes a call the same type as the last.", ("call", "column", "off")),
    Option("kickoff_line", "Where kickoffs are made.", range(1, FARTHEST_KICK + 1), default=30),
    Option("touchback", "Where a touchback comes out.", range(1, 51), default=20),
    Option("decline", "Penalties may be declined.", _SWITCH, default=True),
    Option("defense_timeouts", "Both teams may call time outs.", _SWITCH, default=True),
    Option("missed_fg", "Where a missed field goal is spotted.", ("seven-back", "twenty")),
    Option(
        "incomplete_stops_clock", "Late incomplete passes take no time.", _SWITCH, default=False
    ),
    Option("overtime", "What follows a level game.", ("single", "until-decided", "none")),
    Option(
        "numbers_per_quarter",
        "How many numbers a quarter has.",
        range(1, p.LONGEST_QUARTER + 1),
        default=40,
    ),
)


# --- Positions that a user sets up -----------------------------------------------------


def settle(m: Any, g: Any, given: Mapping[str, Any]) -> str | None:
    """Fill in what a set-up position leaves out, and say what cannot be."""
    fill_in(m, g, given)
    return log_fault(m, g) or play_fault(g) or down_fault(g)


def fill_in(m: Any, g: Any, given: Mapping[str, Any]) -> None:
    """What follows from the keys given."""
    if g.phase in (p.COIN_TOSS, p.OVER) and "possession" not in given:
        g.possession = NOBODY
    if g.phase in (p.COIN_TOSS, p.OVER) and "spot" not in given:
        g.spot = 0
    if g.phase == p.COIN_TOSS and "period" not in given:
        g.period = 5
    if g.period > 4 and "timeouts" not in given:
        g.timeouts = [OVERTIME_TIME_OUTS, OVERTIME_TIME_OUTS]
    if g.phase == p.TRY and "spot" not in given:
        g.spot = TRY_SPOT
    if g.phase == p.SAFETY_KICK and "spot" not in given:
        g.spot = SAFETY_KICK_SPOT
    if g.phase == p.SCRIMMAGE:
        if g.down == 0:
            g.down = 1
        if g.to_go == 0:
            g.to_go = min(10, 100 - g.spot)
    else:
        g.down = g.to_go = 0
        g.last_play = p.NO_PLAY
    full = g.period in (3, 4) and g.clock == m.numbers_per_quarter
    if full and "window" not in given and g.phase <= p.TRY:
        g.window = p.HOME_QUARTERBACK


def log_fault(m: Any, g: Any) -> str | None:
    """Numbers that dice cannot show, or more than the clock lines have room for."""
    for number in g.log[1 : 1 + g.log[0]]:
        if not (1 <= number % 10 <= 6):
            return f"log: two dice cannot show {number}"
    if g.roll % 10 > 6:
        return f"roll: two dice cannot show {g.roll}"
    if g.clock > m.numbers_per_quarter:
        return f"clock: a quarter has {m.numbers_per_quarter} numbers"
    to_come = g.clock + max(5 - g.period, 0) * m.numbers_per_quarter
    if g.phase != p.OVER and g.log[0] + to_come > p.MOST_NUMBERS:
        return f"log: only {p.MOST_NUMBERS} numbers can be kept, and {to_come} more may come"
    return None


def play_fault(g: Any) -> str | None:
    """A phase or window that wants more than was given."""
    phase = p.PHASES[g.phase]
    if g.phase == p.OVER:
        return None
    if g.phase == p.COIN_TOSS:
        return "the coin is tossed in overtime only, period 5" if g.period < 5 else None
    if g.possession < HOME:
        return f"phase {phase} needs possession, home or away"
    if g.spot == 0:
        return f"phase {phase} needs a spot, 1 to 99"
    if g.phase in (p.KICKOFF, p.SAFETY_KICK) and g.spot > FARTHEST_KICK:
        return f"spot {g.spot}: a kick is from {FARTHEST_KICK} at most"
    if g.clock == 0 and g.phase != p.TRY and g.window < p.CLOCK_CHOICE:
        return f"no play can begin in phase {phase} with clock 0"
    in_play = p.SIDELINE_CHOICE <= g.window <= p.MAGIC_CHOICE
    if in_play and (g.call == p.NO_PLAY or g.roll == 0 or g.play < 0 or g.carrier < HOME):
        return f"window {p.WINDOWS[g.window]} needs call, roll, play and carrier"
    if g.window == p.PENALTY_CHOICE and g.foul < 0:
        return "window penalty needs a foul"
    if g.window >= p.CLOCK_CHOICE and g.roll == 0:
        return f"window {p.WINDOWS[g.window]} needs the roll that is not yet written"
    return None


def down_fault(g: Any) -> str | None:
    """A line to gain behind the goal line."""
    if g.phase == p.SCRIMMAGE and g.to_go > 100 - g.spot:
        return f"to_go {g.to_go} is beyond the goal line, {100 - g.spot} yards away"
    return None
