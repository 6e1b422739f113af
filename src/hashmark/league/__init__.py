"""Real teams: charts and game plans from play-by-play, season replays and what-if plans.

Heavy dependencies (polars, numpy, numba) are imported lazily by the modules that need them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashmark.league.charts.build import build_charts

__all__ = ["build_charts"]


def __getattr__(name: str) -> Any:
    if name == "build_charts":
        from hashmark.league.charts.build import build_charts

        return build_charts
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
