"""Calls at real positions, from the stored tables of a pairing.

`judge_calls` sets what each call is worth to the team to act, `choose_call` picks one: hidden calls
are drawn from the equilibrium mix. What the model knows nothing of is answered as `book` does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hashmark.engine.effects import draw
from hashmark.engine.record import HOME
from hashmark.games.data_driven import coaches, rules
from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven import pairing_plays as plays
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.clock import LAST_QUARTER, is_late
from hashmark.games.data_driven.pairing_mix import (
    COLD_ITERATIONS,
    FORMATION_COUNT,
    PLAY_COUNT,
    PLAY_MIX,
    bound_value,
    pay_formations,
    refine_mixes,
)
from hashmark.games.data_driven.penalties import (
    FIRST_DOWN,
    is_offensive,
    walk_back,
    walk_forward,
    yards_of,
)
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import (
    EXTRA_POINT_POINTS,
    FIELD_GOAL_POINTS,
    SAFETY_POINTS,
    TOUCHDOWN_POINTS,
    TRY_SPOT,
    TWO_POINT_POINTS,
)

UNKNOWN = -1.0  # worth of a call that the model does not judge
DRAWS = 1 << 20  # a mix is drawn in parts of this many
EQUAL = 1e-5  # chances closer than this are the same
TIMEOUT_PRICE = 0.01  # what saving 30 seconds must be worth while time-outs are not in the state
TIMEOUT_PRICE_IN_HALF = 0.002  # the same in the first half, after which they are restored
AUDIBLE_PRICE = 0.012  # what escaping a bad matchup must be worth
SCALED, ONE = 0, 1  # places in `Pairing.scale`
SECONDS_BETWEEN_PLAYS = 58  # of one team
SAVING_PASSES, SAVING_ITERATIONS = 24, 10
SAVING_RATE = 0.15  # price of a play by what it exceeds its limit, in parts of the matrix's range
TOLERATED_EXCESS = 0.02
HIDDEN_QUARTERS, JUDGES_THE_REST = range(2)  # places in a coach's level
QUARTERS = 4
EXPLOITS = 5  # instead of hidden calls in four: answers the equilibrium with the best call


class Policy(NamedTuple):
    """Stored tables of a pairing, and what a coach needs to call with them."""

    values: plays.Values
    pairing: plays.Pairing
    index: Any  # table by period of play, moment and state of time-outs
    periods: Any  # by period of play: its steps, boundary, and last moment stored one by one
    kickoffs: Any  # results by kind of free kick, kicking team, kick
    punts: Any  # results by punting team, shortened by, spot
    returns_kick: Any  # by team and start of the return
    lets_roll: Any  # by team and start
    when: Any
    memory: Any
    shares: Any
    rates: Any
    saving_shares: Any
    saving_rates: Any
    prices: Any  # of plays of which few calls are left
    work: plays.Work
    worths: Any  # of calls, for the team to act


# --- Where a position is in the tables -------------------------------------------------------


def period_of_play(g: Position) -> int:
    """Return the period of play; a reply in overtime counts as the last drive of a game."""
    if g.period > LAST_QUARTER:
        level = g.score[0] == g.score[1]
        return grid.OVERTIME_PERIOD if level else grid.SECOND_HALF
    if g.period > 2:
        return grid.SECOND_HALF
    return grid.HOME_KICKS_SECOND if g.received_first != 1 else grid.AWAY_KICKS_SECOND


def moment_of(m: Match, g: Position) -> int:
    """Return the steps left in the half or overtime."""
    seconds = g.clock
    if g.period == 1 or g.period == 3:
        seconds += m.quarter_seconds
    moment = (seconds + grid.STEP_SECONDS - 1) // grid.STEP_SECONDS
    if g.period > LAST_QUARTER and g.score[0] != g.score[1]:
        return min(moment, grid.TIMEOUT_STEPS)
    return moment


def home_lead(g: Position) -> int:
    """Return the place of home's lead on its axis."""
    return plays.nearest_lead(g.score[0] - g.score[1] + grid.MAX_LEAD)


