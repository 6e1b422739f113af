"""Fixtures of the web tests: a shared server, databases and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from web.browser import browser
from web.fork_server import close_all
from web.harness import CLIENTS, ServerProcess, running_server
from web.postgres_server import PostgresServer, running_postgres


def pytest_sessionfinish() -> None:
    """End the fork server."""
    close_all()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    directory: Path = tmp_path_factory.mktemp("served")
    with running_server(directory) as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database, once for each database system."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.create_database()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as instance:
        yield instance


@pytest.fixture(autouse=True)
def _close_clients() -> Iterator[None]:
    """Close the HTTP clients that a test has opened."""
    yield
    while CLIENTS:
        CLIENTS.pop().close()
