"""Shipped charts: the seasons that the game ships, and how to rebuild them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.league.charts.build import build_charts
from hashmark.league.data import play_by_play
from hashmark.storage import atomic_write

SEASONS = (2006, 2007, 2008, 2009, 2010, 2011, 2012, 2018, 2019, 2020, 2021, 2022, 2024, 2025)


@dataclass(frozen=True)
class RebuiltFile:
    """Result of rebuilding a season's charts, compared with the shipped file."""

    path: Path
    is_same: bool
    was_written: bool

    @property
    def status(self) -> str:
        if self.is_same:
            return "the same"
        return "written" if self.was_written else "differs"


def rebuild(
    season: int,
    plays_folder: Path | None,
    write: bool,
    progress: Callable[[str], None] | None = None,
) -> RebuiltFile:
    """Rebuild a season's charts from the play-by-play file in the folder `plays_folder`."""
    text = build_charts(
        play_by_play.find_season_file(season, plays_folder), season, progress=progress
    ).text()
    path = SHIPPED / f"{season}.toml"
    same = path.is_file() and path.read_text(encoding="utf-8") == text
    if write and not same:
        atomic_write.write_file(path, text)
    return RebuiltFile(path, same, write and not same)
