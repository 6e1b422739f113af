"""One server for all tests that only want to be served."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .house import CLIENTS, Served, serving
from .in_browser import browser


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("served")
    with serving(folder) as made:
        yield made


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
