"""The reader's calls as rules of thumb: the coach for playouts that estimate position values.

The reader weighs each call and takes two milliseconds for a game: too long to play out thousands
of games for every call of a reviewed game. Its most frequent calls, by down and yards to go, take
a hundredth of that time and win two games of three against the book: docs/explanation/values.md.
"""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.engine.rule_set import Coach
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.coaches import (
    answer_window,
    fourth_by_the_book,
    is_desperate,
    is_last_snap,
    kick_choice,
    lead,
    scrimmage_by_the_book,
    unless_repeated,
)
from hashmark.games.rapid_roll.kicks import kick_length
from hashmark.games.rapid_roll.position import Match, Position

MAX_KICK_YARDS = 48


@rule
def near_goal(g: Position) -> int:
    """Return a run, the longer the more yards are to go."""
    if g.to_go <= 2:
        return unless_repeated(g, p.SNEAK, p.LINE_RUN)
    return unless_repeated(g, p.END_RUN, p.LINE_RUN if g.to_go <= 5 else p.REVERSE)


@rule
def play_by_thumb(g: Position) -> int:
    """Choose long passes on first down, then medium passes and reverses; short ones up close."""
    if g.to_go == 1:
        return p.SNEAK
    if g.spot >= 90:
        return near_goal(g)
    if g.to_go >= 15:
        return unless_repeated(g, p.DEEP_PASS, p.TRICK_PASS)
    if g.to_go >= 10:
        first = g.down == 1
        return unless_repeated(
            g, p.LONG_PASS if first else p.MEDIUM_PASS, p.MEDIUM_PASS if first else p.REVERSE
        )
    if g.to_go >= 6:
        return unless_repeated(g, p.REVERSE, p.MEDIUM_PASS)
    if g.to_go >= 3:
        return (
            unless_repeated(g, p.SHORT_PASS, p.REVERSE)
            if g.down == 3
            else unless_repeated(g, p.REVERSE, p.SHORT_PASS)
        )
    return unless_repeated(g, p.SHORT_PASS, p.LINE_RUN)


@rule
def fourth_by_thumb(g: Position) -> int:
    """Go for it, unless 15 yards are to go or a kick late in the game levels the score."""
    if is_desperate(g):
        return fourth_by_the_book(g) if lead(g, g.possession) >= -3 else play_by_thumb(g)
    if g.to_go < 15:
        return play_by_thumb(g)
    if kick_length(g) <= MAX_KICK_YARDS:
        return p.FIELD_GOAL
    return p.PUNT if g.spot < 50 else play_by_thumb(g)


@rule
def thumb(m: Match, g: Position) -> int:
    """The reader's calls by rule of thumb; windows, kickoffs and last snaps by the book."""
    if g.window != p.NONE:
        return answer_window(m, g, 7, 4)
    if g.phase <= p.SAFETY_KICK:
        return kick_choice(g)
    if g.phase == p.TRY:
        return unless_repeated(g, p.END_RUN, p.REVERSE)
    if is_last_snap(g):
        return scrimmage_by_the_book(g)
    return fourth_by_thumb(g) if g.down == 4 else play_by_thumb(g)


THUMB = Coach("thumb", "The reader's calls by rule of thumb.", thumb)
