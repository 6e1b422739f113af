"""Matrix of hidden calls at a situation of the pairing model, and the other calls of a down.

The same functions serve the sweep, which handles all leads at once, and a coach, who asks for the
lead of his game. Tables hold home's chance of winning, work space the offense's. `when` holds the
numbers of the tables that a play leads to (see `WHEN_FIELDS`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven.charts.layout import CHAINS, GOAL_2
from hashmark.games.data_driven.pairing_grid import (
    FIRST_AND_TEN,
    FIRST_FUMBLE,
    FIRST_INTERCEPTION,
    FIRST_START,
    FUMBLE_YARDS,
    GAINS,
    INCOMPLETE,
    INTERCEPTION_YARDS,
    LEADS,
    LOSS_OF_ONE,
    OUTCOMES,
    TOUCHDOWN,
)
from hashmark.games.data_driven.pairing_mix import FORMATION_COUNT, PLAY_COUNT
from hashmark.games.data_driven.short_field import (
    SHORT_FIELD_FROM,
    chart_situation,
    is_short_yardage,
    line_to_reach,
)
from hashmark.games.data_driven.tables import (
    DEDUCTION_FROM,
    DRAW,
    END_LINE,
    FIELD_GOAL_POINTS,
    LONG_PASS,
    NO_DRAW_FROM,
    NO_LONG_PASS_FROM,
    SAFETY_POINTS,
    SCREEN,
    TOUCHDOWN_POINTS,
    TRY_SPOT,
)

# Places in `when`: the tables 10, 20, 30 and 40 seconds later, those 10 seconds later with one
# time-out less of home and of away (-1: none left), and whether out of bounds stops the clock.
SHORT, HURRIED, THIRD, RUNNING, HOME_TIMEOUT, AWAY_TIMEOUT, LATE = range(7)
WHEN_FIELDS = 7
GOAL_TO_GO_FROM = 90
HOLDING_SPOT = 5  # R78: on or inside it, holding on a pass is a safety
MIN_MISS_SPOT = 20


class Pairing(NamedTuple):
    """What is fixed for two teams: outcome distributions and constants of the match."""

    begins: Any  # first entry of an offense's variant, play and formation in the two lists
    outcomes: Any
    chances: Any
    used: Any  # whether a play of an offense has an outcome
    out_shares: Any  # share of an outcome of a play that ends out of bounds
    flags: Any  # chances of flags by offense and play
    interference: Any  # yards of pass interference by offense and play
    kept_fumbles: Any  # by team
    field_goals: Any  # chance by team and yards to the goal line
    tries: Any  # chances by team: extra point, two-point try
    hurries: Any  # whether a team has a hurry-up quota
    spot_below: Any  # interpolation: by spot, and by down and yards to go
    spot_shares: Any
    situation_below: Any
    situation_shares: Any
    check_counts: Any  # E1, E2: cells by situation and kind of play, with kind, yards, chance
    check_kinds: Any
    check_yards: Any
    check_chances: Any
    constants: Any  # see `CONSTANTS`
    scale: Any  # of numbers in tables


# Places in `constants`.
DEDUCTS, MISS_DEPTH, TOUCHBACK, THIRD_IS_SHORT, HOLDING_IS_SAFETY, SHORT_FIELD = range(6)
CONSTANTS = 6
SHORTENED, CAPPED, BROKEN_UP = range(3)  # in `check_kinds`
SPARE = OUTCOMES  # a row of `running` and `stopped` beyond the outcomes
MAX_CHECKS = 12  # different cells of a short-field chart


class Place(NamedTuple):
    """What the short field depends on, named as in a position."""

    spot: int
    down: int
    to_go: int


class Values(NamedTuple):
    """Home's chance of winning; the first index of each table is the moment."""

    chances: Any  # by team with the ball, situation, spot and lead
    interceptions: Any  # by team, start of its return and lead
    fumbles: Any
    punts: Any  # by punting team, spot and lead
    kickoffs: Any  # by kicking team and lead
    safety_kicks: Any
    tries: Any  # by scoring team and lead, the touchdown counted


