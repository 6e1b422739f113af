"""Outcome of a play: special results, the referee, side and yards (R13 to R33)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import tables as t
from hashmark.games.two_minute_drill.ball import (
    advance,
    after_penalty,
    continue_drive,
    dead_ball,
    first_and_ten,
    lose,
    mark_clock,
    next_down,
    next_play,
    penalty_move,
    reach_range,
    touchdown,
    walk_off,
    winning_line,
)
from hashmark.games.two_minute_drill.hand import (
    count_defense_showing,
    count_showing,
    face_of_group,
    largest_group,
    opponent,
    referee_sum,
    roll_again,
    side,
    yards_dt,
)
from hashmark.games.two_minute_drill.position import (
    Match,
    Position,
)

# --- Special results ----------------------------------------------------------------


@rule
def apply_groups(m: Match, g: Position) -> None:
    """R13 to R17: apply three or more of a kind; on a last chance they lose (Q15)."""
    size = largest_group(g)
    if g.chance:
        fail_last_chance(g)
    elif size == 3:
        apply_triples(m, g)
    elif size == 4:
        apply_quad(m, g)
    elif size == 5:
        five_of_a_kind(m, g)
    else:
        six_of_a_kind(m, g)


@rule
def apply_triples(m: Match, g: Position) -> None:
    """R13: forward with a DT die, else back; of two triples both count, or one (Q7)."""
    yards = 0
    threes = 0
    for face in t.FACES:
        if count_showing(g, face) == 3:
            threes += 1
            if count_defense_showing(g, face) > 0:
                yards += t.TRIPLE_YARDS
                emit(g, p.TRIPLE_FORWARD, g.possession, face)
            else:
                yards -= t.TRIPLE_YARDS
                emit(g, p.TRIPLE_BACK, g.possession, face)
    if threes == 2 and m.two_threes == p.ONE_COUNTS:
        yards = t.TRIPLE_YARDS  # one of the two has a DT die, and the coach takes it
    dead_ball(m, g, yards)


@rule
def apply_quad(m: Match, g: Position) -> None:
    """R14: 15 forward with a DT die; else 10 back and a down, on fourth down a turnover."""
    face = face_of_group(g, 4)
    if count_defense_showing(g, face) > 0:
        emit(g, p.QUAD_FORWARD, g.possession, face)
        dead_ball(m, g, t.QUAD_FORWARD_YARDS)
    elif g.down < 4:
        emit(g, p.QUAD_BACK, g.possession, face)
        g.down += 1
        dead_ball(m, g, -t.QUAD_BACK_YARDS)
    else:
        emit(g, p.QUAD_BACK, g.possession, face)
        walk_off(g, -t.QUAD_BACK_YARDS)
        lose_the_ball(g)


@rule
def five_of_a_kind(m: Match, g: Position) -> None:
    """R15: the defense calls time; one clock space is erased."""
    erased = 1 if g.clock < t.FULL_CLOCK_SPACES else 0
    g.clock += erased
    emit(g, p.FIVE, g.possession, face_of_group(g, 5), erased)
    dead_ball(m, g, 0)


@rule
def six_of_a_kind(m: Match, g: Position) -> None:
    """R16: odd wins, even loses."""
    face = face_of_group(g, 6)
    if face % 2 == 1:
        emit(g, p.SIX_ODD, g.possession, face)
        touchdown(m, g)
    else:
        emit(g, p.SIX_EVEN, g.possession, face)
        g.score[opponent(g)] += 6
        emit(g, p.RETURNED, opponent(g))
        lose(g)


# --- Referee ------------------------------------------------------------------------


@rule
def place_referee(m: Match, g: Position, call: int) -> None:
    """R21: place the first pair and resolve it."""
    g.referee_ot = (call - p.FIRST_REFEREE) // 2
    g.referee_dt = t.DT_A + (call - p.FIRST_REFEREE) % 2
    if g.chance:
        try_last_chance(m, g)
    else:
        resolve_referee(m, g, referee_sum(g))


@rule
def resolve_referee(m: Match, g: Position, total: int) -> None:
    """R22 to R28: apply the referee table."""
    if total == 2:
        emit(g, p.OFFENSE_PENALTY, g.possession, g.referee_ot, g.referee_dt, total)
        dead_ball(m, g, -t.REFEREE_YARDS)
    elif total <= 4:
        emit(g, p.INCOMPLETE, g.possession, g.referee_ot, g.referee_dt, total)
        mark_clock(g, 1)
        next_down(m, g)
    elif total == 5:
        emit(g, p.FUMBLE_LOST, g.possession, g.referee_ot, g.referee_dt, total)
        mark_clock(g, 1)
        lose_the_ball(g)
    elif total == 6:
        emit(g, p.FUMBLE_KEPT, g.possession, g.referee_ot, g.referee_dt, total)
        mark_clock(g, 1)
        next_down(m, g)
    elif total <= 9:
        emit(g, p.GOOD_PLAY, g.possession, g.referee_ot, g.referee_dt, total)
        g.phase = p.YARDS
    else:
        emit(g, p.DEFENSE_PENALTY, g.possession, g.referee_ot, g.referee_dt, total)
        g.phase = p.YARDS


@rule
def lose_the_ball(g: Position) -> None:
    """R14, R25: turn the ball over; with a minute left one play may get it back."""
    if g.clock < t.ONE_MINUTE_SPACES:
        emit(g, p.LOST_ON_FUMBLE, g.possession)
        lose(g)
    else:
        emit(g, p.LAST_CHANCE, g.possession)
        g.chance = 1
        next_play(g)


@rule
def try_last_chance(m: Match, g: Position) -> None:
    """R25: a sum of 5 takes the ball back, anything else loses."""
    if referee_sum(g) == 5:
        emit(g, p.RECOVERS, g.possession, g.referee_ot, g.referee_dt, 5)
        mark_clock(g, 1)
        g.chance = 0
        first_and_ten(g)
        continue_drive(m, g)
    else:
        fail_last_chance(g)


@rule
def fail_last_chance(g: Position) -> None:
    """R25, Q15: the ball stays with the other team, and the game is lost."""
    emit(g, p.LOST_ON_LAST_CHANCE, g.possession)
    lose(g)


@rule
def is_flagged(g: Position) -> bool:
    """R28: return whether there is a penalty on the defense."""
    return referee_sum(g) >= 10


# --- Side and yards -----------------------------------------------------------------


@rule
def place_yards(m: Match, g: Position, call: int) -> None:
    """R29, R30: place the last pairs; the gain is the OT face minus the DT face."""
    g.yards_ot = call - p.FIRST_YARDS
    g.gain = g.dice[g.yards_ot] - g.dice[yards_dt(g)]
    effort_or_whistle(m, g)


@rule
def effort_or_whistle(m: Match, g: Position) -> None:
    """R30, R32: the goal line wins; a die at its highest face may be rolled again."""
    if reaches(g) and not too_late(m, g, 0):
        cross_line(m, g, 0)
    elif g.dice[g.yards_ot] == t.TOP_FACE[g.yards_ot] and not reaches(g):
        g.phase = p.EFFORT
    else:
        whistle(m, g)


@rule
def reaches(g: Position) -> bool:
    """R32: return whether the play as it came out reaches the line that wins."""
    return g.spot + g.gain >= winning_line(g)


@rule
def too_late(m: Match, g: Position, saved: int) -> bool:
    """Q3: by option, return whether the clock lacks the spaces that the play takes."""
    return bool(m.touchdown_in_time) and play_spaces(m, g) - saved > g.clock


@rule
def extra_effort(m: Match, g: Position) -> None:
    """R30: roll the die again and add the new face."""
    face = roll_again(g, g.yards_ot)
    g.dice[g.yards_ot] = face
    g.gain += face
    g.efforts += 1
    emit(g, p.EFFORT_MADE, g.possession, face, g.gain)
    effort_or_whistle(m, g)


@rule
def whistle(m: Match, g: Position) -> None:
    """R28, R33: ask if there is a penalty to choose or a timeout that may help."""
    if is_flagged(g) or (g.timeouts > 0 and not loses_game(m, g)):
        g.phase = p.RESULT
    else:
        take_play(m, g, 0)


@rule
def loses_game(m: Match, g: Position) -> bool:
    """R33, Q3: return whether the play as it came out loses the game, even with a timeout."""
    if reaches(g):
        return too_late(m, g, t.SPACES_SAVED_BY_TIMEOUT)
    return loses_with(g, g.gain)


@rule
def loses_with(g: Position, gain: int) -> bool:
    """R34, Q18: return whether a play with this gain is a safety or a failed fourth down."""
    return g.spot + gain <= 0 or (g.down == 4 and gain < g.to_go)


@rule
def is_tackled_in_bounds(m: Match, g: Position, gain: int, to: int) -> bool:
    """R31, Q19: return whether a play to this side is tackled in bounds, short of the line."""
    if g.spot + gain >= winning_line(g):
        return False
    if g.hash == p.CENTER:
        return gain <= 10 or not may_go_out(m, g)
    return g.hash != to


@rule
def may_go_out(m: Match, g: Position) -> bool:
    """Q19: from the center every play may, or only the first: first down on the star."""
    return m.center_out == p.ANY_PLAY or (g.down == 1 and g.spot == m.start_spot)


@rule
def spaces_for_yards(m: Match, g: Position, gain: int, flag: bool) -> int:
    """R31, R32, Q16: return the spaces for the yards gained, at most those to the line."""
    if gain <= 0 or (flag and m.referee_clock == p.BY_SHEET):
        return 0
    return (min(gain, winning_line(g) - g.spot) + t.YARDS_PER_SPACE - 1) // t.YARDS_PER_SPACE


@rule
def spaces_for_effort(m: Match, efforts: int, flag: bool) -> int:
    """R31, Q16: return the spaces for extra effort."""
    return 0 if flag and m.referee_clock == p.BY_SHEET else efforts


@rule
def spaces_for_staying(m: Match, g: Position, gain: int, to: int, flag: bool) -> int:
    """R28, R31: return the space for staying in bounds; none after a penalty on the defense."""
    return 1 if is_tackled_in_bounds(m, g, gain, to) and not flag else 0


@rule
def play_spaces(m: Match, g: Position) -> int:
    """R31: return the spaces that the play takes."""
    spaces = t.PLAY_SPACES + spaces_for_yards(m, g, g.gain, is_flagged(g))
    spaces += spaces_for_staying(m, g, g.gain, side(g), is_flagged(g))
    return spaces + spaces_for_effort(m, g.efforts, is_flagged(g))


@rule
def mark_play(m: Match, g: Position, saved: int) -> None:
    """R31: mark the spaces of a play, reported by cause."""
    yards = spaces_for_yards(m, g, g.gain, is_flagged(g))
    effort = spaces_for_effort(m, g.efforts, is_flagged(g))
    staying = spaces_for_staying(m, g, g.gain, side(g), is_flagged(g))
    emit(g, p.MARKS, g.possession, yards, effort, staying)
    mark_clock(g, play_spaces(m, g) - saved)


@rule
def cross_line(m: Match, g: Position, saved: int) -> None:
    """R32, Q3, Q21: win unless it is too late; mark the clock for the yards to the line."""
    late = too_late(m, g, saved)
    emit(g, p.GAINS, g.possession, winning_line(g) - g.spot, winning_line(g), side(g))
    mark_play(m, g, saved)
    g.spot = min(t.GOAL_LINE - 1, g.spot + g.gain)
    if late:
        emit(g, p.OUT_OF_TIME, g.possession)
        lose(g)
    elif g.period == 1:
        touchdown(m, g)
    else:
        reach_range(g)


@rule
def answer_result(m: Match, g: Position, call: int) -> None:
    """R28, R33: take the play, the play with a timeout, or the penalty."""
    if call == p.PENALTY:
        take_penalty(m, g)
    elif call == p.TIME_OUT:
        g.timeouts -= 1
        emit(g, p.SAVES_CLOCK, g.possession, t.SPACES_SAVED_BY_TIMEOUT, g.timeouts)
        take_play(m, g, t.SPACES_SAVED_BY_TIMEOUT)
    else:
        take_play(m, g, 0)


@rule
def penalty_spaces(m: Match) -> int:
    """R28, Q16: return the spaces that taking the penalty costs."""
    return 1 if m.referee_clock == p.BY_TEXT else 2


@rule
def take_penalty(m: Match, g: Position) -> None:
    """R28, Q16: the play is void: 5 yards forward, same down."""
    spaces = penalty_spaces(m)
    moved = penalty_move(g, t.REFEREE_YARDS)
    emit(g, p.TAKES_PENALTY, g.possession, moved, spaces, g.spot + moved)
    mark_clock(g, spaces)
    advance(g, moved)
    after_penalty(m, g)


@rule
def take_play(m: Match, g: Position, saved: int) -> None:
    """R29, R31: move the ball to where the play took it."""
    if reaches(g):
        cross_line(m, g, saved)
    else:
        take_yards(m, g, saved)


@rule
def take_yards(m: Match, g: Position, saved: int) -> None:
    """R29, R31, R34: settle a play that ends short of the line."""
    emit(g, p.GAINS, g.possession, g.gain, g.spot + g.gain, side(g))
    if not is_tackled_in_bounds(m, g, g.gain, side(g)):
        emit(g, p.OUT_OF_BOUNDS, g.possession)
    mark_play(m, g, saved)
    g.hash = side(g)
    if g.spot + g.gain <= 0:
        safety(g)
    elif g.gain >= g.to_go:
        advance(g, g.gain)
        continue_drive(m, g)
    else:
        advance(g, g.gain)
        next_down(m, g)


@rule
def safety(g: Position) -> None:
    """R5, R40, Q18: tackled behind the own goal line: two points for the opponents, and a loss."""
    g.spot = 0
    g.score[opponent(g)] += 2
    emit(g, p.SAFETY, opponent(g))
    emit(g, p.LOST_ON_SAFETY, g.possession)
    lose(g)
