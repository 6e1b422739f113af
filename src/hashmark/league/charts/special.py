"""Special teams of a season: what is counted, and the columns of every team made from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.tables import KICKOFF_SPOT
from hashmark.league.charts import kicking, quantise
from hashmark.league.charts.flags import KINDS
from hashmark.league.charts.kicking import Cells, Returns, shrunk
from hashmark.league.charts.overlay import Cover
from hashmark.league.charts.tallies import LOWEST, YARDS, Array

DEEPEST_RETURN = 4  # yards into the end zone from which coaches run a kick out
PUNT_FROM = 60  # yards to the goal line: punts from here or farther have room
MOST_TOUCHBACKS = 0.95
SQUIB = (40, 60)  # yards of the kicks whose returns make the squib chart
# Plays that the league counts beside a team's own.
K = {
    "return": 100.0,
    "kick": 20.0,
    "rare": 300.0,
    "field goal": 100.0,
    "extra point": 500.0,
    "turnover return": 60.0,
}


@dataclass(frozen=True)
class Made:
    """Columns by team, and the league's."""

    columns: list[dict[str, Cells]]
    pat_miss: list[list[int]]
    fg_adjust: list[list[int] | None]
    squib: Cells


def build(plays: pl.DataFrame, teams: list[str], faithful: bool) -> Made:
    """All charts of the special teams."""
    k = {name: 0.0 if faithful else value for name, value in K.items()}
    columns: list[dict[str, Cells]] = [{} for _ in teams]
    squib = _kickoffs(plays, teams, k, columns)
    _punts(plays, teams, k, columns)
    adjust = _field_goals(plays, teams, k, columns)
    _turnover_returns(plays, teams, k, columns)
    tries = plays.filter(pl.col("extra_point_attempt") == 1)
    missed = _by(tries.filter(pl.col("extra_point_result") != "good"), "posteam", teams)
    rates = shrunk(missed, _by(tries, "posteam", teams), k["extra point"])
    return Made(columns, [quantise.rows_for(float(one)) for one in rates], adjust, squib)


def _by(rows: pl.DataFrame, team: str, teams: list[str]) -> Array:
    counted = dict(rows.group_by(team).len().iter_rows())
    return np.array([float(counted.get(one, 0)) for one in teams])


def _histogram(rows: pl.DataFrame, team: str, value: pl.Expr, teams: list[str]) -> Array:
    number = {name: at for at, name in enumerate(teams)}
    made = np.zeros((len(teams), len(YARDS)))
    counted = rows.select(
        t=pl.col(team).replace_strict(number, default=None, return_dtype=pl.Int64),
        y=value.clip(0, int(YARDS[-1])).cast(pl.Int64),
    ).drop_nulls()
    np.add.at(made, (counted["t"].to_numpy(), counted["y"].to_numpy() - LOWEST), 1.0)
    return made


def _mixed(own: Array, k: float) -> Array:
    """Histograms [team, yard] as distributions, the league's counting like k plays."""
    league = own.sum(0) / max(own.sum(), 1e-9)
    return np.asarray(own + max(k, 1e-6) * league)


# --- Kickoffs ------------------------------------------------------------------------


def kickoff_line(plays: pl.DataFrame) -> int:
    """Where kickoffs were from in this season."""
    kicks = plays.filter(pl.col("play_type") == "kickoff")["yardline_100"].drop_nulls()
    return int(kicks.mode().sort()[0]) if len(kicks) else KICKOFF_SPOT


