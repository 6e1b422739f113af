"""The figures of many seasons, simulated against real, in two short tables: by season, by rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hashmark.league.checks import verify
from hashmark.league.checks.verify import CLOSE, Compared, Report
from hashmark.league.facts import real, schedule
from hashmark.league.facts.real import AGAINST, FOR
from hashmark.league.seasons.season import playable
from hashmark.table import places

SEASONS = 40  # simulated of each
Rows = list[tuple[str, ...]]
SEASON_HEAD = (
    "season",
    f"rates within {CLOSE:.0%}",
    "points",
    "farthest off",
    "by",
    "points for",
    "against",
    "wins",
    "records",
)
LEGEND = (
    "points for, against, wins: correlation over teams; records: share of teams whose real wins "
    "lie in the central 90 % of the simulated."
)
RATE_HEAD = ("league average", "real", "simulated", "off", "farthest", "in")


def reports(
    seasons: Sequence[int],
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Report]:
    """Each season verified, of those that have charts and real figures."""
    made = []
    counted = places.names(real.SUFFIX, schedule.SHIPPED)
    there = [season for season in playable() if season in seasons and str(season) in counted]
    for at, season in enumerate(there):
        if progress is not None:
            progress(f"{season}, whole", at, len(there))
        made.append(verify.verify(season, SEASONS, seed, threads=threads))
        if made[-1].interrupted:
            raise KeyboardInterrupt
    return made


def season_rows(made: Sequence[Report]) -> Rows:
    """How many of the main rates are near, which is farthest off, and how teams correlate."""
    rows: Rows = []
    for report in made:
        rates = verify.main_rates(report)
        near = sum(abs(one.off) <= CLOSE for one in rates)
        worst = max(rates, key=lambda one: abs(one.off))
        scored, allowed = (report.compared["points", side] for side in (FOR, AGAINST))
        rows.append(
            (
                str(report.season),
                f"{near} of {len(rates)}",
                f"{scored.off:+.1%}",
                worst.measure.words,
                f"{worst.off:+.1%}",
                f"{scored.correlation:.2f}",
                f"{allowed.correlation:.2f}",
                f"{report.win_correlation:.2f}",
                f"{report.inside:.0%}",
            )
        )
    return rows


def rate_rows(made: Sequence[Report]) -> Rows:
    """Each main rate: its mean over the seasons, and the season in which it is farthest off."""
    rows: Rows = []
    for found in by_rate(made).values():
        measure = found[0][1].measure
        truth, got = (
            sum(getattr(one, name) for _, one in found) / len(found)
            for name in ("league_real", "league_simulated")
        )
        year, worst = max(found, key=lambda pair: abs(pair[1].off))
        rows.append(
            (
                measure.words,
                measure.said(truth),
                measure.said(got),
                f"{got / truth - 1 if truth else 0.0:+.1%}",
                f"{worst.off:+.1%}",
                str(year),
            )
        )
    return rows


def by_rate(made: Sequence[Report]) -> dict[str, list[tuple[int, Compared]]]:
    """The main rates, each with the seasons."""
    found: dict[str, list[tuple[int, Compared]]] = {}
    for report in made:
        for one in verify.main_rates(report):
            found.setdefault(one.measure.key, []).append((report.season, one))
    return found


def to_json(made: Sequence[Report]) -> list[dict[str, Any]]:
    """By season: the main rates and how teams correlate."""
    return [
        {
            "season": report.season,
            "simulated_seasons": report.seasons,
            "rates": {
                one.measure.key: {"real": one.league_real, "simulated": one.league_simulated}
                for one in verify.main_rates(report)
            },
            "correlation": {
                "points_for": report.compared["points", FOR].correlation,
                "points_against": report.compared["points", AGAINST].correlation,
                "wins": report.win_correlation,
            },
            "records_inside_90": report.inside,
        }
        for report in made
    ]
