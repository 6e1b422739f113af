"""Game clock, periods, clock windows and overtime (R94 to R106)."""

from __future__ import annotations

from hashmark.engine.dice import COIN
from hashmark.engine.effects import emit, roll
from hashmark.engine.record import AWAY, HOME, NOBODY, TIE
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.downs import clear_down, next_down
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import PLAYS, TIMEOUTS_PER_HALF

IN_BOUNDS_SECONDS = 40  # R94
THIRD_IN_BOUNDS_SECONDS = 30  # R102
SHORT_PLAY_SECONDS = 10  # R100
HURRIED_SECONDS = 20  # R95
LATE_IN_HALF_SECONDS, LATE_IN_GAME_SECONDS = 120, 300  # R101
LAST_QUARTER = 4


# --- The coin ------------------------------------------------------------------------


@rule
def toss_coin(g: Position) -> None:
    """R106: Toss the coin; the winner chooses."""
    g.holder = roll(g, COIN, HOME) - 1
    emit(g, e.WINS_TOSS, g.holder, g.period)
    g.asks = p.ASK_TOSS


@rule
def answer_toss(m: Match, g: Position, call: int) -> None:
    """R105, R106: Set who receives, and in overtime whose possession it is."""
    receiver = g.holder
    if call == p.KICK:
        receiver = 1 - g.holder
    if g.period > LAST_QUARTER:
        begin_overtime_play(m, g, receiver)
    else:
        g.received_first = receiver
    emit(g, e.RECEIVES, receiver)
    g.holder = NOBODY
    set_kickoff(m, g, 1 - receiver)
    ask_next(g)


@rule
def begin_overtime_play(m: Match, g: Position, receiver: int) -> None:
    """R105: Start sudden death, or a first possession that not every score decides."""
    g.overtime = p.SUDDEN
    if m.overtime == p.MODIFIED or m.overtime == p.BOTH_POSSESS:
        g.overtime = p.FIRST_POSSESSION
        g.overtime_team = receiver


@rule
def set_kickoff(m: Match, g: Position, kicker: int) -> None:
    """R50: Set up a kickoff from its ordinary spot."""
    g.phase = p.KICKOFF
    g.possession = kicker
    g.spot = m.kickoff_spot
    g.next_kick = m.kickoff_spot
    clear_down(g)


# --- After a play --------------------------------------------------------------------


@rule
def clear_play(g: Position) -> None:
    """Reset all fields of the play in progress."""
    g.play = p.NO_PLAY
    g.formation = -1
    g.rolls_on = -1
    g.shorter = 0
    g.audibled = 0
    g.prompted = 0
    g.foul = p.NO_FOUL
    g.foul_yards = 0
    g.return_foul = p.NO_FOUL
    g.return_foul_by = NOBODY
    g.mid_point = p.NO_MID_POINT
    g.holder = NOBODY
    g.start = p.NOWHERE
    g.at = p.NOWHERE
    g.result = p.NO_RESULT
    g.out = 0
    g.changes = 0
    g.way = p.NO_WAY
    g.gain = 0
    g.returned = p.NOWHERE
    g.kick_shift = 0
    g.seconds = 0
    g.extension = 0
    g.penalty_roll = 0


@rule
def first_question(g: Position) -> int:
    """Return the first question of the phase."""
    if g.phase == p.SCRIMMAGE:
        return p.ASK_PLAY
    if g.phase == p.TRY:
        return p.ASK_TRY
    if g.phase == p.OVER:
        return p.ASK_OVER
    return p.ASK_COIN if g.phase == p.COIN_TOSS else p.ASK_KICK


@rule
def ask_next(g: Position) -> None:
    """Ask the first question of the phase."""
    g.asks = first_question(g)


@rule
def set_play_time(g: Position, seconds: int, extension: int) -> None:
    """Set how long the play takes; the clock moves at the end of the step."""
    g.seconds = seconds
    g.extension = extension
    g.asks = p.TO_TIME


@rule
def take_time(m: Match, g: Position, team: int) -> None:
    """R100, R103 to R105: Move the clock, decide overtime, and end the period if time is up."""
    used = min(g.seconds, g.clock)
    emit(g, e.TIME, team, used)
    g.clock -= used
    extension = g.extension
    clear_play(g)
    if g.period > LAST_QUARTER and extension != p.DEAD_BALL:
        decide_overtime(m, g)
    if g.clock == 0 and g.phase != p.TRY and g.phase != p.OVER and not is_extended(m, g, extension):
        end_period(m, g)
    ask_next(g)


