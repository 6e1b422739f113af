"""What the value function of Data-Driven Football looks at: two teams' charts, and a position.

A position is seen by the team in possession, so that swapping the teams swaps the values. The lead
has features of its own, all of which grow with it: the value function gives them weights that are
not negative.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from hashmark.engine.record import AWAY, HOME
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.clock import LAST_QUARTER
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import (
    FORMATIONS,
    PLAYS,
    QUARTER_SECONDS,
    RUNS,
    TIMEOUTS_PER_HALF,
)

GAME_SECONDS = LAST_QUARTER * QUARTER_SECONDS
MARGIN_SD = 13.0  # points of the final margin at kickoff
MAX_LEAD = 40
MAX_LEADS = 6.0  # limit of a lead in standard deviations
LEAD_STEPS = tuple(
    sign * (points + 0.5) for points in (0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 14, 16) for sign in (-1, 1)
)  # leads between which a score more or less counts
STEP_SECONDS = 240.0  # over which they fade
FADES = (10.0, 40.0, 120.0, 400.0)  # seconds over which the end of a half is felt
NUMBER_OF_BALL_FEATURES = 28  # of a scrimmage
GROUPS = (range(len(RUNS)), range(len(RUNS), len(PLAYS)))
ROW_SETS = layout.ROW_SETS[: layout.ROW_SETS.index(layout.LEAGUE_SETS[0])]  # a team's own
KINDS_OF_PLAY = (
    (c.BREAKAWAY,),
    (c.TD,),
    (c.TRAPPED,),
    (c.INC,),
    (c.INT,),
    (c.FUMBLE,),
    (c.OFF_5, c.OFF_10, c.OFF_15),
    (c.DEF_5, c.DEF_5X, c.DEF_15),
)
KINDS_OF_DEFENSE = ((c.PAREN,), (c.PAREN_TD,), (c.TRAPPED,), (c.INC,), (c.INT,), (c.FUMBLE,))
KICKS = range(layout.BREAKAWAY, layout.FUMBLE_RETURN + 1)  # the other columns of every team
COVERAGES = (layout.KICK_COVERAGE, layout.PUNT_COVERAGE, layout.FG_ADJUST, layout.QR)


# --- Charts --------------------------------------------------------------------------------------


def team_features(m: Match, team: int) -> list[float]:
    """Return figures of a team's charts."""
    long = _columns(m.long_cells, team, c.LONG_SIZE)
    short = _columns(m.short_cells, team, c.SHORT_SIZE)
    plays = long[: len(PLAYS)]
    against = [
        short[play : len(FORMATIONS) * len(PLAYS) : len(PLAYS)] for play in range(len(PLAYS))
    ]
    features = [_yards(column, OFFENSE_WEIGHTS) for column in plays]
    features += [_mean(_yards(one, DEFENSE_WEIGHTS) for one in columns) for columns in against]
    for group in GROUPS:
        features += [
            _mean(_chance(plays[play], OFFENSE_WEIGHTS, kinds) for play in group)
            for kinds in KINDS_OF_PLAY
        ]
        features += [
            _mean(_chance(one, DEFENSE_WEIGHTS, kinds) for play in group for one in against[play])
            for kinds in KINDS_OF_DEFENSE
        ]
    features += [_yards(long[column], OFFENSE_WEIGHTS) for column in KICKS]
    features += [
        _mean(_chance(long[column], OFFENSE_WEIGHTS, (kind,)) for column in KICKS)
        for kind in (c.TD, c.FUMBLE, c.NO_GOOD)
    ]
    features += [_yards(short[column], DEFENSE_WEIGHTS) for column in COVERAGES]
    return features + _set_features(m, team)


def _columns(cells: Sequence[int], team: int, size: int) -> list[Sequence[int]]:
    half = len(cells) // 2
    own = cells[team * half : (team + 1) * half]
    return [own[begin : begin + size] for begin in range(0, half, size)]


def _yards(column: Sequence[int], ways: Sequence[int]) -> float:
    """Return the mean yards of a column, other results counting none."""
    plain = (c.NUMBER, c.NUMBER_OUT, c.NUMBER_BOLD, c.NUMBER_OUT_BOLD, c.PAREN)
    pairs = zip(column, ways, strict=True)
    total = sum(
        (cell % 1024 - c.NUMBER_OFFSET) * way for cell, way in pairs if cell // 1024 in plain
    )
    return total / sum(ways)


