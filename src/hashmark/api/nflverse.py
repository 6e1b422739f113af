"""Plays in the columns of nflverse play-by-play, and positions from such rows.

Columns that a game does not know are null: `wp` and `wpa` where no win probability is given, `ep`
and `epa` outside Data-Driven Football, the time of a game that counts no seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.sanitize import quote

if TYPE_CHECKING:
    import polars as pl

    from hashmark.engine.rule_set import RuleSet
    from hashmark.engine.team_names import TeamNames

HomeWinProbabilities: TypeAlias = "tuple[Sequence[float | None], Sequence[float | None]]"
"""Home's win probability before and after each play, from 0 to 1; a tie counts half."""

SECONDS_PER_TICK = {"data-driven": 1, "fourth-down": 10}  # games whose clock counts time
PERIOD_SECONDS = {"data-driven": 900, "fourth-down": 1800}
PLAY_TYPES = {  # by call, where the statistics of the play do not say it
    "punt": "punt",
    **dict.fromkeys(("pooch-5", "pooch-10", "pooch-15"), "punt"),
    "field-goal": "field_goal",
    "extra-point": "extra_point",
    "one-point": "extra_point",
    "kickoff": "kickoff",
    "squib": "kickoff",
    "onside": "kickoff",
    "onside-kick": "kickoff",
    "safety-kick": "kickoff",
    "kneel": "qb_kneel",
    "spike": "qb_spike",
}
MAX_HALVES = 1_000  # of a game with overtime
KICK_PHASES = ("kickoff", "safety-kick")
COLUMNS = {
    "game_id": "number of the game, as text",
    "play_id": "number of the play within its game",
    "home_team": "code or name of home",
    "away_team": "code or name of away",
    "posteam": "team with the ball; of a kickoff the receiving team",
    "defteam": "the other team",
    "qtr": "quarter; half in 4th Down!",
    "quarter_seconds_remaining": "seconds left in the period",
    "game_seconds_remaining": "seconds left in regulation",
    "down": "down",
    "ydstogo": "yards to go",
    "goal_to_go": "whether the goal line is the line to gain",
    "yardline_100": "yards to the goal line of the other team",
    "play_type": "run, pass, punt, field_goal, extra_point, kickoff, no_play, qb_kneel, qb_spike; "
    "the call in games that do not tell runs from passes",
    "yards_gained": "yards gained",
    "posteam_score": "score of the team with the ball before the play",
    "defteam_score": "score of the other team before the play",
    "score_differential": "the difference",
    "first_down": "whether the play made a first down",
    "rush_attempt": "whether it was a run",
    "pass_attempt": "whether it was a pass, sacks included",
    "complete_pass": "whether the pass was complete",
    "sack": "whether the passer was sacked",
    "interception": "whether the pass was intercepted",
    "fumble_lost": "whether a fumble was lost",
    "penalty": "whether a penalty was enforced",
    "touchdown": "whether either team scored a touchdown",
    "field_goal_result": "made or missed",
    "extra_point_result": "good or failed",
    "two_point_conv_result": "success or failure",
    "fixed_drive": "number of the drive within its game",
    "ep": "expected points of the next score, Data-Driven Football only",
    "epa": "what the play added to them",
    "wp": "win probability of the team with the ball; null where no values are known",
    "wpa": "what the play added to it",
}
# nflverse flags and the statistics that set them, under the names of the five games
FLAGS = {
    "first_down": ("first_downs",),
    "rush_attempt": ("rushes", "rushing_attempts"),
    "pass_attempt": ("passes", "passing_attempts", "sacked", "sacked_count"),
    "complete_pass": ("completions", "passing_completions"),
    "sack": ("sacked", "sacked_count"),
    "interception": ("interceptions", "passing_interceptions"),
    "fumble_lost": ("fumbles_lost",),
    "penalty": ("penalties", "opponent_penalties"),
}


