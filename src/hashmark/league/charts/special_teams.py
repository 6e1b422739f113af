"""Special teams: season counts, and the kicking and return columns of every team."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.tables import KICKOFF_SPOT
from hashmark.league.charts import kicking, quantize
from hashmark.league.charts.kicking import CellColumn, ReturnCounts, shrink
from hashmark.league.charts.overlay import CoverRates
from hashmark.league.charts.penalties import PENALTY_KINDS
from hashmark.league.charts.tallies import YARDS, count_by_team, histogram_by_team
from hashmark.league.data.arrays import Floats

DEEPEST_RETURN_YARDS = 4  # yards into the end zone from which coaches return a kick
FREE_PUNT_MIN_YARDS = 60  # yards to the goal line: punts from here or farther are unrestricted
MAX_TOUCHBACK_RATE = 0.95
SQUIB_YARDS = (40, 60)  # kick lengths in yards whose returns make up the squib chart
# Weight of the league average, in plays.
PRIOR_PLAYS = {
    "return": 100.0,
    "kick": 20.0,
    "rare": 300.0,
    "field goal": 100.0,
    "extra point": 500.0,
    "turnover return": 60.0,
}


@dataclass(frozen=True)
class SpecialTeamsCharts:
    """Columns by team, and those of the league."""

    columns: list[dict[str, CellColumn]]
    pat_miss: list[list[int]]
    fg_adjust: list[list[int] | None]
    squib: CellColumn


def build_special_teams(
    plays: pl.DataFrame, teams: list[str], faithful: bool
) -> SpecialTeamsCharts:
    """Build all special-teams charts."""
    prior_plays = {name: 0.0 if faithful else value for name, value in PRIOR_PLAYS.items()}
    columns: list[dict[str, CellColumn]] = [{} for _ in teams]
    squib = _build_kickoffs(plays, teams, prior_plays, columns)
    _build_punts(plays, teams, prior_plays, columns)
    field_goal_adjustments = _build_field_goals(plays, teams, prior_plays, columns)
    _build_turnover_returns(plays, teams, prior_plays, columns)
    tries = plays.filter(pl.col("extra_point_attempt") == 1)
    is_missed = pl.col("extra_point_result") != "good"
    rates = _rates(tries, is_missed, "posteam", teams, prior_plays["extra point"])
    return SpecialTeamsCharts(
        columns,
        [quantize.rows_for_rate(float(rate)) for rate in rates],
        field_goal_adjustments,
        squib,
    )


def _rates(
    rows: pl.DataFrame, condition: pl.Expr, team: str, teams: list[str], prior_plays: float
) -> Floats:
    """Return by team the share of its rows that meet a condition, shrunk to the league."""
    met = count_by_team(rows.filter(condition), team, teams)
    return shrink(met, count_by_team(rows, team, teams), prior_plays)


def _shrink_histograms(own: Floats, k: float) -> Floats:
    """Return histograms [team, yard] shrunk to the league, which counts like k plays."""
    league = own.sum(0) / max(own.sum(), 1e-9)
    return np.asarray(own + max(k, 1e-6) * league)


# --- Kickoffs ------------------------------------------------------------------------


def kickoff_line(plays: pl.DataFrame) -> int:
    """Return the yard line of kickoffs in this season."""
    kicks = plays.filter(pl.col("play_type") == "kickoff")["yardline_100"].drop_nulls()
    return int(kicks.mode().sort()[0]) if len(kicks) else KICKOFF_SPOT


def _build_kickoffs(
    plays: pl.DataFrame,
    teams: list[str],
    k: dict[str, float],
    columns: list[dict[str, CellColumn]],
) -> CellColumn:
    line = kickoff_line(plays)
    text = pl.col("desc").fill_null("")
    all_kicks = plays.filter(
        (pl.col("play_type") == "kickoff") & ~text.str.to_lowercase().str.contains("onside")
    )
    kicks = all_kicks.filter(pl.col("yardline_100") == line)
    out_of_bounds = pl.col("kickoff_out_of_bounds") == 1
    not_returned = (pl.col("touchback") == 1) | (pl.col("kickoff_fair_catch") == 1)
    length = (
        text.str.extract(r"kicks (\d+) yards").cast(pl.Float64).fill_null(pl.col("kick_distance"))
    )
    touchbacks = _rates(kicks, not_returned, "defteam", teams, k["kick"])
    out_rates = _rates(kicks, out_of_bounds, "defteam", teams, k["rare"])
    returned = kicks.filter(~out_of_bounds & ~not_returned & length.is_not_null())
    lengths = histogram_by_team(
        returned, "defteam", length.clip(0, 100 - line + DEEPEST_RETURN_YARDS), teams
    )
    mean = shrink(lengths @ YARDS, lengths.sum(1), k["kick"])
    offside = kicks.filter(
        (pl.col("penalty") == 1)
        & (pl.col("penalty_team") == pl.col("defteam"))
        & pl.col("penalty_type").str.contains("(?i)offside")
    ).height / max(kicks.height, 1)
    flags = kicking.return_penalty_rates(returned, "posteam", returned.height)
    returns = kicking.count_returns(returned, teams, "posteam", pl.col("return_yards"), flags)
    charts = _build_coverage(returned, teams, k, columns, "kick-coverage")
    cover = kicking.combine_coverage(charts)
    touchback_cell = c.cell_of(c.NUMBER, 100 - line + 10)
    for index in range(len(teams)):
        events = {
            touchback_cell: min(float(touchbacks[index]), MAX_TOUCHBACK_RATE),
            c.cell_of(c.OFF_40, 0): float(out_rates[index]),
            c.cell_of(c.OFF_5, 0): offside,
        }
        distribution = _shrink_histograms(lengths, k["kick"])[index]
        columns[index]["kickoff"] = kicking.build_kick_chart(
            distribution, float(mean[index]), events
        )
        columns[index]["kick-return"] = _build_return_chart(
            returns, index, k["return"], cover, lowest=0
        )
    squib_kicks = returned.filter(length.is_between(*SQUIB_YARDS))
    squib_returns = kicking.count_returns(
        squib_kicks, teams, "posteam", pl.col("return_yards"), flags
    )
    return _build_league_return(squib_returns, cover)


def _build_coverage(
    returned: pl.DataFrame,
    teams: list[str],
    k: dict[str, float],
    columns: list[dict[str, CellColumn]],
    name: str,
    kicker: str = "defteam",
) -> list[list[int]]:
    """Build five-row charts from the return yards that each team allowed."""
    no_touchdown = returned.filter(pl.col("touchdown") == 0)
    yards = pl.col("return_yards").fill_null(0)
    allowed = histogram_by_team(no_touchdown, kicker, yards, teams)
    league = float((allowed.sum(0) @ YARDS) / max(allowed.sum(), 1e-9))
    deviation = shrink(allowed @ YARDS, allowed.sum(1), k["return"]) - league
    typical = round(league)
    charts = [kicking.build_coverage_chart(float(yards) * 36 / 33, typical) for yards in deviation]
    for index, chart in enumerate(charts):
        columns[index][name] = chart
    return charts


def _build_return_chart(
    returns: ReturnCounts,
    index: int,
    k: float,
    cover: CoverRates,
    caught: float = 0.0,
    lowest: int = -20,
) -> CellColumn:
    """Build a team's return chart from yards, touchdowns and fumbles, shrunk to the league."""
    totals = returns.total
    means = shrink(returns.yards @ YARDS, returns.yards.sum(1), k)
    rare_k = k * 2
    return kicking.build_return_chart(
        yards=_shrink_histograms(returns.yards, k)[index],
        mean=float(means[index]),
        touchdowns=float(shrink(returns.touchdowns, totals, rare_k)[index]),
        fumbles=float(shrink(returns.fumbles, totals, rare_k)[index]),
        spots=returns.spots,
        flags=returns.flags,
        cover=cover,
        caught=caught,
        lowest=lowest,
    )


