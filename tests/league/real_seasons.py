"""Location of the real play-by-play, and the marker of tests that need it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hashmark.league.data import play_by_play

ROOT = Path(__file__).parents[2]
PLAYS_FOLDER = Path(os.environ.get(play_by_play.FOLDER_VARIABLE) or ROOT.parent / "shared" / "data")
needs_plays = pytest.mark.skipif(
    not (PLAYS_FOLDER / "pbp_2008.parquet").is_file(),
    reason="the play-by-play is not here; HASHMARK_PBP may name its folder",
)
