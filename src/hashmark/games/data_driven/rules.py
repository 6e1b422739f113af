"""Data-Driven Football: the start, the questions, which calls are refused, and the step.

The rules themselves are in the modules named after their subject, with the numbers of
docs/reference/rules/data-driven.md.
"""

from __future__ import annotations

from hashmark.engine.record import NOBODY, ONE_SCORE_POINTS
from hashmark.engine.rule import rule
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.audibles import answer_audible, call_formation, call_play
from hashmark.games.data_driven.clock import (
    LAST_QUARTER,
    LATE_IN_GAME_SECONDS,
    SHORT_PLAY_SECONDS,
    answer_tempo,
    answer_timeout,
    answer_toss,
    first_question,
    take_time,
    toss_coin,
)
from hashmark.games.data_driven.ending import end_play
from hashmark.games.data_driven.kicks import (
    answer_kick_return,
    answer_roll_or_return,
    call_field_goal,
    call_kickoff,
    call_punt,
    extra_point,
)
from hashmark.games.data_driven.penalties import is_offensive
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.returns import return_fumble
from hashmark.games.data_driven.rolling import roll_column
from hashmark.games.data_driven.scrimmage import SQUIB_RETURN, advance, has_supplement, snap
from hashmark.games.data_driven.verdict import (
    answer_penalty,
    answer_rekick,
    answer_tack_on,
    conclude,
    let_play_stand,
)

# Values of `refusal`: the indices of REFUSALS.
REFUSALS = (
    "",
    f"the ball is on or inside the opponents' {100 - t.NO_LONG_PASS_FROM}",
    f"the ball is on or inside the opponents' {100 - t.NO_DRAW_FROM}",
    "the play has reached its maximum number of calls",
    "the kick is longer than any on the kicker's chart",
    "on a two-point try only the nine plays are allowed",
    "the chart file has no squib-return chart",
    "no audibles left",
    "no time-outs left",
    "the hurry-up quota is used up",
    "no plays left to call",
)
(
    LEGAL,
    INSIDE_20,
    INSIDE_3,
    USED_UP,
    TOO_LONG,
    NOT_ON_TRY,
    NO_SQUIB,
    NO_AUDIBLE,
    NO_TIMEOUT,
    NO_HURRY,
    NO_PLAY_LEFT,
) = range(len(REFUSALS))


@rule
def start(m: Match, g: Position) -> None:
    """Start a new game: quotas from the charts, then the coin toss."""
    g.clock = m.quarter_seconds
    g.next_kick = m.kickoff_spot
    for team in range(2):
        g.hurry_up[team] = m.hurry_up[team]
        for side in range(2):
            g.audibles[team][side] = m.audible_counts[team * 2 + side]
        for play in range(len(t.PLAYS)):
            g.usage[team][play] = m.usage[team * len(t.PLAYS) + play]


# --- Questions -----------------------------------------------------------------------


@rule
def question(m: Match, g: Position) -> int:
    """Return the current question, which the position stores."""
    return g.asks


@rule
def team_to_act(m: Match, g: Position) -> int:
    """Return the team that is asked; none before the coin toss and after the game."""
    ask = g.asks
    if ask == p.ASK_COIN or ask == p.ASK_OVER or ask == p.ASK_ROLL_AGAIN:
        return NOBODY
    if ask == p.ASK_TOSS or ask == p.ASK_FUMBLE_RETURN:
        return g.holder
    if ask == p.ASK_PENALTY:
        return 1 - g.possession if is_offensive(g.foul) else g.possession
    if ask == p.ASK_KICK or ask == p.ASK_PLAY or ask == p.ASK_TRY:
        return g.possession
    if ask == p.ASK_OFFENSE_AUDIBLE or ask == p.ASK_OFFENSE_TIMEOUT or ask == p.ASK_TEMPO:
        return g.possession
    return 1 - g.possession


