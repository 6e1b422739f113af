"""Wording of Roll For Yardage!: the clock, the situation, and each event as a sentence."""

from __future__ import annotations

from collections.abc import Callable

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Turn
from hashmark.engine.presentation import Scoring, Words
from hashmark.engine.record import TIE
from hashmark.engine.rolls import Purpose, Roll
from hashmark.engine.team_names import TeamNames
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage.drives import list_drives
from hashmark.games.roll_for_yardage.pools import MARGIN, PENALTY, PLAIN, SNAKE_EYES, YARDAGE
from hashmark.games.roll_for_yardage.position import Match, Position
from hashmark.games.roll_for_yardage.rows import down_and_distance
from hashmark.games.roll_for_yardage.tables import (
    EXTRA_POINT_SPOT,
    KICK_BONUS,
    KICK_BONUS_BANDS,
    KICKOFF_SPOT,
    KICKOFF_YARDS_PER_PIP,
    LAST_QUARTER,
    PENALTY_YARDS_BY_FACE,
    PUNT_YARDS_PER_PIP,
    SAFETY_KICK_SPOT,
)
from hashmark.text.phrases import capitalize, ordinal, yard_line, yards_text


def period_name(period: int) -> str:
    """Return the name of the quarter or the overtime."""
    if period <= LAST_QUARTER:
        return f"{ordinal(period)} quarter"
    extra = period - LAST_QUARTER
    return "overtime" if extra == 1 else f"{ordinal(extra)} overtime"


def clock(m: Match, g: Position) -> str:
    """Return the quarter and the plays left in it."""
    if g.phase == p.OVER:
        return "final"
    left = "1 play" if g.clock == 1 else f"{g.clock} plays"
    return f"{period_name(g.period)}, {left} left"


def short_clock(m: Match, g: Position) -> str:
    """Return the quarter and the plays left in it in short form."""
    return "final" if g.phase == p.OVER else f"{period_name(g.period)}, {g.clock} left"


def play_begins(m: Match, g: Position) -> bool:
    """Return whether a play begins here: no kick to return, no flag to decide on."""
    return g.phase not in (p.RETURN, p.PENALTY, p.CHOICE)


def situation(m: Match, g: Position, names: TeamNames) -> str:
    """Describe the situation in half a sentence."""
    if g.phase == p.COIN_TOSS:
        return "the toss decides"
    if g.phase == p.CHOICE:
        return f"{names[g.chooser]} chooses to receive or to kick"
    if g.phase == p.OVER:
        return "a tie" if g.winner == TIE else f"{names[g.winner]} wins"
    team = names[g.possession]
    if g.phase == p.TRY:
        return f"{team} tries for the extra points"
    spot = yard_line(g.possession, g.spot, names)
    if g.phase == p.KICKOFF:
        return f"{team} kicks off from {spot}"
    if g.phase == p.SAFETY_KICK:
        return f"{team} kicks from {spot} after the safety"
    if g.phase == p.RETURN:
        return f"the kick comes down to {team} at {spot}"
    if g.phase == p.PENALTY:
        return _describe_flag(g, spot, names)
    return f"{team}: {down_and_distance(g.down, g.to_go, g.spot)} at {spot}"


def _describe_flag(g: Position, spot: str, names: TeamNames) -> str:
    """Describe a penalty to decide on, and how the play ended without it."""
    offense, defense = names[g.possession], names[1 - g.possession]
    against = defense if g.penalty_face % 2 else offense
    if g.play_end == 100:
        result = f"{offense} touchdown"
    elif g.play_end == 0:
        result = f"{defense} {'touchdown' if g.play_lost else 'safety'}"
    elif g.play_lost:
        result = f"{defense} ball at {yard_line(g.possession, g.play_end, names)}"
    else:
        result = f"{offense} ball at {yard_line(g.possession, g.play_end, names)}"
    number = PENALTY_YARDS_BY_FACE[g.penalty_face]
    return f"flag against {against}, {number} yards, on a play from {spot}; without it: {result}"


def line_to_gain(m: Match, g: Position) -> int | None:
    """Return the line to gain, which exists on a down only."""
    return g.spot + g.to_go if g.phase in (p.SCRIMMAGE, p.PENALTY) else None


def _totals_text(t: GameEvent, verb: str, remark: str = "") -> str:
    if t.total == SNAKE_EYES:
        return f"{verb} snake eyes"
    if t.opponent_total == SNAKE_EYES:
        return f"{verb} against the other side's snake eyes"
    return f"{verb} {t.total} against {t.opponent_total}{remark}"


def _gain_text(n: int, verb: str) -> str:
    if n == 0:
        return "gets nowhere"
    return f"{verb} {yards_text(n)}" if n > 0 else f"is thrown back {yards_text(-n)}"


def _choice_text(t: GameEvent, names: TeamNames) -> str:
    if t.call == p.DEFER:
        return "defers to the second half"
    return f"chooses to {p.CALLS[t.call]}"