class Work(NamedTuple):
    """Work space for one thread."""

    open_running: Any  # worth of each outcome by lead before the short field is checked
    open_stopped: Any
    checked: Any  # worth of where a check stops a gain, running and stopped in turn
    running: Any  # worth of each outcome by lead if the clock runs on
    stopped: Any  # the same if it is stopped
    worth: Any  # the same with the flags of a play
    enforced: Any  # worth of the down after each flag
    walked_5: Any
    walked_15: Any
    matrix: Any
    row_mix: Any
    column_mix: Any
    pay: Any
    total: Any
    other: Any
    low: Any
    high: Any
    legal: Any
    all_legal: Any


# --- Reading tables ------------------------------------------------------------------------


def nearest_lead(lead: int) -> int:
    """Return a place on the axis of leads, at its end for what is beyond it."""
    return min(max(lead, 0), LEADS - 1)


def read_state(
    out: Any,
    row: int,
    v: Values,
    s: Pairing,
    n: int,
    team: int,
    down: int,
    to_go: int,
    spot: int,
    offense: int,
    first: int,
    leads: int,
) -> None:
    """Read what it is worth to the offense that a team has the ball in a situation."""
    if down == 1 and (to_go == 10 or spot + to_go >= 100):
        low, share = FIRST_AND_TEN, s.situation_shares[1, 10, 0]
        high = low
        rest = s.situation_shares[1, 10, 1]
    else:
        yards = min(to_go, 100 - spot)
        low = s.situation_below[down, yards]
        share = s.situation_shares[down, yards, 0]
        rest = s.situation_shares[down, yards, 1]
        high = low + (1 if rest > 0 else 0)
    place = s.spot_below[spot]
    near, far = s.spot_shares[spot, 0], s.spot_shares[spot, 1]
    beyond = place + (1 if far > 0 else 0)
    scale = s.scale[0]
    a, b = share * near * scale, share * far * scale
    c, d = rest * near * scale, rest * far * scale
    if rest > 0:
        for lead in range(leads):
            out[row, lead] = (
                a * v.chances[n, team, low, place, first + lead]
                + b * v.chances[n, team, low, beyond, first + lead]
                + c * v.chances[n, team, high, place, first + lead]
                + d * v.chances[n, team, high, beyond, first + lead]
            )
    elif far > 0:
        for lead in range(leads):
            out[row, lead] = (
                a * v.chances[n, team, low, place, first + lead]
                + b * v.chances[n, team, low, beyond, first + lead]
            )
    else:
        for lead in range(leads):
            out[row, lead] = a * v.chances[n, team, low, place, first + lead]
    turn(out, row, s, offense, leads)


def turn(out: Any, row: int, s: Pairing, offense: int, leads: int) -> None:
    """Turn home's chances into the offense's."""
    if offense == 1:
        one = s.scale[1]
        for lead in range(leads):
            out[row, lead] = one - out[row, lead]


def read_score(
    out: Any,
    row: int,
    table: Any,
    s: Pairing,
    n: int,
    team: int,
    points: int,
    offense: int,
    first: int,
    leads: int,
) -> None:
    """Read a table by team and lead after the offense has scored points."""
    shift = -points if offense == 1 else points
    scale = s.scale[0]
    for lead in range(leads):
        out[row, lead] = scale * table[n, team, nearest_lead(first + lead + shift)]
    turn(out, row, s, offense, leads)


def read_start(
    out: Any,
    row: int,
    table: Any,
    s: Pairing,
    n: int,
    team: int,
    place: int,
    offense: int,
    first: int,
    leads: int,
) -> None:
    """Read a table by team, place and lead."""
    scale = s.scale[0]
    for lead in range(leads):
        out[row, lead] = scale * table[n, team, place, first + lead]
    turn(out, row, s, offense, leads)


