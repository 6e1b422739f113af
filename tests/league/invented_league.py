"""A complete league without real data: thirty-two copies of the two invented teams."""

from __future__ import annotations

from pathlib import Path

from hashmark.games.data_driven.charts import files as charts
from hashmark.league.data.schedule import TEAMS

SEASON = 2008


def write_league(folder: Path, season: int = SEASON) -> Path:
    """Write a chart file with every team of a season, alternating the two invented teams."""
    text = (charts.SHIPPED / "invented.toml").read_text(encoding="utf-8")
    kinds = list(charts.load("invented").teams)
    for index, team in enumerate(TEAMS):
        text += f'\n[teams.{team}-{season}]\nlike = "{kinds[index % 2]}"\nname = "{team}"\n'
    path = folder / f"{season}.toml"
    path.write_text(text, encoding="utf-8")
    return path
