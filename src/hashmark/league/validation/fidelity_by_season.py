"""Simulated against real figures of many seasons, in two short tables: by season and by rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hashmark.league.data import real_stats, schedule
from hashmark.league.data.real_stats import AGAINST, FOR
from hashmark.league.seasons.season import playable_seasons
from hashmark.league.validation import verify
from hashmark.league.validation.verify import LEAGUE_TOLERANCE, MeasureComparison, VerifyReport
from hashmark.number_text import percent
from hashmark.storage import search_path

SEASONS = 40  # simulated seasons of each
Rows = list[tuple[str, ...]]
SEASON_HEAD = (
    "season",
    f"within {percent(LEAGUE_TOLERANCE)}",
    "points",
    "r for",
    "r against",
    "r wins",
    "in 90 %",
    "largest error",
)
LEGEND = (
    "r for, r against, r wins: correlation over teams of points for, points against and wins. "
    "in 90 %: teams whose real wins are in the 90 % interval of the simulation."
)
RATE_HEAD = ("league average", "real", "simulated", "error", "largest", "in")


def verify_seasons(
    seasons: Sequence[int],
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[VerifyReport]:
    """Verify each season that has charts and real figures."""
    reports = []
    seasons_with_figures = search_path.available_names(real_stats.SUFFIX, schedule.SHIPPED)
    available = [
        season
        for season in playable_seasons()
        if season in seasons and str(season) in seasons_with_figures
    ]
    for index, season in enumerate(available):
        if progress is not None:
            progress(f"{season}, whole season", index, len(available))
        reports.append(verify.verify(season, SEASONS, seed, threads=threads))
        if reports[-1].interrupted:
            raise KeyboardInterrupt
    return reports


def season_rows(reports: Sequence[VerifyReport]) -> Rows:
    """Return, by season, the main rates that are close, the worst one, and team correlations."""
    rows: Rows = []
    for report in reports:
        rates = verify.main_rates(report)
        near = sum(abs(rate.relative_error) <= LEAGUE_TOLERANCE for rate in rates)
        worst = max(rates, key=lambda rate: abs(rate.relative_error))
        scored, allowed = (report.compared["points", side] for side in (FOR, AGAINST))
        rows.append(
            (
                str(report.season),
                f"{near} of {len(rates)}",
                percent(scored.relative_error, 1, sign="+"),
                f"{scored.correlation:.2f}",
                f"{allowed.correlation:.2f}",
                f"{report.win_correlation:.2f}",
                percent(report.inside_share),
                f"{worst.measure.label} {percent(worst.relative_error, 1, sign='+')}",
            )
        )
    return rows


def rate_rows(reports: Sequence[VerifyReport]) -> Rows:
    """Return, by main rate, its mean over the seasons and the season farthest off."""
    rows: Rows = []
    for comparisons in group_by_rate(reports).values():
        measure = comparisons[0][1].measure
        real_mean, simulated_mean = (
            sum(getattr(comparison, name) for _, comparison in comparisons) / len(comparisons)
            for name in ("league_real", "league_simulated")
        )
        year, worst = max(comparisons, key=lambda pair: abs(pair[1].relative_error))
        rows.append(
            (
                measure.label,
                measure.format(real_mean),
                measure.format(simulated_mean),
                percent(simulated_mean / real_mean - 1 if real_mean else 0.0, 1, sign="+"),
                percent(worst.relative_error, 1, sign="+"),
                str(year),
            )
        )
    return rows


def group_by_rate(
    reports: Sequence[VerifyReport],
) -> dict[str, list[tuple[int, MeasureComparison]]]:
    """Return the comparisons of each main rate, with their seasons."""
    rates: dict[str, list[tuple[int, MeasureComparison]]] = {}
    for report in reports:
        for comparison in verify.main_rates(report):
            rates.setdefault(comparison.measure.key, []).append((report.season, comparison))
    return rates


def to_json(reports: Sequence[VerifyReport]) -> list[dict[str, Any]]:
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
            "records_inside_90": report.inside_share,
        }
        for report in reports
    ]
