"""What a play that stands adds to the statistics on the sheet (R87, G67)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.kicks import kick_length
from hashmark.games.rapid_roll.position import Position


@rule
def add_count(g: Position, team: int, what: int, amount: int) -> None:
    """Add to a count of the sheet, capped at its limit."""
    sum_now = g.stats[team][what] + amount
    g.stats[team][what] = max(-p.MAX_COUNT, min(p.MAX_COUNT, sum_now))


@rule
def count_completion(g: Position) -> None:
    """R32, G26: count a completion of the new quarterback, tries included."""
    team = g.possession
    if g.play == p.COMPLETED and 0 <= g.new_qb[team] < 3:
        g.new_qb[team] += 1


@rule
def count_play(g: Position) -> None:
    """G67: count a play that stands."""
    team = g.possession
    touchdown = 1 if g.result == p.TOUCHDOWN and not g.fumbled else 0
    count_completion(g)
    if g.play == p.RAN or g.play == p.SCRAMBLED or g.play == p.FUMBLED_SNAP:
        count_with_yards(g, team, p.RUSHES, g.gain, touchdown)
        emit(g, p.RUNS, team, g.gain, g.spot + g.gain, touchdown)
    elif g.play == p.COMPLETED:
        add_count(g, team, p.COMPLETIONS, 1)
        add_count(g, team, p.PASSES, 1)
        add_count(g, team, p.PASSING_YARDS, g.gain)
        add_count(g, team, p.PASSING_TOUCHDOWNS, touchdown)
        emit(g, p.PASSES_FOR, team, g.gain, g.spot + g.gain, touchdown)
    elif g.play == p.INCOMPLETE:
        add_count(g, team, p.PASSES, 1)
        emit(g, p.INCOMPLETE_PASS, team)
    elif g.play == p.INTERCEPTED:
        add_count(g, team, p.PASSES, 1)
        add_count(g, team, p.INTERCEPTIONS, 1)
        emit(g, p.IS_INTERCEPTED, team)
    elif g.play == p.SACKED:
        add_count(g, team, p.SACKS, 1)
        add_count(g, team, p.SACK_YARDS, -g.gain)
        emit(g, p.IS_SACKED, team, -g.gain, g.gain)
    elif g.play == p.RETURNED:
        count_return(g, touchdown)
    if g.call == p.FIELD_GOAL:
        count_field_goal(g)


@rule
def count_with_yards(g: Position, team: int, first: int, gain: int, touchdown: int) -> None:
    """Add one to a count, and add to the yards and touchdowns that follow it in the tally."""
    add_count(g, team, first, 1)
    add_count(g, team, first + 1, gain)
    add_count(g, team, first + 2, touchdown)


@rule
def count_return(g: Position, touchdown: int) -> None:
    """G67: count a return of a punt or a kickoff."""
    team = 1 - g.possession
    if g.call == p.PUNT:
        count_with_yards(g, team, p.PUNT_RETURNS, g.gain, touchdown)
        emit(g, p.RETURNS_PUNT, team, g.gain, g.return_spot + g.gain, touchdown)
    else:
        count_with_yards(g, team, p.KICK_RETURNS, g.gain, touchdown)
        emit(g, p.RETURNS_KICK, team, g.gain, g.at, touchdown)


@rule
def count_field_goal(g: Position) -> None:
    """G67: count a field goal attempt; every kick that stands is one, made or not."""
    team = g.possession
    add_count(g, team, p.FIELD_GOALS_TRIED, 1)
    if g.result == p.GOOD:
        add_count(g, team, p.FIELD_GOALS_MADE, 1)
        emit(g, p.FIELD_GOAL_GOOD, team, kick_length(g))
    else:
        emit(g, p.FIELD_GOAL_FAILS, team, kick_length(g))


@rule
def count_turnovers(g: Position) -> None:
    """G67: count interceptions thrown and fumbles lost, the returners' included."""
    for team in range(2):
        if g.lost[team] > 0:
            add_count(g, team, p.TURNOVERS, g.lost[team])
            emit(g, p.LOSES_BALL, team, g.lost[team])
