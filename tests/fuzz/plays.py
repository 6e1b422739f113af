"""Fuzzes play-by-play: a season with absurd values is refused, or charts and plans come of it."""

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
from hashmark.league.facts import coverage, pbp, real
from hashmark.league.plans import tendencies

from . import hostile
from .harness import Finding, Fuzzer, main

TEAMS = ("AAA", "BBB")
GAMES, PLAYS = 4, 150
VALUES = (999.0, -999.0, 101.0, 1e9, -1e18, 1e300, float("inf"), float("nan"), 0.5, -1.0, None)
WORDS = ("", "\x1b[2J", "x" * 3000, "AAA", "\u202e", "0", "NaN", "a,b", '"', None)


@cache
def honest() -> pl.DataFrame:
    """Some games of two teams with all kinds of plays, the same every time."""
    random = Random(0)
    rows = [_play(random, game, number) for game in range(GAMES) for number in range(PLAYS)]
    kinds: dict[str, Any] = dict.fromkeys(pbp.WHOLE, pl.Int32)
    kinds |= dict.fromkeys(pbp.TEXT, pl.String)
    kinds |= dict.fromkeys((*pbp.NUMBERS, *pbp.FLAGS), pl.Float64)
    return pl.DataFrame(rows, schema=kinds)


def _play(random: Random, game: int, number: int) -> dict[str, Any]:
    """One play, sound enough to be counted somewhere."""
    made: dict[str, Any] = dict.fromkeys(pbp.COLUMNS)
    made |= dict.fromkeys(pbp.FLAGS, 0.0)
    team = TEAMS[number // 6 % 2]
    other = TEAMS[1 - TEAMS.index(team)]
    clock = 3600.0 - 23 * number
    made |= {
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
    return made | _kind(random, team, other)


def _kind(random: Random, team: str, other: str) -> dict[str, Any]:
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
    frame = honest()
    for _ in range(random.choice((1, 1, 2, 3))):
        frame = _mutated(random, frame)
    made = io.BytesIO()
    if random.random() < 0.5:
        frame.write_parquet(made)
    else:
        frame.write_csv(made)
    raw = made.getvalue()
    return hostile.mutated_bytes(random, raw) if random.random() < 0.1 else raw


def _mutated(random: Random, frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with values, a whole column or its rows changed."""
    name = random.choice(frame.columns)
    what = random.random()
    if what < 0.4:
        return _with_values(random, frame, name)
    if what < 0.7:
        return _damaged(random, frame, name)
    if what < 0.75:
        return frame.drop(name)
    if what < 0.8:
        return frame.with_columns(pl.col(name).cast(pl.String))
    if what < 0.85:
        return frame.with_columns(pl.lit(None).alias(name))
    if what < 0.9:
        return frame.head(random.choice((0, 1, 5, 50)))
    constant = random.choice((*VALUES[:6], *WORDS[:4]))
    return frame.with_columns(pl.lit(constant).alias(name))


def _damaged(random: Random, frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The frame as a mishap would leave it: parts lost, doubled or mixed up, columns renamed."""
    rows = max(1, frame.height)
    first = random.randrange(rows)
    some = slice(first, first + random.choice((1, 20, PLAYS, rows)))
    place = pl.int_range(pl.len())
    lost = place.is_between(some.start, some.stop - 1)
    week = random.randrange(1, GAMES + 1)
    other = random.choice(frame.columns)
    return random.choice(
        (
            lambda: frame.filter(~lost),
            lambda: frame.filter(place % random.randrange(2, 9) != 0),
            lambda: pl.concat([frame, frame[some]]),
            lambda: pl.concat([frame[some], frame]),
            lambda: frame.sample(fraction=1.0, shuffle=True, seed=random.randrange(99)),
            lambda: frame.rename({name: f"{name}_x"}),
            lambda: frame.with_columns(pl.col(other).alias(name)),
            lambda: frame.with_columns(pl.col(name).cast(pl.Float32, strict=False)),
            lambda: frame.with_columns(pl.col(name).cast(pl.Int64, strict=False) * 10**6),
            lambda: _if_there(frame, "week", lambda of: frame.filter(of != week)),
            lambda: _if_there(
                frame, "game_id", lambda of: frame.with_columns(of.str.replace("2030", "2029"))
            ),
            lambda: _if_there(
                frame, "home_team", lambda of: frame.with_columns(of.replace("BBB", "OAK"))
            ),
        )
    )()


def _if_there(
    frame: pl.DataFrame, name: str, change: Callable[[pl.Expr], pl.DataFrame]
) -> pl.DataFrame:
    """The change of a column that an earlier change may have taken away."""
    try:
        return change(pl.col(name))
    except pl.exceptions.PolarsError:
        return frame


def _with_values(random: Random, frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Some cells of a column, or half of them, hold something absurd."""
    kind = frame.schema[name]
    absurd: Any = random.choice(WORDS if kind == pl.String else VALUES)
    if kind == pl.Int32:
        absurd = random.choice((-1, 0, 2**31 - 1, -(2**31), 99, None))
    some = random.choice((1, 3, frame.height // 2))
    places = {random.randrange(max(1, frame.height)) for _ in range(some)}
    cells = [absurd if at in places else cell for at, cell in enumerate(frame[name])]
    return frame.with_columns(pl.Series(name, cells, dtype=kind, strict=False))


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"case{'.parquet' if case.startswith(b'PAR1') else '.csv'}"
        path.write_bytes(case)
        frame = pbp.load(path)
        if frame.select("game_id", "play_id").is_duplicated().any():
            raise Finding("doubled plays were taken")
        partial = len(case) % 2 == 0
        built = build.build_charts(frame, partial=partial)
        built.fidelity()
        made = Path(folder) / "made.toml"
        made.write_text(built.text(), encoding="utf-8")
        read, faults = charts.check(made)
        if faults:
            raise Finding(f"the charts that were built are broken: {faults[0]}")
        if read is None or read.made_from != coverage.check(frame, partial=partial):
            raise Finding("the charts do not say what they are made from")
        plan_text.write_season("2030", tendencies.season_plans(frame, partial=partial))
        real.write(real.of_season(frame))


FUZZER = Fuzzer("plays", ".plays", make, check)

if __name__ == "__main__":
    main(FUZZER)
