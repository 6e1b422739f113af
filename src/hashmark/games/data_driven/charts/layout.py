"""Layout of the charts: which exist, which results each may hold, and their order in the match.

A *column* has 30 cells (rows 10 to 39, offense dice) or 5 (rows 1 to 5, defense dice). A column is
named as in a chart file: `offence.short-pass`, `defence.blitz.draw`, `kickoff`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.tables import FORMATIONS, PASSES, PLAYS, RUNS, SHORT_PASS

_YARDS = frozenset({c.NUMBER, c.NUMBER_OUT})
_BOLD = frozenset({c.NUMBER_BOLD, c.NUMBER_OUT_BOLD})
_OFF = frozenset({c.OFF_5, c.OFF_10, c.OFF_15})
_DEF = frozenset({c.DEF_5, c.DEF_5X, c.DEF_15})
_RUN = _YARDS | _OFF | _DEF | {c.BREAKAWAY, c.TD, c.FUMBLE}
_PASS = _YARDS | _OFF | _DEF | {c.TD, c.TRAPPED, c.INC, c.INT, c.FUMBLE, c.GROUNDING, c.PI}
_AGAINST_RUN = frozenset({c.NUMBER, c.PAREN, c.FUMBLE})
_AGAINST_PASS = _AGAINST_RUN | {c.PAREN_TD, c.TRAPPED, c.INC, c.INT}
_RETURN = frozenset({c.NUMBER, c.TD, c.FUMBLE}) | _OFF | _DEF


@dataclass(frozen=True)
class ChartColumn:
    """Column of cells: its name, its rows, the kinds allowed in it, and whether it must exist."""

    name: str
    rows: range
    allowed: frozenset[int]
    is_required: bool = True
    is_league_wide: bool = False  # shared by all teams
    lowest: int = c.MIN_YARDS  # limit of its numbers
    highest: int = c.MAX_YARDS

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(self.name.split("."))


def _long_column(
    name: str, allowed: frozenset[int], core: bool = True, league: bool = False
) -> ChartColumn:
    return ChartColumn(name, c.OFFENSE_ROWS, allowed, core, league)


def _short_column(name: str, allowed: frozenset[int], core: bool = True) -> ChartColumn:
    return ChartColumn(name, c.DEFENSE_ROWS, allowed, core)


def _play_column(play: str) -> ChartColumn:
    allowed = _RUN if play in RUNS else _PASS
    return _long_column(
        f"offence.{play}", allowed | _BOLD if play == PLAYS[SHORT_PASS] else allowed
    )


def _formation_column(formation: str, play: str) -> ChartColumn:
    allowed = _AGAINST_RUN if play in RUNS else _AGAINST_PASS
    return _short_column(f"defence.{formation}.{play}", allowed)


# The columns of 30 cells and those of 5, in the order in which the match holds them.
LONG_COLUMNS = (
    *(_play_column(play) for play in PLAYS),
    ChartColumn("breakaway", c.OFFENSE_ROWS, _YARDS | {c.TD}, lowest=13),
    _long_column("qt", _YARDS | {c.FUMBLE}),
    ChartColumn("kickoff", c.OFFENSE_ROWS, frozenset({c.NUMBER, c.OFF_5, c.OFF_40}), lowest=0),
    _long_column("kick-return", _RETURN),
    ChartColumn("punt", c.OFFENSE_ROWS, _YARDS | _OFF | _DEF | {c.BLOCK, c.FUMBLE}, lowest=0),
    _long_column("punt-return", _RETURN | {c.FAIR_CATCH}),
    ChartColumn(
        "field-goal",
        c.OFFENSE_ROWS,
        _OFF | _DEF | {c.NUMBER, c.NO_GOOD, c.BLOCK, c.FUMBLE},
        lowest=0,
    ),
    _long_column("int-return", _RETURN),
    _long_column("fumble-return", _RETURN),
    _long_column("big-play", _PASS, core=False),
    _long_column("squib-return", _RETURN, core=False, league=True),
    *(
        ChartColumn(
            f"pi-yards.{play}", c.OFFENSE_ROWS, frozenset({c.NUMBER}), False, True, lowest=0
        )
        for play in PASSES
    ),
)
SHORT_COLUMNS = (
    *(_formation_column(formation, play) for formation in FORMATIONS for play in PLAYS),
    _short_column("kick-coverage", _AGAINST_RUN),
    _short_column("punt-coverage", _AGAINST_RUN),
    _short_column("fg-adjust", frozenset({c.NUMBER, c.GOOD, c.NO_GOOD}), core=False),
    _short_column("qr", _AGAINST_RUN, core=False),
)

# E1 and E2, our extension: charts for all teams, by situation and kind of play. Field zones are
# named after the yards to the goal; then come the yards to gain, and the measurement.
SITUATIONS = (
    *("goal-2", "goal-5", "goal-10", "goal-15", "goal-20", "goal-30"),
    *("line-2", "line-6", "line-10"),
    "chains",
)
GOAL_2, GOAL_5 = 0, 1
GOAL_30, LINE_2, LINE_6, LINE_10, CHAINS = range(5, len(SITUATIONS))
SHORT_FIELD_COLUMNS = tuple(
    ChartColumn(
        f"short-field.{situation}-{kind}",
        c.OFFENSE_ROWS,
        frozenset({c.NUMBER, c.PAREN}) | stops,
        is_required=False,
        is_league_wide=True,
        lowest=-20,
        highest=0,
    )
    for situation in SITUATIONS
    for kind, stops in (("run", frozenset[int]()), ("pass", frozenset({c.INC})))
)
LEAGUE_COLUMNS = (
    *(column for column in LONG_COLUMNS if column.is_league_wide),
    *SHORT_FIELD_COLUMNS,
)
ALL_COLUMNS = (*LONG_COLUMNS, *SHORT_COLUMNS, *SHORT_FIELD_COLUMNS)

LONG_INDEX = {column.name: index for index, column in enumerate(LONG_COLUMNS)}
SHORT_INDEX = {column.name: index for index, column in enumerate(SHORT_COLUMNS)}

BREAKAWAY = LONG_INDEX["breakaway"]
QT = LONG_INDEX["qt"]
KICKOFF = LONG_INDEX["kickoff"]
KICK_RETURN = LONG_INDEX["kick-return"]
PUNT = LONG_INDEX["punt"]
PUNT_RETURN = LONG_INDEX["punt-return"]
FIELD_GOAL = LONG_INDEX["field-goal"]
INT_RETURN = LONG_INDEX["int-return"]
FUMBLE_RETURN = LONG_INDEX["fumble-return"]
BIG_PLAY = LONG_INDEX["big-play"]
SQUIB_RETURN = LONG_INDEX["squib-return"]
PI_YARDS = LONG_INDEX["pi-yards.screen"]  # and the four after it

KICK_COVERAGE = SHORT_INDEX["kick-coverage"]
PUNT_COVERAGE = SHORT_INDEX["punt-coverage"]
FG_ADJUST = SHORT_INDEX["fg-adjust"]
QR = SHORT_INDEX["qr"]

# Sets of rows. A missing set does not exist; an empty one is rolled on without effect.
TEAM_SETS = ("recovery", "pat-miss", "muffed-snap", "sack-rate", "recovery-adjust")
PENALTY_SETS = ("def-5", "def-5x", "def-15", "pi")
LEAGUE_SETS = ("onside", "pre-snap", "holding", "between-downs")
ROW_SETS = (*TEAM_SETS, *PENALTY_SETS, *LEAGUE_SETS)
(
    RECOVERY,
    PAT_MISS,
    MUFFED_SNAP,
    SACK_RATE,
    RECOVERY_ADJUST,
    DEF_5_ROWS,
    _,
    _,
    PI_ROWS,
    ONSIDE,
    PRE_SNAP,
    HOLDING,
    BETWEEN_DOWNS,
) = range(len(ROW_SETS))

# The two kinds of the sets that have kinds.
SET_KINDS = {
    "sack-rate": ("SCK", "QR"),
    "recovery-adjust": ("G", "NG"),
    **dict.fromkeys(PENALTY_SETS, ("commit", "cancel")),
}
MISSING, FIRST_KIND, SECOND_KIND = range(3)
SACKS, SCRAMBLES = TAKES_AWAY, GIVES_BACK = COMMITS, CANCELS = FIRST_KIND, SECOND_KIND
# The highest values of a team's home-field chart.
HOME_FIELD_LIMITS = {"offence-audibles": 3, "defence-audibles": 3, "hfa": 3, "road": 2}
