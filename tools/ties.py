"""Ties and overtimes, simulated and real: the figures of docs/explanation/how-true.md, "Ties".

    python tools/ties.py FOLDER [PART]

FOLDER holds the play-by-play and games.parquet. Prints both parts or the given one:

    ties    how many regular-season games end in a tie: real, and with the schedules of the shipped
            seasons since 2018, of 2008 and of 2012 simulated 130 times
    level   of the games that are level with two minutes to go, how many go to overtime: real,
            since 2018, and in 2018 and 2024, each schedule simulated eight times in plain Python

The seeds are fixed: the same command gives the same figures.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import polars as pl

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import rules as steps
from hashmark.games.data_driven.position import Match, Position
from hashmark.league.charts.shipped_charts import SEASONS
from hashmark.league.data import play_by_play, schedule
from hashmark.league.seasons.pairings import make_match, play
from hashmark.league.validation.verify import season_pairings
from hashmark.sim.plain import play_game

FIRST_TEN_MINUTE_SEASON = 2018  # the first shipped season with ten-minute overtimes
TEN_MINUTE_SEASONS = [season for season in SEASONS if season >= FIRST_TEN_MINUTE_SEASON]
FIFTEEN_MINUTE_SEASONS = (2008, 2012)
RUNS, PLAIN_RUNS = 130, 8
LATE_SECONDS = 120
CLOCK_COLUMNS = ("qtr", "quarter_seconds_remaining")
COLUMNS = ("game_id", "season_type", "play_id", *CLOCK_COLUMNS, "score_differential", "play_type")
LONG_OVERTIMES, SHORT_OVERTIMES = (1999, 2016), (2017, 2025)


def print_ties(folder: Path) -> None:
    """Print how many games end in a tie."""
    tied = games = simulated = 0
    for season in (*TEN_MINUTE_SEASONS, *FIFTEEN_MINUTE_SEASONS):
        regular = schedule.load(season).regular
        is_tie = play(str(season), season_pairings(season, regular), RUNS).margins == 0
        print(f"{season}: simulated {is_tie.mean():.2%} of {is_tie.size:,} games")
        if season >= FIRST_TEN_MINUTE_SEASON:
            tied += int(is_tie.sum())
            simulated += is_tie.size
            games += len(is_tie)
    share = tied / simulated
    print(f"shipped since {FIRST_TEN_MINUTE_SEASON}: simulated {share:.2%} of {simulated:,} games")
    print(f"expected in {games:,} games: {share * games:.1f}")
    table = pl.read_parquet(folder / "games.parquet").filter(
        (pl.col("game_type") == "REG") & pl.col("result").is_not_null()
    )
    shipped = table.filter(pl.col("season").is_in(TEN_MINUTE_SEASONS))
    _print_real(f"shipped since {FIRST_TEN_MINUTE_SEASON}", shipped, share)
    for first, last in (SHORT_OVERTIMES, LONG_OVERTIMES):
        period = table.filter(pl.col("season").is_between(first, last))
        _print_real(f"{first} to {last}", period, share if first == SHORT_OVERTIMES[0] else None)


def _print_real(label: str, table: pl.DataFrame, share: float | None) -> None:
    """Print the real ties, and how likely so few are under the simulated share."""
    number, games = table.filter(pl.col("result") == 0).height, table.height
    error = math.sqrt(number / games * (1 - number / games) / games)
    text = f"{label}: really {number} of {games:,} games ({number / games:.2%} ±{error:.2%}), "
    text += f"{int(table['overtime'].sum())} overtimes"
    if share is not None:
        mean = share * games
        chance = sum(math.exp(-mean) * mean**n / math.factorial(n) for n in range(number + 1))
        text += f"; with the simulated share {mean:.1f}, so few in {chance:.1%} of such samples"
    print(text)


def print_level_games(folder: Path) -> None:
    """Print how many games that are level with two minutes to go reach overtime."""
    for season in (FIRST_TEN_MINUTE_SEASON, 2024):
        _print_share(f"{season}: simulated", simulate_level_games(season))
    _print_share(
        f"really since {FIRST_TEN_MINUTE_SEASON}",
        [
            result
            for season in TEN_MINUTE_SEASONS
            for result in find_real_level_games(season, folder)
        ],
    )


def simulate_level_games(season: int) -> list[bool]:
    """Return for each level game whether it goes to overtime."""
    was_level: list[bool] = []  # at the first play of the last two minutes
    original_stand = steps.stand

    def record_stand(m: Match, g: Position) -> None:
        if not was_level and g.period == 4 and g.clock <= LATE_SECONDS:
            was_level.append(g.score[0] == g.score[1])
        original_stand(m, g)

    went_to_overtime = []
    coach = [candidate.name for candidate in RULES.coaches].index("plan")
    steps.stand = record_stand
    try:
        for index, pairing in enumerate(season_pairings(season, schedule.load(season).regular)):
            m = make_match(str(season), pairing)
            for run in range(PLAIN_RUNS):
                was_level.clear()
                number = index * PLAIN_RUNS + run
                g, _, _ = play_game(RULES, m, RULES.new_position(m), 0, number, (coach, coach))
                if was_level and was_level[0]:
                    went_to_overtime.append(g.period > 4)
    finally:
        steps.stand = original_stand
    return went_to_overtime


def find_real_level_games(season: int, folder: Path) -> list[bool]:
    """Return the same from a season's play-by-play."""
    file = play_by_play.find_season_file(season, folder)
    plays = pl.read_parquet(file, columns=list(COLUMNS)).filter(pl.col("season_type") == "REG")
    overtime_games = set(plays.filter(pl.col("qtr") > 4)["game_id"])
    first_late_plays = (
        plays.filter(
            (pl.col("qtr") == 4)
            & (pl.col("quarter_seconds_remaining") <= LATE_SECONDS)
            & pl.col("play_type").is_in(["run", "pass", "punt", "field_goal", "qb_kneel"])
        )
        .sort("game_id", "play_id")
        .group_by("game_id", maintain_order=True)
        .first()
    )
    return [
        game in overtime_games
        for game in first_late_plays.filter(pl.col("score_differential") == 0)["game_id"]
    ]


def _print_share(label: str, overtimes: list[bool]) -> None:
    share = sum(overtimes) / len(overtimes)
    error = math.sqrt(share * (1 - share) / len(overtimes))
    print(
        f"{label}: {sum(overtimes)} of {len(overtimes)} to overtime, {share:.1%} (±{error:.1%})",
        flush=True,
    )


PARTS = {"ties": print_ties, "level": print_level_games}


def main() -> None:
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(PARTS):
        raise SystemExit(__doc__)
    folder, *parts = sys.argv[1:]
    for name in parts or PARTS:
        PARTS[name](Path(folder))


if __name__ == "__main__":
    main()
