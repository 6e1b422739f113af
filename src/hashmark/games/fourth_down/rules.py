"""Rules of 4th Down!, in the order and with the numbers of docs/reference/rules/fourth-down.md."""

from __future__ import annotations

from hashmark.engine.effects import check, emit, roll
from hashmark.engine.record import AWAY, HOME, NOBODY, TIE
from hashmark.engine.rule import rule
from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down import tables as t
from hashmark.games.fourth_down.position import Match, Position

# Values of `refusal`: indices of REFUSALS.
REFUSALS = ("", "", "out of range; a field goal needs 50 yards or less to the goal line")
LEGAL, ILLEGAL, OUT_OF_RANGE = range(3)


@rule
def to_goal(g: Position) -> int:
    """R1: return the distance to the opponents' goal line."""
    return 100 - g.spot


@rule
def opponent(g: Position) -> int:
    """Return the team that does not have the ball."""
    return 1 - g.possession


# --- Setup and clock -----------------------------------------------------------------


@rule
def start(m: Match, g: Position) -> None:
    """Start a game at the coin toss; a new position is already there."""


@rule
def toss_coin(g: Position) -> None:
    """R2: toss the coin that decides which team receives the opening kickoff."""
    g.received_first = roll(g, t.COIN_DIE, HOME) - 1
    emit(g, p.RECEIVES, g.received_first, 1)
    kickoff(g, g.received_first)


@rule
def kickoff(g: Position, receiver: int) -> None:
    """R3: start a drive at the receiver's 30; there is no kick and no return."""
    begin_drive(g, receiver, t.KICKOFF_SPOT)


@rule
def begin_drive(g: Position, team: int, spot: int) -> None:
    """R30: begin a drive, or end the half if no time is left."""
    if g.clock == 0:
        end_half(g)
    else:
        first_and_ten(g, team, spot)


@rule
def first_and_ten(g: Position, team: int, spot: int) -> None:
    """R8: give this team the ball at this spot; it chooses a style next."""
    g.phase = p.DRIVE
    g.possession = team
    g.spot = spot
    g.down = 0
    g.to_go = 0


@rule
def end_half(g: Position) -> None:
    """R5, R7: begin the second half with the other team's kickoff, or end the game."""
    emit(g, p.HALF_OVER, HOME, g.period)
    g.untimed = 0
    if g.period == 1:
        g.period = 2
        g.clock = t.FULL_CLOCK_BLOCKS
        emit(g, p.RECEIVES, 1 - g.received_first, 2)
        first_and_ten(g, 1 - g.received_first, t.KICKOFF_SPOT)
    else:
        finish(g)


@rule
def finish(g: Position) -> None:
    """R7: end the game; the higher score wins, equal scores are a tie."""
    g.phase = p.OVER
    g.clock = 0
    g.possession = NOBODY
    g.spot = 0
    g.down = 0
    g.to_go = 0
    if g.score[HOME] > g.score[AWAY]:
        g.winner = HOME
    elif g.score[AWAY] > g.score[HOME]:
        g.winner = AWAY
    else:
        g.winner = TIE


# --- The drive roll ------------------------------------------------------------------


@rule
def drive(m: Match, g: Position, style: int) -> None:
    """R8 to R11: roll on the style's table, and a time die for touchdown rows; check the clock."""
    row = roll(g, t.DRIVE_DIE)
    gain = t.YARDS[style, row]
    blocks = t.BLOCKS[style, row]
    if gain == t.TD:
        gain = to_goal(g)
        blocks = min(roll(g, t.TIME_DIE), t.TIME_CAP[style, gain])
    elif blocks <= g.clock and gain >= to_goal(g):
        blocks = time_by_yards(m, g, style, blocks)
    if blocks <= g.clock:
        drive_that_fits(m, g, style, gain, blocks)
    else:
        drive_cut_short(m, g, style)


@rule
def time_by_yards(m: Match, g: Position, style: int, blocks: int) -> int:
    """R10, Q9: return the time of a touchdown by yards: the row's or a time die, up to the cap."""
    if m.touchdown_time == p.TIME_OF_DIE:
        blocks = roll(g, t.TIME_DIE)
    return min(blocks, t.TIME_CAP[style, to_goal(g)])


@rule
def drive_that_fits(m: Match, g: Position, style: int, gain: int, blocks: int) -> None:
    """R12 to R16: resolve safety, turnover, touchdown and fourth down, in this order."""
    if g.spot + gain <= 0:
        advance(g, gain, blocks)
        safety(g)
    elif gain >= to_goal(g):
        advance(g, to_goal(g), blocks)
        if check(g, t.TURNOVER_DIE, t.LOST_UP_TO[style]):
            turnover(m, g, gain)
        else:
            touchdown(g)
    else:
        advance(g, gain, blocks)
        if check(g, t.TURNOVER_DIE, t.LOST_UP_TO[style]):
            turnover(m, g, gain)
        else:
            fourth_down(g, style)


