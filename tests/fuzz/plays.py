"""Fuzzer of play-by-play: absurd values are refused, or charts and plans can be built."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import text as plan_text
from hashmark.league.charts import build
from hashmark.league.data import coverage, play_by_play, real_stats
from hashmark.league.plans import real_plans

from . import hostile
from .harness import Finding, Fuzzer, main

TEAMS = ("AAA", "BBB")
GAME_COUNT, PLAYS_PER_GAME = 4, 150
ABSURD_NUMBERS = (
    999.0,
    -999.0,
    101.0,
    1e9,
    -1e18,
    1e300,
    float("inf"),
    float("nan"),
    0.5,
    -1.0,
    None,
)
ABSURD_TEXTS = ("", "\x1b[2J", "x" * 3000, "AAA", "\u202e", "0", "NaN", "a,b", '"', None)


@cache
def valid_plays() -> pl.DataFrame:
    """Return some reproducible games of two teams with all kinds of plays."""
    random = Random(0)
    rows = [
        _play(random, game, number)
        for game in range(GAME_COUNT)
        for number in range(PLAYS_PER_GAME)
    ]
    schema_types: dict[str, Any] = dict.fromkeys(play_by_play.INTEGER_COLUMNS, pl.Int32)
    schema_types |= dict.fromkeys(play_by_play.TEXT_COLUMNS, pl.String)
    schema_types |= dict.fromkeys(
        (*play_by_play.NUMBER_COLUMNS, *play_by_play.FLAG_COLUMNS), pl.Float64
    )
    return pl.DataFrame(rows, schema=schema_types)


def _play(random: Random, game: int, number: int) -> dict[str, Any]:
    """Return one play that is sound enough to be counted somewhere."""
    play: dict[str, Any] = dict.fromkeys(play_by_play.COLUMNS)
    play |= dict.fromkeys(play_by_play.FLAG_COLUMNS, 0.0)
    team = TEAMS[number // 6 % 2]
    other = TEAMS[1 - TEAMS.index(team)]
    clock = 3600.0 - 23 * number
    play |= {
        "game_id": f"2030_{game + 1:02d}_AAA_BBB",
        "play_id": float(number),
        "season": 2030,
        "week": game + 1,
        "season_type": "REG",
        "home_team": "BBB",
        "away_team": "AAA",
        "home_score": 20.0,
        "away_score": 17.0,
        "location": "Home",
        "posteam": team,
        "defteam": other,
        "desc": "a play",
        "down": float(1 + number % 3),
        "ydstogo": 10.0,
        "yardline_100": float(random.randrange(1, 99)),
        "qtr": float(1 + int(3600 - clock) // 900),
        "quarter_seconds_remaining": clock % 900,
        "half_seconds_remaining": clock % 1800,
        "game_seconds_remaining": clock,
        "posteam_score": 0.0,
        "defteam_score": 0.0,
        "score_differential": 0.0,
        "posteam_timeouts_remaining": 3.0,
        "defteam_timeouts_remaining": 3.0,
        "fixed_drive": float(number // 6),
        "yards_gained": float(random.randrange(-5, 20)),
    }
    return play | _play_details(random, team, other)


def _play_details(random: Random, team: str, other: str) -> dict[str, Any]:
    yards = float(random.randrange(1, 40))
    foul = {"penalty": 1.0, "penalty_team": other, "penalty_type": "Offensive Holding"}
    return random.choice(
        (
            {
                "play_type": "run",
                "rush_attempt": 1.0,
                "run_location": "left",
                "run_gap": random.choice(("end", "tackle")),
            },
            {
                "play_type": "run",
                "rush_attempt": 1.0,
                "run_location": "middle",
                "shotgun": float(random.random() < 0.2),
            },
            {
                "play_type": "pass",
                "pass_attempt": 1.0,
                "complete_pass": 1.0,
                "air_yards": float(random.randrange(-5, 40)),
                "pass_location": random.choice(("left", "middle")),
            },
            {
                "play_type": "pass",
                "pass_attempt": 1.0,
                "air_yards": yards,
                "pass_location": "left",
                "yards_gained": 0.0,
            },
            {"play_type": "pass", "pass_attempt": 1.0, "sack": 1.0, "yards_gained": -7.0},
            {"play_type": "run", "rush_attempt": 1.0, "qb_scramble": 1.0},
            {"play_type": "pass", "pass_attempt": 1.0, "interception": 1.0, "return_yards": yards},
            {
                "play_type": random.choice(("run", "pass")),
                "fumble": 1.0,
                "fumbled_1_team": team,
                "sack": float(random.random() < 0.5),
                "fumble_recovery_1_team": random.choice((team, other)),
            },
            {"play_type": "punt", "punt_attempt": 1.0, "kick_distance": 44.0, "return_yards": 5.0},
            {
                "play_type": "kickoff",
                "kickoff_attempt": 1.0,
                "kick_distance": 60.0,
                "return_yards": yards,
            },
            {
                "play_type": "field_goal",
                "field_goal_attempt": 1.0,
                "kick_distance": yards + 20,
                "field_goal_result": random.choice(("made", "missed")),
                "down": 4.0,
            },
            {"play_type": "extra_point", "extra_point_attempt": 1.0, "extra_point_result": "good"},
            {"play_type": "no_play", **foul, "penalty_yards": 10.0},
        )
    )


def make(random: Random) -> bytes:
    frame = valid_plays()
    for _ in range(random.choice((1, 1, 2, 3))):
        frame = _mutate(random, frame)
    buffer = io.BytesIO()
    if random.random() < 0.5:
        frame.write_parquet(buffer)
    else:
        frame.write_csv(buffer)
    raw = buffer.getvalue()
    return hostile.mutate_bytes(random, raw) if random.random() < 0.1 else raw


def _mutate(random: Random, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with changed values, or with a whole column or its rows changed."""
    name = random.choice(frame.columns)
    choice = random.random()
    if choice < 0.4:
        return _set_values(random, frame, name)
    if choice < 0.7:
        return _damage(random, frame, name)
    if choice < 0.75:
        return frame.drop(name)
    if choice < 0.8:
        return frame.with_columns(pl.col(name).cast(pl.String))
    if choice < 0.85:
        return frame.with_columns(pl.lit(None).alias(name))
    if choice < 0.9:
        return frame.head(random.choice((0, 1, 5, 50)))
    constant = random.choice((*ABSURD_NUMBERS[:6], *ABSURD_TEXTS[:4]))
    return frame.with_columns(pl.lit(constant).alias(name))


