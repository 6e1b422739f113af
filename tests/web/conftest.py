"""One server for all tests that only want to be served."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .forking import close_all
from .house import CLIENTS, Served, serving
from .in_browser import browser
from .postgres import Postgres, running


def pytest_sessionfinish() -> None:
    """No process is left that servers were forked from."""
    close_all()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("served")
    with serving(folder) as made:
        yield made


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    made: Postgres = request.getfixturevalue("postgres")
    return made.new()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(autouse=True)
def _hang_up() -> Iterator[None]:
    """No test leaves a connection open."""
    yield
    while CLIENTS:
        CLIENTS.pop().close()
