"""Check of a Rapid Roll position that a user sets up: fills in and validates its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.engine.position_checks import PhaseFields, score_headroom
from hashmark.engine.record import HOME, NOBODY, TEAMS
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.clock import TIMEOUTS_PER_OVERTIME, ends_half
from hashmark.games.rapid_roll.flags import MAX_INTERFERENCE_YARDS, offended_scored
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.rules import qualifies_for_magic
from hashmark.games.rapid_roll.scrimmage import CALL_KIND, PASS, RUN, is_fake

IN_PLAY = "sideline punt end-zone penalty magic"

# Fields of the play in progress and the windows they belong to; else they have their defaults.
PENDING = PhaseFields(
    p.Position,
    "window",
    {
        "call": IN_PLAY,
        "roll": f"{IN_PLAY} clock other-clock",
        "rewinds": IN_PLAY,
        "flagged": IN_PLAY,
        "play": IN_PLAY,
        "carrier": IN_PLAY,
        "at": IN_PLAY,
        "gain": "sideline penalty magic",
        "return_spot": "punt end-zone penalty",
        "result": "penalty magic",
        "ended": "penalty magic",
        "fumbled": "penalty",
        "lost": "end-zone penalty",
        "timeout_due": "penalty magic",
        "foul": "penalty magic",
        "foul_yards": "penalty magic",
        "foul_timeout": "penalty magic",
    },
)

# The windows that may be open in each phase.
WINDOWS_BY_PHASE = {
    p.KICKOFF: "none home-quarterback away-quarterback penalty clock other-clock",
    p.SAFETY_KICK: "none home-quarterback away-quarterback penalty clock other-clock",
    p.SCRIMMAGE: f"none home-quarterback away-quarterback {IN_PLAY} clock other-clock",
    p.TRY: "none home-quarterback away-quarterback penalty magic clock other-clock",
    p.COIN_TOSS: "none toss",
    p.OVER: "none",
}

_RUN_PLAYS = (p.RAN, p.FUMBLED_SNAP)
_PASS_PLAYS = (
    p.SCRAMBLED,
    p.SACKED,
    p.FUMBLED_SNAP,
    p.COMPLETED,
    p.INCOMPLETE,
    p.INTERCEPTED,
)
_KICK_PLAYS = {
    p.KICK_OFF: (p.KICKED, p.RETURNED),
    p.PUNT: (p.KICKED, p.RETURNED, p.BLOCKED),
    p.FIELD_GOAL: (p.KICKED, p.BLOCKED),
    p.EXTRA_POINT: (p.KICKED, p.BLOCKED),
}
# Further numbers that a play can have taken before its flag is read, and after.
MAX_REWINDS_BEFORE_FLAG, MAX_REWINDS_AFTER_FLAG = 500, 900


def normalize_position(m: Match, g: Position, given: Mapping[str, Any]) -> str | None:
    """Fill in what a set-up position leaves out; return why it is impossible, or None."""
    fill_in(m, g, given)
    return (
        phase_fault(g)
        or PENDING.describe_misplaced(g)
        or log_fault(m, g)
        or clock_fault(g)
        or room_fault(g)
        or (play_fault(g) if p.SIDELINE_CHOICE <= g.window <= p.MAGIC_CHOICE else None)
    )


def fill_in(m: Match, g: Position, given: Mapping[str, Any]) -> None:
    """Fill in what follows from the given keys."""
    if g.phase == p.OVER or (g.phase == p.COIN_TOSS and g.window != p.TOSS):
        g.possession = NOBODY
    if g.phase in (p.COIN_TOSS, p.OVER):
        g.spot = 0
    if g.phase == p.COIN_TOSS and "period" not in given:
        g.period = t.LAST_QUARTER + 1
    if g.period > t.LAST_QUARTER and "timeouts" not in given:
        g.timeouts = [TIMEOUTS_PER_OVERTIME, TIMEOUTS_PER_OVERTIME]
    if g.phase == p.TRY and "spot" not in given:
        g.spot = t.TRY_SPOT
    if g.phase == p.SAFETY_KICK and "spot" not in given:
        g.spot = t.SAFETY_KICK_SPOT
    if g.phase == p.SCRIMMAGE:
        if g.down == 0:
            g.down = 1
        if g.to_go == 0:
            g.to_go = min(t.FIRST_DOWN_YARDS, 100 - g.spot)
    else:
        g.down = g.to_go = 0
        g.last_play = p.NO_PLAY
    full = g.period in (3, t.LAST_QUARTER) and g.clock == m.numbers_per_quarter
    if full and "window" not in given and g.phase <= p.TRY:
        g.window = p.HOME_QUARTERBACK


def phase_fault(g: Position) -> str | None:
    """Return a fault if the phase lacks a field or cannot have the open window."""
    phase, window = p.PHASES[g.phase], p.WINDOWS[g.window]
    allowed = WINDOWS_BY_PHASE[g.phase].split()
    if window not in allowed:
        return f"window {window} cannot be open in phase {phase}, only {', '.join(allowed)}"
    if g.phase == p.COIN_TOSS and g.period <= t.LAST_QUARTER:
        return "phase coin-toss needs an overtime period, 5 or later"
    if g.phase == p.OVER or g.phase == p.COIN_TOSS:
        lacking = g.window == p.TOSS and g.possession < HOME
        return "window toss needs possession, the winner of the toss" if lacking else None
    if g.possession < HOME:
        return f"phase {phase} needs possession, home or away"
    if g.spot == 0:
        return f"phase {phase} needs a spot, 1 to 99"
    if g.phase in (p.KICKOFF, p.SAFETY_KICK) and g.spot > t.MAX_KICKOFF_SPOT:
        return f"spot {g.spot}: a kickoff needs a spot from 1 to {t.MAX_KICKOFF_SPOT}"
    if g.phase == p.SCRIMMAGE and g.to_go > 100 - g.spot:
        return f"to_go {g.to_go} is beyond the goal line, {100 - g.spot} yards away"
    if g.window in (p.HOME_QUARTERBACK, p.AWAY_QUARTERBACK) and g.period not in (3, t.LAST_QUARTER):
        return f"window {window} opens only in periods 3 and 4, not in {g.period}"
    return None


def log_fault(m: Match, g: Position) -> str | None:
    """Return a fault if dice cannot show a number, or the clock lines have no room."""
    for number in g.log[1 : 1 + g.log[0]]:
        if not (1 <= number % 10 <= 6):
            return f"log: two dice cannot show {number}"
    if g.roll and not (1 <= g.roll % 10 <= 6):
        return f"roll: two dice cannot show {g.roll}"
    if g.clock > m.numbers_per_quarter:
        return f"clock {g.clock}: a quarter has {m.numbers_per_quarter} numbers"
    to_come = g.clock + max(t.LAST_QUARTER + 1 - g.period, 0) * m.numbers_per_quarter
    if g.phase != p.OVER and g.log[0] + to_come > p.MAX_LOG_NUMBERS:
        return f"log: only {p.MAX_LOG_NUMBERS} numbers fit, and {to_come} more may follow"
    return None


def clock_fault(g: Position) -> str | None:
    """R77: only the try after the last touchdown of a half is played without time."""
    window = p.WINDOWS[g.window]
    if g.roll == 0 and g.window >= p.CLOCK_CHOICE:
        return f"window {window} needs roll, the number about to go on the clock line"
    if g.clock > 0 or g.phase == p.OVER:
        return None
    if g.phase == p.TRY and ends_half(g) and g.window not in (p.CLOCK_CHOICE, p.OTHER_CLOCK_CHOICE):
        return None
    return f"clock 0: phase {p.PHASES[g.phase]} needs time left in period {g.period}"


def room_fault(g: Position) -> str | None:
    """Return a fault if scores or magic yards leave no room for those still to come."""
    if g.phase == p.OVER:
        return None
    for team, name in enumerate(TEAMS):
        called = team == g.possession and is_fake(g.call)
        to_come = (0 if g.fake_used[team] else 1) + int(called)
        if g.magic[team] + to_come > p.MAX_MAGIC_BALANCE:
            return (
                f"magic.{name}: the yard for a fake would make it more than {p.MAX_MAGIC_BALANCE}"
            )
    return score_headroom(g, points_to_come(g))


def points_to_come(g: Position) -> int:
    """Return the points of a touchdown and two-point try for every play that may come."""
    numbers = p.MAX_LOG_NUMBERS - g.log[0] + sum(g.magic) + 4 - 2 * sum(g.fake_used)
    timeouts = sum(g.timeouts) + 6 * (p.MAX_PERIODS - g.period + 1)
    return int(8 * (numbers + timeouts + 1))


# --- During a play ---------------------------------------------------------------------


def play_fault(g: Position) -> str | None:
    """Return a fault of the window of a play in progress."""
    window = p.WINDOWS[g.window]
    if g.call < 0 or g.roll == 0 or g.play < 0 or g.carrier < HOME:
        return f"window {window} needs call, roll, play and carrier"
    if g.call not in calls_of(g.phase):
        return f"call {p.CALLS[g.call]} cannot be in progress in phase {p.PHASES[g.phase]}"
    if g.play not in plays_of(g.call):
        return f"play {p.PLAY_OUTCOMES[g.play]} is impossible for call {p.CALLS[g.call]}"
    most = MAX_REWINDS_BEFORE_FLAG if g.window < p.PENALTY_CHOICE else MAX_REWINDS_AFTER_FLAG
    if g.rewinds > most:
        return f"rewinds: {g.rewinds} is more than the {most} possible in window {window}"
    return ball_fault(g) or result_fault(g) or foul_fault(g) or WINDOW_FAULTS[g.window](g)


def calls_of(phase: int) -> range | tuple[int, ...]:
    """Return the calls whose play may stop for a window in this phase."""
    if phase == p.SCRIMMAGE:
        return range(p.LINE_RUN, p.SPIKE)
    return (
        (*range(p.LINE_RUN, p.FAKE_PUNT_SHORT_PASS), p.EXTRA_POINT)
        if phase == p.TRY
        else (p.KICK_OFF,)
    )


def plays_of(call: int) -> tuple[int, ...]:
    """Return the possible plays of a call."""
    if call in _KICK_PLAYS:
        return _KICK_PLAYS[call]
    return _RUN_PLAYS if CALL_KIND[call] == RUN else _PASS_PLAYS


def ball_fault(g: Position) -> str | None:
    """Check that the carrier follows from the turnovers, which alternate."""
    first = g.possession
    if g.play in (p.KICKED, p.RETURNED) and g.result != p.GOOD:
        first = 1 - g.possession
    ahead = g.lost[first] - g.lost[1 - first]
    if ahead not in (0, 1):
        return f"lost: {TEAMS[first]} must lose the ball first, then the teams alternate"
    carrier = first if ahead == 0 else 1 - first
    if g.carrier != carrier:
        return f"carrier: after these turnovers, {TEAMS[carrier]} has the ball"
    if g.play == p.INTERCEPTED and g.phase != p.TRY and g.lost[g.possession] == 0:
        return f"lost.{TEAMS[g.possession]}: an interception counts as a lost ball, so at least 1"
    if g.phase == p.TRY and any(g.lost):
        return "lost: a turnover ends a try"
    fumbles = sum(g.lost) - int(g.play == p.INTERCEPTED)
    if fumbles > 0 and not g.fumbled:
        return "fumbled: must be true after a lost fumble"
    return spot_fault(g)


def spot_fault(g: Position) -> str | None:
    """Check where a kick came down and how far the ball was carried."""
    if g.return_spot != 0 and CALL_KIND[g.call] <= PASS:
        return "return_spot: only a kick may have one"
    if not -t.MAX_END_ZONE_DEPTH_YARDS <= g.return_spot <= 99:
        return f"return_spot {g.return_spot} is not between {-t.MAX_END_ZONE_DEPTH_YARDS} and 99"
    if g.play == p.RETURNED:
        return None
    if not -g.spot <= g.gain <= 100 - g.spot:
        return f"gain {g.gain} leaves the field from spot {g.spot}"
    return None


def result_fault(g: Position) -> str | None:
    """Check that the result and the end of the play fit each other and the call."""
    kicked = g.play == p.KICKED and g.call in (p.FIELD_GOAL, p.EXTRA_POINT)
    name = p.RESULTS[g.result]
    if (g.result == p.GOOD and not kicked) or (g.result == p.FAILED and g.phase != p.TRY):
        return f"result {name} is impossible for call {p.CALLS[g.call]}"
    if g.result == p.TOUCHDOWN and g.at != 100:
        return f"result touchdown needs at 100, not {g.at}"
    if g.result == p.SAFETY and not (g.at <= 0 and (g.call != p.KICK_OFF or is_kickers(g))):
        return "result safety needs at 0 or less, and on a kickoff a carrier of the kicking team"
    in_end_zone = g.window == p.END_ZONE_CHOICE
    inside = -t.MAX_END_ZONE_DEPTH_YARDS <= g.at <= 0 if in_end_zone else 0 < g.at < 100
    if g.result in (p.BALL, p.GOOD) and not inside:
        return (
            f"at {g.at}: the ball must be in the {'end zone' if in_end_zone else 'field of play'}"
        )
    return None


def is_kickers(g: Position) -> bool:
    """Return whether the team that called the play has the ball."""
    return bool(g.carrier == g.possession)


def foul_fault(g: Position) -> str | None:
    """Check that the flag column of the call shows this foul."""
    if g.foul < 0:
        return "foul_yards and foul_timeout need a foul" if g.foul_yards or g.foul_timeout else None
    if not g.flagged:
        return "flagged: must be true with a foul"
    kicks_off = g.call == p.KICK_OFF
    if kicks_off != (g.foul >= p.KICKERS):
        return f"foul {p.FOULS[g.foul]} is impossible for call {p.CALLS[g.call]}"
    missed = g.play in (p.INCOMPLETE, p.INTERCEPTED) and g.phase == p.SCRIMMAGE
    if g.foul == p.DPI and not (missed and CALL_KIND[g.call] == PASS):
        return "foul interference needs an incomplete or intercepted pass"
    most = MAX_INTERFERENCE_YARDS if g.foul == p.DPI else 15
    if not 5 <= g.foul_yards <= most:
        return f"foul_yards {g.foul_yards} is not between 5 and {most}"
    if kicks_off and is_kickers(g) and g.return_spot <= 0:
        return "return_spot: after a fumbled return, give the spot of the fumble, 1 to 99"
    return None


def sideline_fault(g: Position) -> str | None:
    """R23: requires a pass completed in bounds."""
    if g.play != p.COMPLETED or g.gain != g.at - g.spot:
        return "window sideline needs a completed pass with gain equal to at minus spot"
    return None


def punt_fault(g: Position) -> str | None:
    """R62: requires a punt that came down in the field."""
    if g.call != p.PUNT or g.play != p.KICKED or g.return_spot != g.at:
        return "window punt needs call punt, play kicked, and return_spot equal to at"
    return None


def end_zone_fault(g: Position) -> str | None:
    """R49, G41: requires a punt or a pass caught in the end zone."""
    if g.play == p.INTERCEPTED:
        alone = g.return_spot == 0 and sum(g.lost) == 1
        return None if alone else "window end-zone needs an interception not yet returned"
    return (
        punt_fault(g) and "window end-zone needs a punt or an interception caught in the end zone"
    )


def penalty_fault(g: Position) -> str | None:
    """R53: requires a foul that was not dropped."""
    if g.foul < 0:
        return "window penalty needs a foul"
    return "foul: a foul against the team that scored is waved off" if offended_scored(g) else None


def magic_fault(g: Position) -> str | None:
    """R15, G24: requires a play that magic yards may lengthen."""
    return None if qualifies_for_magic(g) else "window magic needs a play that can use magic yards"


WINDOW_FAULTS = {
    p.SIDELINE_CHOICE: sideline_fault,
    p.PUNT_CHOICE: punt_fault,
    p.END_ZONE_CHOICE: end_zone_fault,
    p.PENALTY_CHOICE: penalty_fault,
    p.MAGIC_CHOICE: magic_fault,
}