def read_running(
    out: Any,
    row: int,
    v: Values,
    s: Pairing,
    when: Any,
    down: int,
    to_go: int,
    spot: int,
    offense: int,
    first: int,
    leads: int,
    other: Any,
) -> None:
    """Read what a situation is worth while the clock runs: both teams may shorten the play."""
    read_state(out, row, v, s, when[RUNNING], offense, down, to_go, spot, offense, first, leads)
    if s.constants[THIRD_IS_SHORT] > 0:
        third = s.scale[2]
        read_state(other, 0, v, s, when[THIRD], offense, down, to_go, spot, offense, first, leads)
        for lead in range(leads):
            out[row, lead] += third * (other[0, lead] - out[row, lead])
    if s.hurries[offense] > 0 and when[HURRIED] != when[RUNNING]:
        read_state(other, 0, v, s, when[HURRIED], offense, down, to_go, spot, offense, first, leads)
        for lead in range(leads):
            out[row, lead] = max(out[row, lead], other[0, lead])
    saved = when[HOME_TIMEOUT + 1 - offense]
    if saved >= 0:
        read_state(other, 0, v, s, saved, offense, down, to_go, spot, offense, first, leads)
        for lead in range(leads):
            out[row, lead] = min(out[row, lead], other[0, lead])
    saved = when[HOME_TIMEOUT + offense]
    if saved >= 0:
        read_state(other, 0, v, s, saved, offense, down, to_go, spot, offense, first, leads)
        for lead in range(leads):
            out[row, lead] = max(out[row, lead], other[0, lead])


def copy_row(out: Any, row: int, source: Any, other: int, leads: int) -> None:
    """Copy the worths of one row to another."""
    for lead in range(leads):
        out[row, lead] = source[other, lead]


# --- Outcomes ------------------------------------------------------------------------------


def fill_ball(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    spot: int,
    down: int,
    to_go: int,
    gain: int,
    first: int,
    leads: int,
    w: Work,
    row: int,
    clock_runs: bool,
) -> None:
    """Fill in what it is worth to bring the ball to a spot, in bounds and with a stopped clock."""
    at = spot + gain
    now = when[SHORT]
    if at >= 100:
        read_score(
            w.stopped, row, v.tries, s, now, offense, TOUCHDOWN_POINTS, offense, first, leads
        )
    elif at <= 0:
        read_score(
            w.stopped, row, v.safety_kicks, s, now, offense, -SAFETY_POINTS, offense, first, leads
        )
    elif gain >= to_go:
        read_state(w.stopped, row, v, s, now, offense, 1, 10, at, offense, first, leads)
        if clock_runs:
            read_running(w.running, row, v, s, when, 1, 10, at, offense, first, leads, w.other)
            return
    elif down == 4:
        read_state(w.stopped, row, v, s, now, 1 - offense, 1, 10, 100 - at, offense, first, leads)
    else:
        read_state(
            w.stopped, row, v, s, now, offense, down + 1, to_go - gain, at, offense, first, leads
        )
        if clock_runs:
            read_running(
                w.running,
                row,
                v,
                s,
                when,
                down + 1,
                to_go - gain,
                at,
                offense,
                first,
                leads,
                w.other,
            )
            return
    copy_row(w.running, row, w.stopped, row, leads)


def fill_outcomes(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    spot: int,
    down: int,
    to_go: int,
    first: int,
    leads: int,
    w: Work,
) -> None:
    """Fill in what each outcome of a play is worth to the offense."""
    defense, now = 1 - offense, when[SHORT]
    for index in range(len(GAINS)):
        fill_ball(
            v, s, when, offense, spot, down, to_go, GAINS[index], first, leads, w, index, True
        )
    fill_ball(v, s, when, offense, spot, down, to_go, 0, first, leads, w, INCOMPLETE, False)
    fill_ball(v, s, when, offense, spot, down, to_go, 100, first, leads, w, TOUCHDOWN, False)
    for index in range(len(INTERCEPTION_YARDS)):
        row = FIRST_INTERCEPTION + index
        point = min(spot + INTERCEPTION_YARDS[index], END_LINE - 1)
        if point <= 0:
            read_score(
                w.stopped, row, v.tries, s, now, defense, -TOUCHDOWN_POINTS, offense, first, leads
            )
        else:
            place = 100 - point - FIRST_START
            read_start(
                w.stopped, row, v.interceptions, s, now, defense, place, offense, first, leads
            )
        copy_row(w.running, row, w.stopped, row, leads)
    for index in range(len(FUMBLE_YARDS)):
        fill_fumble(v, s, when, offense, spot, down, to_go, index, first, leads, w)


