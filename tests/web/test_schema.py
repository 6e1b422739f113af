"""The API under schemathesis: whatever is sent, no answer is a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error

from .house import Player, Served, serving

pytestmark = pytest.mark.heavy
EXAMPLES = 12  # of each route


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


@pytest.fixture
def described(poked: Served) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{poked.address}/openapi.json")


schema = schemathesis.pytest.from_fixture("described").exclude(path_regex="stream|review")


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_answer_is_a_fault(case: schemathesis.Case, table: Player) -> None:
    if "key" in case.path_parameters:
        case.path_parameters["key"] = table.table
    headers = {"Authorization": f"Bearer {table.token}"}
    case.call_and_validate(headers=headers, checks=[not_a_server_error])
