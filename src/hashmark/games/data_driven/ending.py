"""Transitions of a play in progress: continue with a roll, or end."""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.position import Position


@rule
def stop_play(g: Position, result: int) -> None:
    """End the play; its flags are judged next."""
    g.result = result
    g.asks = p.TO_CONCLUDE


@rule
def end_play(g: Position, result: int, holder: int, at: int) -> None:
    """End the play with this result, and the ball with this team at this spot."""
    g.holder = holder
    g.at = at
    stop_play(g, result)


@rule
def roll_on(g: Position, column: int) -> None:
    """Let the holder roll offense dice on this column next."""
    g.rolls_on = column
    g.asks = p.TO_ROLL


@rule
def roll_again(g: Position, column: int) -> None:
    """R69: After a noted foul the holder rolls again on the column; no call is asked for."""
    g.rolls_on = column
    g.asks = p.ASK_ROLL_AGAIN
