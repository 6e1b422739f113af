"""Rules of Rapid Roll Football: a play runs stage by stage from its call to the clock.

The rule numbers are those of docs/reference/rules/rapid-roll.md. The stages follow the order of the
notes: call and roll, the column, sideline, returns, flag, magic yards, score and down, clock. A
stage that needs a decision opens a window and stops; the answer resumes the play there.
"""

from __future__ import annotations

from hashmark.engine.effects import emit, roll
from hashmark.engine.record import AWAY, HOME, NOBODY, ONE_SCORE_POINTS
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import cells, clock, counts, flags, kicks, scrimmage
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.numbers import TWO_DICE
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import LAST_QUARTER

# Return values of `refusal`: the indices of REFUSALS.
REFUSALS = (
    "",
    "",
    "no time-outs left",
    "this team has already used its one fake of the game",
    "use no more magic yards than the team has left, and none past the goal line",
    "this team has already changed quarterbacks",
)
LEGAL, ILLEGAL, NO_TIMEOUTS, FAKE_USED, TOO_MUCH_MAGIC, REPLACED = range(len(REFUSALS))


@rule
def start(m: Match, g: Position) -> None:
    """R3, R13: the home team kicks off; magic yards from the records."""
    g.clock = m.numbers_per_quarter
    g.magic[HOME] = m.magic[HOME]
    g.magic[AWAY] = m.magic[AWAY]
    clock.kickoff_by(m, g, HOME)


# --- The stages of a play ------------------------------------------------------------


@rule
def snap(m: Match, g: Position, call: int) -> None:
    """R5: the call, one roll, and the column up to the first choice."""
    g.call = call
    begin_play(m, g, roll(g, TWO_DICE))


@rule
def begin_play(m: Match, g: Position, number: int) -> None:
    """R5: play the pending call with this roll, up to the first choice."""
    call = g.call
    g.roll = number
    g.carrier = g.possession
    g.at = g.spot
    emit(g, p.SNAPS, g.possession, call, g.roll)
    if scrimmage.is_fake(call):
        g.fake_used[g.possession] = 1
    if scrimmage.CALL_KIND[call] <= scrimmage.PASS:
        scrimmage.run_or_pass(m, g)
    elif call == p.KICK_OFF:
        kicks.kick_off(m, g)
    elif call == p.ONSIDE:
        kicks.onside_kick(g)
    elif call == p.PUNT:
        kicks.punt(m, g)
    else:
        kicks.place_kick(m, g)


@rule
def end_action(m: Match, g: Position) -> int:
    """R46, R50, R51: play out returns and recoveries, then read the flag."""
    if g.window != p.NONE:
        return clock.ASK
    if g.play == p.INTERCEPTED and g.result == p.BALL and g.ended == p.IN_BOUNDS:
        cells.return_interception(m, g)
    cells.resolve_loose_ball(m, g)
    if g.flagged:
        flags.throw_flag(m, g)
    return clock.MAGIC if g.window == p.NONE else clock.ASK


@rule
def offer_magic(g: Position) -> int:
    """R15: offer magic yards after a play that qualifies."""
    if not qualifies_for_magic(g):
        return clock.SETTLE
    g.window = p.MAGIC_CHOICE
    return clock.ASK


@rule
def qualifies_for_magic(g: Position) -> bool:
    """G24: runs, forward scrambles and completed passes, without fumble, score or foul."""
    if g.fumbled or g.result == p.TOUCHDOWN or flags.is_wiped_out(g):
        return False
    return g.play == p.RAN or g.play == p.SCRAMBLED or g.play == p.COMPLETED


@rule
def add_magic(g: Position, yards: int) -> None:
    """R15, G24: add magic yards; they may undo a safety or reach the goal line."""
    g.window = p.NONE
    if yards == 0:
        return
    g.magic[g.possession] -= yards
    emit(g, p.MAGIC_YARDS, g.possession, yards, g.magic[g.possession])
    g.at += yards
    g.gain = max(g.at - g.spot, -g.spot)
    if g.at >= 100:
        g.result = p.TOUCHDOWN
    elif g.at > 0:
        g.result = p.BALL


