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
from hashmark.text.phrases import (
    capitalize,
    down_text,
    gain_text,
    ordinal,
    team_clause,
    team_sentence,
    team_text,
    yard_line,
    yards_text,
)


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


def play_begins(m: Match, g: Position) -> bool:
    """Return whether a play begins here: no kick to return, no flag to decide on."""
    return g.phase not in (p.RETURN, p.PENALTY, p.CHOICE)


def situation(m: Match, g: Position, names: TeamNames) -> str:
    """Describe the situation in half a sentence."""
    if g.phase == p.COIN_TOSS:
        return "coin toss"
    if g.phase == p.CHOICE:
        return team_clause(names[g.chooser], "[has] the choice: receive or kick")
    if g.phase == p.OVER:
        return _result_text(g.winner, names)
    team = names[g.possession]
    if g.phase == p.TRY:
        return team_clause(team, "[lines] up for the try")
    spot = yard_line(g.possession, g.spot, names)
    if g.phase == p.KICKOFF:
        return team_clause(team, f"[kicks] off from {spot}")
    if g.phase == p.SAFETY_KICK:
        return team_clause(team, f"[kicks] from {spot} after the safety")
    if g.phase == p.RETURN:
        return team_clause(team, f"[fields] the kick at {spot}")
    if g.phase == p.PENALTY:
        return _describe_flag(g, spot, names)
    return f"{team}: {down_text(g.down, g.to_go, g.possession, g.spot, names)}"


def _result_text(winner: int, names: TeamNames) -> str:
    is_tie = winner == TIE
    return "the game ends in a tie" if is_tie else team_clause(names[winner], "[wins]")


def _describe_flag(g: Position, spot: str, names: TeamNames) -> str:
    """Describe a penalty to decide on, and the result of the play if it is declined."""
    offense, defense = names[g.possession], names[1 - g.possession]
    if g.play_end == 100:
        result = f"{offense} touchdown"
    elif g.play_end == 0:
        result = f"{defense} {'touchdown' if g.play_lost else 'safety'}"
    else:
        keeps_ball = not g.play_lost and (g.down < 4 or g.play_end >= g.spot + g.to_go)
        end = yard_line(g.possession, g.play_end, names)
        result = f"{offense if keeps_ball else defense} ball at {end}"
    against = team_text(defense if g.penalty_face % 2 else offense)
    yards = PENALTY_YARDS_BY_FACE[g.penalty_face]
    return f"{yards}-yard penalty on {against} on a play from {spot}; if declined, {result}"


def line_to_gain(m: Match, g: Position) -> int | None:
    """Return the line to gain, which exists on a down only."""
    return g.spot + g.to_go if g.phase in (p.SCRIMMAGE, p.PENALTY) else None


def _return_text(t: GameEvent, names: TeamNames) -> str:
    if t.gain > 0:
        return f"[returns] it {yards_text(t.gain)}"
    return f"{gain_text(t.gain)} on the return"


def _choice_text(t: GameEvent, names: TeamNames) -> str:
    if t.call == p.DEFER:
        return "[defers] to the second half"
    return f"[chooses] to {p.CALLS[t.call]}"


def _own_spot(t: GameEvent, names: TeamNames) -> str:
    return yard_line(t.team, t.spot, names)


def _their_spot(t: GameEvent, names: TeamNames) -> str:
    return yard_line(1 - t.team, t.opponent_spot, names)


def _their_ball(t: GameEvent, names: TeamNames) -> str:
    return f"{names[1 - t.team]} ball at {_their_spot(t, names)}"


def _turnover_text(t: GameEvent, names: TeamNames) -> str:
    after = f"; {_their_ball(t, names)}" if t.opponent_spot < 100 else ""
    return f"[turns] it over{after}"


