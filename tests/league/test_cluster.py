"""Seasons on a cluster: the same result as here, also when a worker is lost."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hashmark.league.seasons import cluster
from hashmark.table.errors import HashmarkError

pytestmark = pytest.mark.xdist_group("data-driven")  # one worker compiles for all of them

HERE = Path(__file__).parent
NEEDS_RAY = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed"
)


@NEEDS_RAY
def test_a_lost_worker_costs_only_its_task(league_folder: Path) -> None:
    """Two workers, one killed with its task all but done."""
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(
        [sys.executable, str(HERE / "cluster_run.py"), str(league_folder)],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
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
