"""The two-minute drill: five points down, 75 yards to go, two minutes of dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hashmark.games.two_minute_drill import ball, rules
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.coaches import COACHES
from hashmark.games.two_minute_drill.odds import parts
from hashmark.games.two_minute_drill.tables import (
    D10_LEAVES_AT,
    D12_LEAVES_AT,
    DICE,
    DT,
    FOUR,
    FULL_CLOCK,
    OT,
    REPLY_LINE,
    START_SPOT,
    TIME_OUTS,
    TOP,
)
from hashmark.games.two_minute_drill.words import WORDS
from hashmark.table.record import AWAY, HOME
from hashmark.table.rules import Option, Question, RuleSet

OPTIONS = (
    Option("start-clock", "Clock spaces at the start.", range(1, FULL_CLOCK + 1), FULL_CLOCK),
    Option("start-timeouts", "Time-outs at the start.", range(TIME_OUTS + 1), TIME_OUTS),
    Option("start-spot", "Where the drive starts.", range(1, 100), START_SPOT),
    Option(
        "d12-leaves-at",
        "The d12 is rolled while more spaces than this are left.",
        range(FULL_CLOCK + 1),
        D12_LEAVES_AT,
    ),
    Option(
        "d10-leaves-at",
        "The d10 is rolled while more spaces than this are left.",
        range(FULL_CLOCK + 1),
        D10_LEAVES_AT,
    ),
    Option("referee-clock", "The clock after a referee sum of 10 or more.", ("text", "sheet")),
    Option("reply", "The other team replies with the time that is left.", (False, True)),
)


def _all(first: str) -> tuple[int, ...]:
    """The codes of all calls that begin so."""
    return tuple(code for code, name in enumerate(p.CALLS) if name.startswith(first))


TURNS = _all("turn:")
QUESTIONS = (
    Question("scrimmage", "Roll the dice."),
    Question("reroll", "Roll defence dice again?", (p.STAND, *_all("reroll:")), p.STAND),
    Question("pick", "Which dice do you keep with the d4?", (*_all("pick:"), *_all("buy:"))),
    Question("special", "Three or more of a kind!", (p.ACCEPT, p.TIME_OUT), p.ACCEPT),
    Question("combine", "Turn dice to make or break a group?", (p.DONE, *TURNS), p.DONE),
    Question("pips", "Turn dice?", (p.DONE, *TURNS, p.TIME_OUT), p.DONE),
    Question("referee", "Which pair goes to the referee?", _all("referee:")),
    Question("yards", "Which die for the yards?", _all("yards:")),
    Question("effort", "Extra effort?", (p.STOP, p.EFFORT_ROLL), p.STOP),
    Question("result", "What do you take?", (p.PLAY, p.TIME_OUT, p.PENALTY), p.PLAY),
    Question("over", "The game is over."),
)

FARTHEST_LINE = 109  # first and 10 at the 99
LOWEST_PLAY = 7  # the referee's sum from which a play counts


def spell(name: str) -> str:
    """Dice may be listed in any order where the order means nothing."""
    verb, colon, dice = name.partition(":")
    if verb not in ("pick", "buy", "reroll"):
        return name
    known = [die.strip() for die in dice.split(",")]
    return verb + colon + ",".join(sorted(known, key=lambda d: DICE.index(d) if d in DICE else 99))


def settle(m: Any, g: Any, given: Mapping[str, Any]) -> str | None:
    """Say what cannot be in a position that a user sets up."""
    if g.phase == p.OVER:
        return None
    if g.winner >= 0:
        return "only phase over has a winner"
    if g.spot == 0:
        return f"phase {p.PHASES[g.phase]} needs a spot, 1 to 99"
    if g.possession != (HOME if g.period == 1 else AWAY):
        return "home has the ball in period 1, away in period 2, the reply"
    if g.period == 2 and g.spot >= REPLY_LINE:
        return f"the reply is won at spot {REPLY_LINE}"
    if g.spot + g.to_go > FARTHEST_LINE:
        return f"to_go {g.to_go} at spot {g.spot}: the line to gain is at {FARTHEST_LINE} at most"
    if g.phase == p.SCRIMMAGE:
        if g.clock == 0:
            return "no play can begin with clock 0"
        g.efforts = g.combined = 0
        return None if not any(g.dice) else "no dice lie on the table in phase scrimmage"
    return _settle_dice(g)


def _settle_dice(g: Any) -> str | None:
    """Say what cannot be among the dice of a play under way."""
    phase = p.PHASES[g.phase]
    for die, face in enumerate(g.dice):
        if face > TOP[die]:
            return f"dice.{DICE[die]}: {face} is not a face of it"
    if not all(g.dice[die] for die in (FOUR, *DT)):
        return f"phase {phase} needs faces for d4, dta and dtb"
    shown = sum(1 for die in OT if g.dice[die])
    if g.phase > p.PICK and shown != 4:
        return f"phase {phase} needs four offence dice, not {shown}"
    if g.phase <= p.PICK and (shown < 4 or not all(g.dice[die] for die in range(FOUR + 1, 4))):
        return f"phase {phase} needs faces for all dice in play"
    if g.phase >= p.YARDS and (g.referee_ot not in OT or g.referee_dt not in DT):
        return f"phase {phase} needs referee_ot and referee_dt"
    if g.phase >= p.EFFORT and (g.yards_ot not in OT or g.yards_ot == g.referee_ot):
        return f"phase {phase} needs yards_ot"
    alike = max(Counter(face for face in g.dice if face).values())
    if g.phase == p.SPECIAL and (alike < 3 or g.timeouts == 0):
        return "phase special needs three dice of a kind and a time-out left"
    goal = 100 if g.period == 1 else REPLY_LINE
    if g.phase >= p.EFFORT and g.spot + g.gain >= goal:
        return f"phase {phase} is only for a play that has not reached the goal line"
    seen = g.dice[g.referee_ot] + g.dice[g.referee_dt]
    if g.phase >= p.YARDS and (g.chance or seen < LOWEST_PLAY):
        return f"phase {phase} needs a referee's sum of {LOWEST_PLAY} or more"
    if g.phase == p.EFFORT and g.dice[g.yards_ot] != TOP[g.yards_ot]:
        return "phase effort needs the die for the yards at its highest face"
    placed = [die for die in (g.referee_ot, g.referee_dt, g.yards_ot) if die >= 0]
    return None if all(g.dice[die] for die in placed) else "a die is placed that was not kept"


def sheet_of(game: Any) -> Any:
    """The game sheet; what it is drawn with is loaded only when one is wanted."""
    from hashmark.games.two_minute_drill.sheet import sheet

    return sheet(game)


RULES = RuleSet(
    name="two-minute-drill",
    title="Two-minute drill",
    summary="Alone against the clock: 75 yards in 40 spaces with eight dice.",
    version=1,
    position=p.Position,
    match=p.Match,
    options=OPTIONS,
    calls=p.CALLS,
    questions=QUESTIONS,
    refusals=rules.REFUSALS,
    statistics=p.STATISTICS,
    coaches=COACHES,
    over=p.OVER,
    words=WORDS,
    start=ball.start,
    question=rules.question,
    asked=rules.asked,
    refusal=rules.refusal,
    step=rules.step,
    settle=settle,
    spell=spell,
    parts=parts,
    compile_effort=2,
    clock_rise=1,
    sheet=sheet_of,
)