def table_at(b: Policy, g: Position, period: int, moment: int) -> int:
    """Return the table of a moment with the time-outs left."""
    state = 4 * g.timeouts[0] + g.timeouts[1]
    return int(b.index[period, min(moment, b.periods[period, 0]), state])


def moment_after(b: Policy, period: int, moment: int, steps: int) -> int:
    """R103: Return the moment after a play, which ends with its quarter."""
    floor = b.periods[period, 1] if moment > b.periods[period, 1] else 0
    return max(moment - steps, floor)


def set_when(m: Match, g: Position, b: Policy) -> None:
    """Set the tables that the next play leads to."""
    period, moment = period_of_play(g), moment_of(m, g)
    is_fine = moment <= b.periods[period, 2]
    for steps in range(1, 5):
        after = moment_after(b, period, moment, steps) if is_fine else moment
        b.when[steps - 1] = table_at(b, g, period, after)
    b.when[plays.LATE] = 1 if is_late(g) else 0
    short = moment_after(b, period, moment, 1)
    for team in range(2):
        b.when[plays.HOME_TIMEOUT + team] = -1
        counted = period == grid.SECOND_HALF and 0 < moment <= grid.TIMEOUT_STEPS
        if counted and g.timeouts[team] > 0 and g.period <= LAST_QUARTER:
            state = 4 * g.timeouts[0] + g.timeouts[1] - (4 if team == HOME else 1)
            b.when[plays.HOME_TIMEOUT + team] = b.index[period, short, state]


# --- Worths, as the offense sees them --------------------------------------------------------


def of_ball(b: Policy, g: Position, n: int, team: int, down: int, to_go: int, spot: int) -> float:
    """Return what it is worth to the offense that a team has the ball in a situation."""
    plays.read_state(
        b.work.other,
        0,
        b.values,
        b.pairing,
        n,
        team,
        down,
        to_go,
        spot,
        g.possession,
        home_lead(g),
        1,
    )
    return float(b.work.other[0, 0])


def of_score(b: Policy, g: Position, table: Any, n: int, team: int, points: int) -> float:
    """Return what a table by team is worth to the offense after it has scored points."""
    plays.read_score(
        b.work.other, 0, table, b.pairing, n, team, points, g.possession, home_lead(g), 1
    )
    return float(b.work.other[0, 0])


def of_result(b: Policy, g: Position, n: int, team: int, result: int) -> float:
    """Return what a result of a kick, as a team sees it, is worth to the offense."""
    sign = 1 if team == g.possession else -1
    if result < grid.OTHER_BALL:
        return of_ball(b, g, n, team, 1, 10, result + 1)
    if result < grid.OWN_TOUCHDOWN:
        return of_ball(b, g, n, 1 - team, 1, 10, result - grid.OTHER_BALL + 1)
    if result == grid.OWN_TOUCHDOWN:
        return of_score(b, g, b.values.tries, n, team, sign * TOUCHDOWN_POINTS)
    if result == grid.OTHER_TOUCHDOWN:
        return of_score(b, g, b.values.tries, n, 1 - team, -sign * TOUCHDOWN_POINTS)
    if result == grid.OWN_SAFETY:
        return of_score(b, g, b.values.safety_kicks, n, team, -sign * SAFETY_POINTS)
    return of_score(b, g, b.values.safety_kicks, n, 1 - team, sign * SAFETY_POINTS)


def of_kickoff(b: Policy, g: Position, kick: int) -> float:
    """Return what a free kick is worth to the kicking team."""
    kind = 1 if g.phase == p.SAFETY_KICK else 0
    total = 0.0
    for result in range(grid.RESULTS):
        chance = b.kickoffs[kind, g.possession, kick, result]
        if chance > 0:
            total += chance * of_result(b, g, b.when[plays.SHORT], 1 - g.possession, result)
    return total


def of_punt(b: Policy, g: Position, number: int) -> float:
    """Return what a punt, shortened or not, is worth."""
    total = 0.0
    for result in range(grid.RESULTS):
        chance = b.punts[g.possession, number, g.spot - 1, result]
        if chance > 0:
            total += chance * of_result(b, g, b.when[plays.SHORT], g.possession, result)
    return total


