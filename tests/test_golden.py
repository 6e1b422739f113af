"""Golden playthroughs: a change in what a game does must be seen and meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hashmark.referee.golden import playthrough
from hashmark.table import registry

FOLDER = Path(__file__).parent / "golden"
COACHES = ("random", "book")


@pytest.mark.parametrize("coach", COACHES)
@pytest.mark.parametrize("rules", registry.built_in())
def test_golden(rules: str, coach: str) -> None:
    path = FOLDER / f"{rules}-{coach}.txt"
    played = playthrough(rules, coach, 1)
    if os.environ.get("UPDATE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(played, encoding="utf-8")
    assert played == path.read_text(encoding="utf-8")