def _build_league_return(returns: ReturnCounts, cover: CoverRates) -> CellColumn:
    combined = ReturnCounts(
        returns.yards.sum(0, keepdims=True),
        returns.touchdowns.sum(keepdims=True),
        returns.fumbles.sum(keepdims=True),
        returns.spots,
        returns.flags,
    )
    return _build_return_chart(combined, 0, 0.0, cover)


# --- Punts ---------------------------------------------------------------------------


def _build_punts(
    plays: pl.DataFrame,
    teams: list[str],
    k: dict[str, float],
    columns: list[dict[str, CellColumn]],
) -> None:
    punts = plays.filter(pl.col("play_type") == "punt")
    not_blocked = punts.filter(
        (pl.col("punt_blocked") == 0) & pl.col("kick_distance").is_not_null()
    )
    unrestricted = not_blocked.filter(
        (pl.col("yardline_100") >= FREE_PUNT_MIN_YARDS) & (pl.col("kick_distance") > 0)
    )
    lengths = histogram_by_team(unrestricted, "posteam", pl.col("kick_distance"), teams)
    mean = shrink(lengths @ YARDS, lengths.sum(1), k["kick"])
    is_out = pl.col("punt_out_of_bounds") == 1
    out_rates = _rates(not_blocked, is_out, "posteam", teams, k["return"])
    block_rates = _rates(punts, pl.col("punt_blocked") == 1, "posteam", teams, k["rare"])
    events = _punt_penalty_rates(plays, punts)
    in_play = not_blocked.filter((pl.col("punt_out_of_bounds") == 0) & (pl.col("touchback") == 0))
    not_returned = (pl.col("punt_fair_catch") == 1) | (pl.col("punt_downed") == 1)
    not_returned_rates = _rates(in_play, not_returned, "defteam", teams, k["kick"])
    returned = in_play.filter(~not_returned)
    flags = kicking.return_penalty_rates(punts, "defteam", returned.height)
    returns = kicking.count_returns(returned, teams, "defteam", pl.col("return_yards"), flags)
    charts = _build_coverage(returned, teams, k, columns, "punt-coverage", kicker="posteam")
    cover = kicking.combine_coverage(charts)
    for index in range(len(teams)):
        team_events = {**events, c.cell_of(c.BLOCK, -9): float(block_rates[index])}
        distribution = _shrink_histograms(lengths, k["kick"])[index]
        columns[index]["punt"] = kicking.build_kick_chart(
            distribution, float(mean[index]), team_events, float(out_rates[index])
        )
        columns[index]["punt-return"] = _build_return_chart(
            returns, index, k["return"], cover, float(not_returned_rates[index]), lowest=-5
        )


