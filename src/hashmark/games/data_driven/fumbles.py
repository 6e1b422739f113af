"""Loose balls: fumbles, recoveries and blocked kicks (R42 to R48, R63 to R65)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.record import HOME
from hashmark.engine.rule import rule
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.lookups import kind_of_set, roll_set
from hashmark.games.data_driven.ending import end_play
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import FAILED_TRY_SPOT


class NoRecoveryChart(HashmarkError):
    """Fumble of a team whose chart file has no recovery chart."""


@rule
def require_recovery_chart(m: Match, team: int) -> None:
    """Raise an error if the recovery chart is missing (docs/reference/charts.md, "File layout")."""
    if kind_of_set(m, team, layout.RECOVERY) == layout.MISSING:
        if team == HOME:
            raise NoRecoveryChart("home fumbles, but its team has no recovery chart")
        raise NoRecoveryChart("away fumbles, but its team has no recovery chart")


@rule
def keeps_ball(m: Match, g: Position, team: int) -> bool:
    """R43: Roll on the team's recovery chart, then on the other team's if it can still matter."""
    require_recovery_chart(m, team)
    kept = roll_set(m, g, team, layout.RECOVERY)
    other = 1 - team
    kind = kind_of_set(m, other, layout.RECOVERY_ADJUST)
    if not m.recovery_adjust or kind == layout.MISSING:
        return kept
    if kept and kind == layout.TAKES_AWAY:
        return not roll_set(m, g, other, layout.RECOVERY_ADJUST)
    if not kept and kind == layout.GIVES_BACK:
        return roll_set(m, g, other, layout.RECOVERY_ADJUST)
    return kept


@rule
def fumble(m: Match, g: Position, spot: int) -> None:
    """R42, R43: Let the holder fumble here, and decide who recovers."""
    emit(g, e.FUMBLES, g.holder, spot)
    if keeps_ball(m, g, g.holder):
        emit(g, e.RECOVERS, g.holder, spot)
        keep_fumble(m, g, spot)
    else:
        lose_fumble(g, spot)


@rule
def keep_fumble(m: Match, g: Position, spot: int) -> None:
    """R44, R46 to R48: Resolve a recovery by the team that had the ball."""
    if spot >= 100:
        end_play(g, p.ENDS_TOUCHDOWN, g.holder, 100)
    elif spot <= 0:
        was_returned_from_end_zone = p.NOWHERE < g.start <= 0
        end_play(g, p.ENDS_TOUCHBACK if was_returned_from_end_zone else p.ENDS_SAFETY, g.holder, 0)
    elif turns_ball_over(g, spot):
        end_play(g, p.ENDS_DOWN, 1 - g.holder, 100 - spot)
    elif m.offence_fumble_return:
        g.start = spot
        g.asks = p.ASK_FUMBLE_RETURN
    else:
        end_play(g, p.ENDS_DOWN, g.holder, spot)


@rule
def turns_ball_over(g: Position, spot: int) -> bool:
    """R63, R65: Return whether a kicker's own recovery turns the ball over."""
    if g.holder != g.possession or g.changes > 0:
        return False
    if g.play == p.PLAY_FIELD_GOAL:
        return g.down == 4 or spot >= g.spot
    return g.play == p.PLAY_PUNT


@rule
def lose_fumble(g: Position, spot: int) -> None:
    """R45 to R47: Resolve a recovery by the other team."""
    g.holder = 1 - g.holder
    g.changes += 1 if g.changes < p.MAX_CHANGES else -1
    g.mid_point = p.NO_MID_POINT
    g.start = p.NOWHERE
    emit(g, e.RECOVERS, g.holder, 100 - spot)
    if g.phase == p.TRY:
        end_play(g, p.ENDS_DOWN, g.holder, FAILED_TRY_SPOT)  # R68: a turnover ends the try
    elif spot >= 100:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    elif spot <= 0:
        end_play(g, p.ENDS_TOUCHDOWN, g.holder, 100)
    else:
        g.start = 100 - spot
        g.asks = p.ASK_FUMBLE_RETURN


@rule
def block_kick(m: Match, g: Position, yards: int) -> None:
    """R63, R65: Resolve a blocked kick: never returned; recovery matters in the end zone."""
    spot = g.spot + yards
    kicker, receiver = g.possession, 1 - g.possession
    emit(g, e.BLOCKED, kicker, spot)
    kept = keeps_ball(m, g, kicker)
    if spot >= 100:
        end_play(g, p.ENDS_TOUCHBACK, receiver, 0)
    elif yards > 0:
        end_play(g, p.ENDS_DOWN, receiver, 100 - spot)
    elif spot <= 0 and kept:
        end_play(g, p.ENDS_SAFETY, kicker, 0)
    elif spot <= 0:
        end_play(g, p.ENDS_TOUCHDOWN, receiver, 100)
    elif kept and g.play == p.PLAY_FIELD_GOAL and g.down < 4 and yards < 0:
        end_play(g, p.ENDS_DOWN, kicker, spot)
    else:
        end_play(g, p.ENDS_DOWN, receiver, 100 - spot)