@rule
def settle_play(m: Match, g: Position) -> int:
    """Settle score, down and possession, then the clock, in the order of the notes."""
    was_try = g.phase == p.TRY
    ended = p.DEAD if was_try else g.ended
    if m.incomplete_stops_clock and g.play == p.INCOMPLETE and not was_try:
        ended = p.OUT_OF_BOUNDS
    due = g.timeout_due == 1
    scores = g.result != p.BALL and not flags.is_wiped_out(g)
    if scrimmage.is_fake(g.call):
        credit_fake(g)
    if was_try:
        settle_try(m, g)
    elif g.phase != p.SCRIMMAGE:
        settle_kickoff(m, g)
    else:
        settle_scrimmage(m, g)
    clear_play(g)
    return clock.after_play(g, ended, was_try, due and not scores)


@rule
def credit_fake(g: Position) -> None:
    """R16, R27, G23: one magic yard for later plays, even if the fake was wiped."""
    g.magic[g.possession] += 1
    emit(g, p.FAKE_CREDIT, g.possession, g.magic[g.possession])


@rule
def clear_play(g: Position) -> None:
    """Reset all fields of the play in progress except its number."""
    g.call = p.NO_PLAY
    g.rewinds = 0
    g.flagged = 0
    g.play = -1
    g.carrier = NOBODY
    g.at = 0
    g.gain = 0
    g.return_spot = 0
    g.result = p.BALL
    g.ended = p.IN_BOUNDS
    g.fumbled = 0
    g.lost[HOME] = 0
    g.lost[AWAY] = 0
    g.timeout_due = 0
    g.foul = -1
    g.foul_yards = 0
    g.foul_timeout = 0


# --- Plays from scrimmage ------------------------------------------------------------


@rule
def settle_scrimmage(m: Match, g: Position) -> None:
    """R18, R19, R54, G33: settle possession and spot, or the score."""
    g.last_play = g.call
    if flags.is_wiped_out(g):
        emit(g, p.NO_PLAY_COUNTS, g.possession)
        mark_off(m, g)
        return
    counts.count_play(g)
    counts.count_turnovers(g)
    if g.result != p.BALL:
        score_points(m, g)
    elif g.foul == p.DEF_PLUS:
        clock.first_and_ten(g, g.possession, flags.move_forward(max(g.at, g.spot), g.foul_yards))
        if not keeps_possession(g):
            g.last_play = p.NO_PLAY
    elif keeps_possession(g):
        clock.use_down(g, g.at)
    else:
        clock.new_possession(g, g.carrier, g.at)


@rule
def keeps_possession(g: Position) -> bool:
    """G15, G33: the offense still has the ball and never lost it; a kick gives it away."""
    if g.play == p.KICKED or g.play == p.RETURNED:
        return False
    return g.lost[HOME] + g.lost[AWAY] == 0


@rule
def mark_off(m: Match, g: Position) -> None:
    """R54, R55, R66, R68: spot the ball after an accepted foul that wipes out the play."""
    if g.foul == p.OFF:
        spot = flags.move_back(g.spot, g.foul_yards)
        g.to_go += g.spot - spot
        g.spot = spot
        emit(g, p.DOWN, g.possession, g.down, g.to_go, spot)
    elif g.foul == p.DPI:
        clock.first_and_ten(g, g.possession, min(g.spot + g.foul_yards, 99))
    elif g.foul == p.DEF_PLUS:
        clock.first_and_ten(g, g.possession, flags.move_forward(g.spot, g.foul_yards))
    elif g.call == p.PUNT and g.play != p.BLOCKED:
        clock.new_possession(
            g, 1 - g.possession, flags.move_back(punt_foul_spot(m, g), g.foul_yards)
        )
    else:
        mark_forward(g)


@rule
def punt_foul_spot(m: Match, g: Position) -> int:
    """R66: where the punt was caught, began to roll or went out; the 20 if in the end zone."""
    return g.return_spot if g.return_spot > 0 else m.touchback