def of_running_clock(b: Policy, g: Position, down: int, to_go: int, spot: int) -> float:
    """Return what a situation is worth while the clock runs."""
    plays.read_running(
        b.work.running,
        0,
        b.values,
        b.pairing,
        b.when,
        down,
        to_go,
        spot,
        g.possession,
        home_lead(g),
        1,
        b.work.other,
    )
    return float(b.work.running[0, 0])


def of_next_down(b: Policy, g: Position, at: int) -> float:
    """Return what the ball is worth at a spot after this down, with a stopped clock."""
    n, gain = b.when[plays.SHORT], at - g.spot
    if gain >= g.to_go:
        return of_ball(b, g, n, g.possession, 1, 10, at)
    if g.down == 4:
        return of_ball(b, g, n, 1 - g.possession, 1, 10, 100 - at)
    return of_ball(b, g, n, g.possession, g.down + 1, g.to_go - gain, at)


def of_declined(m: Match, b: Policy, g: Position) -> float:
    """Return what the play as it ended is worth."""
    n, own = b.when[plays.SHORT], g.holder == g.possession
    sign = 1 if own else -1
    if g.result == p.ENDS_TOUCHDOWN:
        return of_score(b, g, b.values.tries, n, g.holder, sign * TOUCHDOWN_POINTS)
    if g.result == p.ENDS_SAFETY:
        return of_score(b, g, b.values.safety_kicks, n, g.holder, -sign * SAFETY_POINTS)
    if g.result == p.ENDS_GOOD:
        return of_score(b, g, b.values.kickoffs, n, g.possession, FIELD_GOAL_POINTS)
    if g.result == p.ENDS_TOUCHBACK:
        return of_ball(b, g, n, g.holder, 1, 10, m.touchback_spot)
    if g.result == p.ENDS_INCOMPLETE:
        return of_next_down(b, g, g.spot)
    if own and g.changes == 0:
        return of_next_down(b, g, g.at)
    return of_ball(b, g, n, g.holder, 1, 10, g.at)


def of_accepted(b: Policy, g: Position) -> float:
    """Return what the down is worth after the penalty."""
    n, yards = b.when[plays.SHORT], yards_of(g.foul, g.foul_yards)
    if g.foul == p.HOLDING:
        return of_score(b, g, b.values.safety_kicks, n, g.possession, -SAFETY_POINTS)
    at = min(g.spot + yards, 99)
    if is_offensive(g.foul):
        at = walk_back(g.spot, yards)
    elif g.foul != p.PI:
        at = walk_forward(g.spot, yards)
    left = g.to_go - (at - g.spot)
    if FIRST_DOWN[g.foul] or left <= 0:
        return of_ball(b, g, n, g.possession, 1, 10, at)
    return of_ball(b, g, n, g.possession, g.down, left, at)


# --- Hidden calls ----------------------------------------------------------------------------


def solve_hidden_calls(m: Match, g: Position, b: Policy) -> float:
    """Solve the matrix of the position; return its value to the offense.

    The mixes of both teams end in the work space.
    """
    w = b.work
    for play in range(PLAY_COUNT):
        w.legal[play] = 1 if rules.refuse_play(m, g, play) == rules.LEGAL else 0
    if g.phase == p.TRY:
        plays.fill_two_point_matrix(b.pairing, g.possession, w)
    else:
        plays.fill_matrix(
            b.values, b.pairing, b.when, g.possession, g.spot, g.down, g.to_go, home_lead(g), 1, w
        )
    for row in range(b.memory.shape[1]):
        b.memory[0, row, 0] = 0
    refine_mixes(b.memory, 0, w.matrix, 1, w, COLD_ITERATIONS, b.shares, b.rates)
    if m.max_usage and g.phase == p.SCRIMMAGE:
        save_plays(m, g, b)
    bound_value(b.memory, 0, w.matrix, 1, w, w.low, w.high)
    return float(w.low[0] + w.high[0]) / 2


