"""Timeouts, hurry-up and spikes: real clock management, counted by situation."""

from __future__ import annotations

import numpy as np
import polars as pl

from hashmark.games.data_driven.clock import (
    HURRIED_SECONDS,
    IN_BOUNDS_SECONDS,
    LAST_QUARTER,
    LATE_IN_GAME_SECONDS,
    LATE_IN_HALF_SECONDS,
    SHORT_PLAY_SECONDS,
    THIRD_IN_BOUNDS_SECONDS,
)
from hashmark.games.data_driven.plans.plan import SECTIONS, Entry
from hashmark.league.data import situations
from hashmark.league.data.arrays import Floats
from hashmark.league.data.call_counts import CallCounts, count_calls, count_section
from hashmark.league.plans.shares import make_entries

SNAP_TYPES = ("run", "pass", "qb_kneel", "qb_spike", "punt", "field_goal")
USUAL_SECONDS = (2 * IN_BOUNDS_SECONDS + THIRD_IN_BOUNDS_SECONDS) / 3  # R102
MAX_WAIT_SECONDS = 60  # seconds; a longer gap is not a wait for the snap
WAIT_PRIOR_PLAYS = 40.0  # weight of the league average in a team's mean wait, in plays
SPIKE_PRIOR_PLAYS = 60.0
RESERVED_HURRY_UPS = 4  # hurry-ups of a team's quota reserved for the ends of the halves


def count_timeouts(plays: pl.DataFrame, teams: list[str]) -> list[CallCounts]:
    """Count how often the offense, and then the defense, stopped a running clock."""
    running = _running_clock_plays(plays)
    sections = []
    for section, whens, team, sign in (
        ("offence-timeout", situations.OFFENSE_TIMEOUT, "posteam", 1),
        ("defence-timeout", situations.DEFENSE_TIMEOUT, "defteam", -1),
    ):
        called = running.filter(pl.col(f"{team}_timeouts_remaining") > 0).with_columns(
            team=pl.col(team),
            lead=sign * pl.col("lead"),
            call=pl.when((pl.col("next_timeout") == 1) & (pl.col("next_by") == pl.col(team)))
            .then(pl.lit("timeout"))
            .otherwise(pl.lit("let-it-run")),
        )
        sections.append(count_section(section, called, whens, teams))
    return sections


def _running_clock_plays(plays: pl.DataFrame) -> pl.DataFrame:
    """Return the plays after which the clock runs under the rules, with the next row."""
    rows = _with_next_row(plays)
    late = ((pl.col("period") == 2) & (pl.col("time") < LATE_IN_HALF_SECONDS)) | (
        (pl.col("period") >= LAST_QUARTER) & (pl.col("time") <= LATE_IN_GAME_SECONDS)
    )
    stopped = (
        ((pl.col("play_type") == "pass") & (pl.col("complete_pass") == 0) & (pl.col("sack") == 0))
        | (pl.col("touchdown") == 1)
        | (pl.col("penalty") == 1)
        | (pl.col("safety") == 1)
        | ((pl.col("out_of_bounds") == 1) & late)
    )
    keeps_ball = pl.col("next_team") == pl.col("posteam")
    running = rows.filter(
        pl.col("play_type").is_in(["run", "pass", "qb_kneel"])
        & (pl.col("two_point_attempt") == 0)
        & stopped.not_()
        & (keeps_ball | (pl.col("next_timeout") == 1))
    )
    return running.with_columns(
        spot=(pl.col("spot") + pl.col("yards_gained").fill_null(0)).cast(int)
    )


def _with_next_row(plays: pl.DataFrame) -> pl.DataFrame:
    """Return the plays, each with the next row of its game."""
    columns = {
        "next_timeout": "timeout",
        "next_by": "timeout_team",
        "next_type": "play_type",
        "next_team": "posteam",
        "next_time": "time",
        "next_period": "period",
    }
    return plays.filter(pl.col("play_type").is_not_null()).with_columns(
        pl.col(column).shift(-1).over("game_id").alias(name) for name, column in columns.items()
    )


