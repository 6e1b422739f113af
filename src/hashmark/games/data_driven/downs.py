"""Where the ball goes after a play: downs, first downs and scores (R11, R12, R49)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.penalties import shifted_spot
from hashmark.games.data_driven.position import Match, Position


@rule
def set_first_down(g: Position, spot: int) -> None:
    """R12: Set 1st and 10, or 1st and goal."""
    g.spot = spot
    g.down = 1
    g.to_go = min(t.FIRST_DOWN_YARDS, 100 - spot)


@rule
def give_ball(g: Position, team: int, spot: int) -> None:
    """Give this team the ball here, 1st and 10: a new drive."""
    emit(g, e.BEGINS_DRIVE, team, spot)
    g.phase = p.SCRIMMAGE
    g.possession = team
    set_first_down(g, spot)


@rule
def emit_down_result(g: Position, made: int) -> None:
    """Emit whether the line to gain was reached, for the statistics of the down."""
    if g.down == 3:
        emit(g, e.THIRD_DOWN, g.possession, made)
    elif g.down == 4:
        emit(g, e.FOURTH_DOWN, g.possession, made)
    if made:
        emit(g, e.FIRST_DOWN, g.possession)


@rule
def next_down(g: Position, at: int) -> bool:
    """R12: Down the ball at this spot; return whether it went over on downs."""
    made = at >= g.spot + g.to_go
    emit_down_result(g, int(made))
    if made:
        set_first_down(g, at)
        return False
    if g.down == 4:
        emit(g, e.OVER_ON_DOWNS, g.possession)
        give_ball(g, 1 - g.possession, 100 - at)
        return True
    g.to_go -= at - g.spot
    g.spot = at
    g.down += 1
    return False


@rule
def clear_down(g: Position) -> None:
    """Clear the down: none is being played."""
    g.down = 0
    g.to_go = 0


@rule
def score_touchdown(m: Match, g: Position, team: int) -> None:
    """R49: Score six points, then the try; a foul may have moved the kickoff after it (R80)."""
    g.score[team] += t.TOUCHDOWN_POINTS
    emit(g, e.TOUCHDOWN, team)
    g.phase = p.TRY
    g.possession = team
    g.spot = t.TRY_SPOT
    g.next_kick = shifted_spot(m.kickoff_spot, g.kick_shift)
    clear_down(g)


@rule
def score_safety(m: Match, g: Position, against: int) -> None:
    """R49, R56: Score two points; the team that gave them up makes a free kick."""
    g.score[1 - against] += t.SAFETY_POINTS
    emit(g, e.SAFETY_SCORED, 1 - against)
    g.phase = p.SAFETY_KICK
    g.possession = against
    g.spot = shifted_spot(m.safety_kick_spot, g.kick_shift)
    clear_down(g)


@rule
def is_free_kick(g: Position) -> bool:
    """Return whether this is a kickoff or a free kick after a safety."""
    return g.phase == p.KICKOFF or g.phase == p.SAFETY_KICK


@rule
def kick_length(g: Position) -> int:
    """Return the length of a field goal from here, as commonly counted."""
    return 100 - g.spot + t.FIELD_GOAL_EXTRA_YARDS


@rule
def score_field_goal(m: Match, g: Position) -> None:
    """R49: Score three points; the same team kicks off."""
    g.score[g.possession] += t.FIELD_GOAL_POINTS
    emit(g, e.FIELD_GOAL_GOOD, g.possession, kick_length(g))
    g.phase = p.KICKOFF
    g.spot = shifted_spot(m.kickoff_spot, g.kick_shift)
    clear_down(g)


@rule
def kick_off_after_try(m: Match, g: Position) -> None:
    """R49: Let the scoring team kick off."""
    g.phase = p.KICKOFF
    g.spot = g.next_kick
    g.next_kick = m.kickoff_spot