def fill_fumble(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    spot: int,
    down: int,
    to_go: int,
    index: int,
    first: int,
    leads: int,
    w: Work,
) -> None:
    """Fill in what a fumble is worth: recovered by either team."""
    defense, now, row = 1 - offense, when[SHORT], FIRST_FUMBLE + index
    gain = FUMBLE_YARDS[index]
    fill_ball(v, s, when, offense, spot, down, to_go, gain, first, leads, w, row, True)
    at = spot + gain
    if at >= 100:
        read_state(
            w.other, 0, v, s, now, defense, 1, 10, s.constants[TOUCHBACK], offense, first, leads
        )
    elif at <= 0:
        read_score(w.other, 0, v.tries, s, now, defense, -TOUCHDOWN_POINTS, offense, first, leads)
    else:
        read_start(
            w.other, 0, v.fumbles, s, now, defense, 100 - at - FIRST_START, offense, first, leads
        )
    kept = s.kept_fumbles[offense]
    for lead in range(leads):
        lost = w.other[0, lead]
        w.running[row, lead] = lost + kept * (w.running[row, lead] - lost)
        w.stopped[row, lead] = lost + kept * (w.stopped[row, lead] - lost)


# --- The short field -----------------------------------------------------------------------


def check_gains(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    spot: int,
    down: int,
    to_go: int,
    completed: int,
    first: int,
    leads: int,
    w: Work,
) -> None:
    """E1, E2: Set the worth of gains after the checks of the short field, by kind of play."""
    place = Place(spot, down, to_go)
    short = is_short_yardage(place)  # type: ignore[arg-type]
    for row in range(INCOMPLETE):
        copy_row(w.running, row, w.open_running, row, leads)
        copy_row(w.stopped, row, w.open_stopped, row, leads)
    copy_row(w.running, TOUCHDOWN, w.open_running, TOUCHDOWN, leads)
    copy_row(w.stopped, TOUCHDOWN, w.open_stopped, TOUCHDOWN, leads)
    if short or spot >= SHORT_FIELD_FROM:
        line = line_to_reach(place)  # type: ignore[arg-type]
        situation = chart_situation(place)  # type: ignore[arg-type]
        chart = 2 * situation + completed
        for number in range(s.check_counts[chart]):
            fill_check(v, s, when, offense, place, chart, number, line, first, leads, w)
            chance, kind = s.check_chances[chart, number], s.check_kinds[chart, number]
            for row in range(INCOMPLETE):
                gain = GAINS[row]
                reached = gain >= line
                if gain <= 0 or (short and not reached and completed == 0):
                    continue
                applies = kind == BROKEN_UP or (s.check_yards[chart, number] < 0 and reached)
                capped = kind == CAPPED and not reached and gain > s.check_yards[chart, number]
                if applies or capped:
                    blend(w, row, number, chance, leads)
            if kind == BROKEN_UP or s.check_yards[chart, number] < 0:
                blend(w, TOUCHDOWN, number, chance, leads)
    elif spot + to_go < 100 and down > 0:
        chart = 2 * CHAINS + completed
        for number in range(s.check_counts[chart]):
            if s.check_yards[chart, number] < 0:
                fill_check(v, s, when, offense, place, chart, number, to_go, first, leads, w)
                for row in range(INCOMPLETE):
                    if GAINS[row] == to_go:
                        blend(w, row, number, s.check_chances[chart, number], leads)


def fill_check(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    place: Place,
    chart: int,
    number: int,
    line: int,
    first: int,
    leads: int,
    w: Work,
) -> None:
    """Fill in what it is worth to be stopped by a cell of a short-field chart."""
    if s.check_kinds[chart, number] == BROKEN_UP:
        copy_row(w.checked, 2 * number, w.open_stopped, INCOMPLETE, leads)
        copy_row(w.checked, 2 * number + 1, w.open_stopped, INCOMPLETE, leads)
        return
    yards = s.check_yards[chart, number]
    gain = line + yards if yards < 0 else yards
    row = SPARE
    fill_ball(
        v, s, when, offense, place.spot, place.down, place.to_go, gain, first, leads, w, row, True
    )
    copy_row(w.checked, 2 * number, w.running, row, leads)
    copy_row(w.checked, 2 * number + 1, w.stopped, row, leads)