@rule
def is_play_over(m: Match, g: Position) -> bool:
    """Return whether no play is in progress and no clock window is open."""
    return g.play == p.NO_PLAY and g.asks == first_question(g)


@rule
def should_prompt(m: Match, g: Position) -> bool:
    """Return whether the open window is worth a prompt: an audible is left, or the clock counts.

    A window closes by itself where hardly any coach would answer it differently. A player who wants
    every prompt can turn them on (`ask always`).
    """
    team = team_to_act(m, g)
    if g.asks == p.ASK_OFFENSE_AUDIBLE:
        return g.audibles[team][p.OFFENSE] > 0
    if g.asks == p.ASK_DEFENSE_AUDIBLE:
        return g.audibles[team][p.DEFENSE] > 0
    lead = g.score[team] - g.score[1 - team]
    if g.asks == p.ASK_TEMPO and g.period == LAST_QUARTER and lead < -ONE_SCORE_POINTS:
        return g.clock > SHORT_PLAY_SECONDS
    return clock_counts(g) and (g.period < LAST_QUARTER or lead <= ONE_SCORE_POINTS)


@rule
def clock_counts(g: Position) -> bool:
    """R94 to R96: Return whether the last five minutes of a half run, less its shortest play."""
    ends_half = g.period == 2 or g.period >= LAST_QUARTER
    return ends_half and SHORT_PLAY_SECONDS < g.clock <= LATE_IN_GAME_SECONDS


@rule
def refuse_play(m: Match, g: Position, play: int) -> int:
    """R8, R109: Return why one of the nine plays is not allowed, or LEGAL."""
    if play == t.LONG_PASS and g.spot >= t.NO_LONG_PASS_FROM:
        return INSIDE_20
    if play == t.DRAW and g.spot >= t.NO_DRAW_FROM:
        return INSIDE_3
    if m.max_usage and g.usage[g.possession][play] == 0:
        return USED_UP
    return LEGAL


@rule
def has_play(m: Match, g: Position) -> bool:
    """Return whether any of the nine plays may be called."""
    is_allowed = False
    for play in range(len(t.PLAYS)):
        if refuse_play(m, g, play) == LEGAL:
            is_allowed = True
    return is_allowed


@rule
def is_too_long(m: Match, g: Position) -> bool:
    """R65: Return whether the kick is beyond the largest number on the kicker's chart."""
    return 100 - g.spot > m.longest_kick[g.possession]


@rule
def refusal(m: Match, g: Position, call: int) -> int:
    """Return why this call is not allowed, or LEGAL."""
    if g.asks == p.ASK_PLAY:
        if call < p.PUNT:
            return refuse_play(m, g, call)
        if g.phase == p.TRY:
            return NOT_ON_TRY
        return TOO_LONG if call == p.FIELD_GOAL and is_too_long(m, g) else LEGAL
    if g.asks == p.ASK_TRY:
        if call == p.TWO_POINT:
            return LEGAL if has_play(m, g) else NO_PLAY_LEFT
        return TOO_LONG if g.spot < t.TRY_SPOT and is_too_long(m, g) and has_play(m, g) else LEGAL
    if call == p.SQUIB:
        return LEGAL if has_supplement(m, g.possession, SQUIB_RETURN) else NO_SQUIB
    if call == p.HURRY_UP:
        return LEGAL if g.hurry_up[g.possession] > 0 else NO_HURRY
    if call == p.TIMEOUT or call == p.AUDIBLE_TIMEOUT:
        return LEGAL if g.timeouts[team_to_act(m, g)] > 0 else NO_TIMEOUT
    if call == p.AUDIBLE:
        side = p.OFFENSE if g.asks == p.ASK_OFFENSE_AUDIBLE else p.DEFENSE
        return LEGAL if g.audibles[team_to_act(m, g)][side] > 0 else NO_AUDIBLE
    return LEGAL


# --- Steps ---------------------------------------------------------------------------


