"""Summary of a simulated season: the result of a season job in short, for the season's page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.reports.axis import percent
from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.shapes import Chart, LegendEntry

TEAMS_SHOWN = 8  # teams in the chart


@dataclass(frozen=True)
class TitleChance:
    """A team's title probability with its 95% interval."""

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
                f"{row.mean:.1%}",
                (row.low, row.high),
                highlighted=row.team == self.champion,
                tooltip=(
                    f"{row.team}: {row.mean:.1%} of the titles, {row.low:.1%} to {row.high:.1%}"
                ),
            )
            for row in self.chances
        ]
        description = ", ".join(f"{row.team} {row.mean:.1%}" for row in self.chances)
        title = f"Titles in {self.runs:,} simulated seasons"
        key = [
            LegendEntry("bar", "share of the titles"),
            LegendEntry("here", "the real champion"),
            LegendEntry("range", "95% interval, by the dice alone"),
        ]
        return draw_bar_chart(title, f"{title}: {description}.", chart_rows, percent, key=key)

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": self.runs,
            "text": self.text,
            "titles": [vars(chance) for chance in self.chances],
        }