def blend(w: Work, row: int, number: int, chance: float, leads: int) -> None:
    """Move the worth of an outcome toward that of being stopped.

    The chances of one chart are added from the open outcome.
    """
    for lead in range(leads):
        w.running[row, lead] += chance * (w.checked[2 * number, lead] - w.open_running[row, lead])
        w.stopped[row, lead] += chance * (
            w.checked[2 * number + 1, lead] - w.open_stopped[row, lead]
        )


def open_outcomes(w: Work, leads: int) -> None:
    """Keep the worth of all outcomes as it is without the short field."""
    for row in range(OUTCOMES):
        copy_row(w.open_running, row, w.running, row, leads)
        copy_row(w.open_stopped, row, w.stopped, row, leads)


# --- Flags ---------------------------------------------------------------------------------


def walked_back(spot: int, yards: int) -> int:
    """R74: Return the spot after yards toward the own goal line, at most half the distance."""
    return (spot + 1) // 2 if spot < 2 * yards else spot - yards


def walked_forward(spot: int, yards: int) -> int:
    """R74: Return the spot after yards toward the opponents' goal line."""
    return 100 - walked_back(100 - spot, yards)


def fill_flag(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    spot: int,
    down: int,
    to_go: int,
    flag: int,
    at: int,
    first_down: bool,
    first: int,
    leads: int,
    w: Work,
) -> None:
    """Fill in what the down is worth after a flag has moved the ball."""
    left = to_go - (at - spot)
    now = when[SHORT]
    if first_down or left <= 0:
        read_state(w.enforced, flag, v, s, now, offense, 1, 10, at, offense, first, leads)
    else:
        read_state(w.enforced, flag, v, s, now, offense, down, left, at, offense, first, leads)


def fill_flags(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    spot: int,
    down: int,
    to_go: int,
    first: int,
    leads: int,
    w: Work,
) -> None:
    """Fill in what each flag leads to, and each gain with yards walked off from its end."""
    for flag in range(grid.FLAGS):
        at, first_down = spot, False
        if flag == grid.NOTED_OFF_5 or flag == grid.DEAD_OFF_5:
            at = walked_back(spot, 5)
        elif flag == grid.NOTED_OFF_10:
            at = walked_back(spot, 10)
        elif flag == grid.NOTED_OFF_15:
            at = walked_back(spot, 15)
        elif flag == grid.NOTED_DEF_5 or flag == grid.DEAD_DEF_5:
            at = walked_forward(spot, 5)
        elif flag == grid.NOTED_DEF_5X:
            at, first_down = walked_forward(spot, 5), True
        elif flag == grid.NOTED_DEF_15:
            at, first_down = walked_forward(spot, 15), True
        fill_flag(v, s, when, offense, spot, down, to_go, flag, at, first_down, first, leads, w)
    now = when[SHORT]
    for index in range(len(GAINS)):
        at = spot + GAINS[index]
        if at >= 100:
            copy_row(w.walked_5, index, w.stopped, index, leads)
            copy_row(w.walked_15, index, w.stopped, index, leads)
        elif at <= 0:
            copy_row(w.walked_5, index, w.enforced, grid.NOTED_DEF_5X, leads)
            copy_row(w.walked_15, index, w.enforced, grid.NOTED_DEF_15, leads)
        else:
            read_state(
                w.walked_15,
                index,
                v,
                s,
                now,
                offense,
                1,
                10,
                walked_forward(at, 15),
                offense,
                first,
                leads,
            )
            if GAINS[index] < 0:
                copy_row(w.walked_5, index, w.enforced, grid.NOTED_DEF_5X, leads)
            else:
                read_state(
                    w.walked_5,
                    index,
                    v,
                    s,
                    now,
                    offense,
                    1,
                    10,
                    walked_forward(at, 5),
                    offense,
                    first,
                    leads,
                )


