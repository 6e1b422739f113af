"""Real plans: how every team of a season really called, as game plans (docs/plans.md).

    plans = season_plans(pbp.load("pbp_2008.parquet"))
    plans["ARI"]     # a plan like any other
    plans["league"]  # what an average team did

Plays are put into columns by the same code that builds the charts (`columns.py`), and into the
entries of `situations.py`. Shares are the team's own, held to the league's where an entry is
rare (`shares.py`). Formations are not in the data: every team has the table of
`formation_mix.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import LEAGUE, SECTIONS, Entry, Plan
from hashmark.games.data_driven.tables import (
    DRAW,
    LONG,
    NO_DRAW_FROM,
    NO_LONG_PASS_FROM,
    PLAYS,
    RUNS,
    TRY_SPOT,
)
from hashmark.league.facts import columns, coverage, pbp, situations
from hashmark.league.facts.counting import Counts, count, with_key, with_situation
from hashmark.league.facts.pbp_bounds import enough_for
from hashmark.league.facts.situations import When
from hashmark.league.plans import clock_habits, formation_mix, kick_habits
from hashmark.league.plans.shares import league_shares, rounded, team_shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# How many plays of the league's stand behind a team's: in one entry, and over all.
HELD = {
    "play": (40.0, 20.0),
    "instead": (20.0, 20.0),
    "try": (30.0, 60.0),
    "kickoff": (30.0, 100.0),
    "offence-timeout": (60.0, 60.0),
    "defence-timeout": (60.0, 60.0),
}
HELD_LEAGUE = 2.0
# Runs are called less often than they were, so that simulated seasons have as many as there were:
# audibles make runs of passes, which is a third of it. Much the same in all seasons.
RUNS_AFTER_RULES = 0.94
TRAPPED_RATE = {  # how often a play ends with the passer trapped, relative to the others
    "screen": 0.4,
    "short-pass": 0.7,
    "medium-pass": 1.1,
    "long-pass": 1.5,
    "sideline-pass": 1.0,
}


def season_plans(frame: pl.DataFrame, weeks: str = "all", partial: bool = False) -> dict[str, Plan]:
    """The plan of every team of a season, and the league's.

    A season of which games are missing is refused, unless `partial` says that a part will do.
    """
    picked = pbp.pick(frame, weeks=weeks)
    made_from = coverage.check(frame, weeks, partial)
    return {code: replace(plan, made_from=made_from) for code, plan in plans_from(picked).items()}


@enough_for("plans")
def plans_from(picked: pl.DataFrame) -> dict[str, Plan]:
    """The same from plays that were read, picked and checked before."""
    plays = with_situation(picked)
    teams = pbp.teams(plays)
    season = int(plays["season"][0])
    counted = [
        _plays(plays, teams),
        kick_habits.instead(plays, teams),
        kick_habits.tries(plays, teams),
        kick_habits.kickoffs(plays, teams),
        *clock_habits.timeouts(plays, teams),
    ]
    sections = {one.section: _entries(one) for one in counted}  # the league's, then each team's
    sections["tempo"] = clock_habits.tempo(plays, teams)
    common = {"formation": _formations(), "audible": [Entry({}, {"audible": 1})]}
    depths = kick_habits.return_depths(plays, teams)
    made = {}
    for at, code in enumerate((LEAGUE, *teams)):
        own = {section: entries[at] for section, entries in sections.items()}
        numbers = {"return-depth": depths[at], "roll-inside": kick_habits.ROLL_INSIDE}
        made[code] = plans.make(f"{season}:{code}", {**common, **own}, numbers)
    return made


def _entries(counted: Counts) -> list[list[Entry]]:
    """The entries of a section: the league's, then each team's."""
    held, held_in_all = HELD[counted.section]
    calls = SECTIONS[counted.section]
    possible = _possible(counted)
    seen = counted.counts.sum(axis=0) * possible
    league = league_shares(seen, _prior(seen) * possible, HELD_LEAGUE)
    made = [_written(counted.whens, calls, league, seen.sum(axis=1))]
    counts = counted.counts * possible
    for own, shares in zip(counts, team_shares(counts, league, held, held_in_all), strict=True):
        made.append(_written(counted.whens, calls, shares, own.sum(axis=1) + 0.1))
    return made


def _possible(counted: Counts) -> Floats:
    """1, or 0 for calls that the rules never allow in an entry (R8)."""
    made = np.ones(counted.counts.shape[1:])
    if counted.section == "play":
        for at, when in enumerate(counted.whens):
            nearest = when.get("spot", (0, 99))[0]
            made[at, LONG] = nearest < NO_LONG_PASS_FROM
            made[at, DRAW] = nearest < NO_DRAW_FROM
    return made


def _prior(seen: Floats) -> Floats:
    """What an entry without plays is held to: the calls of its neighbours in the list, those of
    all entries, and without any play at all the first call of the section."""
    smooth = seen.copy()
    smooth[1:] += 0.1 * seen[:-1]
    smooth[:-1] += 0.1 * seen[1:]
    smooth += 1e-6 * seen.sum(axis=0)
    smooth[:, 0] += 1e-9
    made: Floats = smooth / smooth.sum(axis=1, keepdims=True)
    return made


def _written(
    whens: list[When], calls: tuple[str, ...], shares: Floats, plays: Floats
) -> list[Entry]:
    return [
        Entry(when, {call: int(n) for call, n in zip(calls, row, strict=True) if n})
        for when, row in zip(whens, rounded(shares, plays), strict=True)
    ]


def _formations() -> list[Entry]:
    names = SECTIONS["formation"]
    return [Entry(when, dict(zip(names, mix, strict=True))) for when, mix in formation_mix.MIX]


# --- Plays ---------------------------------------------------------------------------


def _plays(plays: pl.DataFrame, teams: list[str]) -> Counts:
    """The nine plays by entry; a trapped passer is spread over the passes, a muffed snap over the
    runs, in the proportions of the entry."""
    keyed = with_key(plays)
    called = columns.scrimmage(keyed).frame.select("game_id", "column", "weight", "result", "yards")
    where = keyed.select("game_id", "team", "lead", "time", "period", "spot", "to-go", "down")
    placed = called.join(where, on="game_id", how="left").filter(pl.col("down") > 0)
    placed = columns.as_allowed(pl.concat([placed, _as_tries(placed)]), pl.col("spot"))
    known = placed.filter(pl.col("column").is_not_null())
    whens = situations.PLAY
    counts = count(known, whens, teams, "column", PLAYS, "weight")
    trapped = pl.col("result").is_in([columns.SACK, columns.SCRAMBLE])
    counts += _spread(counts, count(placed.filter(trapped), whens, teams), TRAPPED_RATE)
    aborted = placed.filter(pl.col("result") == columns.ABORTED)
    evenly = dict.fromkeys(PLAYS[:4], 1.0)
    counts += _spread(counts, count(aborted, whens, teams), evenly)
    counts[:, :, : len(RUNS)] *= RUNS_AFTER_RULES
    return Counts("play", whens, counts)


def _as_tries(placed: pl.DataFrame) -> pl.DataFrame:
    """What is called for two points: as from the 2 on third or fourth down, since the data does not
    tell the depth of a try's pass."""
    near = placed.filter((pl.col("spot") == TRY_SPOT) & (pl.col("down") >= 3))
    return near.with_columns(down=pl.lit(0, dtype=placed.schema["down"]))


def _spread(counts: Floats, untold: Floats, rates: dict[str, float]) -> Floats:
    """Plays without a column, over the columns that they may be, like those around them."""
    rate = np.array([rates.get(play, 0.0) for play in PLAYS])
    league = counts.sum(axis=(0, 1)) * rate
    around = (counts + 2 * counts.sum(axis=0) / len(counts)) * rate + 1e-3 * league / league.sum()
    shared: Floats = untold * around / around.sum(axis=2, keepdims=True)
    return shared
