"""Match and position records of Rapid Roll Football, and the names of their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.engine.events import Statistics
from hashmark.engine.record import (
    KeyedField,
    MatchRecord,
    PositionRecord,
    each,
    flag,
    many,
    named,
    named_or_none,
    per_team,
    points,
    team_or_none,
    whole,
)
from hashmark.errors import InvalidPosition, UnknownName
from hashmark.games.rapid_roll.tables import SHADEABLE
from hashmark.sanitize import quote

PHASES = ("kickoff", "safety-kick", "scrimmage", "try", "coin-toss", "over")
KICKOFF, SAFETY_KICK, SCRIMMAGE, TRY, COIN_TOSS, OVER = range(len(PHASES))

# Windows: questions asked during a play or between two plays.
WINDOWS = (
    "none",
    "home-quarterback",
    "away-quarterback",
    "toss",
    "sideline",
    "punt",
    "end-zone",
    "penalty",
    "magic",
    "clock",
    "other-clock",
)
(
    NONE,
    HOME_QUARTERBACK,
    AWAY_QUARTERBACK,
    TOSS,
    SIDELINE_CHOICE,
    PUNT_CHOICE,
    END_ZONE_CHOICE,
    PENALTY_CHOICE,
    MAGIC_CHOICE,
    CLOCK_CHOICE,
    OTHER_CLOCK_CHOICE,
) = range(len(WINDOWS))

MAX_MAGIC_YARDS = 120  # yards: no play ends farther from the goal line, even deep in the end zone

SCRIMMAGE_CALLS = (
    "line-run",
    "end-run",
    "short-pass",
    "medium-pass",
    "deep-pass",
    "long-pass",
    "screen-pass",
    "sneak",
    "reverse",
    "trick-pass",
    "fake-punt-short-pass",
    "fake-punt-end-run",
    "fake-field-goal-short-pass",
    "fake-field-goal-end-run",
    "punt",
    "field-goal",
)
PLAY_CALLS = (*SCRIMMAGE_CALLS, "spike", "extra-point", "kickoff", "onside")
CALLS = (
    *PLAY_CALLS,
    "receive",
    "kick",
    "replace-qb",
    "keep-qb",
    "sideline",
    "stay-in",
    "return",
    "roll",
    "touchback",
    "accept",
    "decline",
    "timeout",
    "no-timeout",
    *(f"magic-{yards}" for yards in range(MAX_MAGIC_YARDS + 1)),
)
(
    LINE_RUN,
    END_RUN,
    SHORT_PASS,
    MEDIUM_PASS,
    DEEP_PASS,
    LONG_PASS,
    SCREEN_PASS,
    SNEAK,
    REVERSE,
    TRICK_PASS,
    FAKE_PUNT_SHORT_PASS,
    FAKE_PUNT_END_RUN,
    FAKE_FIELD_GOAL_SHORT_PASS,
    FAKE_FIELD_GOAL_END_RUN,
    PUNT,
    FIELD_GOAL,
    SPIKE,
    EXTRA_POINT,
    KICK_OFF,
    ONSIDE,
    RECEIVE,
    KICK,
    REPLACE_QB,
    KEEP_QB,
    SIDELINE,
    STAY_IN,
    RETURN,
    ROLL,
    TOUCHBACK,
    ACCEPT,
    DECLINE,
    TIMEOUT,
    NO_TIMEOUT,
    MAGIC_0,
) = range(len(CALLS) - MAX_MAGIC_YARDS)
NO_PLAY = -1

# Outcome of the call: decides how the play counts and whether magic yards can be added.
PLAY_OUTCOMES = (
    "run",
    "scramble",
    "sack",
    "fumbled-snap",
    "completed",
    "incomplete",
    "intercepted",
    "kicked",
    "returned",
    "blocked",
)
(
    RAN,
    SCRAMBLED,
    SACKED,
    FUMBLED_SNAP,
    COMPLETED,
    INCOMPLETE,
    INTERCEPTED,
    KICKED,
    RETURNED,
    BLOCKED,
) = range(len(PLAY_OUTCOMES))

RESULTS = ("ball", "touchdown", "safety", "good", "failed")
BALL, TOUCHDOWN, SAFETY, GOOD, FAILED = range(len(RESULTS))

ENDS = ("in-bounds", "out-of-bounds", "dead")
IN_BOUNDS, OUT_OF_BOUNDS, DEAD = range(len(ENDS))

FOULS = ("off", "def", "def-plus", "interference", "kickers", "kickers-plus", "returners")
OFF, DEF, DEF_PLUS, DPI, KICKERS, KICKERS_PLUS, RETURNERS = range(len(FOULS))

MAX_LOG_NUMBERS = 400  # capacity of the clock lines: regulation and six overtimes of 40
MAX_QUARTER_NUMBERS = 80
MAX_PERIODS = 999
MAX_MAGIC_BALANCE = 9999
MAX_COUNT = 99_999  # cap of every count on the sheet

# R87: what the sheet counts for each team, in the order of the sheet.
TALLY = (
    "passing.attempts",
    "passing.completions",
    "passing.yards",
    "passing.touchdowns",
    "passing.interceptions",
    "rushing.attempts",
    "rushing.yards",
    "rushing.touchdowns",
    "sacked.count",
    "sacked.yards",
    "turnovers",
    "punt_returns.count",
    "punt_returns.yards",
    "punt_returns.touchdowns",
    "kick_returns.count",
    "kick_returns.yards",
    "kick_returns.touchdowns",
    "field_goals.made",
    "field_goals.attempts",
)
(
    PASSES,
    COMPLETIONS,
    PASSING_YARDS,
    PASSING_TOUCHDOWNS,
    INTERCEPTIONS,
    RUSHES,
    RUSHING_YARDS,
    RUSHING_TOUCHDOWNS,
    SACKS,
    SACK_YARDS,
    TURNOVERS,
    PUNT_RETURNS,
    PUNT_RETURN_YARDS,
    PUNT_RETURN_TOUCHDOWNS,
    KICK_RETURNS,
    KICK_RETURN_YARDS,
    KICK_RETURN_TOUCHDOWNS,
    FIELD_GOALS_MADE,
    FIELD_GOALS_TRIED,
) = range(len(TALLY))


class NestedCounts(KeyedField):
    """Whole numbers with two-part names (`passing.yards`), written as nested objects."""

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        groups: dict[str, list[str]] = {}
        for index, key in enumerate(self.keys):
            group, _, name = key.rpartition(".")
            groups.setdefault(group or name, []).append(f"{name!r}: int({value}[{index}])")
        pairs = (
            inside[0] if group in self.keys else f"{group!r}: {{{', '.join(inside)}}}"
            for group, inside in groups.items()
        )
        return f"{{{', '.join(pairs)}}}"

    def merge_json(self, json: Any, old: Any, where: str) -> list[Any]:
        value = list(old)
        for key, count, path in self._paths(json, where):
            if key not in self.keys:
                raise InvalidPosition(str(UnknownName(f"key in {where}", key, self.keys)))
            value[self.keys.index(key)] = self.kind.from_json(count, path)
        return value

    def _paths(self, json: object, where: str) -> list[tuple[str, Any, str]]:
        """Return the given values with their two-part names and paths."""
        if not isinstance(json, Mapping):
            raise InvalidPosition(f"{where}: expected an object with counts, not {quote(json)}")
        entries: list[tuple[str, Any, str]] = []
        for group, inside in json.items():
            if isinstance(inside, Mapping):
                entries += [(f"{group}.{n}", v, f"{where}.{group}.{n}") for n, v in inside.items()]
            else:
                entries.append((str(group), inside, f"{where}.{group}"))
        return entries


def nested_counts(*names: str) -> Any:
    """Declare a field of counts with two-part names."""
    return NestedCounts(whole(-MAX_COUNT, MAX_COUNT), names)


REPEATS = ("call", "column", "off")
SAME_CALL, NO_REPEAT = REPEATS.index("call"), REPEATS.index("off")
MISSED_FIELD_GOALS = ("seven-back", "twenty")
AT_LEAST_TWENTY = MISSED_FIELD_GOALS.index("twenty")
OVERTIMES = ("single", "until-decided", "none")
UNTIL_DECIDED, NO_OVERTIME = OVERTIMES.index("until-decided"), OVERTIMES.index("none")
NEW_QUARTERBACKS = ("once", "twice")
ONCE, TWICE = range(len(NEW_QUARTERBACKS))
RECEIVERS_FOULS = ("ten", "five")
AT_THE_TEN = RECEIVERS_FOULS.index("ten")
KICKERS_FOULS = ("kick-again", "tack-on")
TACK_ON = KICKERS_FOULS.index("tack-on")


class Match(MatchRecord):
    """Options in force, shaded cells, and each team's initial magic yards."""

    repeat: int = named(*REPEATS)
    kickoff_line: int = whole(1, 99)
    touchback: int = whole(1, 99)
    decline: int = flag()
    defense_timeouts: int = flag()
    missed_fg: int = named(*MISSED_FIELD_GOALS)
    incomplete_stops_clock: int = flag()
    overtime: int = named(*OVERTIMES)
    numbers_per_quarter: int = whole(1, MAX_QUARTER_NUMBERS)
    new_quarterbacks: int = named(*NEW_QUARTERBACKS)
    receivers_foul: int = named(*RECEIVERS_FOULS)
    kickers_foul: int = named(*KICKERS_FOULS)
    magic: list[int] = per_team(whole(0, 9999))
    shading: list[list[int]] = each(each(flag(), *map(str, range(13))), *SHADEABLE)


