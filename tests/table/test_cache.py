"""A change to a rule's source is never answered from code compiled before it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hashmark
from hashmark.table import cache

TINY = """
from dataclasses import replace
from hashmark.games.fourth_down import RULES as USUAL, position as p
from hashmark.games.fourth_down.tables import D20
from hashmark.table.effects import roll
from hashmark.table.rule import rule
from hashmark.table.rules import RANDOM

@rule
def step(m, g, call):
    g.score[0] += BONUS + roll(g, D20, 0)
    g.phase, g.winner = p.OVER, 0

@rule
def question(m, g):
    return 5 if g.phase == p.OVER else 0

@rule
def refusal(m, g, call):
    return 0

COACHES = (RANDOM, replace(RANDOM, name="book"))
RULES = replace(
    USUAL, name="tiny", step=step, question=question, refusal=refusal, coaches=COACHES
)
"""


def simulated(source: Path, cached: Path) -> dict[str, Any]:
    """A small simulation by a copy of the package."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "HASHMARK_CACHE": str(cached),
        "PYTHONDONTWRITEBYTECODE": "1",  # which tells changes within a second by length alone
    }
    arguments = ["simulate", "tiny", "--games", "200", "--engine", "compiled", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "hashmark", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def compiled_files(cached: Path) -> dict[str, int]:
    """The compiled code that was kept, with the time at which it was written."""
    return {str(path): path.stat().st_mtime_ns for path in cached.rglob("*.nbc")}


def with_a_tiny_game(source: Path) -> None:
    """A copy of the package, in which there is one game more."""
    shutil.copytree(Path(hashmark.__file__).parent, source / "hashmark")
    (source / "hashmark" / "games" / "tiny").mkdir()
    write_tiny_game(source, "0")


def write_tiny_game(source: Path, bonus: str) -> None:
    """The rules of the game that there is more, with these points for nothing."""
    rules = source / "hashmark" / "games" / "tiny" / "__init__.py"
    rules.write_text(TINY.replace("BONUS", bonus))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder with a copy of the package and its compiled code, and what was simulated by it."""
    folder = tmp_path_factory.mktemp("compiled")
    with_a_tiny_game(folder / "src")
    return folder, simulated(folder / "src", folder / "cache")


def test_a_changed_rule_is_compiled_anew(
    compiled: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    (folder, before), cached = compiled, tmp_path / "cache"
    source = folder / "src"
    shutil.copytree(folder / "cache", cached)
    files = compiled_files(cached)
    assert files
    again = simulated(source, cached)
    assert again["digest"] == before["digest"]
    assert compiled_files(cached) == files
    write_tiny_game(source, "1")
    try:
        after = simulated(source, cached)
    finally:
        write_tiny_game(source, "0")
    assert after["digest"] != before["digest"]
    assert simulated(source, cached)["digest"] == before["digest"]


def test_the_folder_follows_the_sources(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "a.py").write_text("1")
    first = cache.digest([package])
    (package / "a.py").write_text("2")
    second = cache.digest([package])
    (package / "a.py").rename(package / "b.py")
    assert len({first, second, cache.digest([package])}) == 3


def test_old_folders_are_swept_and_a_forbidden_place_is_no_fault(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("HASHMARK_CACHE", str(tmp_path))
    for number in range(9):
        (tmp_path / f"compiled-{number}").mkdir()
        os.utime(tmp_path / f"compiled-{number}", (number, number))
    place = cache.prepare("game")
    assert place is not None
    assert len(list(tmp_path.iterdir())) == cache.KEPT
    assert place.is_dir()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HASHMARK_CACHE", str(tmp_path / "file"))
    assert cache.prepare("game") is None


def test_a_damaged_cache_is_compiled_around(
    compiled: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    (folder, before), cached = compiled, tmp_path / "cache"
    shutil.copytree(folder / "cache", cached)
    damaged = [*cached.rglob("*.nbi"), *cached.rglob("*.nbc")]
    assert damaged
    for path in damaged:
        path.write_bytes(b"")
    assert simulated(folder / "src", cached)["digest"] == before["digest"]


RUN = """
from types import SimpleNamespace
from hashmark.table import registry
import my_plugin
registry.plugged_in = lambda: {"tiny": SimpleNamespace(load=lambda: my_plugin.RULES)}
from hashmark.sim import simulate
for engine in ("plain", "compiled"):
    print(simulate(registry.load("tiny"), 20, engine=engine).digest)
"""


def test_a_changed_rule_of_a_plug_in_is_compiled_anew(tmp_path: Path) -> None:
    """A plug-in may borrow everything but one rule."""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "HASHMARK_CACHE": str(tmp_path / "c")}
    seen = []
    for bonus in ("1", "2"):
        (tmp_path / "my_plugin.py").write_text(TINY.replace("BONUS", bonus))
        done = subprocess.run(
            [sys.executable, "-B", "-c", RUN],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        plain, compiled = done.stdout.split()
        assert plain == compiled
        seen.append(plain)
    assert seen[0] != seen[1]
