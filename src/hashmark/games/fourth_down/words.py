"""Wording of 4th Down!: the clock, the situation, and each event as a sentence."""

from __future__ import annotations

from collections.abc import Callable

from hashmark.engine.dice import Pool
from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game, Turn
from hashmark.engine.presentation import Scoring, Words
from hashmark.engine.record import TIE
from hashmark.engine.rolls import Purpose, Roll
from hashmark.engine.team_names import TeamNames
from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down.position import Match, Position
from hashmark.games.fourth_down.tables import (
    CONVERSIONS,
    DRIVES,
    KICK_DIE,
    MAKE_DISTANCES,
    STYLES,
    TD,
    TURNOVER_DIE,
    TWO_POINT_DIE,
)
from hashmark.text.phrases import capitalize, clock_text, yard_line, yards_text
from hashmark.text.summary import END_OF_HALF, Drive, events_with_score

PERIODS = {1: "1st half", 2: "2nd half"}


def clock(m: Match, g: Position) -> str:
    """Return the half and the time left, in blocks and in minutes."""
    if g.phase == p.OVER:
        return "final"
    return f"{PERIODS[g.period]}, {blocks_text(g.clock)} ({format_time(g.clock)})"


def format_time(clock: int) -> str:
    """Return a number of blocks in minutes; a block is ten seconds."""
    return clock_text(10 * clock)


def short_clock(m: Match, g: Position) -> str:
    """Return the half and the time left in short form."""
    return "final" if g.phase == p.OVER else f"{PERIODS[g.period]} {format_time(g.clock)}"


def situation(m: Match, g: Position, names: TeamNames) -> str:
    """Describe the situation in half a sentence."""
    team = names[g.possession]
    if g.phase == p.COIN_TOSS:
        return "the coin is in the air"
    if g.phase == p.OVER:
        return "a tie" if g.winner == TIE else f"{names[g.winner]} wins"
    if g.phase == p.TRY:
        return f"{team} tries for the extra points"
    spot = yard_line(g.possession, g.spot, names)
    if g.phase == p.DRIVE:
        return f"{team} begins a drive at {spot}"
    if g.phase == p.UNTIMED_DOWN:
        return f"{team} has one untimed down at {spot}"
    to_go = "goal" if g.to_go == 100 - g.spot else str(g.to_go)
    return f"{team}: 4th and {to_go} at {spot}"


def line_to_gain(m: Match, g: Position) -> int | None:
    """Return the line to gain, which exists on fourth down only."""
    return g.spot + g.to_go if g.phase == p.FOURTH_DOWN else None


def blocks_text(n: int) -> str:
    return "1 block" if n == 1 else f"{n} blocks"


def _spot(t: GameEvent, names: TeamNames) -> str:
    return yard_line(t.team, t.spot, names)


def _opponent_spot(t: GameEvent, names: TeamNames) -> str:
    return yard_line(1 - t.team, t.opponent_spot, names)


def _drive_text(t: GameEvent, names: TeamNames) -> str:
    end = "to the goal line" if t.spot >= 100 else "into the end zone"
    if 0 < t.spot < 100:
        end = f"to {_spot(t, names)}"
    moved = (
        f"drives {yards_text(t.gain)}" if t.gain > 0 else f"is thrown back {yards_text(-t.gain)}"
    )
    duration = f"{blocks_text(t.blocks)} ({format_time(t.blocks)})"
    return f"{moved if t.gain else 'gets nowhere'} in {duration}, {end}"


def _turnover_text(t: GameEvent, names: TeamNames) -> str:
    loss = "loses the ball and the touchdown" if t.lost_touchdown else "loses the ball"
    return f"{loss}; it lies at {_opponent_spot(t, names)}"


def _missed_kick_text(t: GameEvent, names: TeamNames) -> str:
    after = f"; ball at {_opponent_spot(t, names)}" if t.opponent_spot else ""
    return f"misses a kick of {yards_text(t.distance)}{after}"


SENTENCES: dict[str, Callable[[GameEvent, TeamNames], str]] = {
    "receives": lambda t, names: (
        f"receives the {'opening' if t.half == 1 else 'second-half'} kickoff"
    ),
    "drives": _drive_text,
    "cut short": lambda t, names: "has too little time for that drive",
    "stalls": lambda t, names: "has no time for any drive",
    "gets untimed": lambda t, names: f"has one untimed down at {_spot(t, names)}",
    "loses ball": _turnover_text,
    "touchdown": lambda t, names: "scores a touchdown",
    "safety": lambda t, names: "scores a safety",
    "faces fourth": lambda t, names: f"has 4th and {t.to_go} at {_spot(t, names)}",
    "converts": lambda t, names: (
        f"goes for it: {yards_text(t.gain)}, first down at {_spot(t, names)}"
    ),
    "fails": lambda t, names: (
        f"goes for it: {yards_text(t.gain)}, over on downs at {_opponent_spot(t, names)}"
    ),
    "scores on fourth": lambda t, names: f"goes for it: {yards_text(t.gain)} and in",
    "caught on fourth": lambda t, names: f"goes for it and is thrown back {yards_text(-t.gain)}",
    "tries untimed": lambda t, names: f"goes for the goal line: {yards_text(t.gain)}",
    "kick good": lambda t, names: f"kicks a field goal from {yards_text(t.distance)}",
    "kick missed": _missed_kick_text,
    "punts": lambda t, names: f"punts to {_opponent_spot(t, names)}",
    "one point good": lambda t, names: "kicks the extra point",
    "one point missed": lambda t, names: "misses the extra point",
    "two points good": lambda t, names: "makes the two-point try",
    "two points missed": lambda t, names: "fails on the two-point try",
    "lets half end": lambda t, names: "lets the half end",
}


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence."""
    if event.name == "half over":
        return "End of the first half." if event.half == 1 else "End of the game."
    return capitalize(f"{names[event.team]} {SENTENCES[event.name](event, names)}.")


def _yards_or_touchdown(value: int) -> str:
    return "TD" if value == TD else str(value)


def list_tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the printed tables for `hashmark rules`."""
    drives = [
        [str(roll), *("TD" if y == TD else f"{y}, {b}" for y, b in row)]
        for roll, row in enumerate(DRIVES, 1)
    ]
    attempts = [
        [str(roll), _yards_or_touchdown(gain), str(make)]
        for roll, (gain, make) in enumerate(zip(CONVERSIONS, MAKE_DISTANCES, strict=True), 1)
    ]
    return [
        ("Drive (yards, blocks)", ["d20", *STYLES], drives),
        ("Attempts", ["d20", "going for it", "kick good from"], attempts),
    ]


