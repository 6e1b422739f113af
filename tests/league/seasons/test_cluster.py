"""Seasons on a cluster: the same result as here, also when a worker is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hashmark.league.seasons import cluster
from hashmark.table.errors import HashmarkError
from league import on_ray

pytestmark = pytest.mark.xdist_group("data-driven")  # one worker compiles for all of them


@on_ray.needs_ray
def test_a_lost_worker_costs_only_its_task(league_folder: Path) -> None:
    """Two workers, one killed with its task all but done."""
    said = on_ray.run("league.seasons.cluster_run", str(league_folder))
    assert len(said["workers"]) == 2
    assert len(said["after"]) == 2
    assert said["killed"] in said["workers"]
    assert said["killed"] not in said["after"]
    assert said["runs"] == 120
    assert said["same"]


def test_without_ray_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(HashmarkError, match="hashmark\\[cluster\\]"):
        cluster.load_ray()


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "127.0.0.1:99999"])
def test_an_address_where_nobody_answers(address: str) -> None:
    with pytest.raises(HashmarkError, match="nobody answers"):
        cluster.knock(address)
    cluster.knock("auto")


def test_a_worker_with_another_program_is_refused() -> None:
    with pytest.raises(RuntimeError, match="another version"):
        cluster.play_task([], "another", 0, (0, 1))


def test_nothing_else_imports_ray() -> None:
    code = "import sys, hashmark.cli, hashmark.league.seasons.simulate; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
