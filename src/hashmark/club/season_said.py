"""Summary of a simulated season: the result of a season job in short, for the season's page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.pages.axis import percent
from hashmark.pages.rows import Row, rows
from hashmark.pages.shapes import Chart, Sign

SHOWN = 8  # teams in the chart


@dataclass(frozen=True)
class Chance:
    """A team's title probability with its 95% interval."""

    team: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class SeasonSaid:
    """Summary of many simulated seasons."""

    runs: int
    text: str
    champion: str
    chances: tuple[Chance, ...]  # the most likely first, and the real champion

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> SeasonSaid | None:
        """Build it from the JSON of a season job; return None if no season was played."""
        if not result.get("teams"):
            return None
        ranked = sorted(result["teams"], key=lambda team: -team["title"]["mean"])
        champion = result["answer"]["champion"] or ""
        shown_teams = [
            *ranked[:SHOWN],
            *(team for team in ranked[SHOWN:] if team["team"] == champion),
        ]
        chances = tuple(
            Chance(team["team"], *(team["title"][key] for key in ("mean", "low", "high")))
            for team in shown_teams
        )
        return cls(result["runs"], result["answer"]["text"], champion, chances)

    def chart(self) -> Chart:
        """Draw title probabilities as bars, with the real champion highlighted."""
        chart_rows = [
            Row(
                row.team,
                row.mean,
                f"{row.mean:.1%}",
                (row.low, row.high),
                here=row.team == self.champion,
                said=f"{row.team}: {row.mean:.1%} of the titles, {row.low:.1%} to {row.high:.1%}",
            )
            for row in self.chances
        ]
        description = ", ".join(f"{row.team} {row.mean:.1%}" for row in self.chances)
        title = f"Titles in {self.runs:,} simulated seasons"
        key = [
            Sign("bar", "share of the titles"),
            Sign("here", "the real champion"),
            Sign("range", "95% interval, by the dice alone"),
        ]
        return rows(title, f"{title}: {description}.", chart_rows, percent, key=key)

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": self.runs,
            "text": self.text,
            "titles": [vars(chance) for chance in self.chances],
        }
