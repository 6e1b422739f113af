"""Summary of a simulated season: the result of a season job in short, for the season's page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.number_text import percent
from hashmark.reports import axis
from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.shapes import Chart, LegendEntry
from hashmark.web.jobs.job import Job
from hashmark.web.jobs.job_types import DEFAULT_RUNS
from hashmark.web.jobs.queue import DONE, JobQueue
from hashmark.web.seasons import season_view
from hashmark.web.seasons.season_view import SeasonView

TEAMS_SHOWN = 8  # teams in the chart
RUN_CHOICES = (DEFAULT_RUNS, 100, 10_000)  # of a season job
SEED = 0


@dataclass(frozen=True)
class TitleChance:
    """A team's title probability with its 95 % interval."""

    team: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class SeasonSummary:
    """Summary of many simulated seasons."""

    runs: int
    text: str
    champion: str
    chances: tuple[TitleChance, ...]  # the most likely first, and the real champion

    @classmethod
    def from_result(cls, result: Mapping[str, Any]) -> SeasonSummary | None:
        """Build it from the JSON of a season job; return None if no season was played."""
        if not result.get("teams"):
            return None
        ranked = sorted(result["teams"], key=lambda team: -team["title"]["mean"])
        champion = result["answer"]["champion"] or ""
        shown_teams = [
            *ranked[:TEAMS_SHOWN],
            *(team for team in ranked[TEAMS_SHOWN:] if team["team"] == champion),
        ]
        chances = tuple(
            TitleChance(team["team"], *(team["title"][key] for key in ("mean", "low", "high")))
            for team in shown_teams
        )
        return cls(result["runs"], result["answer"]["text"], champion, chances)

    def chart(self) -> Chart:
        """Draw title probabilities as bars, with the real champion highlighted."""
        chart_rows = [
            BarRow(
                row.team,
                row.mean,
                percent(row.mean, 1),
                (row.low, row.high),
                highlighted=row.team == self.champion,
                tooltip=(
                    f"{row.team}: {percent(row.mean, 1)} of titles, "
                    f"{percent(row.low, 1)} to {percent(row.high, 1)}"
                ),
            )
            for row in self.chances
        ]
        description = ", ".join(f"{row.team} {percent(row.mean, 1)}" for row in self.chances)
        title = f"Titles in {self.runs:,} simulated seasons"
        key = [
            LegendEntry("bar", "share of titles"),
            LegendEntry("here", "real champion"),
            LegendEntry("range", "95 % interval (dice only)"),
        ]
        return draw_bar_chart(title, f"{title}: {description}.", chart_rows, axis.percent, key=key)

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": self.runs,
            "text": self.text,
            "titles": [vars(chance) for chance in self.chances],
        }


def season_summaries() -> list[dict[str, Any]]:
    """Return a summary of every season: champion and runner-up."""
    return [summarize(SeasonView.of(year)) for year in season_view.available_seasons()]


def summarize(season: SeasonView) -> dict[str, Any]:
    """Return champion, runner-up and best record of a season."""
    final = season.rounds[-1].games[-1] if season.rounds else None
    best = max(
        season.standings.values(),
        key=lambda standing: (standing.share, standing.points - standing.allowed),
    )
    other = final.other(season.champion) if final and season.champion else ""
    return {
        "year": season.year,
        "champion": season.champion,
        "name": season.name(season.champion) if season.champion else "",
        "colors": season.standings[season.champion].colors if season.champion else ("", ""),
        "score": sorted(final.score, reverse=True) if final and final.score else None,
        "other": season.name(other) if other else "",
        "best": best.name,
        "record": best.record,
    }


def latest_simulation(year: int, queue: JobQueue) -> tuple[str, SeasonSummary | None]:
    """Return the summary of the largest finished season job, and the key of that job."""
    for runs in sorted(RUN_CHOICES, reverse=True):
        try:
            key = Job.of("season", season_job_settings(year, runs)).key
        except HashmarkError:  # the simulator is not installed
            break
        row = queue.find(key)
        if row is not None and row.state == DONE:
            return key, SeasonSummary.from_result(queue.result(key)[0])
    return "", None


def season_job_settings(year: int, runs: int) -> dict[str, Any]:
    """Return the settings of a season job."""
    return {"season": year, "runs": runs, "seed": SEED}