def _kickoffs(
    plays: pl.DataFrame,
    teams: list[str],
    k: dict[str, float],
    columns: list[dict[str, Cells]],
) -> Cells:
    line = kickoff_line(plays)
    text = pl.col("desc").fill_null("")
    all_kicks = plays.filter(
        (pl.col("play_type") == "kickoff") & ~text.str.to_lowercase().str.contains("onside")
    )
    kicks = all_kicks.filter(pl.col("yardline_100") == line)
    out = pl.col("kickoff_out_of_bounds") == 1
    dead = (pl.col("touchback") == 1) | (pl.col("kickoff_fair_catch") == 1)
    length = (
        text.str.extract(r"kicks (\d+) yards").cast(pl.Float64).fill_null(pl.col("kick_distance"))
    )
    number = _by(kicks, "defteam", teams)
    touchbacks = shrunk(_by(kicks.filter(dead), "defteam", teams), number, k["kick"])
    outs = shrunk(_by(kicks.filter(out), "defteam", teams), number, k["rare"])
    returned = kicks.filter(~out & ~dead & length.is_not_null())
    lengths = _histogram(returned, "defteam", length.clip(0, 100 - line + DEEPEST_RETURN), teams)
    mean = shrunk(lengths @ YARDS, lengths.sum(1), k["kick"])
    offside = kicks.filter(
        (pl.col("penalty") == 1)
        & (pl.col("penalty_team") == pl.col("defteam"))
        & pl.col("penalty_type").str.contains("(?i)offside")
    ).height / max(kicks.height, 1)
    flags = kicking.return_flags(returned, "posteam", returned.height)
    backs = kicking.collect(returned, teams, "posteam", pl.col("return_yards"), flags)
    charts = _coverage(returned, teams, k, columns, "kick-coverage")
    cover = kicking.cover_of(charts)
    over = c.cell_of(c.NUMBER, 100 - line + 10)
    for at in range(len(teams)):
        events = {
            over: min(float(touchbacks[at]), MOST_TOUCHBACKS),
            c.cell_of(c.OFF_40, 0): float(outs[at]),
            c.cell_of(c.OFF_5, 0): offside,
        }
        shape = _mixed(lengths, k["kick"])[at]
        columns[at]["kickoff"] = kicking.kick_chart(shape, float(mean[at]), events)
        columns[at]["kick-return"] = _return(backs, at, k["return"], cover, lowest=0)
    short = returned.filter(length.is_between(*SQUIB))
    squibs = kicking.collect(short, teams, "posteam", pl.col("return_yards"), flags)
    return _league_return(squibs, cover)


def _coverage(
    returned: pl.DataFrame,
    teams: list[str],
    k: dict[str, float],
    columns: list[dict[str, Cells]],
    name: str,
    kicker: str = "defteam",
) -> list[list[int]]:
    """Five-row charts from the return yards that each team allowed."""
    plain = returned.filter(pl.col("touchdown") == 0)
    allowed = _histogram_all(plain, kicker, teams)
    league = float((allowed.sum(0) @ YARDS) / max(allowed.sum(), 1e-9))
    deviation = shrunk(allowed @ YARDS, allowed.sum(1), k["return"]) - league
    typical = round(league)
    charts = [kicking.coverage(float(one) * 36 / 33, typical) for one in deviation]
    for at, chart in enumerate(charts):
        columns[at][name] = chart
    return charts


def _histogram_all(rows: pl.DataFrame, team: str, teams: list[str]) -> Array:
    number = {name: at for at, name in enumerate(teams)}
    made = np.zeros((len(teams), len(YARDS)))
    counted = rows.select(
        t=pl.col(team).replace_strict(number, default=None, return_dtype=pl.Int64),
        y=pl.col("return_yards").fill_null(0).clip(LOWEST, int(YARDS[-1])).cast(pl.Int64),
    ).drop_nulls()
    np.add.at(made, (counted["t"].to_numpy(), counted["y"].to_numpy() - LOWEST), 1.0)
    return made


def _return(
    backs: Returns, at: int, k: float, cover: Cover, caught: float = 0.0, lowest: int = -20
) -> Cells:
    """One team's return chart: its yards, touchdowns and fumbles, drawn towards the league."""
    number = backs.number
    means = shrunk(backs.yards @ YARDS, backs.yards.sum(1), k)
    rare = k * 2
    return kicking.return_chart(
        yards=_mixed(backs.yards, k)[at],
        mean=float(means[at]),
        touchdowns=float(shrunk(backs.touchdowns, number, rare)[at]),
        fumbles=float(shrunk(backs.fumbles, number, rare)[at]),
        spots=backs.spots,
        flags=backs.flags,
        cover=cover,
        caught=caught,
        lowest=lowest,
    )