def _damage(random: Random, frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the frame with parts lost, doubled or shuffled, or with columns renamed."""
    rows = max(1, frame.height)
    first = random.randrange(rows)
    rows_slice = slice(first, first + random.choice((1, 20, PLAYS_PER_GAME, rows)))
    row_index = pl.int_range(pl.len())
    is_lost = row_index.is_between(rows_slice.start, rows_slice.stop - 1)
    week = random.randrange(1, GAME_COUNT + 1)
    other = random.choice(frame.columns)
    return random.choice(
        (
            lambda: frame.filter(~is_lost),
            lambda: frame.filter(row_index % random.randrange(2, 9) != 0),
            lambda: pl.concat([frame, frame[rows_slice]]),
            lambda: pl.concat([frame[rows_slice], frame]),
            lambda: frame.sample(fraction=1.0, shuffle=True, seed=random.randrange(99)),
            lambda: frame.rename({name: f"{name}_x"}),
            lambda: frame.with_columns(pl.col(other).alias(name)),
            lambda: frame.with_columns(pl.col(name).cast(pl.Float32, strict=False)),
            lambda: frame.with_columns(pl.col(name).cast(pl.Int64, strict=False) * 10**6),
            lambda: _change_if_present(frame, "week", lambda column: frame.filter(column != week)),
            lambda: _change_if_present(
                frame,
                "game_id",
                lambda column: frame.with_columns(column.str.replace("2030", "2029")),
            ),
            lambda: _change_if_present(
                frame, "home_team", lambda column: frame.with_columns(column.replace("BBB", "OAK"))
            ),
        )
    )()


def _change_if_present(
    frame: pl.DataFrame, name: str, change: Callable[[pl.Expr], pl.DataFrame]
) -> pl.DataFrame:
    """Apply a change to a column, unless an earlier change has removed it."""
    try:
        return change(pl.col(name))
    except pl.exceptions.PolarsError:
        return frame


def _set_values(random: Random, frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the frame with an absurd value in some cells of a column, or in half of them."""
    dtype = frame.schema[name]
    absurd: Any = random.choice(ABSURD_TEXTS if dtype == pl.String else ABSURD_NUMBERS)
    if dtype == pl.Int32:
        absurd = random.choice((-1, 0, 2**31 - 1, -(2**31), 99, None))
    count = random.choice((1, 3, frame.height // 2))
    rows = {random.randrange(max(1, frame.height)) for _ in range(count)}
    cells = [absurd if index in rows else cell for index, cell in enumerate(frame[name])]
    return frame.with_columns(pl.Series(name, cells, dtype=dtype, strict=False))


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"case{'.parquet' if case.startswith(b'PAR1') else '.csv'}"
        path.write_bytes(case)
        frame = play_by_play.load(path)
        if frame.select("game_id", "play_id").is_duplicated().any():
            raise Finding("doubled plays were taken")
        partial = len(case) % 2 == 0
        built = build.build_charts(frame, partial=partial)
        built.fidelity()
        chart_path = Path(folder) / "made.toml"
        chart_path.write_text(built.text(), encoding="utf-8")
        chart_file, faults = charts.check(chart_path)
        if faults:
            raise Finding(f"the charts that were built are broken: {faults[0]}")
        if chart_file is None or chart_file.made_from != coverage.check(frame, partial=partial):
            raise Finding("the charts do not say what they are made from")
        plan_text.write_season("2030", real_plans.build_season_plans(frame, partial=partial))
        real_stats.to_csv(real_stats.count_season(frame))


FUZZER = Fuzzer("plays", ".plays", make, check)

if __name__ == "__main__":
    main(FUZZER)