@rule
def mark_forward(g: Position) -> None:
    """R54, `def n`: move forward from the line; repeat the down or award a first down."""
    spot = flags.move_forward(g.spot, g.foul_yards)
    if spot - g.spot >= g.to_go:
        clock.first_and_ten(g, g.possession, spot)
    else:
        g.to_go -= spot - g.spot
        g.spot = spot
        emit(g, p.DOWN, g.possession, g.down, g.to_go, spot)


@rule
def score_points(m: Match, g: Position) -> None:
    """R2, R60, R69: points, and what follows them."""
    if g.result == p.TOUCHDOWN:
        g.score[g.carrier] += 6
        emit(g, p.SCORES_TOUCHDOWN, g.carrier)
        clock.try_by(g, g.carrier)
    elif g.result == p.SAFETY:
        g.score[1 - g.carrier] += 2
        emit(g, p.SCORES_SAFETY, 1 - g.carrier)
        clock.free_kick_by(g, g.carrier)
    else:
        g.score[g.possession] += 3
        clock.kickoff_by(m, g, g.possession)


# --- Kickoffs and tries --------------------------------------------------------------


@rule
def settle_kickoff(m: Match, g: Position) -> None:
    """R57 to R60: end the return, or enforce the foul."""
    receivers = 1 - g.possession
    if g.foul == p.KICKERS:
        g.spot = flags.move_back(g.spot, g.foul_yards)
        emit(g, p.KICKS_AGAIN, g.possession, g.spot)
    elif g.foul == p.RETURNERS:
        clock.new_possession(g, receivers, flags.receivers_foul_spot(m, g))
    elif g.foul == p.KICKERS_PLUS:
        counts.count_play(g)
        spot = g.at if g.carrier == receivers else g.return_spot
        clock.new_possession(g, receivers, flags.move_forward(spot, g.foul_yards))
    else:
        counts.count_play(g)
        counts.count_turnovers(g)
        if g.result != p.BALL:
            score_points(m, g)
        else:
            clock.new_possession(g, g.carrier, g.at)


@rule
def settle_try(m: Match, g: Position) -> None:
    """R69 to R71, G53: score or fail the try, then kick off; after a foul try again."""
    if g.foul >= 0:
        g.spot = (
            flags.move_back(g.spot, g.foul_yards)
            if g.foul == p.OFF
            else flags.move_forward(g.spot, g.foul_yards)
        )
        emit(g, p.TRIES_AGAIN, g.possession, g.spot)
        return
    counts.count_completion(g)
    if g.result == p.GOOD:
        g.score[g.possession] += 1
        emit(g, p.EXTRA_POINT_GOOD, g.possession)
    elif g.result == p.TOUCHDOWN:
        g.score[g.possession] += 2
        emit(g, p.TWO_POINTS_GOOD, g.possession)
    else:
        emit(g, p.TRY_FAILS, g.possession)
    clock.kickoff_by(m, g, g.possession)


# --- Answers -------------------------------------------------------------------------


@rule
def answer_in_play(m: Match, g: Position, call: int) -> None:
    """R23, R49, R62, G41: answer the choices that come before the flag."""
    window = g.window
    g.window = p.NONE
    if window == p.SIDELINE_CHOICE:
        scrimmage.answer_sideline(g, call)
        return
    emit(g, p.CHOOSES, 1 - g.possession, call)
    if call == p.TOUCHBACK:
        cells.touch_back(m, g)
    elif call == p.ROLL:
        kicks.roll_dead(m, g)
    elif g.call == p.PUNT:
        kicks.return_punt(m, g)


@rule
def answer(m: Match, g: Position, call: int) -> int:
    """Take a call and return the stage at which the play continues."""
    window = g.window
    if window == p.NONE and g.phase != p.COIN_TOSS:
        snap(m, g, call)
        return clock.ACTION
    if window == p.NONE:
        clock.toss_coin(g)
        return clock.ASK
    if window <= p.AWAY_QUARTERBACK:
        clock.answer_quarterback(g, call)
        return clock.ASK
    if window == p.TOSS:
        clock.answer_toss(m, g, call)
        return clock.ASK
    if window <= p.END_ZONE_CHOICE:
        answer_in_play(m, g, call)
        return clock.ACTION
    if window == p.PENALTY_CHOICE:
        flags.answer_penalty(g, call)
        return clock.MAGIC
    if window == p.MAGIC_CHOICE:
        add_magic(g, call - p.MAGIC_0)
        return clock.SETTLE
    return clock.answer_clock(m, g, call)


