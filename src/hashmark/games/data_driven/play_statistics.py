"""Events of a play that stands, for the play-by-play and the statistics."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.downs import is_free_kick, kick_length
from hashmark.games.data_driven.position import Position


@rule
def emit_play_statistics(g: Position) -> None:
    """Emit the statistics of a play that stands."""
    team = g.possession
    emit_kick_statistics(g)
    if g.phase != p.TRY:
        emit_offense_result(g, team)
        emit_play_call(g, team)
    emit_turnovers(g)


@rule
def emit_kick_statistics(g: Position) -> None:
    """Emit the statistics of a kick that stands."""
    returner = 1 - g.possession
    if g.play == p.PLAY_PUNT:
        emit(g, e.PUNT_OVER, g.possession, g.gain)
        if g.returned != p.NOWHERE:
            emit(g, e.PUNT_RETURNED, returner, g.returned)
    elif g.play == p.PLAY_FIELD_GOAL and g.result != p.ENDS_GOOD:
        emit(g, e.FIELD_GOAL_MISSED, g.possession, kick_length(g))
    elif is_free_kick(g):
        emit(g, e.KICKOFF_OVER, g.possession)
        if g.returned != p.NOWHERE:
            emit(g, e.KICK_RETURNED, returner, g.returned)


@rule
def emit_offense_result(g: Position, team: int) -> None:
    """Emit what the offense did on a play that stands."""
    spot = g.spot + g.gain
    if g.way == p.RAN:
        emit(g, e.RUNS, team, g.gain, spot)
    elif g.way == p.COMPLETED:
        emit(g, e.COMPLETES, team, g.gain, spot)
    elif g.way == p.MISSED:
        emit(g, e.THROWS_INCOMPLETE, team)
    elif g.way == p.INTERCEPTED:
        emit(g, e.THROWS_INTERCEPTION, team)
    elif g.way == p.SACKED:
        emit(g, e.SACKED, team, g.gain, spot)
    elif g.way == p.SCRAMBLED:
        emit(g, e.SCRAMBLES, team, g.gain, spot)
    elif g.way == p.KNELT:
        emit(g, e.KNEELS, team, g.gain, spot)


@rule
def emit_play_call(g: Position, team: int) -> None:
    """Emit the statistics by play."""
    if g.play == t.LINE_PLUNGE:
        emit(g, e.PLUNGE_CALLED, team, g.gain)
    elif g.play == t.OFF_TACKLE:
        emit(g, e.TACKLE_CALLED, team, g.gain)
    elif g.play == t.END_RUN:
        emit(g, e.END_RUN_CALLED, team, g.gain)
    elif g.play == t.DRAW:
        emit(g, e.DRAW_CALLED, team, g.gain)
    elif g.play == t.SCREEN:
        emit(g, e.SCREEN_CALLED, team, g.gain)
    elif g.play == t.SHORT_PASS:
        emit(g, e.SHORT_CALLED, team, g.gain)
    elif g.play == t.MEDIUM_PASS:
        emit(g, e.MEDIUM_CALLED, team, g.gain)
    elif g.play == t.LONG_PASS:
        emit(g, e.LONG_CALLED, team, g.gain)
    elif g.play == t.SIDELINE_PASS:
        emit(g, e.SIDELINE_CALLED, team, g.gain)


@rule
def emit_turnovers(g: Position) -> None:
    """Emit each loss of the ball: possession alternates, and the last team has it."""
    loser = 1 - g.holder
    if g.changes % 2 == 0:
        loser = g.holder
    for change in range(g.changes):
        if change == 0 and g.way == p.INTERCEPTED:
            emit(g, e.LOSES_PASS, loser)
        else:
            emit(g, e.LOSES_FUMBLE, loser)
        loser = 1 - loser