class Position(PositionRecord):
    """State of a game of Rapid Roll Football.

    `possession`, `spot`, `down` and `to_go` keep their values from the snap until the play is
    settled. The fields below `stats` describe the play in progress; between plays they have their
    defaults.
    """

    phase: int = named(*PHASES)
    period: int = whole(1, MAX_PERIODS, default=1)
    clock: int = whole(0, MAX_QUARTER_NUMBERS)
    possession: int = team_or_none()
    spot: int = whole(1, 99, null_value=0)
    score: list[int] = per_team(points())
    down: int = whole(1, 4, null_value=0)
    to_go: int = whole(1, 99, null_value=0)
    log: list[int] = many(whole(11, 66), MAX_LOG_NUMBERS)
    timeouts: list[int] = per_team(whole(0, 3, default=3))
    magic: list[int] = per_team(whole(0, MAX_MAGIC_BALANCE))
    last_play: int = named_or_none(*SCRIMMAGE_CALLS, "spike")
    fake_used: list[int] = per_team(flag())
    new_qb: list[int] = per_team(whole(0, 3, default=-1, null_value=-1))
    stats: list[list[int]] = per_team(nested_counts(*TALLY))
    # The play in progress.
    window: int = named(*WINDOWS)  # the open question, during a play or between two
    call: int = named_or_none(*PLAY_CALLS)
    roll: int = whole(11, 66, null_value=0)  # this play's number, until it is written or left out
    rewinds: int = whole(0, 999)  # further numbers taken so far
    flagged: int = flag()  # a FLAG has come up
    play: int = named_or_none(*PLAY_OUTCOMES)
    carrier: int = team_or_none()  # the team that has the ball now ...
    at: int = whole(-99, 199)  # ... and its spot, counted from that team's own goal line
    gain: int = whole(-99, 199)  # yards of the run, pass or return, up to a fumble
    return_spot: int = whole(-99, 199)  # start of a return or roll; kickoff: spot of a lost fumble
    result: int = named(*RESULTS)
    ended: int = named(*ENDS)
    fumbled: int = flag()
    lost: list[int] = per_team(whole(0, 99))  # interceptions and fumbles lost in this play
    timeout_due: int = flag()  # TM
    foul: int = named_or_none(*FOULS)
    foul_yards: int = whole(0, 99)
    foul_timeout: int = flag()  # TM beside the flag


