"""Check of a two-minute drill position that a user sets up: fills in and validates its fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hashmark.engine.position_checks import PhaseFields, score_headroom
from hashmark.engine.record import AWAY, HOME
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import tables as t
from hashmark.games.two_minute_drill.hand import count_pips, pips_left, yards_dt
from hashmark.games.two_minute_drill.play import reaches, too_late
from hashmark.games.two_minute_drill.position import Match, Position

MAX_LINE_TO_GAIN = 109  # first and 10 at the 99
MIN_PLAY_SUM = 7  # the lowest referee sum of a good play

# Fields of the play in progress and their phases; the last chance ends with the referee.
PENDING = PhaseFields(
    p.Position,
    "phase",
    {
        "winner": "over",
        "chance": "scrimmage reroll pick special combine pips referee",
        "dice": "reroll pick special combine pips referee yards effort result",
        "pips": "special combine pips",
        "combined": "combine pips",
        "referee_ot": "yards effort result",
        "referee_dt": "yards effort result",
        "yards_ot": "effort result",
        "gain": "effort result",
        "efforts": "effort result",
    },
)


def normalize_position(m: Match, g: Position, given: Mapping[str, Any]) -> str | None:
    """Fill in what follows from the dice; return why the position is impossible, or None."""
    if g.phase == p.OVER and "winner" not in given:
        g.winner = HOME if g.score[HOME] > g.score[AWAY] else AWAY
    if g.phase == p.COMBINE:
        g.combined = 1
    fault = PENDING.describe_misplaced(g) or score_headroom(g, points_to_come(g))
    if fault:
        return fault
    if g.phase == p.OVER:
        return "phase over needs a winner: home or away" if g.winner < 0 else None
    return _ball_fault(g) or (None if g.phase == p.SCRIMMAGE else _dice_fault(m, g, given))


def points_to_come(g: Position) -> int:
    """Return an upper bound of the points of a drive and its reply."""
    return 0 if g.phase == p.OVER else 8 * (3 - int(g.period))


def _ball_fault(g: Position) -> str | None:
    """Return a fault of the ball, the downs or the clock."""
    if g.spot == 0:
        return f"phase {p.PHASES[g.phase]} needs a spot, 1 to 99"
    if g.possession != (HOME if g.period == 1 else AWAY):
        return "possession is home in period 1 and away in period 2, the reply"
    if g.period == 2 and g.spot >= t.REPLY_LINE:
        return f"spot {g.spot}: the reply is won at spot {t.REPLY_LINE} or more"
    if g.spot + g.to_go > MAX_LINE_TO_GAIN:
        return f"to_go {g.to_go} at spot {g.spot}: their sum must be at most {MAX_LINE_TO_GAIN}"
    if g.phase == p.SCRIMMAGE and g.clock == 0:
        return "clock 0: a play needs at least 1 space to begin"
    return None


def _dice_fault(m: Match, g: Position, given: Mapping[str, Any]) -> str | None:
    """Return a fault of the dice of a play in progress."""
    phase = p.PHASES[g.phase]
    for die, face in enumerate(g.dice):
        if face > t.TOP_FACE[die]:
            return f"dice.{t.DICE[die]}: {face} is not a face, allowed are 1 to {t.TOP_FACE[die]}"
    if not all(g.dice[die] for die in (t.FOUR, *t.DT)):
        return f"phase {phase} needs faces for d4, dta and dtb"
    shown = sum(1 for die in t.OT if g.dice[die])
    if g.phase > p.PICK and shown != 4:
        return f"phase {phase} needs four offense dice, not {shown}"
    if g.phase <= p.PICK and (shown < 4 or not all(g.dice[die] for die in range(t.FOUR + 1, 4))):
        return f"phase {phase} needs faces for all dice in play"
    if g.pips[p.FOR_DT] > len(t.DT):
        return (
            f"pips.defence: {g.pips[p.FOR_DT]} is more than the {len(t.DT)} that its dice can give"
        )
    if g.phase == p.SPECIAL:
        return _special_fault(g, given)
    return _placing_fault(m, g, given) if g.phase >= p.YARDS else None


def _special_fault(g: Position, given: Mapping[str, Any]) -> str | None:
    """R19: a timeout helps only where there are pips to turn."""
    given_pips = list(g.pips)
    count_pips(g)
    if "pips" in given and given_pips != g.pips:
        return "pips: in phase special they must match the pairs among the dice"
    largest = max(Counter(face for face in g.dice if face).values())
    if largest < 3 or g.timeouts == 0 or not pips_left(g):
        return "phase special needs three or more of a kind, a time-out left, and pips"
    return None


def _placing_fault(m: Match, g: Position, given: Mapping[str, Any]) -> str | None:
    """R21 to R30: check the dice that are placed and their results."""
    phase = p.PHASES[g.phase]
    if g.referee_ot not in t.OT or g.referee_dt not in t.DT:
        return f"phase {phase} needs referee_ot and referee_dt"
    if g.phase >= p.EFFORT and (g.yards_ot not in t.OT or g.yards_ot == g.referee_ot):
        return f"phase {phase} needs yards_ot"
    placed = [die for die in (g.referee_ot, g.referee_dt, g.yards_ot) if die >= 0]
    for die in placed:
        if not g.dice[die]:
            return f"{t.DICE[die]} is placed but has no face in dice"
    if g.dice[g.referee_ot] + g.dice[g.referee_dt] < MIN_PLAY_SUM:
        return f"phase {phase} needs a referee sum of {MIN_PLAY_SUM} or more"
    return _yards_fault(m, g, given) if g.phase >= p.EFFORT else None


def _yards_fault(m: Match, g: Position, given: Mapping[str, Any]) -> str | None:
    """R30: the yards come from the dice; every effort but the last was a highest face."""
    phase = p.PHASES[g.phase]
    if g.phase == p.EFFORT and g.dice[g.yards_ot] != t.TOP_FACE[g.yards_ot]:
        return "phase effort needs the yards die at its highest face"
    gain = g.efforts * t.TOP_FACE[g.yards_ot] + g.dice[g.yards_ot] - g.dice[yards_dt(g)]
    if "gain" not in given:
        g.gain = gain
    if g.gain != gain:
        return f"gain {g.gain}: the dice and {g.efforts} extra efforts give {gain}"
    if reaches(g) and not (g.phase == p.RESULT and too_late(m, g, 0)):
        return f"phase {phase} is only for a play that has not reached the goal line"
    return None