def weigh_outcome(
    s: Pairing,
    offense: int,
    play: int,
    outcome: int,
    late: bool,
    plain: float,
    leads: int,
    w: Work,
) -> None:
    """Set what an outcome of a play is worth when its flags are judged by either team."""
    flags = s.flags
    is_pass = play >= SCREEN
    out = s.out_shares[offense, play, outcome]
    if late and out > 0:
        for lead in range(leads):
            run = w.running[outcome, lead]
            w.worth[outcome, lead] = plain * (run + out * (w.stopped[outcome, lead] - run))
    else:
        for lead in range(leads):
            w.worth[outcome, lead] = plain * w.running[outcome, lead]
    for flag in range(grid.FLAGS):
        chance = flags[offense, play, flag]
        if chance == 0:
            continue
        if flag >= grid.DEAD_OFF_5:
            for lead in range(leads):
                w.worth[outcome, lead] += chance * w.enforced[flag, lead]
        elif flag <= grid.NOTED_OFF_15:
            for lead in range(leads):
                w.worth[outcome, lead] += chance * min(
                    w.stopped[outcome, lead], w.enforced[flag, lead]
                )
        elif flag == grid.NOTED_DEF_15 or (flag == grid.NOTED_DEF_5X and not is_pass):
            add_walked(outcome, flag, chance, leads, w)
        else:
            for lead in range(leads):
                w.worth[outcome, lead] += chance * max(
                    w.stopped[outcome, lead], w.enforced[flag, lead]
                )


def add_walked(outcome: int, flag: int, chance: float, leads: int, w: Work) -> None:
    """R83, R84: Add a foul of the defense that is walked off without choice."""
    walked = w.walked_15 if flag == grid.NOTED_DEF_15 else w.walked_5
    for lead in range(leads):
        if outcome < len(GAINS):
            worth = walked[outcome, lead]
        elif outcome == TOUCHDOWN:
            worth = w.stopped[outcome, lead]
        else:
            worth = w.enforced[flag, lead]
        w.worth[outcome, lead] += chance * worth


# --- The matrix ----------------------------------------------------------------------------


def set_legal(spot: int, w: Work) -> None:
    """R8: Set which plays are allowed at a spot."""
    for play in range(PLAY_COUNT):
        w.legal[play] = 1
    if spot >= NO_LONG_PASS_FROM:
        w.legal[LONG_PASS] = 0
    if spot >= NO_DRAW_FROM:
        w.legal[DRAW] = 0


def fill_interference(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    play: int,
    spot: int,
    first: int,
    leads: int,
    w: Work,
) -> None:
    """R85: Fill in what pass interference on a play is worth."""
    at = min(spot + s.interference[offense, play], 99)
    read_state(
        w.enforced, grid.NOTED_PI, v, s, when[SHORT], offense, 1, 10, at, offense, first, leads
    )


def sum_cells(s: Pairing, offense: int, variant: int, play: int, leads: int, w: Work) -> None:
    """Sum up the worth of a play against each formation."""
    for formation in range(FORMATION_COUNT):
        place = ((offense * 2 + variant) * PLAY_COUNT + play) * FORMATION_COUNT + formation
        for lead in range(leads):
            w.matrix[play, formation, lead] = 0
        for entry in range(s.begins[place], s.begins[place + 1]):
            chance, outcome = s.chances[entry], s.outcomes[entry]
            for lead in range(leads):
                w.matrix[play, formation, lead] += chance * w.worth[outcome, lead]


def variant_at(s: Pairing, spot: int) -> int:
    """R108: Return 1 where three plays gain a yard less."""
    return 1 if s.constants[DEDUCTS] > 0 and spot >= DEDUCTION_FROM else 0


