"""Fixtures shared by the league tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hashmark.storage import search_path
from league.invented_league import write_league


@pytest.fixture(scope="session")
def league_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the chart file of an invented league under the name of a real season."""
    folder = tmp_path_factory.mktemp("league")
    write_league(folder)
    return folder


@pytest.fixture
def league(league_folder: Path) -> Iterator[Path]:
    """Put the invented league first in the search path."""
    with search_path.search_first([league_folder]):
        yield league_folder
