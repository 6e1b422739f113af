"""Timeouts, hurry-up and spikes: what teams really did while the clock ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hashmark.games.data_driven.clock import (
    HURRIED,
    IN_BOUNDS,
    LAST_QUARTER,
    LATE_IN_GAME,
    LATE_IN_HALF,
    SHORT_PLAY,
    THIRD_IN_BOUNDS,
)
from hashmark.games.data_driven.plans.plan import SECTIONS, Entry
from hashmark.league.facts import situations
from hashmark.league.facts.counting import Counts, count
from hashmark.league.plans.shares import TOTAL, rounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SNAPS = ("run", "pass", "qb_kneel", "qb_spike", "punt", "field_goal")
USUAL_SECONDS = (2 * IN_BOUNDS + THIRD_IN_BOUNDS) / 3  # R102
LONGEST = 60  # a longer wait was no wait for the snap
HELD_TIME = 40.0  # plays of the league's behind a team's mean wait
HELD_SPIKES = 60.0
LATE_HURRY = 4  # hurry-ups of a team's quota that are kept for the ends of the halves


def timeouts(plays: pl.DataFrame, teams: list[str]) -> list[Counts]:
    """How often the offence, and then the defence, stopped a running clock."""
    running = _running(plays)
    made = []
    for section, whens, team, sign in (
        ("offence-timeout", situations.OFFENCE_TIMEOUT, "posteam", 1),
        ("defence-timeout", situations.DEFENCE_TIMEOUT, "defteam", -1),
    ):
        called = running.filter(pl.col(f"{team}_timeouts_remaining") > 0).with_columns(
            team=pl.col(team),
            lead=sign * pl.col("lead"),
            call=pl.when((pl.col("next_timeout") == 1) & (pl.col("next_by") == pl.col(team)))
            .then(pl.lit("timeout"))
            .otherwise(pl.lit("let-it-run")),
        )
        made.append(Counts(section, whens, count(called, whens, teams, "call", SECTIONS[section])))
    return made


def _running(plays: pl.DataFrame) -> pl.DataFrame:
    """Plays after which the clock ran as the rules see it, with the next row of the game."""
    rows = plays.filter(pl.col("play_type").is_not_null()).with_columns(
        next_timeout=pl.col("timeout").shift(-1).over("game_id"),
        next_by=pl.col("timeout_team").shift(-1).over("game_id"),
        next_type=pl.col("play_type").shift(-1).over("game_id"),
        next_team=pl.col("posteam").shift(-1).over("game_id"),
        next_time=pl.col("time").shift(-1).over("game_id"),
        next_period=pl.col("period").shift(-1).over("game_id"),
    )
    late = ((pl.col("period") == 2) & (pl.col("time") < LATE_IN_HALF)) | (
        (pl.col("period") >= LAST_QUARTER) & (pl.col("time") <= LATE_IN_GAME)
    )
    stopped = (
        ((pl.col("play_type") == "pass") & (pl.col("complete_pass") == 0) & (pl.col("sack") == 0))
        | (pl.col("touchdown") == 1)
        | (pl.col("penalty") == 1)
        | (pl.col("safety") == 1)
        | ((pl.col("out_of_bounds") == 1) & late)
    )
    ours = pl.col("next_team") == pl.col("posteam")
    kept = rows.filter(
        pl.col("play_type").is_in(["run", "pass", "qb_kneel"])
        & (pl.col("two_point_attempt") == 0)
        & stopped.not_()
        & (ours | (pl.col("next_timeout") == 1))
    )
    return kept.with_columns(spot=(pl.col("spot") + pl.col("yards_gained").fill_null(0)).cast(int))


def tempo(plays: pl.DataFrame, teams: list[str]) -> list[list[Entry]]:
    """How often to hurry, so that the wait for the next snap is the team's; and spikes."""
    whens = situations.TEMPO
    warned = (pl.col("time") > 120) & (pl.col("next_time") <= 120)  # the clock stops there
    waits = _running(plays).filter(
        (pl.col("next_timeout") == 0)
        & pl.col("next_type").is_in(list(SNAPS))
        & (pl.col("next_period") == pl.col("period"))
        & (pl.col("play_type") != "qb_kneel")
        & warned.not_()
    )
    waits = waits.with_columns(wait=(pl.col("time") - pl.col("next_time")).cast(pl.Float64))
    waits = waits.filter(pl.col("wait").is_between(0, LONGEST))
    spiked = pl.col("next_type") == "qb_spike"
    spikes = count(waits.filter(spiked), whens, teams)[:, :, 0]
    others = waits.filter(spiked.not_())
    seen = count(others, whens, teams)[:, :, 0]
    seconds = count(others, whens, teams, weight="wait")[:, :, 0]
    rooms = _room_for_hurry(plays, teams, seen[:, -2:].sum(axis=1))
    seconds[:, -2:] -= _saved(plays, waits.height) * seen[:, -2:]
    return _tempo_entries(spikes, seen, seconds, rooms)