def save_plays(m: Match, g: Position, b: Policy) -> None:
    """R109: Make plays of which few calls are left rarer in the mix.

    A play is called at most as often as its calls last to the end of the game. Each pass puts a
    price on the plays that exceed it.
    """
    w = b.work
    seconds = g.clock + max(LAST_QUARTER - g.period, 0) * m.quarter_seconds
    plays_left = 1.0 + seconds / SECONDS_BETWEEN_PLAYS
    span = 0.0
    for play in range(PLAY_COUNT):
        b.prices[play] = 0.0
        if w.legal[play]:
            for formation in range(FORMATION_COUNT):
                span = max(span, abs(w.matrix[play, formation, 0] - w.matrix[0, 0, 0]))
    for _ in range(SAVING_PASSES):
        is_exceeded = False
        for play in range(PLAY_COUNT):
            left = g.usage[g.possession][play]
            if w.legal[play] == 0 or left == p.NO_LIMIT:
                continue
            excess = b.memory[0, PLAY_MIX + play, 0] - left / plays_left
            before = b.prices[play]
            b.prices[play] = max(before + SAVING_RATE * span * excess, 0.0)
            is_exceeded = is_exceeded or excess > TOLERATED_EXCESS
            for formation in range(FORMATION_COUNT):
                w.matrix[play, formation, 0] -= b.prices[play] - before
        if not is_exceeded:
            break
        refine_mixes(
            b.memory, 0, w.matrix, 1, w, SAVING_ITERATIONS, b.saving_shares, b.saving_rates
        )


def draw_from(g: Position, mix: Any, count: int, fallback: int) -> int:
    """Draw a call from a mix."""
    drawn = draw(g, DRAWS) / DRAWS
    total = 0.0
    for call in range(count):
        total += mix[call, 0]
        if drawn < total:
            return call
        if mix[call, 0] > 0:
            fallback = call
    return fallback


# --- Judging calls ---------------------------------------------------------------------------


def judge_plays(m: Match, g: Position, b: Policy) -> float:
    """Judge the calls of a down; return the value of the hidden ones.

    Each play is judged against the defense's equilibrium mix.
    """
    value = UNKNOWN
    if rules.has_play(m, g):
        value = solve_hidden_calls(m, g, b)
        for play in range(PLAY_COUNT):
            if b.work.legal[play]:
                b.worths[play] = b.work.pay[play, 0]
    if g.phase == p.TRY:
        return value
    if value == UNKNOWN:  # the outcomes of a kneel-down are needed all the same
        plays.fill_outcomes(
            b.values,
            b.pairing,
            b.when,
            g.possession,
            g.spot,
            g.down,
            g.to_go,
            home_lead(g),
            1,
            b.work,
        )
    b.worths[p.KNEEL] = b.work.running[grid.LOSS_OF_ONE, 0]
    b.worths[p.SAFETY] = of_score(
        b, g, b.values.safety_kicks, b.when[plays.SHORT], g.possession, -SAFETY_POINTS
    )
    b.worths[p.PUNT] = of_punt(b, g, 0)
    for number in range(1, len(grid.PUNTS)):
        b.worths[p.FIRST_POOCH + grid.PUNTS[number] - 1] = of_punt(b, g, number)
    if rules.refusal(m, g, p.FIELD_GOAL) == rules.LEGAL:
        plays.read_field_goal(
            b.values, b.pairing, b.when, g.possession, g.spot, home_lead(g), 1, b.work
        )
        b.worths[p.FIELD_GOAL] = b.work.other[0, 0]
    return value


def judge_formations(m: Match, g: Position, b: Policy) -> None:
    """Judge each formation against the offense's equilibrium mix."""
    solve_hidden_calls(m, g, b)
    for formation in range(FORMATION_COUNT):
        worth = 0.0
        for play in range(PLAY_COUNT):
            if b.work.legal[play]:
                worth += b.work.row_mix[play, 0] * b.work.matrix[play, formation, 0]
        b.worths[p.FIRST_FORMATION + formation] = 1.0 - worth


