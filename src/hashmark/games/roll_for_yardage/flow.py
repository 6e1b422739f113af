"""Points, possession and time: the effects shared by all plays (R1-R5, R51-R61)."""

from __future__ import annotations

from hashmark.engine.effects import emit, roll
from hashmark.engine.record import AWAY, HOME, NOBODY, TIE
from hashmark.engine.rule import rule
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage import tables as t
from hashmark.games.roll_for_yardage.pools import TOSS
from hashmark.games.roll_for_yardage.position import Match, Position


@rule
def to_goal(g: Position) -> int:
    """Return the distance to the goal line that the team in possession attacks."""
    return 100 - g.spot


@rule
def opponent(g: Position) -> int:
    """Return the team that does not have the ball."""
    return 1 - g.possession


@rule
def in_overtime(g: Position) -> bool:
    """R54: return whether this is a period after the fourth quarter."""
    return g.period > t.LAST_QUARTER


@rule
def start(m: Match, g: Position) -> None:
    """Start a game at the toss, with a full first quarter."""
    g.clock = m.plays_per_quarter


# --- Coin toss and choices -----------------------------------------------------------


@rule
def toss_coin(g: Position) -> None:
    """R3: roll for the toss; the team with the higher die chooses."""
    g.toss_winner = roll(g, TOSS, HOME) - 1
    emit(g, p.WINS_TOSS, g.toss_winner)
    g.phase = p.CHOICE
    g.chooser = g.toss_winner


@rule
def choose(g: Position, call: int) -> None:
    """R4, R5: receive or kick; a deferral hands the choice to the other team."""
    chooser = g.chooser
    emit(g, p.CHOOSES, chooser, call)
    if call == p.DEFER:
        g.chooser = 1 - chooser
        return
    g.second_half_choice = 1 - chooser if g.period == 1 else NOBODY
    if in_overtime(g):
        g.ot_stage = p.FIRST_POSSESSION
    kickoff_by(g, chooser if call == p.KICK else 1 - chooser)


# --- Whose ball ----------------------------------------------------------------------


@rule
def clear_ball(g: Position) -> None:
    """Clear the ball: no team has it."""
    g.possession = NOBODY
    g.spot = 0
    g.down = 0
    g.to_go = 0
    g.chooser = NOBODY
    g.ot_stage = NOBODY


@rule
def ball_at(g: Position, phase: int, team: int, spot: int) -> None:
    """Give this team the ball at this spot, without a down."""
    g.phase = phase
    g.possession = team
    g.spot = spot
    g.down = 0
    g.to_go = 0
    g.chooser = NOBODY


@rule
def kickoff_by(g: Position, team: int) -> None:
    """R10: let this team kick off from its 35."""
    ball_at(g, p.KICKOFF, team, t.KICKOFF_SPOT)


@rule
def first_down(g: Position, team: int, spot: int) -> None:
    """R18: start a series; the line to gain is ten yards ahead, or the goal line."""
    ball_at(g, p.SCRIMMAGE, team, spot)
    g.down = 1
    g.to_go = min(t.SERIES_YARDS, 100 - spot)


@rule
def lose_ball(g: Position, spot: int) -> None:
    """Give the other team a 1st down at this spot, counted from its own goal line."""
    first_down(g, opponent(g), spot)
    end_possession(g)


# --- Points --------------------------------------------------------------------------


@rule
def add_points(g: Position, team: int, points: int) -> None:
    """R1, R62: add points to the score and to the quarter; all overtimes share a column."""
    g.score[team] += points
    g.line[team][min(g.period, 5) - 1] += points


@rule
def touchdown(g: Position, team: int) -> None:
    """R1, R45, R56: score six points and ask for the try; in overtime the game ends."""
    add_points(g, team, t.TOUCHDOWN)
    emit(g, p.TOUCHDOWN, team)
    ball_at(g, p.TRY, team, 0)
    if in_overtime(g):
        finish(g)


@rule
def safety(g: Position) -> None:
    """R36, R56: give the team without the ball two points, then a kick; overtime ends."""
    add_points(g, opponent(g), t.SAFETY)
    emit(g, p.SAFETY, opponent(g))
    ball_at(g, p.SAFETY_KICK, g.possession, t.SAFETY_KICK_SPOT)
    if in_overtime(g):
        finish(g)