STATISTICS = Statistics("points", "yards", *(name.replace(".", "_") for name in TALLY))
_event = STATISTICS.declare

SNAPS = _event("snaps", "call", "number")
READS = _event("reads", "column", "row")
REWINDS = _event("rewinds", "number", "places", "ordinal")  # which further number of the play
THROWS = _event("throws", "number")
THROWS_SUM = _event("throws sum", "sum")
THROWS_LONG = _event("throws long", "gain")
SHADED = _event("shaded", "gain")  # -1 for an incomplete pass
REPEATED = _event("repeated")
SAVED = _event("saved", "way")  # an interception turned: 1 dropped, 2 fifteen yards, 3 R31
CHOOSES = _event("chooses", "call")
FUMBLES = _event("fumbles", "spot")
RECOVERS = _event("recovers", "spot")
CATCHES = _event("catches", "spot")  # an interception or kick
ROLLS_DEAD = _event("rolls dead", "spot")
FLAGGED = _event("flagged", "foul", "yards", "dropped")
TIME_OUT = _event("time out", "left", "due")  # due: TM
WRITES = _event("writes", "number", "left")
NOT_WRITTEN = _event("not written", "number")
FIRST_TEN = _event("first and ten", "spot", "changed_hands")
DOWN = _event("down", "down", "to_go", "spot")
OVER_ON_DOWNS = _event("over on downs")
NO_PLAY_COUNTS = _event("no play")
MAGIC_YARDS = _event("magic yards", "yards", "left")
FAKE_CREDIT = _event("fake credit", "left")
NEW_QUARTERBACK = _event("new quarterback")
KICKS_AGAIN = _event("kicks again", "spot")
TRIES_AGAIN = _event("tries again", "spot")
TOSS_WON = _event("toss won", "face")
QUARTER_OVER = _event("quarter over", "period")
GAME_OVER = _event("game over")

