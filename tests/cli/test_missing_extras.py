"""Tests that a first game needs few libraries, and that commands name the extra they lack."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
NEEDS = {  # the extra that each of these commands needs
    "season": "fast",
    "whatif": "fast",
    "charts verify": "fast",
    "charts build": "league",
    "charts rebuild": "league",
    "charts resample": "league",
    "charts scoreboard": "league",
    "plan build": "league",
    "simulate compiled": "fast",
    "simulate parquet": "league",
    "simulate cluster": "cluster",
    "odds compiled": "fast",
    "warm": "fast",
    "solve": "fast",
    "best": "fast",
    "review": "fast",
    "serve": "web",
}


@pytest.fixture(scope="module")
def bare() -> dict[str, Any]:
    """Output of every subcommand without any extra installed."""
    done = subprocess.run(
        [sys.executable, "-m", "cli.bare_run"],
        capture_output=True,
        text=True,
        check=False,
        cwd=TESTS,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, sys.path)])},
    )
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return data


@pytest.mark.parametrize("command", NEEDS)
def test_a_command_names_the_extra_it_lacks(bare: dict[str, Any], command: str) -> None:
    status, output, message = bare["said"][command]
    assert status == 2
    assert output == ""
    assert message.startswith("hashmark: ")
    assert message.endswith(f", which is not installed: run `make {NEEDS[command]}`\n")
    assert message.count("\n") == 1


def test_all_other_commands_need_no_extra(bare: dict[str, Any]) -> None:
    failed = {
        name: message
        for name, (status, _, message) in bare["said"].items()
        if status and name not in NEEDS
    }
    assert not failed
    assert len(bare["said"]) > 20
    assert {"rows.csv", "blank.pdf", "blank.html"} <= set(bare["written"])


def test_slow_simulation_is_announced_once(bare: dict[str, Any]) -> None:
    _, output, message = bare["said"]["simulate auto"]
    assert message.splitlines()[0] == (
        "hashmark: running in plain Python, which is slow; `make fast` makes it fast"
    )
    assert message.count("plain Python") == 1
    assert "20 games" in output
    assert "plain Python" not in bare["said"]["simulate"][2]  # here it was asked for


LIGHT = """
import sys
from hashmark.cli.run import run
def light(*arguments, also=()):
    assert run(list(arguments)) == 0, arguments
    names = {"numba", "numpy", "polars", "pyarrow", "ray", "reportlab", *also}
    names |= {"fastapi", "sqlalchemy", "uvicorn", "gymnasium", "pettingzoo", "pyspiel"}
    names |= {"alembic", "prometheus_client", "python_multipart", "psycopg"}
    names |= {name for name in sys.modules if name.startswith("hashmark.envs")}
    if not any(one.endswith(".html") for one in arguments):
        names.add("jinja2")
    assert not names & set(sys.modules), (arguments, names & set(sys.modules))
light("--help", also=["platformdirs", "rich"])
"""


def run_light(tmp_path: Path, *calls: tuple[str, ...]) -> None:
    program = LIGHT + "".join(f"light(*{call!r})\n" for call in calls)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, input=""
    )
    assert done.returncode == 0, done.stderr


def test_playing_scenarios_and_replays_load_nothing_heavy(tmp_path: Path) -> None:
    """A game must start at once."""
    scenarios = str(TESTS / "scenarios" / "fourth-down.json")
    run_light(
        tmp_path,
        ("rules",),
        ("play", "fourth-down", "--home", "coach:book", "--seed", "1", "--log", "a.log"),
        ("play", "fourth-down", "--away", "human"),
        ("replay", "a.log"),
        ("resume", "a.log"),
        ("verify", "a.log"),
        ("scenario", scenarios),
        ("odds", "fourth-down"),
        ("sheet", "a.log"),
    )


def test_a_page_does_not_load_what_makes_a_pdf(tmp_path: Path) -> None:
    run_light(
        tmp_path,
        ("sheet", "fourth-down", "--blank", "--out", "sheet.html"),
        ("charts", "show", "invented", "OTTERS", "--out", "charts.html"),
    )
