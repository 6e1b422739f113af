"""What the simulation says of a season, in short: a work's result for the page of the season."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.pages.axis import percent
from hashmark.pages.rows import Row, rows
from hashmark.pages.shapes import Chart, Sign

SHOWN = 8  # teams


@dataclass(frozen=True)
class Chance:
    """A team's chance of the title, with its interval of 95%."""

    team: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class SeasonSaid:
    """The answer of many seasons."""

    runs: int
    text: str
    champion: str
    chances: tuple[Chance, ...]  # the most likely first, and the real champion

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> SeasonSaid | None:
        """From the JSON of a season's work; None if not one season was played."""
        if not result.get("teams"):
            return None
        ranked = sorted(result["teams"], key=lambda one: -one["title"]["mean"])
        champion = result["answer"]["champion"] or ""
        named = [*ranked[:SHOWN], *(one for one in ranked[SHOWN:] if one["team"] == champion)]
        chances = tuple(
            Chance(one["team"], *(one["title"][key] for key in ("mean", "low", "high")))
            for one in named
        )
        return cls(result["runs"], result["answer"]["text"], champion, chances)

    def chart(self) -> Chart:
        """Title chances as bars, the real champion's apart."""
        lines = [
            Row(
                one.team,
                one.mean,
                f"{one.mean:.1%}",
                (one.low, one.high),
                here=one.team == self.champion,
                said=f"{one.team}: {one.mean:.1%} of the titles, {one.low:.1%} to {one.high:.1%}",
            )
            for one in self.chances
        ]
        said = ", ".join(f"{one.team} {one.mean:.1%}" for one in self.chances)
        title = f"Titles in {self.runs:,} simulated seasons"
        key = [
            Sign("bar", "share of the titles"),
            Sign("here", "the real champion"),
            Sign("range", "95% interval, by the dice alone"),
        ]
        return rows(title, f"{title}: {said}.", lines, percent, key=key)

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": self.runs,
            "text": self.text,
            "titles": [vars(one) for one in self.chances],
        }