def _chance(column: Sequence[int], ways: Sequence[int], kinds: Sequence[int]) -> float:
    """Return the chance of some kinds of results, in percent."""
    pairs = zip(column, ways, strict=True)
    return 100 * sum(way for cell, way in pairs if cell // 1024 in kinds) / sum(ways)


def _mean(numbers: Iterable[float]) -> float:
    listed = list(numbers)
    return sum(listed) / len(listed)


def _set_features(m: Match, team: int) -> list[float]:
    """Return the chance of each of a team's row sets, by kind, and its single numbers."""
    features = []
    for number in range(len(ROW_SETS)):
        index = team * len(layout.ROW_SETS) + number
        rows = m.row_sets[index * c.LONG_SIZE : (index + 1) * c.LONG_SIZE]
        ways = sum(way for row, way in zip(rows, OFFENSE_WEIGHTS, strict=True) if row)
        chance = 100 * ways / sum(OFFENSE_WEIGHTS)
        is_second = m.set_kinds[index] == layout.SECOND_KIND
        features += [0.0, chance] if is_second else [chance, 0.0]
    return [*features, m.sack_yards[team], m.qr_yards[team], m.longest_kick[team]]


# --- Positions -----------------------------------------------------------------------------------


def seconds_left(g: Position) -> int:
    """Return the seconds left in regulation, or in the period of overtime."""
    return g.clock + max(LAST_QUARTER - g.period, 0) * QUARTER_SECONDS


def seconds_in_half(g: Position) -> int:
    """Return the seconds left before the half or the period of overtime ends."""
    return g.clock + (QUARTER_SECONDS if g.period in (1, 3) else 0)


def position_features(m: Match, g: Position, margin: float) -> list[float]:
    """Return what a position looks like to the team in possession, but for the lead.

    `margin` is that by which home is expected to win.
    """
    team = g.possession
    left, half = seconds_left(g) / GAME_SECONDS, seconds_in_half(g)
    strength = (margin if team == HOME else -margin) / 10
    ends = [math.exp(-half / fade) for fade in FADES]
    receives = 0 if g.period > 2 else 1 if g.received_first != team else -1
    own, other = (g.timeouts[one] / TIMEOUTS_PER_HALF for one in (team, 1 - team))
    overtime = g.period > LAST_QUARTER
    return [
        *(strength * left, strength * math.sqrt(left), strength, strength * ends[3]),
        *(left, math.sqrt(left), receives, g.period <= 2),
        *ends,
        *(end * (g.period <= 2) for end in ends[2:]),
        *(overtime, overtime and m.overtime != p.SUDDEN_DEATH, overtime and m.playoff),
        *(g.overtime == p.FIRST_POSSESSION, g.overtime == p.REPLY),
        *(own, other, own * ends[2], other * ends[2], own * ends[3], other * ends[3]),
        *_ball_features(g, ends),
    ]


def _ball_features(g: Position, ends: Sequence[float]) -> list[float]:
    """Return the ball, the down and the yards to go, or the kind of kick or try."""
    phases = (p.KICKOFF, p.SAFETY_KICK, p.TRY)
    kinds = [float(g.phase == phase) for phase in phases]
    is_two = float(g.phase == p.TRY and g.asks != p.ASK_TRY)
    if g.phase != p.SCRIMMAGE:
        return [*kinds, is_two, *(0.0,) * NUMBER_OF_BALL_FEATURES]
    spot, to_go = g.spot / 100, min(g.to_go, 25) / 10
    downs = [float(g.down == down) for down in (2, 3, 4)]
    return [
        *(*kinds, is_two, 1.0),
        *(spot, spot * spot, max(spot - 0.6, 0) * 5, max(spot - 0.85, 0) * 10),
        *downs,
        *(to_go, *(to_go * down for down in downs)),
        *(spot * downs[1], spot * downs[2]),
        *(spot * end for end in ends),
        *(max(spot - 0.45, 0) * 4 * end for end in ends[:3]),
        *(max(spot - 0.65, 0) * 6 * end for end in ends[:3]),
        *(down * ends[2] for down in downs),
        float(g.to_go <= 2),
    ]


def lead_features(g: Position) -> list[float]:
    """Return features of the lead of the team in possession, each growing with it."""
    team = g.possession
    lead = max(-MAX_LEAD, min(MAX_LEAD, g.score[team] - g.score[1 - team]))
    left = seconds_left(g) if g.period <= LAST_QUARTER else 0
    spread = MARGIN_SD * math.sqrt(left / GAME_SECONDS)
    fade = math.exp(-left / STEP_SECONDS)
    return [
        *(_limit(lead / (spread + more)) for more in (1.0, 3.0, 8.0)),
        *(lead / 20, math.tanh(lead / 8)),
        *((fade if lead > step else 0.0) for step in LEAD_STEPS),
    ]


def _limit(leads: float) -> float:
    return max(-MAX_LEADS, min(MAX_LEADS, leads))


def kickoffs(m: Match, g: Position) -> tuple[Position, Position]:
    """Return the kickoffs to which the coin toss may lead: home's, then away's."""
    first, second = g.copy(), g.copy()
    for kickoff, kicker in ((first, HOME), (second, AWAY)):
        kickoff.phase, kickoff.possession = p.KICKOFF, kicker
        kickoff.asks = p.ASK_KICK
        if g.period <= LAST_QUARTER:
            kickoff.received_first = 1 - kicker
        elif m.overtime != p.SUDDEN_DEATH:
            kickoff.overtime = p.FIRST_POSSESSION
    return first, second
