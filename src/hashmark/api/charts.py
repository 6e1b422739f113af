"""Team charts of Data-Driven Football, built from play-by-play: `hashmark.charts`.

    built = hashmark.charts.build("pbp_2008.parquet", 2008)
    built.text()                                   # the chart file

`build` takes a path, a folder, a polars or pandas frame, a pyarrow table, or a list of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hashmark import extras

if TYPE_CHECKING:
    from hashmark.league.charts.build import BuiltCharts

__all__ = ["build"]


def build(source: Any, season: int | None = None, **settings: Any) -> BuiltCharts:
    """Build the charts of all teams of a season; settings are those of the chart builder."""
    extras.require("charts.build", "polars")
    from hashmark.league.charts.build import build_charts

    return build_charts(source, season, **settings)