def _league_return(backs: Returns, cover: Cover) -> Cells:
    whole = Returns(
        backs.yards.sum(0, keepdims=True),
        backs.touchdowns.sum(keepdims=True),
        backs.fumbles.sum(keepdims=True),
        backs.spots,
        backs.flags,
    )
    return _return(whole, 0, 0.0, cover)


# --- Punts ---------------------------------------------------------------------------


def _punts(
    plays: pl.DataFrame,
    teams: list[str],
    k: dict[str, float],
    columns: list[dict[str, Cells]],
) -> None:
    punts = plays.filter(pl.col("play_type") == "punt")
    kicked = punts.filter((pl.col("punt_blocked") == 0) & pl.col("kick_distance").is_not_null())
    room = kicked.filter((pl.col("yardline_100") >= PUNT_FROM) & (pl.col("kick_distance") > 0))
    lengths = _histogram(room, "posteam", pl.col("kick_distance"), teams)
    mean = shrunk(lengths @ YARDS, lengths.sum(1), k["kick"])
    out = shrunk(
        _by(kicked.filter(pl.col("punt_out_of_bounds") == 1), "posteam", teams),
        _by(kicked, "posteam", teams),
        k["return"],
    )
    blocks = shrunk(
        _by(punts.filter(pl.col("punt_blocked") == 1), "posteam", teams),
        _by(punts, "posteam", teams),
        k["rare"],
    )
    events = _punt_flags(plays, punts)
    live = kicked.filter((pl.col("punt_out_of_bounds") == 0) & (pl.col("touchback") == 0))
    nobody = (pl.col("punt_fair_catch") == 1) | (pl.col("punt_downed") == 1)
    caught = shrunk(
        _by(live.filter(nobody), "defteam", teams), _by(live, "defteam", teams), k["kick"]
    )
    returned = live.filter(~nobody)
    flags = kicking.return_flags(punts, "defteam", returned.height)
    backs = kicking.collect(returned, teams, "defteam", pl.col("return_yards"), flags)
    charts = _coverage(returned, teams, k, columns, "punt-coverage", kicker="posteam")
    cover = kicking.cover_of(charts)
    for at in range(len(teams)):
        own = {**events, c.cell_of(c.BLOCK, -9): float(blocks[at])}
        shape = _mixed(lengths, k["kick"])[at]
        columns[at]["punt"] = kicking.kick_chart(shape, float(mean[at]), own, float(out[at]))
        columns[at]["punt-return"] = _return(
            backs, at, k["return"], cover, float(caught[at]), lowest=-5
        )


def _punt_flags(plays: pl.DataFrame, punts: pl.DataFrame) -> dict[int, float]:
    """Fouls at the line on punts, per punt: the punters' as OFF, the receivers' as DEF."""
    wiped = plays.filter(
        (pl.col("play_type") == "no_play")
        & pl.col("desc").fill_null("").str.contains("(?i) punts ")
        & (pl.col("penalty") == 1)
    )
    total = max(punts.height + wiped.height, 1)
    own = pl.col("penalty_team") == pl.col("posteam")
    line = ("Ineligible Downfield Kick", "Illegal Formation", "Illegal Shift", "Illegal Motion")
    own_line = punts.filter((pl.col("penalty") == 1) & own & pl.col("penalty_type").is_in(line))
    rough = wiped.filter(~own & pl.col("penalty_type").str.contains("(?i)roughing"))
    return {
        c.cell_of(c.OFF_5, 0): (wiped.filter(own).height + own_line.height) / total,
        c.cell_of(c.DEF_5, 0): (wiped.filter(~own).height - rough.height) / total,
        c.cell_of(c.DEF_15, 0): rough.height / total,
    }


# --- Field goals ---------------------------------------------------------------------