# --- Overtime and the end ------------------------------------------------------------


@rule
def is_level(g: Position) -> bool:
    """Return whether the scores are equal."""
    return g.score[HOME] == g.score[AWAY]


@rule
def end_possession(g: Position) -> None:
    """R57 to R59, G36: in overtime start the other team's possession or sudden death, or end it."""
    if not in_overtime(g):
        return
    if g.ot_stage == p.FIRST_POSSESSION:
        g.ot_stage = p.SECOND_POSSESSION
    elif is_level(g):
        g.ot_stage = p.SUDDEN_DEATH
    elif g.ot_stage == p.SECOND_POSSESSION:
        finish(g)


@rule
def needs_kickoff_instead(m: Match, g: Position, stage: int) -> bool:
    """G38: return whether the first team failed to score and an option calls for a kickoff."""
    if m.overtime_no_score == p.TAKES_OVER or g.phase == p.KICKOFF:
        return False
    return stage == p.FIRST_POSSESSION and g.ot_stage == p.SECOND_POSSESSION


@rule
def finish(g: Position) -> None:
    """End the game."""
    declare_winner(g)
    emit(g, p.GAME_OVER, HOME, g.winner)


@rule
def declare_winner(g: Position) -> None:
    """R1: set the winner; equal scores are a tie."""
    g.phase = p.OVER
    clear_ball(g)
    if is_level(g):
        g.winner = TIE
    elif g.score[HOME] > g.score[AWAY]:
        g.winner = HOME
    else:
        g.winner = AWAY


# --- Plays and periods ---------------------------------------------------------------


@rule
def period_plays(m: Match, period: int) -> int:
    """R2, R54: return how many plays a period has."""
    return m.overtime_plays if period > t.LAST_QUARTER else m.plays_per_quarter


@rule
def ends_half(m: Match, g: Position) -> bool:
    """R49, R52, G25: return whether this is the last play of a half, or of overtime by option."""
    if g.clock != 1:
        return False
    if in_overtime(g):
        return m.overtime_last_play == 1
    return g.period == 2 or g.period == t.LAST_QUARTER


@rule
def refund_play(g: Position) -> None:
    """R52, G20, G23: do not charge the play that is now ending."""
    g.clock += 1


@rule
def use_play(m: Match, g: Position) -> None:
    """R51, R53, G23, G24: charge the play; after the last one only a try that matters is left."""
    g.clock -= 1
    if g.phase == p.OVER or g.clock > 0:
        return
    if g.phase != p.TRY:
        end_period(m, g)
    elif g.period == t.LAST_QUARTER and g.score[g.possession] > g.score[opponent(g)]:
        finish(g)


@rule
def end_period(m: Match, g: Position) -> None:
    """R51, R54, R60: continue with the next quarter, a new half or an overtime, or end the game."""
    emit(g, p.PERIOD_OVER, HOME, g.period)
    if g.period == 1 or g.period == 3:
        begin_period(m, g)
    elif g.period == 2:
        begin_half(m, g, g.second_half_choice)
    elif not is_level(g) or is_last_period(m, g):
        finish(g)
    elif (g.period - t.LAST_QUARTER) % t.OVERTIMES_PER_TOSS == 0:
        begin_half(m, g, NOBODY)
        g.phase = p.COIN_TOSS
    elif g.period % 2 == 1:
        begin_half(m, g, 1 - g.toss_winner)
    else:
        begin_half(m, g, g.toss_winner)


@rule
def is_last_period(m: Match, g: Position) -> bool:
    """R54, R60: return whether a level score leads to no further period."""
    if in_overtime(g) and m.season != p.POSTSEASON:
        return True
    return g.period >= p.MAX_PERIODS


@rule
def begin_period(m: Match, g: Position) -> None:
    """R51: start the next period with all its plays."""
    g.period += 1
    g.clock = period_plays(m, g.period)


@rule
def begin_half(m: Match, g: Position, chooser: int) -> None:
    """R5, R61: start a period in which this team chooses to receive or to kick."""
    begin_period(m, g)
    clear_ball(g)
    g.phase = p.CHOICE
    g.chooser = chooser
