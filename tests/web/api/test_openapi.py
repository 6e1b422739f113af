"""Property-based API test with schemathesis: no request causes a server error."""

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

from hashmark.web.api import jobs_api, leagues_api, seasons_api, tables_api
from timeouts import TIMEOUT_SECONDS
from web.harness import Player, ServerProcess, running_server

pytestmark = pytest.mark.heavy
EXAMPLES = 12  # examples for each route
THERE = {"year": "2008", "team": "ARI"}  # path parameters that exist


@functools.cache
def openapi_description() -> dict[str, Any]:
    """Return the OpenAPI description, without a server."""
    app = FastAPI(title="Hashmark", version="1")
    routers = (tables_api.router, leagues_api.router, seasons_api.router)
    for router in (*routers, jobs_api.router, jobs_api.charts_router):
        app.include_router(router)
    return app.openapi()


@pytest.fixture(scope="module")
def fuzzed_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a separate server, so that random requests do not end games of other tests."""
    directory: Path = tmp_path_factory.mktemp("poked")
    with running_server(directory) as server:
        yield server


@pytest.fixture(scope="module")
def table(fuzzed_server: ServerProcess) -> Iterator[Player]:
    """Return the player of an existing table in the middle of a game."""
    player = Player(fuzzed_server.address)
    player.create_table("fourth-down")
    player.ready()
    player.wait()
    yield player
    player.client.close()


@pytest.fixture(scope="module")
def work(fuzzed_server: ServerProcess, table: Player) -> str:
    """Return the key of an existing, waiting job; this server has no workers."""
    form = {"kind": "season", "settings": {"season": 2008, "runs": 7}}
    headers = {"Authorization": f"Bearer {table.token}"}
    return str(
        httpx.post(
            f"{fuzzed_server.address}/api/works",
            json=form,
            headers=headers,
            timeout=TIMEOUT_SECONDS,
        ).json()["key"]
    )


@pytest.fixture(scope="module")
def league(table: Player) -> str:
    """Return the ID of an existing league."""
    form = {"title": "Ours", "rules": "fourth-down", "teams": ["A", "B", "C"], "own": [0]}
    return str(table.request_json("POST", "/api/leagues", json=form)["id"])


ROUTES = sorted(
    (path, method)
    for path, methods in openapi_description()["paths"].items()
    for method in methods
    if not path.endswith(("/stream", "/review"))  # a stream has no end, a review takes minutes
)
ROUTES.sort(key=lambda route: route[1] == "delete")  # last because it ends the game


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_no_request_causes_a_server_error(
    fuzzed_server: ServerProcess, table: Player, work: str, league: str, path: str, method: str
) -> None:
    schema = schemathesis.openapi.from_dict(copy.deepcopy(openapi_description()))
    schema.config.update(base_url=fuzzed_server.address)
    operation = schema[path][method]

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send_random_request(case: Any) -> None:
        if "key" in case.path_parameters:
            is_job_route = path.startswith("/api/works")
            case.path_parameters["key"] = work if is_job_route else table.table
        if "league" in case.path_parameters:
            case.path_parameters["league"] = league
        for name, existing in THERE.items():
            if len(case.path_parameters.get(name, "")) > 2:  # shorter ones stay random
                case.path_parameters[name] = existing
        headers = {"Authorization": f"Bearer {table.token}"}
        response = case.call(
            base_url=fuzzed_server.address, headers=headers, timeout=TIMEOUT_SECONDS
        )
        assert response.status_code < 500, (response.status_code, response.text)
        if response.status_code >= 400:
            assert "\n" not in response.json()["detail"]

    send_random_request()