def _field_goals(
    plays: pl.DataFrame, teams: list[str], k: dict[str, float], columns: list[dict[str, Cells]]
) -> list[list[int] | None]:
    tries = plays.filter(
        (pl.col("play_type") == "field_goal") & pl.col("yardline_100").is_not_null()
    )
    blocked = tries.filter(pl.col("field_goal_result") == "blocked")
    rates = shrunk(
        _by(blocked, "posteam", teams), _by(tries, "posteam", teams), 4 * k["field goal"]
    )
    kicks = tries.filter(pl.col("field_goal_result") != "blocked")
    good, less = kicking.fit_field_goals(kicks, teams, k["field goal"])
    good = good * (1 - rates[:, None])
    longest = tries.group_by("posteam").agg(pl.col("yardline_100").max())
    tried = dict(longest.iter_rows())
    adjust: list[list[int] | None] = []
    fouls = _kick_flags(plays, tries)
    for at, team in enumerate(teams):
        sure = np.flatnonzero(good[at] >= 0.15)
        far = max(int(min(tried.get(team, 30), 47)), int(sure[-1]) if len(sure) else 30)
        far = min(far, 47)
        columns[at]["field-goal"] = kicking.field_goal_chart(good[at], float(rates[at]), far, fouls)
        adjust.append(_adjust(float(less[at])))
    return adjust


def _kick_flags(plays: pl.DataFrame, tries: pl.DataFrame) -> dict[int, float]:
    """Fouls before field goals, per try: five yards of either team."""
    wiped = plays.filter(
        (pl.col("play_type") == "no_play")
        & pl.col("desc").fill_null("").str.contains("(?i)field goal")
        & (pl.col("penalty") == 1)
    )
    own = wiped.filter(pl.col("penalty_team") == pl.col("posteam")).height
    total = max(tries.height + wiped.height, 1)
    return {
        c.cell_of(c.OFF_5, 0): own / total,
        c.cell_of(c.DEF_5, 0): (wiped.height - own) / total,
    }


def _adjust(deviation: float) -> list[int] | None:
    """FG Adj.: the nearest of 0, 1, 3, 4 thirty-sixths as rows that make or spoil a kick."""
    chance = 1 / 0.15 if deviation > 0 else 1 / 0.85  # of the kicks that such a row can change
    ways = min((0, 1, 3, 4), key=lambda one: abs(one / 36 - abs(deviation) * chance))
    if ways == 0:
        return None
    cell = c.cell_of(c.GOOD if deviation > 0 else c.NO_GOOD, 0)
    rows = {1: (4,), 3: (3,), 4: (3, 4)}[ways]
    return [cell if row in rows else c.BLANK for row in range(5)]


# --- Returns of turnovers --------------------------------------------------------------


def _turnover_returns(
    plays: pl.DataFrame, teams: list[str], k: dict[str, float], columns: list[dict[str, Cells]]
) -> None:
    none = Cover()
    picked = plays.filter(
        (pl.col("interception") == 1) & (pl.col("touchback") == 0) & pl.col("down").is_not_null()
    )
    flags = kicking.return_flags(picked, "defteam", picked.height)
    picks = kicking.collect(picked, teams, "defteam", pl.col("return_yards"), flags)
    lost = plays.filter(
        (pl.col("fumble") == 1)
        & pl.col("play_type").is_in(["run", "pass"])
        & (pl.col("fumbled_1_team") == pl.col("posteam"))
        & (pl.col("fumble_recovery_1_team") == pl.col("defteam"))
    )
    loose = kicking.collect(
        lost.with_columns(fumbled_1_team=pl.lit(None, dtype=pl.String)),
        teams,
        "defteam",
        pl.col("fumble_recovery_1_yards"),
        np.zeros(len(KINDS)),
    )
    for at in range(len(teams)):
        columns[at]["int-return"] = _return(picks, at, k["turnover return"], none, lowest=-5)
        columns[at]["fumble-return"] = _return(loose, at, k["turnover return"], none, lowest=-5)