def nflverse_frame(
    plays: pl.DataFrame,
    rules: RuleSet,
    names: TeamNames = TEAMS,
    home_wp: HomeWinProbabilities | None = None,
) -> pl.DataFrame:
    """Return plays in nflverse columns; statistics belong to the team with the ball.

    `names` are the codes of home and away. Data-Driven plays get expected points from the table of
    real seasons. `home_wp` are home's win probabilities before and after each play, where known.
    """
    import polars as pl

    from hashmark.sim.frames import is_one_of

    known = set(plays.columns)

    def count(*statistics: str) -> pl.Expr:
        found = [pl.col(name).cast(pl.Int32) for name in statistics if name in known]
        return pl.sum_horizontal(found) if found else pl.lit(None, pl.Int32)

    def text(name: str) -> pl.Expr:
        return pl.col(name).cast(pl.String)

    is_kick = is_one_of("phase", KICK_PHASES)  # posteam is the receiving team
    is_home = (text("team") == TEAMS[0]) ^ is_kick
    home_score, away_score = pl.col("home_score"), pl.col("away_score")
    tick, period = SECONDS_PER_TICK.get(rules.name), PERIOD_SECONDS.get(rules.name)
    seconds = pl.lit(None, pl.Int32) if tick is None else pl.col("clock") * tick
    last = 4 if rules.name != "fourth-down" else 2
    later = pl.max_horizontal(last - pl.col("period"), pl.lit(0))
    score = pl.when(is_home).then(home_score).otherwise(away_score)
    other = pl.when(is_home).then(away_score).otherwise(home_score)
    to_goal = pl.when(is_kick).then(pl.col("spot")).otherwise(100 - pl.col("spot"))
    touchdown = (pl.col("points") >= 6) | (pl.col("opponent_points") >= 6)
    frame = plays.select(
        pl.format("{}", "game").alias("game_id"),
        pl.col("play").alias("play_id"),
        pl.lit(names[0]).alias("home_team"),
        pl.lit(names[1]).alias("away_team"),
        pl.when(text("team").is_not_null())
        .then(pl.when(is_home).then(pl.lit(names[0])).otherwise(pl.lit(names[1])))
        .alias("posteam"),
        pl.when(text("team").is_not_null())
        .then(pl.when(is_home).then(pl.lit(names[1])).otherwise(pl.lit(names[0])))
        .alias("defteam"),
        pl.col("period").alias("qtr"),
        seconds.alias("quarter_seconds_remaining"),
        (seconds + later * period if period else seconds).alias("game_seconds_remaining"),
        "down",
        pl.col("to_go").alias("ydstogo"),
        (pl.col("to_go") >= to_goal).cast(pl.Int8).alias("goal_to_go"),
        to_goal.alias("yardline_100"),
        _play_type(known).alias("play_type"),
        pl.col("yards").cast(pl.Int32).alias("yards_gained"),
        score.alias("posteam_score"),
        other.alias("defteam_score"),
        (score - other).alias("score_differential"),
        *((count(*sources) > 0).cast(pl.Int8).alias(flag) for flag, sources in FLAGS.items()),
        touchdown.cast(pl.Int8).alias("touchdown"),
        _kick_result(known, ("field_goals_tried", "field_goals_attempts"), FIELD_GOALS).alias(
            "field_goal_result"
        ),
        _kick_result(known, EXTRA_POINTS_TRIED, EXTRA_POINTS).alias("extra_point_result"),
        _try_result(known).alias("two_point_conv_result"),
        pl.col("drive").alias("fixed_drive"),
        pl.col("game").alias("_game"),
        is_home.alias("_is_home"),
        pl.col("points").cast(pl.Int32).alias("_points"),
        pl.col("opponent_points").cast(pl.Int32).alias("_against"),
        *_win_probabilities(home_wp, is_home),
    )
    if rules.name == "data-driven":
        frame = _with_expected_points(frame)
    else:
        frame = frame.with_columns(pl.lit(None, pl.Float64).alias(name) for name in ("ep", "epa"))
    return frame.select(*COLUMNS)


def _win_probabilities(home_wp: HomeWinProbabilities | None, is_home: pl.Expr) -> list[pl.Expr]:
    """Return `wp` of the team with the ball and `wpa`, what the play added to it."""
    import polars as pl

    if home_wp is None:
        return [pl.lit(None, pl.Float64).alias(name) for name in ("wp", "wpa")]
    before, after = (pl.lit(pl.Series(values, dtype=pl.Float64)) for values in home_wp)
    known = pl.col("team").is_not_null()
    wp = pl.when(is_home).then(before).otherwise(1 - before)
    wpa = pl.when(is_home).then(after - before).otherwise(before - after)
    return [pl.when(known).then(wp).alias("wp"), pl.when(known).then(wpa).alias("wpa")]


FIELD_GOALS = ("field_goals", "field_goals_made")
EXTRA_POINTS = ("extra_points", "one_points")
EXTRA_POINTS_TRIED = ("extra_points_tried", "one_points_tried")


def _total(known: set[str], names: tuple[str, ...]) -> pl.Expr:
    import polars as pl

    found = [pl.col(name).cast(pl.Int32) for name in names if name in known]
    return pl.sum_horizontal(found) if found else pl.lit(0)


def _play_type(known: set[str]) -> pl.Expr:
    import polars as pl

    from hashmark.sim.frames import is_one_of

    calls_by_type: dict[str, list[str]] = {}
    for call, play_type in PLAY_TYPES.items():
        calls_by_type.setdefault(play_type, []).append(call)
    by_call = pl.coalesce(
        pl.when(is_one_of("call", calls)).then(pl.lit(play_type))
        for play_type, calls in calls_by_type.items()
    )
    is_pass = _total(known, FLAGS["pass_attempt"]) > 0
    is_run = _total(known, FLAGS["rush_attempt"]) > 0
    has_types = pl.lit(bool(known & {*FLAGS["rush_attempt"]}))  # the game tells runs from passes
    is_snap = pl.col("down").is_not_null() | (pl.col("phase") == "try")
    return (
        pl.when(by_call.is_not_null())
        .then(by_call)
        .when(is_pass)
        .then(pl.lit("pass"))
        .when(is_run)
        .then(pl.lit("run"))
        .when(is_snap & has_types & (_total(known, ("plays",)) == 0))  # a foul: played again
        .then(pl.lit("no_play"))
        .when(is_snap)
        .then(pl.col("call").cast(pl.String))
    )


