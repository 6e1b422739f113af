"""Shares from counts: a team's own tendencies, shrunk to the league where its sample is small.

Counts are arrays of team, entry and call. A team is first described by one factor per call (how
much more often than the league it makes that call over all entries), which many plays support. Its
shares in a single entry are then shrunk toward that description, which counts as much as
`entry_prior_plays` plays.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hashmark.games.data_driven.plans.plan import Entry
from hashmark.league.data.arrays import Floats, Integers
from hashmark.league.data.situations import When

SHARES_TOTAL = 100  # sum of the shares of an entry
MIN_SHARE = 0.3  # smaller shares (of the total) are noise and dropped
FIT_ITERATIONS = 60


def league_shares(counts: Floats, prior: Floats, prior_plays: float) -> Floats:
    """Return the league's shares in each entry, shrunk to the prior where plays are rare."""
    totals = counts.sum(axis=0) if counts.ndim == 3 else counts
    shares: Floats = totals + prior_plays * prior
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


def team_shares(
    counts: Floats, league: Floats, entry_prior_plays: float, team_prior_plays: float
) -> Floats:
    """Return the shares of one team by entry, or of many with a leading team axis.

    The league average counts like `team_prior_plays` plays for a team's factor of each call and
    like `entry_prior_plays` plays in each entry. The team's totals over all plays are preserved.
    """
    plays = counts.sum(axis=-1, keepdims=True)
    expected = (plays * league).sum(axis=-2)
    total_plays = plays.sum(axis=-2)
    wanted = counts.sum(axis=-2)
    shrunk = wanted + team_prior_plays * expected / np.where(total_plays > 0, total_plays, 1.0)
    wanted = np.where(
        total_plays > 0, shrunk * total_plays / (total_plays + team_prior_plays), wanted
    )
    factors = fit_call_factors(plays, league, wanted)
    adjusted = _normalize(league * factors)
    shrunk_shares = (counts + entry_prior_plays * adjusted) / (plays + entry_prior_plays)
    return np.asarray(_normalize(shrunk_shares * fit_call_factors(plays, shrunk_shares, wanted)))


def fit_call_factors(plays: Floats, shares: Floats, wanted: Floats) -> Floats:
    """Fit one factor per call with which the shares reproduce the wanted totals."""
    factors = np.ones((*wanted.shape[:-1], 1, wanted.shape[-1]))
    targets = wanted[..., None, :]
    for _ in range(FIT_ITERATIONS):
        expected = (plays * _normalize(shares * factors)).sum(axis=-2, keepdims=True)
        ratio = np.where(expected > 1e-9, targets / np.maximum(expected, 1e-9), 1.0)
        factors = np.clip(factors * ratio, 1e-3, 1e3)
    return factors


def _normalize(shares: Floats) -> Floats:
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def make_entries(
    whens: Sequence[When], calls: Sequence[str], shares: Floats, plays: Floats
) -> list[Entry]:
    """Return plan entries with rounded shares, without the calls that have none."""
    return [
        Entry(when, {call: int(share) for call, share in zip(calls, row, strict=True) if share})
        for when, row in zip(whens, round_shares(shares, plays), strict=True)
    ]


def round_shares(shares: Floats, plays: Floats) -> Integers:
    """Round shares to integers that add up to `SHARES_TOTAL` in every entry.

    Rounding errors of a call are carried to the next entry, weighted by how often the entries
    occur, so that rare calls are not lost.
    """
    whole = np.zeros(shares.shape, np.int64)
    carried = np.zeros(shares.shape[-1])
    order = np.argsort(-plays, kind="stable")
    for entry in order:
        weight = max(float(plays[entry]), 1e-6)
        exact = shares[entry] * SHARES_TOTAL
        correction = np.clip(carried / weight, -0.5, 0.5)
        kept_shares = np.where(exact >= MIN_SHARE, np.maximum(exact + correction, 0.0), 0.0)
        whole[entry] = _round_largest_remainder(kept_shares)
        carried += weight * (exact - whole[entry])
    return whole


def _round_largest_remainder(exact: Floats) -> Integers:
    """Round by largest remainders; ties go to the earlier call."""
    exact = exact * (SHARES_TOTAL / exact.sum())
    floors = np.floor(exact + 1e-9).astype(np.int64)
    missing = SHARES_TOTAL - int(floors.sum())
    for call in np.argsort(-(exact - floors), kind="stable")[:missing]:
        floors[call] += 1
    return floors