def fill_matrix(
    v: Values,
    s: Pairing,
    when: Any,
    offense: int,
    spot: int,
    down: int,
    to_go: int,
    first: int,
    leads: int,
    w: Work,
) -> None:
    """Fill in the offense's chance of winning for each legal play against each formation."""
    fill_outcomes(v, s, when, offense, spot, down, to_go, first, leads, w)
    fill_flags(v, s, when, offense, spot, down, to_go, first, leads, w)
    variant = variant_at(s, spot)
    checks = s.constants[SHORT_FIELD] > 0
    if checks:
        open_outcomes(w, leads)
        check_gains(v, s, when, offense, spot, down, to_go, 0, first, leads, w)
    for play in range(PLAY_COUNT):
        if checks and play == SCREEN:
            check_gains(v, s, when, offense, spot, down, to_go, 1, first, leads, w)
        if w.legal[play] == 0:
            continue
        if play >= SCREEN:
            fill_interference(v, s, when, offense, play, spot, first, leads, w)
        if play == SCREEN and spot <= HOLDING_SPOT and s.constants[HOLDING_IS_SAFETY] > 0:
            read_score(
                w.enforced,
                grid.NOTED_OFF_10,
                v.safety_kicks,
                s,
                when[SHORT],
                offense,
                -SAFETY_POINTS,
                offense,
                first,
                leads,
            )
        plain = s.scale[1]
        for flag in range(grid.FLAGS):
            plain -= s.flags[offense, play, flag]
        for outcome in range(OUTCOMES):
            if s.used[offense, play, outcome]:
                weigh_outcome(s, offense, play, outcome, when[LATE] > 0, plain, leads, w)
        sum_cells(s, offense, variant, play, leads, w)


def fill_two_point_matrix(s: Pairing, offense: int, w: Work) -> None:
    """R68, E1: Fill in the chance of a two-point try for each legal play and formation."""
    for play in range(PLAY_COUNT):
        if w.legal[play] == 0:
            continue
        stopped = s.scale[1] - s.scale[1]
        if s.constants[SHORT_FIELD] > 0:
            chart = 2 * GOAL_2 + (1 if play >= SCREEN else 0)
            for number in range(s.check_counts[chart]):
                if s.check_kinds[chart, number] == BROKEN_UP or s.check_yards[chart, number] < 0:
                    stopped += s.check_chances[chart, number]
        for outcome in range(OUTCOMES):
            good = outcome == TOUCHDOWN
            if outcome < INCOMPLETE:
                good = GAINS[outcome] >= 100 - TRY_SPOT
            w.worth[outcome, 0] = 1 - stopped if good else 0
        sum_cells(s, offense, variant_at(s, TRY_SPOT), play, 1, w)


# --- Other calls of a down -----------------------------------------------------------------


def read_punt(
    v: Values, s: Pairing, when: Any, offense: int, spot: int, first: int, leads: int, w: Work
) -> None:
    """Read what a punt is worth into the first row of `other`."""
    read_start(w.other, 0, v.punts, s, when[SHORT], offense, spot - 1, offense, first, leads)


def read_field_goal(
    v: Values, s: Pairing, when: Any, offense: int, spot: int, first: int, leads: int, w: Work
) -> None:
    """Read what a field goal is worth into the first row of `other`."""
    now = when[SHORT]
    after = min(max(100 - spot + s.constants[MISS_DEPTH], MIN_MISS_SPOT), 99)
    read_state(w.other, 0, v, s, now, 1 - offense, 1, 10, after, offense, first, leads)
    read_score(w.other, 1, v.kickoffs, s, now, offense, FIELD_GOAL_POINTS, offense, first, leads)
    good = s.field_goals[offense, 100 - spot]
    for lead in range(leads):
        missed = w.other[0, lead]
        w.other[0, lead] = missed + good * (w.other[1, lead] - missed)


def read_kneel(w: Work, leads: int) -> None:
    """Read what a kneel-down is worth into the first row of `other`, after `fill_outcomes`.

    No check of the short field changes a loss.
    """
    copy_row(w.other, 0, w.running, LOSS_OF_ONE, leads)


FUNCTIONS = (
    check_gains,
    fill_check,
    blend,
    open_outcomes,
    nearest_lead, read_state, turn, read_score, read_start, read_running, copy_row, fill_ball,
    fill_fumble, fill_outcomes, walked_back, walked_forward, fill_flag, fill_flags, add_walked,
    weigh_outcome, set_legal, fill_interference, sum_cells, variant_at, fill_matrix,
    fill_two_point_matrix, read_punt, read_field_goal, read_kneel,
)  # fmt: skip
