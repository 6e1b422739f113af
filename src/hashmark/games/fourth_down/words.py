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
from hashmark.text.phrases import (
    clock_text,
    down_text,
    gain_text,
    team_clause,
    team_sentence,
    yard_line,
    yards_text,
)
from hashmark.text.summary import END_OF_HALF, Drive, events_with_score

PERIODS = {1: "1st half", 2: "2nd half"}


def clock(m: Match, g: Position) -> str:
    """Return the half and the time left, in minutes and in blocks."""
    if g.phase == p.OVER:
        return "final"
    return f"{PERIODS[g.period]}, {format_time(g.clock)} left ({blocks_text(g.clock)})"


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
        return "coin toss"
    if g.phase == p.OVER:
        is_tie = g.winner == TIE
        return "the game ends in a tie" if is_tie else team_clause(names[g.winner], "[wins]")
    if g.phase == p.TRY:
        return team_clause(team, "[lines] up for the try")
    spot = yard_line(g.possession, g.spot, names)
    if g.phase == p.DRIVE:
        return team_clause(team, f"[starts] a drive at {spot}")
    if g.phase == p.UNTIMED_DOWN:
        return team_clause(team, f"[has] one untimed down at {spot}")
    return f"{team}: {down_text(g.down, g.to_go, g.possession, g.spot, names)}"


def line_to_gain(m: Match, g: Position) -> int | None:
    """Return the line to gain, which exists on fourth down only."""
    return g.spot + g.to_go if g.phase == p.FOURTH_DOWN else None


def blocks_text(n: int) -> str:
    return "1 block" if n == 1 else f"{n} blocks"


def _spot(t: GameEvent, names: TeamNames) -> str:
    return yard_line(t.team, t.spot, names)


def _opponent_spot(t: GameEvent, names: TeamNames) -> str:
    return yard_line(1 - t.team, t.opponent_spot, names)


def _opponent_ball(t: GameEvent, names: TeamNames) -> str:
    return f"{names[1 - t.team]} ball at {_opponent_spot(t, names)}"


def _drive_text(t: GameEvent, names: TeamNames) -> str:
    time = f"in {blocks_text(t.blocks)} ({format_time(t.blocks)})"
    if t.gain == 0:
        return f"[goes] nowhere {time} and [stays] at {_spot(t, names)}"
    if t.gain > 0:
        end = "the goal line" if t.spot >= 100 else _spot(t, names)
        return f"[drives] {yards_text(t.gain)} {time} to {end}"
    end = f"to {_spot(t, names)}" if t.spot > 0 else "into [its] own end zone"
    return f"{gain_text(t.gain)} {time}, back {end}"


def _turnover_text(t: GameEvent, names: TeamNames) -> str:
    loss = " at the goal line and [loses] the touchdown" if t.lost_touchdown else ""
    return f"[turns] it over{loss}; {_opponent_ball(t, names)}"


def _missed_kick_text(t: GameEvent, names: TeamNames) -> str:
    after = f"; {_opponent_ball(t, names)}" if t.opponent_spot else ""
    return f"[misses] a {t.distance}-yard field goal{after}"


