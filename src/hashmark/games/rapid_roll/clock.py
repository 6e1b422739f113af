"""Clock rules: timeouts, spikes, writing the number, periods (R6, R7, R72 to R83)."""

from __future__ import annotations

from hashmark.engine.dice import D6
from hashmark.engine.effects import emit, roll
from hashmark.engine.record import AWAY, HOME, NOBODY
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.counts import add_count
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import (
    FIRST_DOWN_YARDS,
    LAST_QUARTER,
    SAFETY_KICK_SPOT,
    TRY_SPOT,
)

LATE_NUMBERS = 3  # R75: numbers left
TIMEOUTS_PER_HALF, TIMEOUTS_PER_OVERTIME = 3, 2
TOSS_DIE = D6.with_purpose("for the coin toss; the home team wins on 4 to 6")

# The stages of a play in order; each returns the next one, or ASK if a window is open.
ACTION, MAGIC, SETTLE, WRITE, LEAVE_OUT, ASK = range(6)


# --- What comes next -----------------------------------------------------------------


@rule
def dead_ball(g: Position, phase: int, team: int, spot: int) -> None:
    """Set up a play that is not from scrimmage: no down, no sequence of calls."""
    g.phase = phase
    g.possession = team
    g.spot = spot
    g.down = 0
    g.to_go = 0
    g.last_play = p.NO_PLAY


@rule
def kickoff_by(m: Match, g: Position, team: int) -> None:
    """R57, R80: this team kicks off."""
    dead_ball(g, p.KICKOFF, team, m.kickoff_line)


@rule
def free_kick_by(g: Position, team: int) -> None:
    """R60: the team that gave up a safety kicks from its 20."""
    dead_ball(g, p.SAFETY_KICK, team, SAFETY_KICK_SPOT)


@rule
def try_by(g: Position, team: int) -> None:
    """R69: the team that scored tries from the 2."""
    dead_ball(g, p.TRY, team, TRY_SPOT)


@rule
def first_and_ten(g: Position, team: int, spot: int) -> None:
    """R2: four downs for ten yards, or to the goal line."""
    changed = g.phase != p.SCRIMMAGE or team != g.possession
    emit(g, p.FIRST_TEN, team, spot, 1 if changed else 0)
    g.phase = p.SCRIMMAGE
    g.possession = team
    g.spot = spot
    g.down = 1
    g.to_go = min(FIRST_DOWN_YARDS, 100 - spot)


@rule
def new_possession(g: Position, team: int, spot: int) -> None:
    """G15: start a first down with a new sequence of calls."""
    first_and_ten(g, team, spot)
    g.last_play = p.NO_PLAY


@rule
def use_down(g: Position, spot: int) -> None:
    """R2, R19: the play ended here: first down, next down, or turnover on downs."""
    to_go = g.to_go - (spot - g.spot)
    if to_go <= 0:
        first_and_ten(g, g.possession, spot)
    elif g.down == 4:
        emit(g, p.OVER_ON_DOWNS, g.possession)
        new_possession(g, 1 - g.possession, 100 - spot)
    else:
        g.spot = spot
        g.down += 1
        g.to_go = to_go
        emit(g, p.DOWN, g.possession, g.down, to_go, spot)


# --- Time-outs and spikes ------------------------------------------------------------


@rule
def use_timeout(g: Position, team: int, due: int) -> None:
    """R73, R76: use up one timeout."""
    g.timeouts[team] -= 1
    emit(g, p.TIME_OUT, team, g.timeouts[team], due)


@rule
def spike(g: Position) -> None:
    """R74, G59: a down used up as by an incomplete pass."""
    add_count(g, g.possession, p.PASSES, 1)
    emit(g, p.SPIKES, g.possession)
    g.last_play = p.SPIKE
    use_down(g, g.spot)


@rule
def after_play(g: Position, ended: int, was_try: bool, due: bool) -> int:
    """R72 to R77: TM, the clock window, or the rule that decides about the number."""
    paid = due and g.timeouts[g.possession] > 0
    if paid:
        use_timeout(g, g.possession, 1)
    if ended == p.IN_BOUNDS:
        if paid:
            return LEAVE_OUT
        g.window = p.CLOCK_CHOICE
        return ASK
    if stops_clock(g, ended) or (was_try and cannot_end_on_try(g)):
        return LEAVE_OUT
    return WRITE


@rule
def stops_clock(g: Position, ended: int) -> bool:
    """R75, G57: out of bounds in the last three plays of a half or of overtime."""
    return ended == p.OUT_OF_BOUNDS and g.clock <= LATE_NUMBERS and ends_half(g)


@rule
def ends_half(g: Position) -> bool:
    """The second quarter, the fourth, or overtime."""
    return g.period == 2 or g.period >= LAST_QUARTER