@rule
def call_offense(g: Position, call: int) -> None:
    """R7: Make a secret call, or an announced one after which the defense calls nothing."""
    if call < p.PUNT:
        call_play(g, call)
        return
    g.formation = -1
    if call == p.PUNT:
        call_punt(g, 0)
    elif call >= p.FIRST_POOCH:
        call_punt(g, call - p.FIRST_POOCH + 1)
    elif call == p.FIELD_GOAL:
        call_field_goal(g, p.PLAY_FIELD_GOAL)
    elif call == p.KNEEL:
        g.play = p.PLAY_KNEEL
        g.way = p.KNELT
        advance(g, -1)
    else:
        g.play = p.PLAY_SAFETY
        end_play(g, p.ENDS_SAFETY, g.possession, 0)


@rule
def call_try(m: Match, g: Position, call: int) -> None:
    """R68: Kick the extra point, or ask for one play."""
    if call == p.EXTRA_POINT:
        extra_point(m, g)
    else:
        g.asks = p.ASK_PLAY


@rule
def answer_in_play(m: Match, g: Position, ask: int, call: int) -> None:
    """Apply a call that begins a play or comes in its middle."""
    if ask == p.ASK_PLAY:
        call_offense(g, call)
    elif ask == p.ASK_FORMATION:
        call_formation(m, g, call - p.FIRST_FORMATION)
    elif ask == p.ASK_OFFENSE_AUDIBLE:
        answer_audible(m, g, p.OFFENSE, call)
    elif ask == p.ASK_DEFENSE_AUDIBLE:
        answer_audible(m, g, p.DEFENSE, call)
    elif ask == p.ASK_KICK:
        call_kickoff(m, g, call)
    elif ask == p.ASK_KICK_RETURN:
        answer_kick_return(g, call)
    elif ask == p.ASK_ROLL_OR_RETURN:
        answer_roll_or_return(g, call)
    elif ask == p.ASK_FUMBLE_RETURN:
        return_fumble(g, call)
    else:
        call_try(m, g, call)


@rule
def answer(m: Match, g: Position, ask: int, call: int) -> None:
    """Apply the call; it leads to another question or to a stage of the play."""
    if ask == p.ASK_PENALTY:
        answer_penalty(m, g, call)
    elif ask == p.ASK_TACK_ON:
        answer_tack_on(m, g, call)
    elif ask == p.ASK_REKICK:
        answer_rekick(g, call)
    elif ask == p.ASK_OFFENSE_TIMEOUT or ask == p.ASK_DEFENSE_TIMEOUT:
        answer_timeout(g, ask, call)
    elif ask == p.ASK_TEMPO:
        answer_tempo(m, g, call)
    elif ask == p.ASK_ROLL_AGAIN:
        g.asks = p.TO_ROLL
    elif ask == p.ASK_COIN:
        toss_coin(g)
    elif ask == p.ASK_TOSS:
        answer_toss(m, g, call)
    else:
        answer_in_play(m, g, ask, call)


@rule
def answer_call(m: Match, g: Position, call: int) -> None:
    """Take the first half of a step: the call, up to the next question or the first stage."""
    ask = g.asks
    g.asks = p.TO_ANSWER
    answer(m, g, ask, call)


@rule
def run_stages(m: Match, g: Position, team: int) -> None:
    """Take the second half of a step, with all its dice; `team` is charged with the time.

    R10: The stages follow each other unless one of them asks a question.
    """
    if g.asks == p.TO_SNAP:
        snap(m, g)
    while g.asks == p.TO_ROLL:
        roll_column(m, g)
    if g.asks == p.TO_CONCLUDE:
        conclude(m, g)
    if g.asks == p.TO_STAND:
        let_play_stand(m, g)
    if g.asks == p.TO_TIME:
        take_time(m, g, team)


@rule
def step(m: Match, g: Position, call: int) -> None:
    """Apply one call and roll all dice that follow, to the end of the play or the next call."""
    team = g.possession
    answer_call(m, g, call)
    run_stages(m, g, team)