# What the team of each event does, verbs marked as in `team_clause`.
SENTENCES: dict[str, Callable[[GameEvent, TeamNames], str]] = {
    "receives": lambda t, names: (
        f"[receives] the {'opening' if t.half == 1 else 'second-half'} kickoff"
    ),
    "drives": _drive_text,
    "cut short": lambda t, names: "[does] not have time for the full drive",
    "stalls": lambda t, names: "cannot fit any drive into the time left",
    "gets untimed": lambda t, names: f"[gets] one untimed down at {_spot(t, names)}",
    "loses ball": _turnover_text,
    "touchdown": lambda t, names: "[scores] a touchdown",
    "safety": lambda t, names: "[scores] a safety",
    "faces fourth": lambda t, names: f"[faces] {down_text(4, t.to_go, t.team, t.spot, names)}",
    "converts": lambda t, names: (
        f"[goes] for it and {gain_text(t.gain)}: first down at {_spot(t, names)}"
    ),
    "fails": lambda t, names: (
        f"[goes] for it, {gain_text(t.gain)} and [turns] it over on downs at "
        f"{_opponent_spot(t, names)}"
    ),
    "scores on fourth": lambda t, names: (
        f"[goes] for it and [takes] it in from {yards_text(t.gain)} out"
    ),
    "caught on fourth": lambda t, names: (
        f"[goes] for it and {gain_text(t.gain)}, back into [its] own end zone"
    ),
    "tries untimed": lambda t, names: f"[goes] for the end zone and {gain_text(t.gain)}",
    "kick good": lambda t, names: f"[kicks] a {t.distance}-yard field goal",
    "kick missed": _missed_kick_text,
    "punts": lambda t, names: f"[punts]; {_opponent_ball(t, names)}",
    "one point good": lambda t, names: "[kicks] the extra point",
    "one point missed": lambda t, names: "[misses] the extra point",
    "two points good": lambda t, names: "[converts] the two-point try",
    "two points missed": lambda t, names: "[fails] on the two-point try",
    "lets half end": lambda t, names: "[lets] the clock run out",
}


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence."""
    if event.name == "half over":
        return "End of the first half." if event.half == 1 else "End of the game."
    return team_sentence(names[event.team], SENTENCES[event.name](event, names))


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
        ("Fourth down (yards)", ["d20", "go for it", "longest good kick"], attempts),
    ]


CHECKS: dict[Pool, tuple[str, str]] = {  # results at or below the limit of a check, and above it
    TURNOVER_DIE: ("yes", "no"),
    KICK_DIE: ("no good", "good"),
    TWO_POINT_DIE: ("no good", "good"),
}


def roll_purpose(m: Match, turn: Turn, roll: Roll) -> Purpose:
    """Return the purpose of a roll, and the result of a check."""
    if roll.at_most is None:
        return Purpose(roll.pool.label)
    low_result, high_result = CHECKS[roll.pool]
    return Purpose(roll.pool.label, low_result if roll.outcome <= roll.at_most else high_result)


SCORING = Scoring(
    {"touchdown": "touchdown", "kick good": "{length} field goal", "safety": "safety"},
    try_texts={
        "one point good": "extra point good",
        "one point missed": "extra point missed",
        "two points good": "two-point try good",
        "two points missed": "two-point try failed",
    },
    touchdown_texts={
        "drives": "{length} drive",
        "scores on fourth": "{length} gain on 4th down",
        "tries untimed": "{length} gain on the untimed down",
    },
)

RESULTS = {
    "touchdown": "touchdown",
    "kick good": "field goal",
    "kick missed": "missed FG",
    "safety": "safety",
    "loses ball": "turnover",
    "punts": "punt",
    "fails": "turnover on downs",
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


UNTIMED_ATTEMPT = "one d20: a touchdown or nothing; the half then ends"


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
    call_phrases={
        "go-for-it": "going for it",
        "field-goal": "kicking the field goal",
        "punt": "punting",
        "end-half": "letting the half end",
        "one-point": "kicking the extra point",
        "two-point": "going for two",
    },
    call_meanings={
        "balanced": "run and pass evenly; turnover on 1-2",
        "run-first": "short gains, long drives; turnover on 1",
        "pass-first": "long gains, quick drives; turnover on 1-4",
        "go-for-it": "one d20 to gain the yards to go",
        "field-goal": "three points if the d20 covers the distance",
        "punt": "kick the ball 40 yards downfield",
        "end-half": "let the clock run out",
        "one-point": "kick for one point: good on a d20 of 2 or more",
        "two-point": "try for two points: good on a d10 of 7 or more",
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
        ("one_points/one_points_tried", "Extra points"),
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