@rule
def cannot_end_on_try(g: Position) -> bool:
    """R77: a try never takes the last number of a half."""
    return g.clock <= 1 and ends_half(g)


@rule
def answer_clock(m: Match, g: Position, call: int) -> int:
    """R73, R74: the team with the ball, then the other."""
    window = g.window
    g.window = p.NONE
    if call == p.TIMEOUT:
        use_timeout(g, g.possession if window == p.CLOCK_CHOICE else 1 - g.possession, 0)
        return LEAVE_OUT
    if call == p.SPIKE:
        spike(g)
        return LEAVE_OUT
    if window == p.CLOCK_CHOICE and m.defense_timeouts:
        g.window = p.OTHER_CLOCK_CHOICE
        return ASK
    return WRITE


# --- Writing the number --------------------------------------------------------------


@rule
def write_number(g: Position) -> None:
    """R5, R6: the play's number goes to the end of the log."""
    if g.log[0] < p.MAX_LOG_NUMBERS:
        g.log[0] += 1
        g.log[g.log[0]] = g.roll
    g.clock -= 1
    emit(g, p.WRITES, HOME, g.roll, g.clock)


@rule
def end_play(m: Match, g: Position, stage: int) -> None:
    """R77, R79 to R82: write the number or leave it out; then end the game or the period if due."""
    if stage == WRITE:
        write_number(g)
    else:
        emit(g, p.NOT_WRITTEN, HOME, g.roll)
    g.roll = 0
    if g.period > LAST_QUARTER and g.score[HOME] != g.score[AWAY]:
        finish(g)
    elif g.clock == 0 and not (g.phase == p.TRY and ends_half(g)):
        end_period(m, g)


@rule
def end_period(m: Match, g: Position) -> None:
    """R7, R80, R81, G62: the next quarter, the second half, overtime or the end."""
    emit(g, p.QUARTER_OVER, HOME, g.period)
    level = g.score[HOME] == g.score[AWAY]
    if g.period < LAST_QUARTER:
        next_period(m, g)
        if g.period == 3:
            give_timeouts(g, TIMEOUTS_PER_HALF)
            kickoff_by(m, g, AWAY)
        if g.period >= 3:
            g.window = p.HOME_QUARTERBACK
    elif g.period == LAST_QUARTER and level and m.overtime != p.NO_OVERTIME:
        next_period(m, g)
        give_timeouts(g, TIMEOUTS_PER_OVERTIME)
        dead_ball(g, p.COIN_TOSS, NOBODY, 0)
    elif g.period > LAST_QUARTER and m.overtime == p.UNTIL_DECIDED and has_room_for_overtime(m, g):
        next_period(m, g)
        give_timeouts(g, TIMEOUTS_PER_OVERTIME)
    else:
        finish(g)


@rule
def has_room_for_overtime(m: Match, g: Position) -> bool:
    """G62: another overtime is played only while the clock lines have room for it."""
    return g.log[0] + m.numbers_per_quarter <= p.MAX_LOG_NUMBERS and g.period < p.MAX_PERIODS


@rule
def next_period(m: Match, g: Position) -> None:
    """R6: a full clock."""
    g.period += 1
    g.clock = m.numbers_per_quarter


@rule
def give_timeouts(g: Position, count: int) -> None:
    """R78: reset the timeouts; unused ones lapse."""
    g.timeouts[HOME] = count
    g.timeouts[AWAY] = count


@rule
def finish(g: Position) -> None:
    """R81, R82: the game is over; the higher score wins."""
    dead_ball(g, p.OVER, NOBODY, 0)
    emit(g, p.GAME_OVER, HOME)


# --- Overtime's coin and the quarterbacks ---------------------------------------------


@rule
def toss_coin(g: Position) -> None:
    """R83: roll the home team's die; on 4 to 6 it wins the toss."""
    face = roll(g, TOSS_DIE, HOME)
    g.possession = HOME if face >= 4 else AWAY
    emit(g, p.TOSS_WON, g.possession, face)
    g.window = p.TOSS


@rule
def answer_toss(m: Match, g: Position, call: int) -> None:
    """R83: the winner receives or kicks."""
    emit(g, p.CHOOSES, g.possession, call)
    g.window = p.NONE
    kickoff_by(m, g, g.possession if call == p.KICK else 1 - g.possession)


@rule
def answer_quarterback(g: Position, call: int) -> None:
    """R32: home, then away, before the first roll of the third and of the fourth quarter."""
    team = HOME if g.window == p.HOME_QUARTERBACK else AWAY
    if call == p.REPLACE_QB:
        g.new_qb[team] = 0
        emit(g, p.NEW_QUARTERBACK, team)
    g.window = p.AWAY_QUARTERBACK if team == HOME else p.NONE
