"""Frames for pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hashmark import extras

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


def to_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """Return a frame as a pandas frame; unlike `frame.to_pandas()`, this needs no pyarrow.

    >>> import hashmark as hm
    >>> sim = hm.simulate("fourth-down", 3, rows=True, engine="plain")
    >>> hm.to_pandas(sim.frame()).shape[0]
    3

    Numbers with missing values become floats with NaN, as in play-by-play.
    """
    extras.require("to_pandas", "pandas")
    import pandas as pd

    def values(name: str) -> Any:
        column = frame[name]
        return column.to_numpy() if column.dtype.is_numeric() else column.to_list()

    return pd.DataFrame({name: values(name) for name in frame.columns})
