"""The API under schemathesis: whatever is sent, no answer is a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings

from hashmark.web import api

from .house import Player, Served, serving

pytestmark = pytest.mark.heavy
EXAMPLES = 12  # of each route


def described() -> dict[str, Any]:
    """The description of the API, without a server."""
    app = FastAPI(title="Hashmark", version="1")
    app.include_router(api.router)
    return app.openapi()


@pytest.fixture(scope="module")
def poked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of its own: nobody else's games are given up by chance."""
    folder: Path = tmp_path_factory.mktemp("poked")
    with serving(folder) as made:
        yield made


@pytest.fixture(scope="module")
def table(poked: Served) -> Iterator[Player]:
    """A table that there is, in the middle of a game."""
    player = Player(poked.address)
    player.lay("fourth-down")
    player.ready()
    player.wait()
    yield player
    player.client.close()


ROUTES = sorted(
    (path, method)
    for path, methods in described()["paths"].items()
    for method in methods
    if not path.endswith(("/stream", "/review"))  # the one has no end, the other takes minutes
)
ROUTES.sort(key=lambda route: route[1] == "delete")  # it ends the game


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_no_answer_is_a_fault(poked: Served, table: Player, path: str, method: str) -> None:
    schema = schemathesis.openapi.from_dict(described())
    schema.config.update(base_url=poked.address)
    operation = schema[path][method]

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def poke(case: Any) -> None:
        if "key" in case.path_parameters:
            case.path_parameters["key"] = table.table
        headers = {"Authorization": f"Bearer {table.token}"}
        answer = case.call(base_url=poked.address, headers=headers)
        assert answer.status_code < 500, (answer.status_code, answer.text)
        if answer.status_code >= 400:
            assert "\n" not in answer.json()["detail"]

    poke()