def _punt_penalty_rates(plays: pl.DataFrame, punts: pl.DataFrame) -> dict[int, float]:
    """Return line-of-scrimmage fouls per punt: OFF of the punting team, DEF of receivers."""
    nullified = plays.filter(
        (pl.col("play_type") == "no_play")
        & pl.col("desc").fill_null("").str.contains("(?i) punts ")
        & (pl.col("penalty") == 1)
    )
    total = max(punts.height + nullified.height, 1)
    is_own = pl.col("penalty_team") == pl.col("posteam")
    line_fouls = (
        "Ineligible Downfield Kick",
        "Illegal Formation",
        "Illegal Shift",
        "Illegal Motion",
    )
    own_line_fouls = punts.filter(
        (pl.col("penalty") == 1) & is_own & pl.col("penalty_type").is_in(line_fouls)
    )
    roughing = nullified.filter(~is_own & pl.col("penalty_type").str.contains("(?i)roughing"))
    return {
        c.cell_of(c.OFF_5, 0): (nullified.filter(is_own).height + own_line_fouls.height) / total,
        c.cell_of(c.DEF_5, 0): (nullified.filter(~is_own).height - roughing.height) / total,
        c.cell_of(c.DEF_15, 0): roughing.height / total,
    }


# --- Field goals ---------------------------------------------------------------------


