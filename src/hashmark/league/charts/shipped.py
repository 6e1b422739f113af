"""Shipped charts: the seasons that the game ships, and how to rebuild them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.league.charts.build import build_charts
from hashmark.league.facts import pbp
from hashmark.table import writing

SEASONS = (2006, 2007, 2008, 2009, 2010, 2011, 2012, 2018, 2019, 2020, 2021, 2022, 2024, 2025)


@dataclass(frozen=True)
class Rebuilt:
    """Result of rebuilding a season's charts, compared with the shipped file."""

    path: Path
    same: bool
    written: bool

    @property
    def said(self) -> str:
        if self.same:
            return "the same"
        return "written" if self.written else "differs"


def rebuild(
    season: int, plays: Path | None, write: bool, progress: Callable[[str], None] | None = None
) -> Rebuilt:
    """Rebuild a season's charts from the play-by-play file in the folder `plays_folder`."""
    text = build_charts(pbp.find(season, plays), season, progress=progress).text()
    path = SHIPPED / f"{season}.toml"
    same = path.is_file() and path.read_text(encoding="utf-8") == text
    if write and not same:
        writing.put(path, text)
    return Rebuilt(path, same, write and not same)