@rule
def is_extended(m: Match, g: Position, extension: int) -> bool:
    """R104: Return whether one more play follows; a dead-ball foul never ends a period."""
    if extension == p.DEAD_BALL:
        return True
    if extension != p.DEFENSIVE_PENALTY or not m.untimed_down or g.phase != p.SCRIMMAGE:
        return False
    return g.period != 1 and g.period != 3


# --- Clock windows -------------------------------------------------------------------


@rule
def is_late(g: Position) -> bool:
    """R101: Return whether it is under 2:00 in the 2nd, or 5:00 or less in the 4th or overtime."""
    if g.period == 2:
        return g.clock < LATE_IN_HALF_SECONDS
    return g.period >= LAST_QUARTER and g.clock <= LATE_IN_GAME_SECONDS


@rule
def open_windows(g: Position) -> None:
    """R94 to R96: Open the windows that may shorten an in-bounds play, offense first."""
    clear_play(g)
    g.seconds = IN_BOUNDS_SECONDS
    if g.timeouts[g.possession] > 0:
        g.asks = p.ASK_OFFENSE_TIMEOUT
    else:
        ask_defense_timeout(g)


@rule
def ask_defense_timeout(g: Position) -> None:
    """R94: Ask the defense for a timeout, or else the offense for its tempo."""
    if g.timeouts[1 - g.possession] > 0:
        g.asks = p.ASK_DEFENSE_TIMEOUT
    else:
        g.asks = p.ASK_TEMPO


@rule
def answer_timeout(g: Position, ask: int, call: int) -> None:
    """R94: Apply a timeout, which makes the play take 10 seconds."""
    team = g.possession
    if ask == p.ASK_DEFENSE_TIMEOUT:
        team = 1 - g.possession
    if call == p.TIMEOUT:
        g.timeouts[team] -= 1
        emit(g, e.CALLS_TIMEOUT, team)
        set_play_time(g, SHORT_PLAY_SECONDS, 0)
    elif ask == p.ASK_OFFENSE_TIMEOUT:
        ask_defense_timeout(g)
    else:
        g.asks = p.ASK_TEMPO


@rule
def answer_tempo(m: Match, g: Position, call: int) -> None:
    """R95, R96, R102: Hurry up, spike, or let the clock run."""
    if call == p.HURRY_UP:
        g.hurry_up[g.possession] -= 1
        emit(g, e.HURRIES, g.possession)
        set_play_time(g, HURRIED_SECONDS, 0)
    elif call == p.SPIKE:
        spike(m, g)
    else:
        set_play_time(g, in_bounds_seconds(m, g), 0)


@rule
def in_bounds_seconds(m: Match, g: Position) -> int:
    """R102: Return 40, or 30 for every third in-bounds play with full timing."""
    if m.timing == p.BASIC:
        return IN_BOUNDS_SECONDS
    if g.inbounds == 2:
        g.inbounds = 0
        return THIRD_IN_BOUNDS_SECONDS
    g.inbounds += 1
    return IN_BOUNDS_SECONDS


@rule
def spike(m: Match, g: Position) -> None:
    """R96: Make the play take 10 seconds and spend the next down on an incomplete pass."""
    seconds = SHORT_PLAY_SECONDS
    if g.clock > SHORT_PLAY_SECONDS:
        emit(g, e.SPIKES, g.possession)
        next_down(g, g.spot)
        seconds += m.spike_seconds
    set_play_time(g, seconds, 0)


# --- Periods and overtime ------------------------------------------------------------


@rule
def end_period(m: Match, g: Position) -> None:
    """R103, R105: Start the next quarter, the second half or overtime, or end the game."""
    emit(g, e.PERIOD_OVER, HOME, g.period)
    level = g.score[HOME] == g.score[AWAY]
    if g.period == 1 or g.period == 3:
        g.period += 1
        g.clock = m.quarter_seconds
    elif g.period == 2:
        g.period = 3
        g.clock = m.quarter_seconds
        g.timeouts[HOME] = TIMEOUTS_PER_HALF
        g.timeouts[AWAY] = TIMEOUTS_PER_HALF
        set_kickoff(m, g, g.received_first)
    elif continues_possession(m, g):
        next_overtime_period(m, g)
    elif level and leads_to_overtime(m, g):
        begin_overtime(m, g)
    else:
        end_game(g)