@rule
def advance(g: Position, gain: int, blocks: int) -> None:
    """R6: move the ball and the clock; only the drive roll takes time."""
    g.clock -= blocks
    g.spot += gain
    emit(g, p.DRIVES, g.possession, gain, blocks, g.spot)


@rule
def safety(g: Position) -> None:
    """R12, R23: give the team without the ball two points and a drive at its 30."""
    g.score[opponent(g)] += 2
    emit(g, p.SAFETY, opponent(g))
    kickoff(g, opponent(g))


@rule
def turnover(m: Match, g: Position, gain: int) -> None:
    """R14: give the opponents the ball where the drive ended; their 20 after a lost touchdown."""
    if g.spot >= 100:
        spot = t.TOUCHBACK_SPOT
    elif m.turnover_spot == p.END_OF_DRIVE:
        spot = to_goal(g)
    else:
        spot = to_goal(g) + gain
    emit(g, p.LOSES_BALL, g.possession, spot, g.spot // 100)
    begin_drive(g, opponent(g), spot)


@rule
def touchdown(g: Position) -> None:
    """R15: score six points, then ask for the try."""
    g.score[g.possession] += 6
    emit(g, p.TOUCHDOWN, g.possession)
    g.phase = p.TRY
    g.spot = 0
    g.down = 0
    g.to_go = 0


@rule
def fourth_down(g: Position, style: int) -> None:
    """R16: roll the style's die for the yards to go."""
    if style == p.RUN_FIRST:
        to_go = roll(g, t.RUN_TO_GO_DIE)
    elif style == p.BALANCED:
        to_go = roll(g, t.BALANCED_TO_GO_DIE)
    else:
        to_go = roll(g, t.PASS_TO_GO_DIE)
    g.phase = p.FOURTH_DOWN
    g.down = 4
    g.to_go = min(to_go, to_goal(g))
    emit(g, p.FACES_FOURTH, g.possession, g.to_go, g.spot)


# --- Fourth down ---------------------------------------------------------------------


@rule
def go_for_it(g: Position) -> None:
    """R18: roll a d20 on the conversion table; the goal lines come first."""
    gain = t.CONVERSION[roll(g, t.ATTEMPT_DIE)]
    if gain >= to_goal(g):
        emit(g, p.SCORES_ON_FOURTH, g.possession, to_goal(g))
        touchdown(g)
    elif g.spot + gain <= 0:
        emit(g, p.CAUGHT_ON_FOURTH, g.possession, gain)
        safety(g)
    elif gain >= g.to_go:
        emit(g, p.CONVERTS, g.possession, gain, g.spot + gain)
        begin_drive(g, g.possession, g.spot + gain)
    else:
        emit(g, p.FAILS, g.possession, gain, to_goal(g) - gain)
        begin_drive(g, opponent(g), to_goal(g) - gain)


@rule
def field_goal(g: Position) -> None:
    """R19, R20: kick; a miss gives the ball up 7 yards back."""
    distance = to_goal(g)
    if check(g, t.KICK_DIE, t.MISSED_UP_TO[distance]):
        spot = max(distance + 7, t.TOUCHBACK_SPOT)
        emit(g, p.KICK_MISSED, g.possession, distance, spot)
        begin_drive(g, opponent(g), spot)
    else:
        kick_is_good(g, distance)
        kickoff(g, opponent(g))


@rule
def kick_is_good(g: Position, distance: int) -> None:
    """R19: score three points."""
    g.score[g.possession] += 3
    emit(g, p.KICK_GOOD, g.possession, distance)


@rule
def punt(m: Match, g: Position) -> None:
    """R21: punt 40 yards downfield; an option says when the ball comes out to the 20."""
    spot = 60 - g.spot
    if m.punt_touchback == p.INSIDE_TWENTY:
        spot = max(spot, t.TOUCHBACK_SPOT)
    elif spot <= 0:
        spot = t.TOUCHBACK_SPOT
    emit(g, p.PUNTS, g.possession, spot)
    begin_drive(g, opponent(g), spot)


# --- The try -------------------------------------------------------------------------


@rule
def try_one(g: Position) -> None:
    """R22: kick the extra point from 15 yards."""
    if check(g, t.KICK_DIE, t.MISSED_UP_TO[t.TRY_YARDS]):
        emit(g, p.ONE_POINT_MISSED, g.possession)
    else:
        g.score[g.possession] += 1
        emit(g, p.ONE_POINT_GOOD, g.possession)
    after_try(g)


@rule
def try_two(g: Position) -> None:
    """R22: try for two points; a d10 of 7 or more is good."""
    if check(g, t.TWO_POINT_DIE, t.TWO_POINT_MISS_MAX):
        emit(g, p.TWO_POINTS_MISSED, g.possession)
    else:
        g.score[g.possession] += 2
        emit(g, p.TWO_POINTS_GOOD, g.possession)
    after_try(g)


@rule
def after_try(g: Position) -> None:
    """R15, R28: kick off to the opponents, or end the half."""
    if g.untimed:
        end_half(g)
    else:
        kickoff(g, opponent(g))


# --- Late half -----------------------------------------------------------------------


@rule
def drive_cut_short(m: Match, g: Position, style: int) -> None:
    """R24 to R27: use the last row that leaves a block, without a fourth down at its end."""
    row = t.ROW_THAT_FITS[style, g.clock]
    gain = t.YARDS[style, row]
    blocks = t.BLOCKS[style, row]
    emit(g, p.CUT_SHORT, g.possession)
    if row == 0:
        emit(g, p.STALLS, g.possession)
        untimed_down(g)
    elif g.spot + gain <= 0:
        advance(g, gain, blocks)
        safety(g)
        end_half_if_late(m, g)
    elif gain >= to_goal(g):
        advance(g, to_goal(g), time_by_yards(m, g, style, blocks))
        g.untimed = m.late_half_ends
        touchdown(g)
    else:
        advance(g, gain, blocks)
        if check(g, t.TURNOVER_DIE, t.LOST_UP_TO[style]):
            turnover(m, g, gain)
            end_half_if_late(m, g)
        else:
            untimed_down(g)


@rule
def untimed_down(g: Position) -> None:
    """R28: ask for one more call before the half ends."""
    g.phase = p.UNTIMED_DOWN
    emit(g, p.GETS_UNTIMED, g.possession, g.spot)


@rule
def end_half_if_late(m: Match, g: Position) -> None:
    """Q16: end the half after a late safety or turnover if the option says so."""
    if m.late_half_ends:
        end_half(g)


@rule
def untimed_field_goal(g: Position) -> None:
    """R28: kick a last field goal; the half ends, good or not."""
    distance = to_goal(g)
    if check(g, t.KICK_DIE, t.MISSED_UP_TO[distance]):
        emit(g, p.KICK_MISSED, g.possession, distance)
    else:
        kick_is_good(g, distance)
    end_half(g)


@rule
def untimed_attempt(g: Position) -> None:
    """R28: go for the goal line; only a touchdown counts, and its try is still played."""
    gain = min(t.CONVERSION[roll(g, t.ATTEMPT_DIE)], to_goal(g))
    emit(g, p.TRIES_UNTIMED, g.possession, gain)
    if gain == to_goal(g):
        g.untimed = 1
        touchdown(g)
    else:
        end_half(g)


@rule
def let_half_end(g: Position) -> None:
    """R28: end the half without an attempt."""
    emit(g, p.LETS_HALF_END, g.possession)
    end_half(g)


# --- Questions and steps -------------------------------------------------------------


@rule
def question(m: Match, g: Position) -> int:
    """Return the question of the phase: each phase has its own."""
    return g.phase


@rule
def team_to_act(m: Match, g: Position) -> int:
    """Return the team to call, which is the one in possession; NOBODY if no team decides."""
    return g.possession


@rule
def refusal(m: Match, g: Position, call: int) -> int:
    """R17, R22, R28: return why this call is not allowed, or LEGAL."""
    if call == p.FIELD_GOAL and to_goal(g) > t.KICK_RANGE_YARDS:
        return OUT_OF_RANGE
    return LEGAL


@rule
def step(m: Match, g: Position, call: int) -> None:
    """Play one call with all the dice that follow it."""
    if g.phase == p.DRIVE:
        drive(m, g, call)
    elif g.phase == p.FOURTH_DOWN:
        if call == p.GO_FOR_IT:
            go_for_it(g)
        elif call == p.FIELD_GOAL:
            field_goal(g)
        else:
            punt(m, g)
    elif g.phase == p.TRY:
        if call == p.ONE_POINT:
            try_one(g)
        else:
            try_two(g)
    elif g.phase == p.UNTIMED_DOWN:
        if call == p.FIELD_GOAL:
            untimed_field_goal(g)
        elif call == p.GO_FOR_IT:
            untimed_attempt(g)
        else:
            let_half_end(g)
    else:
        toss_coin(g)