# --- Questions and steps -------------------------------------------------------------


@rule
def question(m: Match, g: Position) -> int:
    """Return the question of the open window, or else that of the phase."""
    if g.window != p.NONE:
        return p.OVER + g.window
    return g.phase


@rule
def team_to_act(m: Match, g: Position) -> int:
    """Return the team that decides: the team with the ball for most questions."""
    if g.window == p.HOME_QUARTERBACK:
        return HOME
    if g.window == p.AWAY_QUARTERBACK:
        return AWAY
    if g.window == p.PENALTY_CHOICE:
        return flags.offended_team(g)
    if (
        g.window == p.PUNT_CHOICE
        or g.window == p.END_ZONE_CHOICE
        or g.window == p.OTHER_CLOCK_CHOICE
    ):
        return 1 - g.possession
    return g.possession


@rule
def refusal(m: Match, g: Position, call: int) -> int:
    """Return why this call is not allowed, or LEGAL."""
    if call == p.TIMEOUT:
        return LEGAL if g.timeouts[team_to_act(m, g)] > 0 else NO_TIMEOUTS
    if call == p.SPIKE:
        return LEGAL if g.phase == p.SCRIMMAGE else ILLEGAL
    if call == p.REPLACE_QB:
        again = m.new_quarterbacks == p.TWICE
        return LEGAL if again or g.new_qb[team_to_act(m, g)] < 0 else REPLACED
    if scrimmage.is_fake(call):
        return FAKE_USED if g.fake_used[g.possession] else LEGAL
    if call > p.MAGIC_0:
        most = min(g.magic[g.possession], 100 - g.at)
        return LEGAL if call - p.MAGIC_0 <= most else TOO_MUCH_MAGIC
    return LEGAL


@rule
def step(m: Match, g: Position, call: int) -> None:
    """Play one call with all the dice that follow it, stage by stage."""
    stage = answer(m, g, call)
    if stage == clock.ACTION:
        stage = end_action(m, g)
    if stage == clock.MAGIC:
        stage = offer_magic(g)
    if stage == clock.SETTLE:
        stage = settle_play(m, g)
    if stage != clock.ASK:
        clock.end_play(m, g, stage)


# --- Windows that are worth a prompt ---------------------------------------------------
#
# A window passes by itself where no coach would give another answer. `ask always` prompts for
# every window.

END_OF_HALF_NUMBERS = 10  # numbers left from which clock management matters


@rule
def should_prompt(m: Match, g: Position) -> bool:
    """Return whether the open window can matter; windows not listed here always do."""
    if g.window == p.SIDELINE_CHOICE:
        return clock.ends_half(g) and g.clock <= clock.LATE_NUMBERS
    if g.window == p.MAGIC_CHOICE:
        return magic_matters(g)
    if g.window == p.CLOCK_CHOICE:
        return clock_matters(g, g.possession)
    if g.window == p.OTHER_CLOCK_CHOICE:
        return clock_matters(g, 1 - g.possession)
    return True


@rule
def magic_matters(g: Position) -> bool:
    """R15: return whether the remaining yards can reach a score or first down, or undo a safety."""
    most = min(g.magic[g.possession], p.MAX_MAGIC_YARDS)
    if g.at + most >= 100:
        return True
    if g.phase == p.TRY:
        return False
    if g.at <= 0:
        return g.at + most > 0
    line = g.spot + g.to_go
    return g.at < line <= g.at + most


@rule
def clock_matters(g: Position, team: int) -> bool:
    """R73: near the end of a half; in the last quarter only for a team that is not well ahead."""
    if not clock.ends_half(g) or g.clock > END_OF_HALF_NUMBERS:
        return False
    return g.period < LAST_QUARTER or g.score[team] - g.score[1 - team] <= ONE_SCORE_POINTS