def _own_spot(t: GameEvent, names: TeamNames) -> str:
    return yard_line(t.team, t.spot, names)


def _their_spot(t: GameEvent, names: TeamNames) -> str:
    return yard_line(1 - t.team, t.opponent_spot, names)


def _recovery_text(t: GameEvent, action: str) -> str:
    return f"{action} and advances {yards_text(t.gain)}"


def _undone_text(t: GameEvent, names: TeamNames) -> str:
    undone = "loss" if t.correction > 0 else "gain"
    return f"sees its {undone} of {yards_text(abs(t.correction))} undone"


SENTENCES: dict[str, Callable[[GameEvent, TeamNames], str]] = {
    "rolls": lambda t, names: _totals_text(t, "rolls", " (doubled)" if t.doubled else ""),
    "scrambles": lambda t, names: _totals_text(t, "scrambles for the ball with"),
    "wins toss": lambda t, names: "wins the toss",
    "chooses": _choice_text,
    "kicks off": lambda t, names: f"kicks off, {yards_text(t.distance)}",
    "shanks": lambda t, names: f"kicks it out of bounds; ball at {_their_spot(t, names)}",
    "touchback": lambda t, names: f"takes the touchback at {_own_spot(t, names)}",
    "catches": lambda t, names: f"calls for a fair catch at {_own_spot(t, names)}",
    "returns": lambda t, names: f"{_gain_text(t.gain, 'returns it')}",
    "muffs": lambda t, names: f"fumbles the return at {_own_spot(t, names)}",
    "onside kept": lambda t, names: f"recovers its onside kick at {_own_spot(t, names)}",
    "onside lost": lambda t, names: f"fails with an onside kick; ball at {_their_spot(t, names)}",
    "onside run back": lambda t, names: "sees its onside kick run back all the way",
    "punts": lambda t, names: f"punts {yards_text(t.distance)}",
    "punt blocked": lambda t, names: "has its punt blocked",
    "safety kicks": lambda t, names: f"kicks after the safety, {yards_text(t.distance)}",
    "kick good": lambda t, names: f"kicks a field goal from {yards_text(t.distance)}",
    "kick missed": lambda t, names: f"misses a field goal from {yards_text(t.distance)}",
    "kick blocked": lambda t, names: f"has its field goal from {yards_text(t.distance)} blocked",
    "fakes kick": lambda t, names: "fakes the field goal and runs in",
    "gains": lambda t, names: _gain_text(t.gain, "gains"),
    "fumbles": lambda t, names: f"fumbles at {_own_spot(t, names)}",
    "keeps": lambda t, names: _recovery_text(t, "recovers its own fumble"),
    "recovers": lambda t, names: _recovery_text(t, "recovers the ball"),
    "hail mary caught": lambda t, names: f"completes a Hail Mary of {yards_text(t.gain)}",
    "hail mary dropped": lambda t, names: "throws a Hail Mary, incomplete",
    "fourth made": lambda t, names: "makes it on 4th down",
    "fourth failed": lambda t, names: "fails on 4th down",
    "first down": lambda t, names: f"has a first down at {_own_spot(t, names)}",
    "loses ball": lambda t, names: "loses the ball",
    "over on downs": lambda t, names: f"gives the ball up on downs at {_their_spot(t, names)}",
    "touchdown": lambda t, names: "scores a touchdown",
    "safety": lambda t, names: "scores a safety",
    "flag": lambda t, names: f"is flagged, {yards_text(t.yards)}",
    "accepted": lambda t, names: f"is penalized {yards_text(t.yards)}",
    "declined": lambda t, names: "declines the penalty",
    "undone": _undone_text,
    "extra point good": lambda t, names: "kicks the extra point",
    "extra point missed": lambda t, names: "misses the extra point",
    "extra point blocked": lambda t, names: "has the extra point blocked",
    "extra point faked": lambda t, names: "fakes the extra point and scores two",
    "two points good": lambda t, names: "makes the two-point try",
    "two points failed": lambda t, names: "fails on the two-point try",
    "two points fumbled": lambda t, names: "fumbles on the two-point try",
    "try carried in": lambda t, names: f"carries the loose ball in, {t.points} on the board",
}


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence."""
    if event.name == "period over":
        return f"End of the {period_name(event.period)}."
    if event.name == "game over":
        is_tie = event.winner == TIE
        return "The game is a tie." if is_tie else f"{capitalize(names[event.winner])} wins."
    return capitalize(f"{names[event.team]} {SENTENCES[event.name](event, names)}.")


# --- Purpose of the dice ----------------------------------------------------------------

PURPOSE_BY_CALL = {
    p.KICK_OFF: "kickoff",
    p.ONSIDE_KICK: "onside kick",
    p.KICK_AFTER_SAFETY: "kick after the safety",
    p.PUNT: "punt",
    p.HAIL_MARY: "Hail Mary",
    p.FIELD_GOAL: "field goal",
    p.EXTRA_POINT: "extra point",
    p.TWO_POINT: "two-point try",
}


def roll_purpose(m: Match, turn: Turn, roll: Roll) -> Purpose:
    """Return the purpose of a roll; the same two dice are kicks and tries, so the call decides."""
    if roll.pool is PENALTY:
        return Purpose("penalty check", "flag" if roll.outcome else "no flag")
    if roll.pool is YARDAGE and turn.call == p.RETURN_KICK:
        return Purpose("return")
    if roll.pool not in (PLAIN, MARGIN):
        return Purpose(roll.pool.label)
    distance = {p.FIELD_GOAL: 100 - turn.before.spot, p.EXTRA_POINT: 100 - EXTRA_POINT_SPOT}
    return Purpose(PURPOSE_BY_CALL[turn.call], bonus=KICK_BONUS[distance.get(turn.call, 100)])


SCORING = Scoring(
    {"touchdown": "touchdown", "kick good": "field goal of {yards}", "safety": "safety"},
    try_texts={
        "extra point good": "kick good",
        "extra point missed": "kick missed",
        "extra point blocked": "kick blocked",
        "extra point faked": "kick faked, two points",
        "two points good": "two points",
        "two points failed": "two-point try failed",
        "two points fumbled": "two-point try fumbled",
        "try carried in": "loose ball carried in",
    },
    touchdown_texts={
        "gains": "play of {yards}",
        "keeps": "own fumble carried {yards}",
        "recovers": "loose ball carried {yards}",
        "returns": "return of {yards}",
        "fakes kick": "faked field goal",
        "hail mary caught": "Hail Mary of {yards}",
    },
    opponent_touchdown_texts={"onside run back": "onside kick run back"},
)


def list_tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the printed tables for `hashmark rules`."""
    least = 1
    kicks = []
    for most, bonus in KICK_BONUS_BANDS:
        kicks.append([f"{least}-{most}", f"{bonus:+d}" if bonus else "0"])
        least = most + 1
    penalties = [
        [str(face), "defense" if face % 2 else "offense", str(number)]
        for face, number in enumerate(PENALTY_YARDS_BY_FACE)
        if face
    ]
    lengths = [
        [
            str(pips),
            _kick_length_text(pips, KICKOFF_YARDS_PER_PIP, KICKOFF_SPOT, "shank"),
            _kick_length_text(pips, PUNT_YARDS_PER_PIP, 0, "blocked"),
            _kick_length_text(pips, PUNT_YARDS_PER_PIP, SAFETY_KICK_SPOT, "shank"),
        ]
        for pips in range(2, 13)
    ]
    return [
        ("Field goals", ["yards to the goal line", "added to the total"], kicks),
        ("Penalties", ["both show", "against", "yards"], penalties),
        ("Kicks", ["2d6", "kickoff", "punt", "safety kick"], lengths),
    ]