@rule
def leads_to_overtime(m: Match, g: Position) -> bool:
    """R105: Return whether a level score leads to another period."""
    if g.period == LAST_QUARTER:
        return m.overtime != p.NO_OVERTIME_PERIOD
    return m.playoff == 1 and g.period < p.MAX_PERIODS


@rule
def continues_possession(m: Match, g: Position) -> bool:
    """R105: Return whether a playoff game continues where it is: both teams must possess."""
    pending = g.overtime == p.FIRST_POSSESSION or g.overtime == p.REPLY
    both = m.overtime == p.BOTH_POSSESS and m.playoff == 1
    return both and pending and g.period < p.MAX_PERIODS


@rule
def next_overtime_period(m: Match, g: Position) -> None:
    """R94, R105: Start an overtime period with a new clock and new timeouts."""
    g.period += 1
    g.clock = m.overtime_seconds
    g.timeouts[HOME] = m.overtime_timeouts
    g.timeouts[AWAY] = m.overtime_timeouts


@rule
def begin_overtime(m: Match, g: Position) -> None:
    """R94, R105, R109: Start overtime: new toss, new timeouts, a quarter more of each play."""
    if g.period == LAST_QUARTER and m.max_usage:
        add_usage(m, g)
    next_overtime_period(m, g)
    g.overtime = p.NO_OVERTIME
    g.overtime_team = NOBODY
    g.phase = p.COIN_TOSS
    g.possession = NOBODY
    g.spot = 0
    clear_down(g)
    g.next_kick = m.kickoff_spot


@rule
def add_usage(m: Match, g: Position) -> None:
    """R109: Add 25 % of each maximum, rounded to the nearest, half up."""
    for team in range(2):
        for play in range(len(PLAYS)):
            most = m.usage[team * len(PLAYS) + play]
            if most != p.NO_LIMIT:
                g.usage[team][play] += (most + 2) // 4


@rule
def touchdown_wins(m: Match, g: Position) -> bool:
    """R105: Return whether a touchdown wins now: not if both must possess or the try may tie."""
    if m.overtime != p.BOTH_POSSESS or g.possession != g.overtime_team:
        return True
    return g.overtime == p.REPLY and g.score[g.possession] > g.score[1 - g.possession]


@rule
def decide_overtime(m: Match, g: Position) -> None:
    """R105: End a decided game, and set what the next score will mean."""
    level = g.score[HOME] == g.score[AWAY]
    lost_ball = g.phase == p.SCRIMMAGE and g.possession != g.overtime_team
    if g.phase == p.SAFETY_KICK:
        end_game(g)
    elif g.phase == p.TRY:
        if touchdown_wins(m, g):
            end_game(g)
    elif g.overtime == p.FIRST_POSSESSION:
        if not level:
            g.overtime = p.REPLY
            g.overtime_team = 1 - g.overtime_team
        elif lost_ball:
            begin_sudden_death(g)
    elif g.overtime == p.REPLY:
        has_scored = g.phase == p.KICKOFF and g.possession == g.overtime_team
        if level:
            begin_sudden_death(g)
        elif lost_ball or has_scored:
            end_game(g)
    elif not level:
        end_game(g)


@rule
def begin_sudden_death(g: Position) -> None:
    """R105: Switch to sudden death: the first score wins from here on."""
    g.overtime = p.SUDDEN
    g.overtime_team = NOBODY


@rule
def end_game(g: Position) -> None:
    """End the game; the higher score wins."""
    g.phase = p.OVER
    g.possession = NOBODY
    g.spot = 0
    clear_down(g)
    g.overtime_team = NOBODY
    g.winner = TIE
    if g.score[HOME] > g.score[AWAY]:
        g.winner = HOME
    elif g.score[AWAY] > g.score[HOME]:
        g.winner = AWAY
    if g.winner != TIE:
        emit(g, e.WINS, g.winner)