def _build_field_goals(
    plays: pl.DataFrame, teams: list[str], k: dict[str, float], columns: list[dict[str, CellColumn]]
) -> list[list[int] | None]:
    tries = plays.filter(
        (pl.col("play_type") == "field_goal") & pl.col("yardline_100").is_not_null()
    )
    is_blocked = pl.col("field_goal_result") == "blocked"
    rates = _rates(tries, is_blocked, "posteam", teams, 4 * k["field goal"])
    kicks = tries.filter(~is_blocked)
    good, deviation = kicking.fit_field_goals(kicks, teams, k["field goal"])
    good = good * (1 - rates[:, None])
    longest = tries.group_by("posteam").agg(pl.col("yardline_100").max())
    longest_tried = dict(longest.iter_rows())
    adjustments: list[list[int] | None] = []
    fouls = _field_goal_penalty_rates(plays, tries)
    for index, team in enumerate(teams):
        makeable = np.flatnonzero(good[index] >= 0.15)
        longest_makeable = int(makeable[-1]) if len(makeable) else 30
        longest_kick = min(max(int(longest_tried.get(team, 30)), longest_makeable), 47)
        columns[index]["field-goal"] = kicking.build_field_goal_chart(
            good[index], float(rates[index]), longest_kick, fouls
        )
        adjustments.append(_field_goal_adjustment(float(deviation[index])))
    return adjustments


def _field_goal_penalty_rates(plays: pl.DataFrame, tries: pl.DataFrame) -> dict[int, float]:
    """Return fouls before field goals per try: five yards against either team."""
    nullified = plays.filter(
        (pl.col("play_type") == "no_play")
        & pl.col("desc").fill_null("").str.contains("(?i)field goal")
        & (pl.col("penalty") == 1)
    )
    own = nullified.filter(pl.col("penalty_team") == pl.col("posteam")).height
    total = max(tries.height + nullified.height, 1)
    return {
        c.cell_of(c.OFF_5, 0): own / total,
        c.cell_of(c.DEF_5, 0): (nullified.height - own) / total,
    }


def _field_goal_adjustment(deviation: float) -> list[int] | None:
    """Return the FG Adj. chart: 0, 1, 3 or 4 thirty-sixths that make or spoil a kick, or None."""
    # Over the share of kicks that such a row can change.
    chance = 1 / 0.15 if deviation > 0 else 1 / 0.85
    ways = min((0, 1, 3, 4), key=lambda count: abs(count / 36 - abs(deviation) * chance))
    if ways == 0:
        return None
    cell = c.cell_of(c.GOOD if deviation > 0 else c.NO_GOOD, 0)
    rows = {1: (4,), 3: (3,), 4: (3, 4)}[ways]
    return [cell if row in rows else c.BLANK for row in range(5)]


# --- Turnover returns --------------------------------------------------------------


def _build_turnover_returns(
    plays: pl.DataFrame, teams: list[str], k: dict[str, float], columns: list[dict[str, CellColumn]]
) -> None:
    no_cover = CoverRates()
    intercepted = plays.filter(
        (pl.col("interception") == 1) & (pl.col("touchback") == 0) & pl.col("down").is_not_null()
    )
    flags = kicking.return_penalty_rates(intercepted, "defteam", intercepted.height)
    interception_returns = kicking.count_returns(
        intercepted, teams, "defteam", pl.col("return_yards"), flags
    )
    lost_fumbles = plays.filter(
        (pl.col("fumble") == 1)
        & pl.col("play_type").is_in(["run", "pass"])
        & (pl.col("fumbled_1_team") == pl.col("posteam"))
        & (pl.col("fumble_recovery_1_team") == pl.col("defteam"))
    )
    fumble_returns = kicking.count_returns(
        lost_fumbles.with_columns(fumbled_1_team=pl.lit(None, dtype=pl.String)),
        teams,
        "defteam",
        pl.col("fumble_recovery_1_yards"),
        np.zeros(len(PENALTY_KINDS)),
    )
    for index in range(len(teams)):
        columns[index]["int-return"] = _build_return_chart(
            interception_returns, index, k["turnover return"], no_cover, lowest=-5
        )
        columns[index]["fumble-return"] = _build_return_chart(
            fumble_returns, index, k["turnover return"], no_cover, lowest=-5
        )
