"""Ties and overtimes, simulated and real: the figures of docs/how-true.md, "Ties".

    python tools/ties.py FOLDER [PART]

FOLDER holds the play-by-play and games.parquet. Prints, all of it or one PART:

    ties    how many games of a regular season end level: really, and with the schedules of the
            shipped seasons since 2018, of 2008 and of 2012 played 130 times
    level   of the games that are level with two minutes to go, how many go to overtime: really,
            since 2018, and in 2018 and 2024, each schedule played eight times in plain Python

The seeds are fixed: the same command gives the same figures.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import polars as pl

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import rules as steps
from hashmark.league.charts.shipped import SEASONS
from hashmark.league.checks.verify import season_pairings
from hashmark.league.facts import pbp, schedule
from hashmark.league.seasons.games import make_match, play
from hashmark.sim.plain import play_game

TEN_MINUTES = 2018  # the first shipped season whose overtimes were of ten minutes
FIFTEEN = (2008, 2012)
RUNS, PLAIN_RUNS = 130, 8
LATE = 120  # seconds
CLOCK = ("qtr", "quarter_seconds_remaining")
COLUMNS = ("game_id", "season_type", "play_id", *CLOCK, "score_differential", "play_type")
LONG_OVERTIMES, SHORT_OVERTIMES = (1999, 2016), (2017, 2025)


def ties(folder: Path) -> None:
    """Games that end level."""
    level = games = played = 0
    for season in (*(one for one in SEASONS if one >= TEN_MINUTES), *FIFTEEN):
        regular = schedule.load(season).regular
        found = play(str(season), season_pairings(season, regular), RUNS).margins == 0
        print(f"{season}: simulated {found.mean():.2%} of {found.size:,} games")
        if season >= TEN_MINUTES:
            level, played, games = level + int(found.sum()), played + found.size, games + len(found)
    share = level / played
    print(f"shipped since {TEN_MINUTES}: simulated {share:.2%} of {played:,} games")
    print(f"expected in {games:,} games: {share * games:.1f}")
    table = pl.read_parquet(folder / "games.parquet").filter(
        (pl.col("game_type") == "REG") & pl.col("result").is_not_null()
    )
    shipped = table.filter(pl.col("season").is_in([one for one in SEASONS if one >= TEN_MINUTES]))
    _really(f"shipped since {TEN_MINUTES}", shipped, share)
    for first, last in (SHORT_OVERTIMES, LONG_OVERTIMES):
        some = table.filter(pl.col("season").is_between(first, last))
        _really(f"{first} to {last}", some, share if first == SHORT_OVERTIMES[0] else None)


def _really(when: str, table: pl.DataFrame, share: float | None) -> None:
    """What was, and how likely so few or fewer would be with the simulated share."""
    number, games = table.filter(pl.col("result") == 0).height, table.height
    error = math.sqrt(number / games * (1 - number / games) / games)
    said = f"{when}: really {number} of {games:,} games ({number / games:.2%} ±{error:.2%}), "
    said += f"{int(table['overtime'].sum())} overtimes"
    if share is not None:
        mean = share * games
        chance = sum(math.exp(-mean) * mean**n / math.factorial(n) for n in range(number + 1))
        said += f"; with the simulated share {mean:.1f}, so few in {chance:.1%} of such samples"
    print(said)


def level(folder: Path) -> None:
    """Games that are level with two minutes to go."""
    for season in (TEN_MINUTES, 2024):
        _tell(f"{season}: simulated", simulated(season))
    _tell(
        f"really since {TEN_MINUTES}",
        [one for season in SEASONS if season >= TEN_MINUTES for one in real(season, folder)],
    )


def simulated(season: int) -> list[bool]:
    """Of each game that is level then, whether it goes to overtime."""
    seen: list[bool] = []  # was it level at the first play of the last two minutes?
    stands = steps.stand

    def stand(m: Any, g: Any) -> None:
        if not seen and g.period == 4 and g.clock <= LATE:
            seen.append(g.score[0] == g.score[1])
        stands(m, g)

    found = []
    coach = [one.name for one in RULES.coaches].index("plan")
    steps.stand = stand
    try:
        for at, pairing in enumerate(season_pairings(season, schedule.load(season).regular)):
            m = make_match(str(season), pairing)
            for run in range(PLAIN_RUNS):
                seen.clear()
                number = at * PLAIN_RUNS + run
                g, _, _ = play_game(RULES, m, RULES.new_position(m), 0, number, (coach, coach))
                if seen and seen[0]:
                    found.append(g.period > 4)
    finally:
        steps.stand = stands
    return found


def real(season: int, folder: Path) -> list[bool]:
    """The same of a season's play-by-play."""
    plays = pl.read_parquet(
        pbp.find(season, folder),
        columns=list(COLUMNS),
    ).filter(pl.col("season_type") == "REG")
    later = set(plays.filter(pl.col("qtr") > 4)["game_id"])
    first = (
        plays.filter(
            (pl.col("qtr") == 4)
            & (pl.col("quarter_seconds_remaining") <= LATE)
            & pl.col("play_type").is_in(["run", "pass", "punt", "field_goal", "qb_kneel"])
        )
        .sort("game_id", "play_id")
        .group_by("game_id", maintain_order=True)
        .first()
    )
    return [one in later for one in first.filter(pl.col("score_differential") == 0)["game_id"]]


def _tell(when: str, found: list[bool]) -> None:
    share = sum(found) / len(found)
    error = math.sqrt(share * (1 - share) / len(found))
    print(
        f"{when}: {sum(found)} of {len(found)} to overtime, {share:.1%} (±{error:.1%})", flush=True
    )


PARTS = {"ties": ties, "level": level}


def main() -> None:
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(PARTS):
        raise SystemExit(__doc__)
    folder, *wanted = sys.argv[1:]
    for name in wanted or PARTS:
        PARTS[name](Path(folder))


if __name__ == "__main__":
    main()
