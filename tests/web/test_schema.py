"""The API under schemathesis: whatever is sent, no answer is a fault of ours."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings

from hashmark.web import api, leagues_api, seasons_api, works_api
from patience import PATIENCE

from .house import Player, Served, serving

pytestmark = pytest.mark.heavy
EXAMPLES = 12  # of each route
THERE = {"year": "2008", "team": "ARI"}  # parts of addresses that lead somewhere


@functools.cache
def described() -> dict[str, Any]:
    """The description of the API, without a server."""
    app = FastAPI(title="Hashmark", version="1")
    routers = (api.router, leagues_api.router, seasons_api.router)
    for router in (*routers, works_api.router, works_api.charts):
        app.include_router(router)
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


@pytest.fixture(scope="module")
def work(poked: Served, table: Player) -> str:
    """A work that there is, and waits: this server has no workers."""
    sent = {"kind": "season", "settings": {"season": 2008, "runs": 7}}
    headers = {"Authorization": f"Bearer {table.token}"}
    return str(
        httpx.post(
            f"{poked.address}/api/works", json=sent, headers=headers, timeout=PATIENCE
        ).json()["key"]
    )


@pytest.fixture(scope="module")
def league(table: Player) -> str:
    """A league that there is; what is done to it by chance need not make sense."""
    form = {"title": "Ours", "rules": "fourth-down", "teams": ["A", "B", "C"], "own": [0]}
    return str(table.ask("POST", "/api/leagues", json=form)["id"])


ROUTES = sorted(
    (path, method)
    for path, methods in described()["paths"].items()
    for method in methods
    if not path.endswith(("/stream", "/review"))  # the one has no end, the other takes minutes
)
ROUTES.sort(key=lambda route: route[1] == "delete")  # it ends the game


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_no_answer_is_a_fault(
    poked: Served, table: Player, work: str, league: str, path: str, method: str
) -> None:
    schema = schemathesis.openapi.from_dict(copy.deepcopy(described()))
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
            asked = path.startswith("/api/works")
            case.path_parameters["key"] = work if asked else table.table
        if "league" in case.path_parameters:
            case.path_parameters["league"] = league
        for name, there in THERE.items():
            if len(case.path_parameters.get(name, "")) > 2:  # others are left as they are
                case.path_parameters[name] = there
        headers = {"Authorization": f"Bearer {table.token}"}
        answer = case.call(base_url=poked.address, headers=headers, timeout=PATIENCE)
        assert answer.status_code < 500, (answer.status_code, answer.text)
        if answer.status_code >= 400:
            assert "\n" not in answer.json()["detail"]

    poke()