def _kick_result(known: set[str], tried: tuple[str, ...], made: tuple[str, ...]) -> pl.Expr:
    import polars as pl

    good = pl.when(_total(known, made) > 0).then(pl.lit("made" if "field" in made[0] else "good"))
    missed = "missed" if "field" in made[0] else "failed"
    return pl.when(_total(known, tried) > 0).then(good.otherwise(pl.lit(missed)))


def _try_result(known: set[str]) -> pl.Expr:
    import polars as pl

    made = _total(known, ("two_points",)) > 0
    result = pl.when(made).then(pl.lit("success")).otherwise(pl.lit("failure"))
    return pl.when(_total(known, ("two_points_tried",)) > 0).then(result)


def _with_expected_points(frame: pl.DataFrame) -> pl.DataFrame:
    """Add `ep` at the snap and `epa`, the change until the next snap, score or end of half."""
    import numpy as np
    import polars as pl

    from hashmark.league.whatifs import expected_points as points

    table = points.load().points
    has_down = frame["down"].is_not_null().to_numpy()
    down = frame["down"].fill_null(1).to_numpy()
    spot = 100 - frame["yardline_100"].fill_null(50).to_numpy()
    to_go = np.minimum(frame["ydstogo"].fill_null(10).to_numpy(), 100 - spot)
    values = table[down - 1, np.clip(to_go, 0, points.MAX_TO_GO), np.clip(spot, 0, 100)]
    frame = frame.with_columns(pl.Series("ep", np.where(has_down, values, np.nan)).fill_nan(None))
    is_snap = pl.col("ep").is_not_null()
    half = pl.col("_game") * MAX_HALVES + (pl.col("qtr") - 1) // 2  # of all games, in order

    def at_next_snap(value: pl.Expr) -> pl.Expr:
        return pl.when(is_snap).then(value).fill_null(strategy="backward").shift(-1)

    next_ep = at_next_snap(pl.col("ep"))
    is_same_half = at_next_snap(half) == half
    is_same_team = at_next_snap(pl.col("_is_home")) == pl.col("_is_home")
    after = (
        pl.when(pl.col("_points") >= 6)
        .then(points.TOUCHDOWN_POINTS)
        .when(pl.col("_against") >= 6)
        .then(-points.TOUCHDOWN_POINTS)
        .when(pl.col("_points") == 3)
        .then(points.FIELD_GOAL_POINTS)
        .when(pl.col("_against") == 2)
        .then(points.SAFETY_POINTS)
        .when(~is_same_half.fill_null(False))
        .then(0.0)
        .when(is_same_team)
        .then(next_ep)
        .otherwise(-next_ep)
    )
    return frame.with_columns(
        pl.when(pl.col("ep").is_not_null()).then(after - pl.col("ep")).alias("epa")
    )


def position_from_play(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Data-Driven position of a row of nflverse play-by-play, real or simulated.

    Only plays from scrimmage have one: down, distance and field position must be known.
    """
    names = ("down", "ydstogo", "yardline_100", "posteam", "home_team", "qtr")
    for name in names:
        if _is_missing(row.get(name)):
            raise HashmarkError(
                f"the row has no {name}: a position needs the columns {', '.join(names)}"
            )
    team = 0 if row["posteam"] == row["home_team"] else 1
    if team == 1 and "away_team" in row and row["posteam"] != row["away_team"]:
        raise HashmarkError(f"posteam {quote(row['posteam'])} is neither home_team nor away_team")
    score = [_whole(row, "posteam_score", 0), _whole(row, "defteam_score", 0)]
    position: dict[str, Any] = {
        "phase": "scrimmage",
        "possession": TEAMS[team],
        "period": _whole(row, "qtr", 1),
        "clock": _whole(row, "quarter_seconds_remaining", 900),
        "spot": 100 - _whole(row, "yardline_100", 50),
        "down": _whole(row, "down", 1),
        "to_go": _whole(row, "ydstogo", 10),
        "score": {TEAMS[team]: score[0], TEAMS[1 - team]: score[1]},
    }
    timeouts: dict[str, Any] = {
        TEAMS[team]: row.get("posteam_timeouts_remaining"),
        TEAMS[1 - team]: row.get("defteam_timeouts_remaining"),
    }
    if not any(_is_missing(number) for number in timeouts.values()):
        position["timeouts"] = {name: int(number) for name, number in timeouts.items()}
    return position


def _is_missing(value: object) -> bool:
    return value is None or value != value


def _whole(row: Mapping[str, Any], name: str, default: int) -> int:
    value: Any = row.get(name)
    return default if _is_missing(value) else int(value)