def judge_try(m: Match, g: Position, b: Policy) -> None:
    """R68: Judge the two tries; neither takes time."""
    n = table_at(b, g, period_of_play(g), moment_of(m, g))
    failed = of_score(b, g, b.values.kickoffs, n, g.possession, 0)
    if rules.refusal(m, g, p.EXTRA_POINT) == rules.LEGAL:
        good = of_score(b, g, b.values.kickoffs, n, g.possession, EXTRA_POINT_POINTS)
        chance = b.pairing.tries[g.possession, 0]
        if g.spot < TRY_SPOT:
            chance = b.pairing.field_goals[g.possession, 100 - g.spot]
        b.worths[p.EXTRA_POINT] = failed + chance * (good - failed)
    if rules.refusal(m, g, p.TWO_POINT) == rules.LEGAL:
        good = of_score(b, g, b.values.kickoffs, n, g.possession, TWO_POINT_POINTS)
        b.worths[p.TWO_POINT] = failed + b.pairing.tries[g.possession, 1] * (good - failed)


def judge_timeout(m: Match, g: Position, b: Policy) -> None:
    """R94: Judge a time-out against letting the clock run."""
    is_offense = g.asks == p.ASK_OFFENSE_TIMEOUT
    team = g.possession if is_offense else 1 - g.possession
    saved = b.when[plays.HOME_TIMEOUT + team]
    price = 0.0
    if saved < 0:
        saved = b.when[plays.SHORT]
        price = TIMEOUT_PRICE if g.period > 2 else TIMEOUT_PRICE_IN_HALF
    b.when[plays.HOME_TIMEOUT + team] = -1
    run = of_running_clock(b, g, g.down, g.to_go, g.spot)
    stopped = of_ball(b, g, saved, g.possession, g.down, g.to_go, g.spot)
    b.worths[p.LET_IT_RUN] = run if is_offense else 1.0 - run
    b.worths[p.TIMEOUT] = (stopped if is_offense else 1.0 - stopped) - price


def judge_tempo(m: Match, g: Position, b: Policy) -> None:
    """R95, R96: Judge the tempo."""
    for place in range(2):
        b.when[plays.HOME_TIMEOUT + place] = -1
    running = b.when[plays.RUNNING]
    b.worths[p.LET_IT_RUN] = of_ball(b, g, running, g.possession, g.down, g.to_go, g.spot)
    if rules.refusal(m, g, p.HURRY_UP) == rules.LEGAL:
        b.worths[p.HURRY_UP] = of_ball(
            b, g, b.when[plays.HURRIED], g.possession, g.down, g.to_go, g.spot
        )
    b.worths[p.SPIKE] = of_next_down(b, g, g.spot)


def judge_penalty(m: Match, g: Position, b: Policy) -> None:
    """R73: Judge accepting and declining for the offended team."""
    accepted, declined = of_accepted(b, g), of_declined(m, b, g)
    own = is_offensive(g.foul)  # then the defense is asked
    b.worths[p.ACCEPT] = 1.0 - accepted if own else accepted
    b.worths[p.DECLINE] = 1.0 - declined if own else declined


def sees_both_calls(m: Match, g: Position) -> bool:
    """R112: Return whether an audible is offered on the board, where both calls are revealed."""
    is_audible = g.asks == p.ASK_OFFENSE_AUDIBLE or g.asks == p.ASK_DEFENSE_AUDIBLE
    return is_audible and g.phase == p.SCRIMMAGE and m.audibles == p.AUDIBLES_BOARD


def judge_audible(m: Match, g: Position, b: Policy) -> None:
    """R112: Judge calling again against the calls as revealed."""
    value = solve_hidden_calls(m, g, b)
    cell = b.work.matrix[g.play, g.formation, 0]
    is_offense = g.asks == p.ASK_OFFENSE_AUDIBLE
    b.worths[p.STAND] = cell if is_offense else 1.0 - cell
    if rules.refusal(m, g, p.AUDIBLE) == rules.LEGAL:
        b.worths[p.AUDIBLE] = (value if is_offense else 1.0 - value) - AUDIBLE_PRICE


