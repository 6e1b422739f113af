"""Real plans: how every team of a season actually called, as game plans (docs/reference/plans.md).

    plans = build_season_plans(play_by_play.load("pbp_2008.parquet"))
    plans["ARI"]     # a plan like any other
    plans["league"]  # the league average

Plays are assigned to chart columns by the code that also builds the charts (`chart_columns.py`),
and to the entries of `situations.py`. Shares are the team's own, shrunk to the league average
where an entry is rare (`shares.py`). Formations are not in the data: every team uses the table of
`formation_mix.py`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import LEAGUE, SECTIONS, Entry, Plan
from hashmark.games.data_driven.tables import (
    DRAW,
    LONG_PASS,
    NO_DRAW_FROM,
    NO_LONG_PASS_FROM,
    PLAYS,
    RUNS,
    TRY_SPOT,
)
from hashmark.league.data import chart_columns, coverage, play_by_play, situations
from hashmark.league.data.arrays import Floats
from hashmark.league.data.call_counts import CallCounts, add_row_key, add_situation, count_calls
from hashmark.league.data.play_checks import translate_sparse_data_errors
from hashmark.league.plans import clock_habits, formation_mix, kick_habits
from hashmark.league.plans.shares import league_shares, make_entries, team_shares

# Weight of the league average, in plays: in a single entry, and over all entries.
PRIOR_PLAYS = {
    "play": (40.0, 20.0),
    "instead": (20.0, 20.0),
    "try": (30.0, 60.0),
    "kickoff": (30.0, 100.0),
    "offence-timeout": (60.0, 60.0),
    "defence-timeout": (60.0, 60.0),
}
LEAGUE_PRIOR_PLAYS = 2.0
# Plans call fewer runs than the real teams, so that simulated seasons match the real number
# of runs. Audibles that turn passes into runs explain a third. The factor is stable across seasons.
RUN_CALL_FACTOR = 0.94


def build_season_plans(
    frame: pl.DataFrame, weeks: str = "all", partial: bool = False
) -> dict[str, Plan]:
    """Return the plan of every team of a season, and the league's.

    A season with missing games is rejected unless `partial` is set.
    """
    picked = play_by_play.select_plays(frame, weeks=weeks)
    made_from = coverage.check(frame, weeks, partial)
    return {code: replace(plan, made_from=made_from) for code, plan in build_plans(picked).items()}


@translate_sparse_data_errors("plans")
def build_plans(picked: pl.DataFrame) -> dict[str, Plan]:
    """Build the plans from plays that are already loaded, selected and checked."""
    plays = add_situation(picked)
    teams = play_by_play.team_codes(plays)
    season = int(plays["season"][0])
    counted = [
        _count_plays(plays, teams),
        kick_habits.count_instead(plays, teams),
        kick_habits.count_tries(plays, teams),
        kick_habits.count_kickoffs(plays, teams),
        *clock_habits.count_timeouts(plays, teams),
    ]
    sections = {section.section: _entries(section) for section in counted}  # league first
    sections["tempo"] = clock_habits.build_tempo(plays, teams)
    common = {"formation": _formation_entries(), "audible": [Entry({}, {"audible": 1})]}
    depths = kick_habits.return_depths(plays, teams)
    made_plans = {}
    for index, code in enumerate((LEAGUE, *teams)):
        own = {section: entries[index] for section, entries in sections.items()}
        numbers = {"return-depth": depths[index], "roll-inside": kick_habits.ROLL_INSIDE}
        made_plans[code] = plans.build_plan(f"{season}:{code}", {**common, **own}, numbers)
    return made_plans


def _entries(counted: CallCounts) -> list[list[Entry]]:
    """Return the entries of a section: the league's, then each team's."""
    entry_prior, team_prior = PRIOR_PLAYS[counted.section]
    calls = SECTIONS[counted.section]
    possible = _allowed_calls(counted)
    totals = counted.counts.sum(axis=0) * possible
    league = league_shares(totals, _prior(totals) * possible, LEAGUE_PRIOR_PLAYS)
    entries = [make_entries(counted.whens, calls, league, totals.sum(axis=1))]
    counts = counted.counts * possible
    for own, shares in zip(
        counts, team_shares(counts, league, entry_prior, team_prior), strict=True
    ):
        entries.append(make_entries(counted.whens, calls, shares, own.sum(axis=1) + 0.1))
    return entries


def _allowed_calls(counted: CallCounts) -> Floats:
    """Return 1 for each call, or 0 where the rules never allow it in an entry (R8)."""
    allowed = np.ones(counted.counts.shape[1:])
    if counted.section == "play":
        for index, when in enumerate(counted.whens):
            nearest = when.get("spot", (0, 99))[0]
            allowed[index, LONG_PASS] = nearest < NO_LONG_PASS_FROM
            allowed[index, DRAW] = nearest < NO_DRAW_FROM
    return allowed


def _prior(totals: Floats) -> Floats:
    """Return the prior of each entry: the calls of its neighbors, then of all entries.

    Without any play at all it is the first call of the section.
    """
    smoothed = totals.copy()
    smoothed[1:] += 0.1 * totals[:-1]
    smoothed[:-1] += 0.1 * totals[1:]
    smoothed += 1e-6 * totals.sum(axis=0)
    smoothed[:, 0] += 1e-9
    return np.asarray(smoothed / smoothed.sum(axis=1, keepdims=True))


def _formation_entries() -> list[Entry]:
    names = SECTIONS["formation"]
    return [
        Entry(when, dict(zip(names, mix, strict=True))) for when, mix in formation_mix.MIX_ENTRIES
    ]


# --- Plays ---------------------------------------------------------------------------


def _count_plays(plays: pl.DataFrame, teams: list[str]) -> CallCounts:
    """Count the nine plays by entry.

    Sacks and scrambles are spread over the passes and aborted snaps over the runs, in the
    proportions of the entry.
    """
    keyed = add_row_key(plays)
    scrimmage_plays = chart_columns.assign_columns(keyed).frame.select(
        "game_id", "column", "weight", "result", "yards"
    )
    situation_columns = keyed.select(
        "game_id", "team", "lead", "time", "period", "spot", "to-go", "down"
    )
    placed = scrimmage_plays.join(situation_columns, on="game_id", how="left").filter(
        pl.col("down") > 0
    )
    placed = chart_columns.apply_goal_line_limits(
        pl.concat([placed, _as_tries(placed)]), pl.col("spot")
    )
    assigned = placed.filter(pl.col("column").is_not_null())
    whens = situations.PLAY
    counts = count_calls(assigned, whens, teams, "column", PLAYS, "weight")
    trapped = pl.col("result").is_in([chart_columns.SACK, chart_columns.SCRAMBLE])
    counts += _spread(
        counts, count_calls(placed.filter(trapped), whens, teams), chart_columns.TRAPPED_WEIGHTS
    )
    aborted = placed.filter(pl.col("result") == chart_columns.ABORTED)
    equal_rates = dict.fromkeys(PLAYS[:4], 1.0)
    counts += _spread(counts, count_calls(aborted, whens, teams), equal_rates)
    counts[:, :, : len(RUNS)] *= RUN_CALL_FACTOR
    return CallCounts("play", whens, counts)


def _as_tries(placed: pl.DataFrame) -> pl.DataFrame:
    """Return plays from the 2 on third or fourth down as two-point tries.

    The data does not record the depth of passes on tries.
    """
    from_the_two = placed.filter((pl.col("spot") == TRY_SPOT) & (pl.col("down") >= 3))
    return from_the_two.with_columns(down=pl.lit(0, dtype=placed.schema["down"]))


def _spread(counts: Floats, unassigned: Floats, rates: dict[str, float]) -> Floats:
    """Spread plays without a column over the possible columns, like the plays around them."""
    rate = np.array([rates.get(play, 0.0) for play in PLAYS])
    league = counts.sum(axis=(0, 1)) * rate
    weights = (counts + 2 * counts.sum(axis=0) / len(counts)) * rate + 1e-3 * league / league.sum()
    return np.asarray(unassigned * weights / weights.sum(axis=2, keepdims=True))