def _kick_length_text(pips: int, each: int, spot: int, snake_eyes: str) -> str:
    if pips == SNAKE_EYES:
        return snake_eyes
    return "touchback" if spot + pips * each >= 100 else yards_text(pips * each)


WORDS = Words(
    clock=clock,
    situation=situation,
    sentence=sentence,
    line_to_gain=line_to_gain,
    list_tables=list_tables,
    call_meanings={
        "receive": "take the kickoff",
        "kick": "kick off",
        "defer": "choose at half time instead",
        "kickoff": "ten yards a pip; 7 or more is a touchback",
        "onside-kick": "11 or 12 keeps the ball, 2 is a touchdown against",
        "safety-kick": "seven yards a pip from the 20",
        "return": "a yardage roll from here",
        "fair-catch": "first down here",
        "scrimmage": "2d6 against 2d6 for yards",
        "field-goal": "three points if your total is higher",
        "punt": "seven yards a pip; 2 is blocked",
        "hail-mary": "a touchdown on double sixes",
        "accept": "walk the penalty off",
        "decline": "the play stands",
        "extra-point": "a kick from the 15, +6",
        "two-point": "two yards, no doubling",
    },
    box_lines=(
        ("first_downs", "First downs"),
        ("yards", "Yards"),
        ("plays", "Time of possession (plays)"),
        ("touchdowns", "Touchdowns"),
        ("field_goals/field_goals_tried", "Field goals"),
        ("extra_points/extra_points_tried", "Extra points"),
        ("two_points/two_points_tried", "Two-point tries"),
        ("safeties", "Safeties"),
        ("turnovers", "Turnovers"),
        ("fourth_downs_made/fourth_downs_tried", "Fourth downs"),
        ("fumbles", "Fumbles"),
        ("penalties", "Penalties"),
        ("penalty_yards", "Penalty yards"),
        ("punts", "Punts"),
        ("return_yards", "Return yards"),
        ("onside_kicks/onside_kicks_tried", "Onside kicks"),
    ),
    list_drives=list_drives,
    roll_purpose=roll_purpose,
    short_clock=short_clock,
    play_begins=play_begins,
    period_name=period_name,
    scoring=SCORING,
)