def judge_fumble_return(m: Match, g: Position, b: Policy) -> None:
    """R45: Judge returning a recovered fumble against falling on it."""
    n, sees = b.when[plays.SHORT], g.holder == g.possession
    plays.read_start(
        b.work.other,
        0,
        b.values.fumbles,
        b.pairing,
        n,
        g.holder,
        g.start - grid.FIRST_START,
        g.possession,
        home_lead(g),
        1,
    )
    returned = b.work.other[0, 0]
    fallen_on = of_ball(b, g, n, g.holder, 1, 10, g.start)
    b.worths[p.RETURN] = returned if sees else 1.0 - returned
    b.worths[p.FALL_ON_IT] = fallen_on if sees else 1.0 - fallen_on


def judge_calls(m: Match, g: Position, b: Policy) -> None:
    """Set what each call is worth to the team to act; UNKNOWN for what the model leaves out."""
    for call in range(len(p.CALLS)):
        b.worths[call] = UNKNOWN
    set_when(m, g, b)
    if g.asks == p.ASK_PLAY:
        judge_plays(m, g, b)
    elif g.asks == p.ASK_FORMATION:
        judge_formations(m, g, b)
    elif g.asks == p.ASK_KICK:
        for kick in range(grid.KICKS):
            if rules.refusal(m, g, p.KICK_OFF + kick) == rules.LEGAL:
                b.worths[p.KICK_OFF + kick] = of_kickoff(b, g, kick)
    elif g.asks == p.ASK_TRY:
        judge_try(m, g, b)
    elif g.asks == p.ASK_OFFENSE_TIMEOUT or g.asks == p.ASK_DEFENSE_TIMEOUT:
        judge_timeout(m, g, b)
    elif g.asks == p.ASK_TEMPO:
        judge_tempo(m, g, b)
    elif g.asks == p.ASK_PENALTY and g.phase == p.SCRIMMAGE:
        judge_penalty(m, g, b)
    elif g.asks == p.ASK_FUMBLE_RETURN and g.phase == p.SCRIMMAGE:
        judge_fumble_return(m, g, b)
    elif sees_both_calls(m, g):
        judge_audible(m, g, b)


# --- Choosing --------------------------------------------------------------------------------


def best_known(m: Match, g: Position, b: Policy, default: int) -> int:
    """Return the judged call that is worth most, the default unless another is better."""
    best = default
    highest = b.worths[default] + EQUAL
    for call in range(len(p.CALLS)):
        if b.worths[call] > highest:
            best, highest = call, b.worths[call]
    return best


def best_answer(pay: Any, legal: Any, count: int, highest: bool) -> int:
    """Return the call that gains most against the other team's mix."""
    best = -1
    for call in range(count):
        if legal[call]:
            better = pay[call, 0] > pay[best, 0] if highest else pay[call, 0] < pay[best, 0]
            if best < 0 or better:
                best = call
    return best


def choose_play(m: Match, g: Position, b: Policy, level: Any) -> int:
    """Return a hidden call from the mix, or the kick or kneel-down that is worth more."""
    set_when(m, g, b)
    for call in range(len(p.CALLS)):
        b.worths[call] = UNKNOWN
    value = judge_plays(m, g, b)
    if value != UNKNOWN:
        for play in range(PLAY_COUNT):
            b.worths[play] = UNKNOWN
    other = best_known(m, g, b, p.KNEEL)
    if value == UNKNOWN or (b.worths[other] > value + EQUAL and g.phase != p.TRY):
        return other
    if level[HIDDEN_QUARTERS] == EXPLOITS:
        return best_answer(b.work.pay, b.work.legal, PLAY_COUNT, True)
    return draw_from(g, b.work.row_mix, PLAY_COUNT, 0)


