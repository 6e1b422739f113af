"""Team charts of Data-Driven Football, built from play-by-play: `hashmark.charts`.

    charts = hashmark.charts.build("pbp_2023.parquet", 2023)
    charts.write("2023-mine.toml")                 # the chart file, for games and seasons

`build` takes a path, a folder, a Polars or pandas frame, a pyarrow table, or a list of these.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.api.tables import TableView
from hashmark.api.teams import parse_season_number

if TYPE_CHECKING:
    import polars as pl

    from hashmark.league.charts.build import BuiltCharts
    from hashmark.league.charts.fidelity import ChartFidelity

__all__ = ["Charts", "build"]


class Charts(TableView):
    """The charts of all teams of a season, with how closely each column matches its target."""

    def __init__(self, built: BuiltCharts) -> None:
        self._built = built

    @property
    def season(self) -> int:
        """The season of the plays."""
        return self._built.season

    @property
    def teams(self) -> tuple[str, ...]:
        """The codes of the teams."""
        return tuple(self._built.teams)

    @cached_property
    def _fidelity(self) -> ChartFidelity:
        return self._built.fidelity()

    def text(self) -> str:
        """Return the chart file as text."""
        return self._built.text()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the chart file."""
        from hashmark.storage.atomic_write import write_file

        write_file(Path(path), self.text())

    def frame(self) -> pl.DataFrame:
        """Return a row for each team, side and play: target and actual rates and yards."""
        import polars as pl

        sides = {"offense": self._fidelity.lines, "defense": self._fidelity.defense_lines}
        return pl.DataFrame(
            [
                {
                    "team": column.team,
                    "side": side,
                    "play": column.play,
                    "calls": column.calls,
                    "target_yards": column.target.yards,
                    "yards": column.actual.yards,
                    **{f"target_{name}": rate for name, rate in column.target.events.items()},
                    **column.actual.events,
                }
                for side, columns in sides.items()
                for column in columns
            ]
        )

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import chart_svg
        from hashmark.reports.scatter import ScatterPoint, draw_scatter

        title = f"Yards a call by the charts of {self.season} and in reality"
        points = [
            ScatterPoint(column.target.yards, column.actual.yards)
            for column in (*self._fidelity.lines, *self._fidelity.defense_lines)
        ]
        axes = ("yards a call in the play-by-play", "by the charts")
        return chart_svg(draw_scatter(title, self._fidelity.summary_text(), points, *axes))

    def __repr__(self) -> str:
        return f"<Charts {self.season}: {len(self.teams)} teams, {self._built.weeks} weeks>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        headings = ("column", "result", "target", "charts", "largest error")
        return headings, [*self._fidelity.table_rows()]


def build(source: Any, season: int | None = None, **settings: Any) -> Charts:
    """Build the charts of all teams of a season from nflverse play-by-play.

    `season` is needed where the plays are of several seasons. Settings are those of the command:
    `mode="adjusted"` or `"faithful"`, `weeks="all"`, `"odd"` or `"even"`, and `partial=True` for a
    season with missing games.
    """
    extras.require("charts.build", "polars")
    from hashmark.league.charts.build import build_charts

    year = None if season is None else parse_season_number(season)
    return Charts(build_charts(source, year, **settings))