def build_tempo(plays: pl.DataFrame, teams: list[str]) -> list[list[Entry]]:
    """Return tempo entries that reproduce each team's mean wait for the snap and its spikes."""
    whens = situations.TEMPO
    at_warning = (pl.col("time") > 120) & (pl.col("next_time") <= 120)  # the clock stops at 2:00
    waits = _running_clock_plays(plays).filter(
        (pl.col("next_timeout") == 0)
        & pl.col("next_type").is_in(list(SNAP_TYPES))
        & (pl.col("next_period") == pl.col("period"))
        & (pl.col("play_type") != "qb_kneel")
        & at_warning.not_()
    )
    waits = waits.with_columns(wait=(pl.col("time") - pl.col("next_time")).cast(pl.Float64))
    waits = waits.filter(pl.col("wait").is_between(0, MAX_WAIT_SECONDS))
    spiked = pl.col("next_type") == "qb_spike"
    spikes = count_calls(waits.filter(spiked), whens, teams)[:, :, 0]
    others = waits.filter(spiked.not_())
    plays_seen = count_calls(others, whens, teams)[:, :, 0]
    seconds = count_calls(others, whens, teams, weight="wait")[:, :, 0]
    max_shares = _max_hurry_share(plays, teams, plays_seen[:, -2:].sum(axis=1))
    seconds[:, -2:] -= _overcharged_seconds(plays, waits.height) * plays_seen[:, -2:]
    return _tempo_entries(spikes, plays_seen, seconds, max_shares)


def _overcharged_seconds(plays: pl.DataFrame, running: int) -> float:
    """Return the seconds per in-bounds play by which the rules overcharge incompletions.

    R100 charges 10 seconds, real incompletions take about 5; without this correction a season would
    have too few plays.
    """
    incompletions = (
        _with_next_row(plays)
        .filter(
            (pl.col("play_type") == "pass")
            & (pl.col("complete_pass") + pl.col("sack") + pl.col("interception") == 0)
            & (pl.col("penalty") == 0)
            & pl.col("next_type").is_in(list(SNAP_TYPES))
            & (pl.col("next_period") == pl.col("period"))
        )
        .with_columns(took=pl.col("time") - pl.col("next_time"))
    )
    durations = incompletions.filter(pl.col("took").is_between(0, MAX_WAIT_SECONDS))["took"]
    return float((SHORT_PLAY_SECONDS - durations).sum()) / max(1, running)


def _max_hurry_share(plays: pl.DataFrame, teams: list[str], ordinary_plays: Floats) -> Floats:
    """Return the largest ordinary hurry-up share that leaves some of the quota for late."""
    snaps = plays.filter(pl.col("play_type").is_in(["run", "pass"]))
    games = snaps.group_by("team", "game_id").agg(pl.col("no_huddle").sum())
    quota = dict(games.group_by("team").agg(pl.col("no_huddle").quantile(0.9)).iter_rows())
    games_played = dict(games.group_by("team").agg(pl.len()).iter_rows())
    max_shares = [
        max(0.0, quota.get(code, 0.0) - RESERVED_HURRY_UPS)
        * games_played.get(code, 1)
        / max(1.0, team_plays)
        for code, team_plays in zip(teams, ordinary_plays, strict=True)
    ]
    return np.array([sum(max_shares) / max(1, len(max_shares)), *max_shares])


def _tempo_entries(
    spikes: Floats, plays_seen: Floats, seconds: Floats, max_shares: Floats
) -> list[list[Entry]]:
    """Return the league's entries, then each team's, from waits and spikes by team and entry."""
    league_plays, league_spikes = plays_seen.sum(axis=0) + 1e-9, spikes.sum(axis=0)
    mean_wait = seconds.sum(axis=0) / league_plays
    mean_wait = np.where(league_plays > 5, mean_wait, USUAL_SECONDS)
    spike_rate = league_spikes / (league_plays + league_spikes)
    entries = []
    for index in range(len(plays_seen) + 1):
        plays, waited, own_spikes = (
            (league_plays, seconds.sum(axis=0), league_spikes)
            if index == 0
            else (plays_seen[index - 1], seconds[index - 1], spikes[index - 1])
        )
        wait = (waited + WAIT_PRIOR_PLAYS * mean_wait) / (plays + WAIT_PRIOR_PLAYS)
        hurry = np.clip((USUAL_SECONDS - wait) / (USUAL_SECONDS - HURRIED_SECONDS), 0.0, 0.95)
        hurry[-2:] = np.minimum(hurry[-2:], max_shares[index])
        spike_share = (own_spikes + SPIKE_PRIOR_PLAYS * spike_rate) / (
            plays + own_spikes + SPIKE_PRIOR_PLAYS
        )
        shares = np.stack(
            [(1 - spike_share) * (1 - hurry), (1 - spike_share) * hurry, spike_share], axis=1
        )
        entries.append(make_entries(situations.TEMPO, SECTIONS["tempo"], shares, plays + 0.1))
    return entries