RUNS = _event(
    "runs",
    "yards",
    "spot",
    "touchdown",
    adds={
        "rushing_attempts": 1,
        "rushing_yards": "yards",
        "yards": "yards",
        "rushing_touchdowns": "touchdown",
    },
)
PASSES_FOR = _event(
    "passes for",
    "yards",
    "spot",
    "touchdown",
    adds={
        "passing_attempts": 1,
        "passing_completions": 1,
        "passing_yards": "yards",
        "yards": "yards",
        "passing_touchdowns": "touchdown",
    },
)
INCOMPLETE_PASS = _event("incomplete", adds={"passing_attempts": 1})
SPIKES = _event("spikes", adds={"passing_attempts": 1})
IS_INTERCEPTED = _event("is intercepted", adds={"passing_attempts": 1, "passing_interceptions": 1})
IS_SACKED = _event(
    "is sacked",
    "loss",
    "yards",
    adds={"sacked_count": 1, "sacked_yards": "loss", "yards": "yards"},
)
LOSES_BALL = _event("loses ball", "times", adds={"turnovers": "times"})
RETURNS_PUNT = _event(
    "returns punt",
    "yards",
    "spot",
    "touchdown",
    adds={
        "punt_returns_count": 1,
        "punt_returns_yards": "yards",
        "punt_returns_touchdowns": "touchdown",
    },
)
RETURNS_KICK = _event(
    "returns kick",
    "yards",
    "spot",
    "touchdown",
    adds={
        "kick_returns_count": 1,
        "kick_returns_yards": "yards",
        "kick_returns_touchdowns": "touchdown",
    },
)
SCORES_TOUCHDOWN = _event("touchdown", adds={"points": 6})
SCORES_SAFETY = _event("safety", adds={"points": 2})
FIELD_GOAL_GOOD = _event(
    "field goal good",
    "yards",
    adds={"points": 3, "field_goals_made": 1, "field_goals_attempts": 1},
)
FIELD_GOAL_FAILS = _event("field goal fails", "yards", adds={"field_goals_attempts": 1})
EXTRA_POINT_GOOD = _event("extra point good", adds={"points": 1})
TWO_POINTS_GOOD = _event("two points good", adds={"points": 2})
TRY_FAILS = _event("try fails")
