"""How a play in progress goes on and comes to its end."""

from __future__ import annotations

from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.position import Position
from hashmark.table.rule import rule


@rule
def stop(g: Position, result: int) -> None:
    """The play is over: its flags are looked at next."""
    g.result = result
    g.asks = p.TO_CONCLUDE


@rule
def end_play(g: Position, result: int, holder: int, at: int) -> None:
    """The play has ended so, with the ball in this team's hands here."""
    g.holder = holder
    g.at = at
    stop(g, result)


@rule
def roll_on(g: Position, column: int) -> None:
    """The holder rolls offence dice on this column next."""
    g.rolls_on = column
    g.asks = p.TO_ROLL


@rule
def roll_again(g: Position, column: int) -> None:
    """R69: a foul is noted; the holder picks the dice up again, and nobody is asked."""
    g.rolls_on = column
    g.asks = p.ASK_ROLL_AGAIN
