"""Simulated against real figures of many seasons, in two short tables: by season and by rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hashmark.league.checks import verify
from hashmark.league.checks.verify import CLOSE, Compared, Report
from hashmark.league.facts import real, schedule
from hashmark.league.facts.real import AGAINST, FOR
from hashmark.league.seasons.season import playable
from hashmark.table import places

SEASONS = 40  # simulated seasons of each
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
    """Verify each season that has charts and real figures."""
    reports = []
    seasons_with_figures = places.names(real.SUFFIX, schedule.SHIPPED)
    available = [
        season for season in playable() if season in seasons and str(season) in seasons_with_figures
    ]
    for index, season in enumerate(available):
        if progress is not None:
            progress(f"{season}, whole", index, len(available))
        reports.append(verify.verify(season, SEASONS, seed, threads=threads))
        if reports[-1].interrupted:
            raise KeyboardInterrupt
    return reports


def season_rows(made: Sequence[Report]) -> Rows:
    """Return, by season, the main rates that are close, the worst one, and team correlations."""
    rows: Rows = []
    for report in made:
        rates = verify.main_rates(report)
        near = sum(abs(rate.off) <= CLOSE for rate in rates)
        worst = max(rates, key=lambda rate: abs(rate.off))
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
    """Return, by main rate, its mean over the seasons and the season farthest off."""
    rows: Rows = []
    for comparisons in by_rate(made).values():
        measure = comparisons[0][1].measure
        real_mean, simulated_mean = (
            sum(getattr(comparison, name) for _, comparison in comparisons) / len(comparisons)
            for name in ("league_real", "league_simulated")
        )
        year, worst = max(comparisons, key=lambda pair: abs(pair[1].off))
        rows.append(
            (
                measure.words,
                measure.said(real_mean),
                measure.said(simulated_mean),
                f"{simulated_mean / real_mean - 1 if real_mean else 0.0:+.1%}",
                f"{worst.off:+.1%}",
                str(year),
            )
        )
    return rows


def by_rate(made: Sequence[Report]) -> dict[str, list[tuple[int, Compared]]]:
    """Return the comparisons of each main rate, with their seasons."""
    rates: dict[str, list[tuple[int, Compared]]] = {}
    for report in made:
        for comparison in verify.main_rates(report):
            rates.setdefault(comparison.measure.key, []).append((report.season, comparison))
    return rates


def to_json(made: Sequence[Report]) -> list[dict[str, Any]]:
    """Return, by season, the main rates and team correlations as JSON data."""
    return [
        {
            "season": report.season,
            "simulated_seasons": report.seasons,
            "rates": {
                rate.measure.key: {"real": rate.league_real, "simulated": rate.league_simulated}
                for rate in verify.main_rates(report)
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
