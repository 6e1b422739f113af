"""Supplemental charts: what moves single teams away from the league's mean, and quotas."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.layout import PENALTY_SETS
from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS
from hashmark.games.data_driven.tables import PLAYS
from hashmark.league.charts import quantise
from hashmark.league.charts.flags import DEF_5, DEF_5X, DEF_15, PI, Flags
from hashmark.league.charts.kicking import shrunk
from hashmark.league.charts.tallies import YARDS, Array, Side

K_FLAG, K_RECOVERY, K_SCRAMBLE = 550.0, 600.0, 60.0
PENALTY_KINDS = dict(zip(PENALTY_SETS, (DEF_5, DEF_5X, DEF_15, PI), strict=True))

Rows = list[int]


@dataclass(frozen=True)
class Adjusted:
    """A set of rows of one of two kinds."""

    kind: str
    rows: Rows


def penalties(flags: Flags, faithful: bool) -> list[dict[str, Adjusted]]:
    """For each defence the rows that commit or cancel each kind of penalty."""
    made: list[dict[str, Adjusted]] = [{} for _ in flags.snaps_against]
    k = 0.0 if faithful else K_FLAG
    for name, kind in PENALTY_KINDS.items():
        against = flags.snaps_against * (flags.pass_part if kind == PI else 1.0)
        rates = shrunk(flags.defence[:, kind], against, k)
        league = float(flags.defence[:, kind].sum() / max(against.sum(), 1e-9))
        for team, rate in enumerate(rates):
            if rate > league:
                adjusted = Adjusted("commit", _free_rows(made[team], float(rate) - league))
            else:
                rows = quantise.rows_for(1 - float(rate) / max(league, 1e-9))
                adjusted = Adjusted("cancel", rows)
            if adjusted.rows:
                made[team][name] = adjusted
    return made


def _free_rows(taken: dict[str, Adjusted], rate: float) -> Rows:
    """Rows for a rate, none of which already commits something else."""
    used = {row for one in taken.values() if one.kind == "commit" for row in one.rows}
    return quantise.nearest([row for row in range(quantise.ROWS) if row not in used], 216 * rate)


def sack_rate(rate: float, league: float) -> Adjusted | None:
    """R25: rows that turn scrambles into sacks, or sacks into scrambles."""
    if rate > league:
        made = Adjusted("SCK", quantise.rows_for((rate - league) / (1 - league)))
    else:
        made = Adjusted("QR", quantise.rows_for(1 - rate / league))
    return made if made.rows else None


def recoveries(kept: Array, number: Array, faithful: bool) -> list[Rows]:
    """Rows with which each team keeps its own fumbles."""
    rates = shrunk(kept, number, 0.0 if faithful else K_RECOVERY)
    league = float(kept.sum() / max(number.sum(), 1e-9))
    return [
        quantise.rows_for(float(rate) if own + (not faithful) > 0 else league)
        for rate, own in zip(rates, number, strict=True)
    ]


def recovery_adjust(kept: Array, number: Array, faithful: bool) -> list[Adjusted | None]:
    """Rows with which each defence takes a ball or gives it back."""
    rates = shrunk(kept, number, 0.0 if faithful else K_RECOVERY)
    league = float(kept.sum() / max(number.sum(), 1e-9))
    made: list[Adjusted | None] = []
    for rate in rates:
        if rate < league:
            one = Adjusted("G", quantise.rows_for(1 - float(rate) / league))
        else:
            one = Adjusted("NG", quantise.rows_for((float(rate) - league) / (1 - league)))
        made.append(one if one.rows else None)
    return made


def fumbles(plays: pl.DataFrame, teams: list[str]) -> tuple[Array, Array, Array, Array]:
    """Fumbles kept and all, by the team that fumbled; and the same by the other team."""
    other = pl.when(pl.col("fumbled_1_team") == pl.col("home_team")).then(pl.col("away_team"))
    rows = plays.filter((pl.col("fumble") == 1) & pl.col("fumbled_1_team").is_not_null()).select(
        team=pl.col("fumbled_1_team"),
        other=other.otherwise(pl.col("home_team")),
        kept=pl.col("fumble_recovery_1_team").is_null()
        | (pl.col("fumble_recovery_1_team") == pl.col("fumbled_1_team")),
    )
    found = []
    for who in ("team", "other"):
        counted = {
            team: (kept, count)
            for team, kept, count in rows.group_by(who)
            .agg(pl.col("kept").sum(), pl.len())
            .iter_rows()
        }
        found.append(np.array([float(counted.get(team, (0, 0))[0]) for team in teams]))
        found.append(np.array([float(counted.get(team, (0, 0))[1]) for team in teams]))
    return found[0], found[1], found[2], found[3]


def containment(theirs: Side, faithful: bool) -> list[list[int]]:
    """QR charts: five rows of numbers whose mean is the deviation of scramble yards allowed."""
    number = theirs.scrambles.sum(1)
    total = theirs.scrambles @ YARDS
    rates = shrunk(total, number, 0.0 if faithful else K_SCRAMBLE)
    league = float(total.sum() / max(number.sum(), 1e-9))
    return [
        _five(float(rate) - league if own else 0.0) for rate, own in zip(rates, number, strict=True)
    ]


def _five(deviation: float) -> list[int]:
    low = int(np.floor(deviation))
    best = min(
        product((0, 1), repeat=len(DEFENCE_WEIGHTS)),
        key=lambda up: abs(
            sum(w * (low + one) for w, one in zip(DEFENCE_WEIGHTS, up, strict=True)) / 36
            - deviation
        ),
    )
    return [c.cell_of(c.NUMBER, low + one) for one in best]


# --- Quotas --------------------------------------------------------------------------


def per_game(
    rows: pl.DataFrame, team: str, teams: list[str], games: pl.DataFrame, part: float
) -> list[int]:
    """A quantile of rows per game (1: the most), games without any counted too."""
    counted = games.join(
        rows.group_by("game_id", team).len("n"),
        left_on=["game_id", "team"],
        right_on=["game_id", team],
        how="left",
    ).with_columns(pl.col("n").fill_null(0))
    found = dict(counted.group_by("team").agg(pl.col("n").quantile(part, "higher")).iter_rows())
    return [int(found.get(one, 0)) for one in teams]


def quotas(
    plays: pl.DataFrame, frame: pl.DataFrame, teams: list[str]
) -> tuple[list[int], list[list[int]], list[list[int]]]:
    """Of every team: hurry-ups a game, the most calls of each play, audibles and home field."""
    games = games_of(plays)
    late = (pl.col("half_seconds_remaining") <= 120) & (
        (pl.col("qtr") == 2) | (pl.col("score_differential") <= 0)
    )
    hurried = plays.filter(
        pl.col("play_type").is_in(["run", "pass"]) & ((pl.col("no_huddle") == 1) | late)
    )
    by_play = [
        per_game(frame.filter(pl.col("column") == play), "team", teams, games, 1.0)
        for play in PLAYS
    ]
    usage = [[max(most[at], 1) for most in by_play] for at in range(len(teams))]
    strong, tight = per_drive(plays, "posteam", teams), -per_drive(plays, "defteam", teams)
    field = home_field(plays, teams, strong, tight)
    return per_game(hurried, "posteam", teams, games, 0.9), usage, field


def per_drive(plays: pl.DataFrame, team: str, teams: list[str]) -> Array:
    """Points a drive of the team with the ball, by either side."""
    own = (pl.col("touchdown") == 1) & pl.col("td_team").eq_missing(pl.col("posteam"))
    kicked = (pl.col("field_goal_result") == "made").fill_null(False)
    found = plays.group_by(team).agg(
        points=7 * own.sum() + 3 * kicked.sum(),
        drives=pl.struct("game_id", "fixed_drive").n_unique(),
    )
    rates = dict(found.select(team, pl.col("points") / pl.col("drives")).iter_rows())
    return np.array([float(rates.get(one, 0.0)) for one in teams])


def games_of(plays: pl.DataFrame) -> pl.DataFrame:
    """Every game of every team: game_id, team."""
    games = plays.select("game_id", "home_team", "away_team").unique(maintain_order=True)
    return pl.concat(
        [
            games.select("game_id", team=pl.col("home_team")),
            games.select("game_id", team=pl.col("away_team")),
        ]
    )


def home_field(
    plays: pl.DataFrame, teams: list[str], offence: Array, defence: Array
) -> list[list[int]]:
    """Audibles by quarters of strength, home field and road by wins, scaled to eight games."""
    games = plays.select("game_id", "home_team", "away_team", "home_score", "away_score").unique(
        maintain_order=True
    )
    made = []
    for at, team in enumerate(teams):
        home = games.filter(pl.col("home_team") == team)
        away = games.filter(pl.col("away_team") == team)
        won = home.filter(pl.col("home_score") > pl.col("away_score")).height
        lost = away.filter(pl.col("away_score") > pl.col("home_score")).height
        at_home, on_road = _of_eight(won, home.height), _of_eight(lost, away.height)
        hfa = 3 if at_home >= 7 else 2 if at_home == 6 else 1 if at_home == 5 else 0
        road = 2 if on_road >= 7 else 1 if on_road == 6 else 0
        made.append([_quarter(offence, at), _quarter(defence, at), hfa, road])
    return made


def _of_eight(won: int, games: int) -> int:
    return int(np.floor(8 * won / games + 0.5)) if games else 0


def _quarter(strength: Array, team: int) -> int:
    """3 for the best quarter of the league, 0 for the last."""
    better = int((strength > strength[team]).sum())
    return 3 - min(4 * better // len(strength), 3)