CHECKS: dict[Pool, tuple[str, str]] = {  # results at or below the limit of a check, and above it
    TURNOVER_DIE: ("lost", "held"),
    KICK_DIE: ("missed", "good"),
    TWO_POINT_DIE: ("failed", "good"),
}


def roll_purpose(m: Match, turn: Turn, roll: Roll) -> Purpose:
    """Return the purpose of a roll, and the result of a check."""
    if roll.at_most is None:
        return Purpose(roll.pool.label)
    low_result, high_result = CHECKS[roll.pool]
    return Purpose(roll.pool.label, low_result if roll.outcome <= roll.at_most else high_result)


SCORING = Scoring(
    {"touchdown": "touchdown", "kick good": "field goal of {yards}", "safety": "safety"},
    try_texts={
        "one point good": "kick good",
        "one point missed": "kick missed",
        "two points good": "two points",
        "two points missed": "two-point try failed",
    },
    touchdown_texts={
        "drives": "drive of {yards}",
        "scores on fourth": "{yards} on 4th down",
        "tries untimed": "{yards} on the untimed down",
    },
)

RESULTS = {
    "touchdown": "touchdown",
    "kick good": "field goal",
    "kick missed": "missed kick",
    "safety": "safety",
    "loses ball": "turnover",
    "punts": "punt",
    "fails": "downs",
    "converts": "first down",
    "half over": END_OF_HALF,
}


GAINS = ("drives", "converts", "fails", "scores on fourth", "caught on fourth", "tries untimed")
# Events that open a drive of their own if the game was set up in the middle of one.
MID_DRIVE = (set(GAINS) | set(RESULTS)) - {"half over"}


def list_drives(game: Game) -> list[Drive]:
    """Return every drive with its result."""
    drive_list: list[Drive] = []
    for turn, event, score in events_with_score(game):
        before = turn.before
        if event.name in ("drives", "stalls") or (not drive_list and event.name in MID_DRIVE):
            drive_list.append(Drive(event.team, before.period, before.clock, before.spot, plays=1))
        if event.name == "drives":
            drive_list[-1].time = event.blocks
        if not drive_list:
            continue
        if event.name in GAINS:
            drive_list[-1].yards += event.gain
        if event.name in RESULTS and not drive_list[-1].result:
            drive_list[-1].result = RESULTS[event.name]
        drive_list[-1].score = score
    return drive_list


UNTIMED_ATTEMPT = "one d20; only the goal line counts, then the half is over"


def explain_call(m: Match, g: Position, call: int, names: TeamNames) -> str:
    """Explain a call where it differs from its usual meaning."""
    untimed = g.phase == p.UNTIMED_DOWN and call == p.GO_FOR_IT
    return UNTIMED_ATTEMPT if untimed else ""


WORDS = Words(
    clock=clock,
    situation=situation,
    sentence=sentence,
    line_to_gain=line_to_gain,
    list_tables=list_tables,
    call_meanings={
        "balanced": "even mix; ball lost on 1-2",
        "run-first": "short and slow; ball lost on 1",
        "pass-first": "long and quick; ball lost on 1-4",
        "go-for-it": "one d20 for the yards to go",
        "field-goal": "three points if the kick reaches",
        "punt": "the ball 40 yards downfield",
        "end-half": "no attempt",
        "one-point": "a short kick, 19 in 20",
        "two-point": "a d10 of 7 or more",
    },
    box_lines=(
        ("drives", "Drives"),
        ("yards", "Yards"),
        ("blocks", "Time of possession"),
        ("touchdowns", "Touchdowns"),
        ("field_goals/field_goals_tried", "Field goals"),
        ("safeties", "Safeties"),
        ("turnovers", "Turnovers"),
        ("fourth_downs_made/fourth_downs_tried", "Fourth downs"),
        ("punts", "Punts"),
        ("one_points/one_points_tried", "One-point tries"),
        ("two_points/two_points_tried", "Two-point tries"),
    ),
    list_drives=list_drives,
    call_meanings_by_question={("untimed-down", "go-for-it"): UNTIMED_ATTEMPT},
    explain_call=explain_call,
    roll_purpose=roll_purpose,
    short_clock=short_clock,
    period_name=PERIODS.__getitem__,
    format_time=format_time,
    time_statistics=("blocks",),
    scoring=SCORING,
)