def _saved(plays: pl.DataFrame, running: int) -> float:
    """Seconds for each play in bounds by which real incompletions are shorter than the rules'.

    R100 charges 10, really it is about 5: without this a season has too few plays.
    """
    rows = plays.filter(pl.col("play_type").is_not_null()).with_columns(
        next_type=pl.col("play_type").shift(-1).over("game_id"),
        next_time=pl.col("time").shift(-1).over("game_id"),
        next_period=pl.col("period").shift(-1).over("game_id"),
    )
    missed = rows.filter(
        (pl.col("play_type") == "pass")
        & (pl.col("complete_pass") + pl.col("sack") + pl.col("interception") == 0)
        & (pl.col("penalty") == 0)
        & pl.col("next_type").is_in(list(SNAPS))
        & (pl.col("next_period") == pl.col("period"))
    ).with_columns(took=pl.col("time") - pl.col("next_time"))
    took = missed.filter(pl.col("took").is_between(0, LONGEST))["took"]
    return float((SHORT_PLAY - took).sum()) / max(1, running)


def _room_for_hurry(plays: pl.DataFrame, teams: list[str], ordinary: Floats) -> Floats:
    """The largest share of hurry-ups in ordinary time that leaves the quota some for late."""
    snaps = plays.filter(pl.col("play_type").is_in(["run", "pass"]))
    games = snaps.group_by("team", "game_id").agg(pl.col("no_huddle").sum())
    quota = dict(games.group_by("team").agg(pl.col("no_huddle").quantile(0.9)).iter_rows())
    number = dict(games.group_by("team").agg(pl.len()).iter_rows())
    rooms = [
        max(0.0, quota.get(code, 0.0) - LATE_HURRY) * number.get(code, 1) / max(1.0, plays_had)
        for code, plays_had in zip(teams, ordinary, strict=True)
    ]
    return np.array([sum(rooms) / max(1, len(rooms)), *rooms])


def _tempo_entries(
    spikes: Floats, seen: Floats, seconds: Floats, rooms: Floats
) -> list[list[Entry]]:
    """The league's entries, then each team's, from waits and spikes by team and entry."""
    league_seen, league_spikes = seen.sum(axis=0) + 1e-9, spikes.sum(axis=0)
    mean = seconds.sum(axis=0) / league_seen
    mean = np.where(league_seen > 5, mean, USUAL_SECONDS)
    spike = league_spikes / (league_seen + league_spikes)
    made = []
    for at in range(len(seen) + 1):
        n, waited, own_spikes = (
            (league_seen, seconds.sum(axis=0), league_spikes)
            if at == 0
            else (seen[at - 1], seconds[at - 1], spikes[at - 1])
        )
        wait = (waited + HELD_TIME * mean) / (n + HELD_TIME)
        hurry = np.clip((USUAL_SECONDS - wait) / (USUAL_SECONDS - HURRIED), 0.0, 0.95)
        hurry[-2:] = np.minimum(hurry[-2:], rooms[at])
        spiked = (own_spikes + HELD_SPIKES * spike) / (n + own_spikes + HELD_SPIKES)
        shares = np.stack([(1 - spiked) * (1 - hurry), (1 - spiked) * hurry, spiked], axis=1)
        whole = rounded(shares, n + 0.1, TOTAL)
        made.append(
            [
                Entry(
                    when,
                    {c: int(k) for c, k in zip(SECTIONS["tempo"], row, strict=True) if k},
                )
                for when, row in zip(situations.TEMPO, whole, strict=True)
            ]
        )
    return made
