"""From counts to shares: a team's own habits, held to the league's where it has few plays.

Counts are arrays of team, entry, call. A team is first described by a few numbers (how much
more often than the league it makes each call, over all entries), which many plays support;
what it does in a single entry is then held to that description like to `held` plays more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]

TOTAL = 100  # what the shares of an entry add up to
LEAST = 0.3  # of the total: less is noise and is left out
ROUNDS = 60


def league_shares(counts: Floats, prior: Floats, held: float) -> Floats:
    """The league's shares in each entry; an entry that hardly occurs is held to the prior."""
    seen = counts.sum(axis=0) if counts.ndim == 3 else counts
    made: Floats = seen + held * prior
    made /= made.sum(axis=-1, keepdims=True)
    return made


def team_shares(counts: Floats, league: Floats, held: float, held_in_all: float) -> Floats:
    """The shares of teams by entry: of one, or of many if there is an axis of teams in front.

    `held_in_all` plays of the league's stand behind a team's leaning to each call, `held`
    behind each entry. What it calls over all its plays comes out as it was.
    """
    import numpy as np

    plays = counts.sum(axis=-1, keepdims=True)
    expected = (plays * league).sum(axis=-2)
    size = plays.sum(axis=-2)
    wanted = counts.sum(axis=-2)
    drawn = wanted + held_in_all * expected / np.where(size > 0, size, 1.0)
    wanted = np.where(size > 0, drawn * size / (size + held_in_all), wanted)
    leaning = fit_leaning(plays, league, wanted)
    leaned = _normal(league * leaning)
    made = (counts + held * leaned) / (plays + held)
    result: Floats = _normal(made * fit_leaning(plays, made, wanted))
    return result


def fit_leaning(plays: Floats, shares: Floats, wanted: Floats) -> Floats:
    """One factor for each call, with which the shares give the calls that are wanted."""
    import numpy as np

    factors = np.ones((*wanted.shape[:-1], 1, wanted.shape[-1]))
    sought = wanted[..., None, :]
    for _ in range(ROUNDS):
        given = (plays * _normal(shares * factors)).sum(axis=-2, keepdims=True)
        ratio = np.where(given > 1e-9, sought / np.maximum(given, 1e-9), 1.0)
        factors = np.clip(factors * ratio, 1e-3, 1e3)
    return factors


def _normal(shares: Floats) -> Floats:
    made: Floats = shares / shares.sum(axis=-1, keepdims=True)
    return made


def rounded(shares: Floats, plays: Floats, total: int = TOTAL) -> Whole:
    """Whole shares that add up to the total in every entry.

    What rounding takes from a call in one entry is given back in the next, weighed by how
    often the entries occur, so that rare calls are not lost.
    """
    import numpy as np

    made = np.zeros(shares.shape, np.int64)
    owed = np.zeros(shares.shape[-1])
    order = np.argsort(-plays, kind="stable")
    for at in order:
        weight = max(float(plays[at]), 1e-6)
        exact = shares[at] * total
        push = np.clip(owed / weight, -0.5, 0.5)
        lasting = np.where(exact >= LEAST, np.maximum(exact + push, 0.0), 0.0)
        made[at] = _round(lasting, total)
        owed += weight * (exact - made[at])
    return made


def _round(exact: Floats, total: int) -> Whole:
    """Largest remainders; ties go to the earlier call."""
    import numpy as np

    exact = exact * (total / exact.sum())
    down = np.floor(exact + 1e-9).astype(np.int64)
    missing = total - int(down.sum())
    for at in np.argsort(-(exact - down), kind="stable")[:missing]:
        down[at] += 1
    return down