def choose_by_values(m: Match, g: Position, b: Policy, level: Any) -> int:
    """Return the call that is worth most; what the model leaves out is answered as `book` does."""
    if g.asks == p.ASK_PLAY:
        return choose_play(m, g, b, level)
    if g.asks == p.ASK_FORMATION:
        set_when(m, g, b)
        solve_hidden_calls(m, g, b)
        if level[HIDDEN_QUARTERS] == EXPLOITS:
            w = b.work
            pay_formations(w.matrix, w.legal, w.row_mix, 1, w.pay)
            return p.FIRST_FORMATION + best_answer(w.pay, w.all_legal, FORMATION_COUNT, False)
        return p.FIRST_FORMATION + draw_from(g, b.work.column_mix, FORMATION_COUNT, 0)
    if g.asks == p.ASK_KICK_RETURN:
        returned = b.returns_kick[1 - g.possession, g.start - grid.FIRST_START]
        return p.RETURN if returned else p.TOUCHBACK
    if g.asks == p.ASK_ROLL_OR_RETURN:
        return p.LET_IT_ROLL if b.lets_roll[1 - g.possession, g.start] else p.RETURN
    is_audible = g.asks == p.ASK_OFFENSE_AUDIBLE or g.asks == p.ASK_DEFENSE_AUDIBLE
    if is_audible and not sees_both_calls(m, g):
        return p.STAND
    usual = coaches.book(m, g)
    judge_calls(m, g, b)
    return best_known(m, g, b, usual) if b.worths[usual] != UNKNOWN else usual


def choose_call(m: Match, g: Position, b: Policy, level: Any) -> int:
    """Return the call of a coach of any level."""
    is_hidden = g.asks == p.ASK_PLAY or g.asks == p.ASK_FORMATION
    if is_hidden:
        follows_book = level[HIDDEN_QUARTERS] < QUARTERS and (
            draw(g, QUARTERS) >= level[HIDDEN_QUARTERS]
        )
    else:
        follows_book = level[JUDGES_THE_REST] == 0
    return coaches.book(m, g) if follows_book else choose_by_values(m, g, b, level)


# --- Values ----------------------------------------------------------------------------------


def worth_to_home(m: Match, g: Position, b: Policy) -> float:
    """Return home's chance of winning, a tie counted as half a win."""
    set_when(m, g, b)
    period, moment = period_of_play(g), moment_of(m, g)
    n = table_at(b, g, period, moment)
    if g.asks == p.ASK_COIN or g.asks == p.ASK_TOSS:
        return worth_before_toss(g, b)
    if g.phase == p.TRY:
        worth = of_score(b, g, b.values.tries, n, g.possession, 0)
    elif g.phase == p.KICKOFF:
        worth = of_score(b, g, b.values.kickoffs, n, g.possession, 0)
    elif g.phase == p.SAFETY_KICK:
        worth = of_score(b, g, b.values.safety_kicks, n, g.possession, 0)
    elif g.asks in (p.ASK_OFFENSE_TIMEOUT, p.ASK_DEFENSE_TIMEOUT, p.ASK_TEMPO):
        worth = of_running_clock(b, g, g.down, g.to_go, g.spot)
    elif g.asks == p.ASK_PENALTY:
        accepted, declined = of_accepted(b, g), of_declined(m, b, g)
        own = is_offensive(g.foul)
        worth = min(accepted, declined) if own else max(accepted, declined)
    else:
        worth = of_ball(b, g, n, g.possession, g.down, g.to_go, g.spot)
    return worth if g.possession == HOME else 1.0 - worth


def worth_before_toss(g: Position, b: Policy) -> float:
    """R106: Return home's chance before the toss: the winner receives."""
    total = 0.0
    for kicker in range(2):
        period = grid.HOME_KICKS_SECOND if kicker == 1 else grid.AWAY_KICKS_SECOND
        if g.period > LAST_QUARTER:
            period = grid.OVERTIME_PERIOD
        n = b.index[period, b.periods[period, 0], grid.ALL_TIMEOUTS]
        total += b.pairing.scale[0] * b.values.kickoffs[n, kicker, home_lead(g)]
    return total / 2


FUNCTIONS = (
    period_of_play,
    moment_of,
    home_lead,
    table_at,
    moment_after,
    set_when,
    of_ball,
    of_score,
    of_result,
    of_kickoff,
    of_punt,
    of_running_clock,
    of_next_down,
    of_declined,
    of_accepted,
    solve_hidden_calls,
    save_plays,
    draw_from,
    judge_plays,
    judge_formations,
    judge_try,
    judge_timeout,
    judge_tempo,
    judge_penalty,
    sees_both_calls,
    judge_audible,
    judge_fumble_return,
    judge_calls,
    best_known,
    best_answer,
    choose_play,
    choose_by_values,
    choose_call,
    worth_before_toss,
    worth_to_home,
)