# What the team of each event does, verbs marked as in `team_clause`.
SENTENCES: dict[str, Callable[[GameEvent, TeamNames], str]] = {
    "rolls": lambda t, names: (
        f"[rolls] {t.total}{' (doubled)' if t.doubled else ''} against {t.opponent_total}"
    ),
    "scrambles": lambda t, names: (
        f"[rolls] {t.total} against {t.opponent_total} for the loose ball"
    ),
    "wins toss": lambda t, names: "[wins] the toss",
    "chooses": _choice_text,
    "kicks off": lambda t, names: f"[sends] the kickoff {yards_text(t.distance)}",
    "shanks": lambda t, names: f"[kicks] it out of bounds; {_their_ball(t, names)}",
    "touchback": lambda t, names: f"[takes] the touchback at {_own_spot(t, names)}",
    "catches": lambda t, names: f"[makes] a fair catch at {_own_spot(t, names)}",
    "returns": _return_text,
    "muffs": lambda t, names: f"[fumbles] the return at {_own_spot(t, names)}",
    "onside kept": lambda t, names: f"[recovers] [its] own onside kick at {_own_spot(t, names)}",
    "onside lost": lambda t, names: f"[fails] to recover the onside kick; {_their_ball(t, names)}",
    "onside run back": lambda t, names: "[has] [its] onside kick returned all the way",
    "punts": lambda t, names: f"[punts] {yards_text(t.distance)}",
    "punt blocked": lambda t, names: "[has] [its] punt blocked",
    "safety kicks": lambda t, names: f"[kicks] {yards_text(t.distance)} after the safety",
    "kick good": lambda t, names: f"[kicks] a {t.distance}-yard field goal",
    "kick missed": lambda t, names: f"[misses] a {t.distance}-yard field goal",
    "kick blocked": lambda t, names: f"[has] a {t.distance}-yard field goal blocked",
    "fakes kick": lambda t, names: "[fakes] the field goal and [runs] it in",
    "gains": lambda t, names: gain_text(t.gain),
    "fumbles": lambda t, names: f"[fumbles] at {_own_spot(t, names)}",
    "keeps": lambda t, names: f"[recovers] [its] own fumble and [advances] {yards_text(t.gain)}",
    "recovers": lambda t, names: f"[recovers] the ball and [advances] {yards_text(t.gain)}",
    "hail mary caught": lambda t, names: f"[completes] a {t.gain}-yard Hail Mary",
    "hail mary dropped": lambda t, names: "[throws] a Hail Mary: incomplete",
    "fourth made": lambda t, names: "[converts] on 4th down",
    "fourth failed": lambda t, names: "[fails] to convert on 4th down",
    "first down": lambda t, names: f"[picks] up a first down at {_own_spot(t, names)}",
    "loses ball": _turnover_text,
    "over on downs": lambda t, names: f"[turns] it over on downs at {_their_spot(t, names)}",
    "touchdown": lambda t, names: "[scores] a touchdown",
    "safety": lambda t, names: "[scores] a safety",
    "flag": lambda t, names: f"[is] flagged for {yards_text(t.yards)}",
    "accepted": lambda t, names: f"[is] penalized {yards_text(t.yards)}",
    "declined": lambda t, names: "[declines] the penalty",
    "extra point good": lambda t, names: "[kicks] the extra point",
    "extra point missed": lambda t, names: "[misses] the extra point",
    "extra point blocked": lambda t, names: "[has] the extra point blocked",
    "extra point faked": lambda t, names: "[fakes] the extra point and [scores] two",
    "two points good": lambda t, names: "[converts] the two-point try",
    "two points failed": lambda t, names: "[fails] on the two-point try",
    "two points fumbled": lambda t, names: "[fumbles] on the two-point try",
    "try carried in": lambda t, names: (
        f"[runs] the loose ball in for {'one point' if t.points == 1 else 'two points'}"
    ),
}


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence."""
    if event.name == "period over":
        return _period_end_text(event.period)
    if event.name == "game over":
        return f"{capitalize(_result_text(event.winner, names))}."
    if event.name == "undone":
        result = "Loss" if event.correction > 0 else "Gain"
        return f"{result} nullified by the penalty."
    if event.name in ("rolls", "scrambles"):
        for team, total in ((event.team, event.total), (1 - event.team, event.opponent_total)):
            if total == SNAKE_EYES:
                return team_sentence(names[team], "[rolls] snake eyes")
    return team_sentence(names[event.team], SENTENCES[event.name](event, names))


def _period_end_text(period: int) -> str:
    name = period_name(period)
    return f"End of {name}." if name == "overtime" else f"End of the {name}."


# --- Purpose of the dice ----------------------------------------------------------------

PURPOSE_BY_CALL = {
    p.KICK_OFF: "kickoff",
    p.ONSIDE_KICK: "onside kick",
    p.KICK_AFTER_SAFETY: "safety kick",
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
    {"touchdown": "touchdown", "kick good": "{length} field goal", "safety": "safety"},
    try_texts={
        "extra point good": "extra point good",
        "extra point missed": "extra point missed",
        "extra point blocked": "extra point blocked",
        "extra point faked": "fake kick, two points",
        "two points good": "two-point try good",
        "two points failed": "two-point try failed",
        "two points fumbled": "two-point try fumbled",
        "try carried in": "loose ball run in",
    },
    touchdown_texts={
        "gains": "{length} play",
        "keeps": "{length} return of own fumble",
        "recovers": "{length} return of loose ball",
        "returns": "{length} return",
        "fakes kick": "fake field goal",
        "hail mary caught": "{length} Hail Mary",
    },
    opponent_touchdown_texts={"onside run back": "onside kick returned"},
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
        ("Field goals", ["distance", "bonus"], kicks),
        ("Penalties", ["both roll", "against", "yards"], penalties),
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
    call_phrases={
        "kickoff": "kicking deep",
        "onside-kick": "trying an onside kick",
        "scrimmage": "running a play",
        "field-goal": "kicking the field goal",
        "punt": "punting",
        "hail-mary": "throwing a Hail Mary",
        "extra-point": "kicking the extra point",
        "two-point": "going for two",
    },
    call_meanings={
        "receive": "receive the kickoff",
        "kick": "kick off",
        "defer": "choose at halftime instead",
        "kickoff": "10 yards per pip; touchback on 7 or more",
        "onside-kick": "keep the ball on 11 or 12, give up a touchdown on 2",
        "safety-kick": "7 yards per pip from your 20",
        "return": "roll for return yards",
        "fair-catch": "1st down here, no return",
        "scrimmage": "run a play: 2d6 against 2d6 for yards",
        "field-goal": "three points if your total is higher",
        "punt": "7 yards per pip; blocked on 2",
        "hail-mary": "touchdown on double sixes, otherwise incomplete",
        "accept": "enforce the penalty",
        "decline": "let the play stand",
        "extra-point": "kick from the 15 for one point, +6 to your total",
        "two-point": "gain two yards for two points, no doubling",
    },
    box_lines=(
        ("first_downs", "First downs"),
        ("yards", "Yards"),
        ("plays", "Plays from scrimmage"),
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
    play_begins=play_begins,
    period_name=period_name,
    scoring=SCORING,
)
