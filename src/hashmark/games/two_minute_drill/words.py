"""Text of the two-minute drill: clock, situation, dice, and each event as a sentence."""

from __future__ import annotations

from collections.abc import Callable

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Turn
from hashmark.engine.presentation import Scoring, Words
from hashmark.engine.rolls import Purpose, Roll
from hashmark.engine.team_names import TeamNames
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.meaning import (
    explain_call,
    pips_text,
    spaces_text,
    timeouts_text,
)
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import (
    DICE,
    DT,
    OT,
    REFEREE_TABLE,
    REPLY_LINE,
    SECONDS_PER_SPACE,
    SPECIAL_TABLE,
    TOP_FACE,
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

SIDES = ("left", "center", "right")


def format_time(clock: int) -> str:
    """Return a number of spaces as minutes."""
    return clock_text(clock * SECONDS_PER_SPACE)


def short_clock(m: Match, g: Position) -> str:
    """Return the drive and the time left, in short."""
    return "final" if g.phase == p.OVER else f"{period_name(g.period)}, {format_time(g.clock)}"


def period_name(period: int) -> str:
    """Return the drive, or the reply of the other team."""
    return "drive" if period == 1 else "reply"


def clock(m: Match, g: Position) -> str:
    """Return the time left, in spaces and in minutes, and the timeouts."""
    left = f"{spaces_text(g.clock)} ({format_time(g.clock)})"
    if g.phase == p.OVER:
        return f"final, {left} left"
    return f"{'reply, ' if g.period == 2 else ''}{left}, {timeouts_text(g.timeouts)}"


def situation(m: Match, g: Position, names: TeamNames) -> str:
    """Return the situation that the coach faces, as a clause."""
    if g.phase == p.OVER:
        return team_clause(names[g.winner], "[wins]") if g.winner >= 0 else "game over"
    team = names[g.possession]
    if g.chance:
        at = yard_line(g.possession, g.spot, names)
        text = f"[has] one last chance: a referee sum of 5 gets the ball back at {at}"
        return team_clause(team, text)
    place = "in the center" if g.hash == p.CENTER else f"on the {SIDES[g.hash]} hash"
    return f"{team}: {down_text(g.down, g.to_go, g.possession, g.spot, names)}, {place}"


def outcome_situation(m: Match, g: Position, names: TeamNames) -> str:
    """Return the situation of a possible later position, with the dice on the table."""
    dice = [f"{DICE[die]}={face}" for die, face in enumerate(g.dice) if face]
    text = situation(m, g, names)
    return "; ".join([text, ", ".join(dice), *_pip_lines(g)]) if dice else text


def _pip_lines(g: Position) -> list[str]:
    pips = pips_text(g)
    return [f"pips: {pips}"] if pips else []


def line_to_gain(m: Match, g: Position) -> int | None:
    """Return the line to gain while it is on the field and there is a play to run."""
    if g.phase == p.OVER or g.chance:
        return None
    return g.spot + g.to_go if g.spot + g.to_go < (100 if g.period == 1 else REPLY_LINE) else None


# --- Dice -------------------------------------------------------------------------------


def _placement(g: Position, die: int) -> str:
    """Return where a die is placed: with the referee, for the yards, or for the side."""
    if die in (g.referee_ot, g.referee_dt):
        return "ref"
    if g.yards_ot >= 0 and (die == g.yards_ot or die in DT):
        return "yds"
    return "side" if g.yards_ot >= 0 else ""


def dice_lines(m: Match, g: Position, names: TeamNames) -> list[str]:
    """Draw the dice on the table with names and places; a star marks a highest face."""
    dice = [die for die in range(len(DICE)) if g.dice[die]]
    if not dice:
        return []
    lines = ["", "", "", "", ""]
    for index, die in enumerate(dice):
        gap = "   " if index and die in DT and dice[index - 1] in OT else ""
        face = f"{g.dice[die]}{'*' if g.dice[die] == TOP_FACE[die] else ''}"
        drawn = ("+----+", f"|{face:^4}|", "+----+", f"{DICE[die]:^6}", f"{_placement(g, die):^6}")
        lines = [f"{line}{gap}{part} " for line, part in zip(lines, drawn, strict=True)]
    return [line.rstrip() for line in [*lines, *_pip_lines(g)] if line.strip()]


def _faces_text(packed: int, dice: tuple[int, ...]) -> str:
    """Unpack dice that an event carries as one number: "d4=2, d6a=5"."""
    shown = [(die, packed >> (4 * index) & 15) for index, die in enumerate(dice)]
    return ", ".join(f"{DICE[die]}={face}" for die, face in shown if face)


def roll_purpose(m: Match, turn: Turn, roll: Roll) -> Purpose:
    """Return which hand a die belongs to, or why it was rolled again."""
    if turn.call == p.EFFORT_ROLL:
        return Purpose("extra effort")
    if turn.call in (p.REROLL_A, p.REROLL_B, p.REROLL_BOTH):
        return Purpose("defense reroll")
    return Purpose("offense" if roll.team == turn.before.possession else "defense")


# --- Events -----------------------------------------------------------------------------


def _pair_text(t: GameEvent) -> str:
    return f"referee {DICE[t.offense_die]} + {DICE[t.defense_die]} = {t.sum}"


def _walk_off_text(t: GameEvent, names: TeamNames) -> str:
    at = yard_line(t.team, t.spot, names)
    if t.yards == 0:
        return f"[stays] at {at}"
    return f"[moves] {'up' if t.yards > 0 else 'back'} {yards_text(abs(t.yards))} to {at}"


def _gain_text(t: GameEvent, names: TeamNames) -> str:
    play = f"{gain_text(t.yards)} on the {SIDES[t.side]} side"
    if t.spot <= 0:
        return f"{play}, back into [its] own end zone"
    at = "the goal line" if t.spot >= 100 else yard_line(t.team, t.spot, names)
    if t.yards == 0:
        return f"{play} and [stays] at {at}"
    return f"{play}, {'' if t.yards > 0 else 'back '}to {at}"


def _marks_text(t: GameEvent) -> str:
    parts = ["2 for the play"]
    reasons = ((t.for_yards, "the yards"), (t.for_effort, "extra effort"))
    parts += [f"{n} for {why}" for n, why in reasons if n]
    parts += ["1 for staying in bounds"] if t.for_staying else []
    return f"[uses] {spaces_text(2 + sum(t.values))}: {', '.join(parts)}"


# What the team does; the words in brackets agree with its name.
SENTENCES: dict[str, Callable[[GameEvent, TeamNames], str]] = {
    "rolls": lambda t, names: (
        f"[rolls] {_faces_text(t.offense_faces, OT)}; "
        f"the defense rolls {_faces_text(t.defense_faces, DT)}"
    ),
    "rerolls": lambda t, names: (
        f"[spends] 1 space on a defense reroll: {_faces_text(t.defense_faces, DT)}"
    ),
    "buys": lambda t, names: "[spends] 1 space to keep the dice of [its] choice",
    "keeps": lambda t, names: f"[keeps] {_faces_text(t.offense_faces, OT)}",
    "turns": lambda t, names: f"[turns] the {DICE[t.die]} to {t.face}",
    "stops for dice": lambda t, names: (
        f"[calls] a time-out to change the dice ({timeouts_text(t.timeouts_left)} left)"
    ),
    "triple forward": lambda t, names: (
        f"[has] three {t.face}s with a defense die: penalty on the defense"
    ),
    "triple back": lambda t, names: (
        f"[has] three {t.face}s on [its] own dice: penalty on the offense"
    ),
    "quad forward": lambda t, names: (
        f"[has] four {t.face}s with a defense die: penalty on the defense"
    ),
    "quad back": lambda t, names: (
        f"[has] four {t.face}s on [its] own dice: penalty on the offense, loss of down"
    ),
    "five": lambda t, names: (
        f"[has] five {t.face}s: the defense calls a time-out "
        f"({spaces_text(t.erased_spaces)} back on the clock)"
    ),
    "six odd": lambda t, names: f"[has] six {t.face}s and [goes] all the way",
    "six even": lambda t, names: f"[has] six {t.face}s and [turns] the ball over",
    "dead ball": _walk_off_text,
    "offence penalty": lambda t, names: f"[is] penalized ({_pair_text(t)})",
    "incomplete": lambda t, names: f"[throws] an incomplete pass ({_pair_text(t)}; 1 space)",
    "fumble lost": lambda t, names: (
        f"[fumbles], and the defense recovers ({_pair_text(t)}; 1 space)"
    ),
    "fumble kept": lambda t, names: f"[fumbles] but [recovers] ({_pair_text(t)}; 1 space)",
    "good play": lambda t, names: f"[gets] the play off ({_pair_text(t)})",
    "defence penalty": lambda t, names: f"[draws] a flag on the defense ({_pair_text(t)})",
    "last chance": lambda t, names: "[has] one last chance to get the ball back",
    "recovers": lambda t, names: f"[gets] the ball back ({_pair_text(t)}; 1 space)",
    "effort": lambda t, names: f"[rolls] {t.face} for extra effort, {yards_text(t.yards)} so far",
    "gains": _gain_text,
    "out of bounds": lambda t, names: "[goes] out of bounds",
    "marks": lambda t, names: _marks_text(t),
    "beyond": lambda t, names: "[runs] out of clock spaces",
    "saves clock": lambda t, names: (
        f"[calls] a time-out and [saves] {spaces_text(t.spaces)} "
        f"({timeouts_text(t.timeouts_left)} left)"
    ),
    "takes penalty": lambda t, names: (
        f"[takes] the penalty: {yards_text(t.yards)} to {yard_line(t.team, t.spot, names)}, "
        f"{spaces_text(t.spaces)}"
    ),
    "first down": lambda t, names: f"[picks] up a first down at {yard_line(t.team, t.spot, names)}",
    "touchdown": lambda t, names: "[scores] a touchdown",
    "reaches range": lambda t, names: "[reaches] field goal range and [kicks] the field goal",
    "returned": lambda t, names: "[returns] the ball for a touchdown",
    "safety": lambda t, names: "[scores] a safety",
    "out of time": lambda t, names: "[runs] out of time",
    "lost on downs": lambda t, names: "[turns] the ball over on downs",
    "lost on fumble": lambda t, names: "[loses] the game: turnover with less than a minute left",
    "lost on last chance": lambda t, names: "[fails] to get the ball back",
    "lost on safety": lambda t, names: "[loses] the game",
    "reply": lambda t, names: (
        f"[replies] with {spaces_text(t.spaces)} left "
        f"and [needs] to reach {yard_line(t.team, REPLY_LINE, names)}"
    ),
}


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence."""
    return team_sentence(names[event.team], SENTENCES[event.name](event, names))


def list_tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the printed tables, for `hashmark rules`."""
    return [
        ("Special results", ["dice", "meaning"], [list(row) for row in SPECIAL_TABLE]),
        ("Referee", ["sum", "call", "meaning"], [list(row) for row in REFEREE_TABLE]),
    ]


CALLS = {
    "stand": "keep the defense's roll",
    "reroll:dta": "spend 1 space to reroll dta",
    "reroll:dtb": "spend 1 space to reroll dtb",
    "reroll:dta,dtb": "spend 1 space to reroll both defense dice",
    "accept": "accept the special result",
    "time-out": "spend a time-out to change the dice",
    "done": "turn no more dice",
    "stop": "keep the yards so far",
    "effort": "spend 1 space to roll the die again and add it",
    "play": "take the play",
    "penalty": "take the 5-yard penalty instead of the play and repeat the down",
}
CALL_KINDS = {
    "pick": "keep these dice and the d4 for free",
    "buy": "spend 1 space to keep these dice and the d4",
    "turn": "spend 1 pip to turn this die by 1",
    "referee": "give this pair to the referee",
    "yards": "use this die for the yards",
}

BOX = (
    ("plays", "Plays"),
    ("yards", "Yards"),
    ("first_downs", "First downs"),
    ("turnovers", "Turnovers"),
    ("rolls", "Rolls"),
    ("dead_balls", "Dead balls"),
    ("triples_forward", "Three of a kind, forward"),
    ("triples_back", "Three of a kind, back"),
    ("quads_forward", "Four of a kind, forward"),
    ("quads_back", "Four of a kind, back"),
    ("fives", "Five of a kind"),
    ("sixes", "Six of a kind"),
    ("penalty_yards", "Penalty yards"),
    ("referee_offence_penalty", "Referee 2: penalty on the offense"),
    ("referee_incomplete", "Referee 3-4: incomplete pass"),
    ("referee_fumble_lost", "Referee 5: fumble lost"),
    ("referee_fumble_kept", "Referee 6: fumble recovered"),
    ("referee_good", "Referee 7-9: good play"),
    ("referee_defence_penalty", "Referee 10+: penalty on the defense"),
    ("penalties_taken", "Penalties taken"),
    ("last_chances_made/last_chances", "Last chances"),
    ("timeouts_for_dice", "Time-outs to change dice"),
    ("timeouts_for_clock", "Time-outs to save clock"),
    ("pips_used", "Pips used"),
    ("out_of_bounds", "Out of bounds"),
    ("clock_plays", "Clock: plays"),
    ("clock_yards", "Clock: yards"),
    ("clock_efforts", "Clock: extra effort"),
    ("clock_in_bounds", "Clock: staying in bounds"),
    ("clock_rerolls", "Clock: rerolls"),
    ("clock_picks", "Clock: dice bought"),
    ("clock_incomplete", "Clock: incomplete passes"),
    ("clock_fumbles", "Clock: fumbles"),
    ("clock_penalties", "Clock: penalties taken"),
    ("clock_recoveries", "Clock: last chances"),
    ("clock_saved", "Clock: saved by time-outs"),
    ("clock_erased", "Clock: put back"),
    ("clock_beyond", "Clock: spaces short"),
    ("lost_on_time", "Lost on time"),
    ("lost_on_downs", "Lost on downs"),
    ("lost_on_fumble", "Lost on a fumble"),
    ("lost_on_last_chance", "Lost on a last chance"),
    ("lost_on_safety", "Lost on a safety"),
    ("lost_on_return", "Lost on six of a kind"),
)

SCORING = Scoring(
    {
        "touchdown": "touchdown",
        "reaches range": "field goal",
        "returned": "turnover returned for a touchdown",
        "safety": "safety",
    },
    touchdown_texts={"gains": "{length} play", "six odd": "six of a kind"},
)


def ball_has_moved(m: Match, g: Position) -> bool:
    """Return whether a play has moved the ball; it stays put while dice are chosen."""
    return g.yards_ot >= 0


WORDS = Words(
    ball_has_moved=ball_has_moved,
    clock=clock,
    situation=situation,
    outcome_situation=outcome_situation,
    sentence=sentence,
    line_to_gain=line_to_gain,
    list_tables=list_tables,
    call_meanings_by_question={
        ("result", "time-out"): "take the play and spend a time-out to save 2 spaces"
    },
    call_meanings={name: CALLS.get(name) or CALL_KINDS[name.partition(":")[0]] for name in p.CALLS},
    box_lines=BOX,
    explain_call=explain_call,
    dice_lines=dice_lines,
    roll_purpose=roll_purpose,
    short_clock=short_clock,
    period_name=period_name,
    format_time=format_time,
    scoring=SCORING,
)
