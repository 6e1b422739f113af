"""Cache directories: after a change to a rule, code compiled before is never used."""

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
from hashmark.compiler import cache_dir

TINY = """
from dataclasses import replace
from hashmark.games.fourth_down import RULES as USUAL, position as p
from hashmark.games.fourth_down.tables import D20
from hashmark.engine.effects import roll
from hashmark.engine.rule import rule
from hashmark.engine.rule_set import RANDOM_COACH

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

COACHES = (RANDOM_COACH, replace(RANDOM_COACH, name="book"))
RULES = replace(
    USUAL, name="tiny", step=step, question=question, refusal=refusal, coaches=COACHES
)
"""


def simulate_copy(source: Path, cached: Path) -> dict[str, Any]:
    """Run a small simulation with a copy of the package."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "HASHMARK_CACHE": str(cached),
        "PYTHONDONTWRITEBYTECODE": "1",  # bytecode cannot detect quick changes of equal length
    }
    arguments = ["simulate", "tiny", "--games", "200", "--engine", "compiled", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "hashmark", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def compiled_files(cached: Path) -> dict[str, int]:
    """Return the cached code files with their modification times."""
    return {str(path): path.stat().st_mtime_ns for path in cached.rglob("*.nbc")}


def copy_with_tiny_game(source: Path) -> None:
    """Copy the package and add one game to it."""
    shutil.copytree(Path(hashmark.__file__).parent, source / "hashmark")
    (source / "hashmark" / "games" / "tiny").mkdir()
    write_tiny_game(source, "0")


def write_tiny_game(source: Path, bonus: str) -> None:
    """Write the rules of the added game, with this bonus of points."""
    rules = source / "hashmark" / "games" / "tiny" / "__init__.py"
    rules.write_text(TINY.replace("BONUS", bonus))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return a directory with a copy of the package and its compiled code, and a simulation
    result."""
    folder = tmp_path_factory.mktemp("compiled")
    copy_with_tiny_game(folder / "src")
    return folder, simulate_copy(folder / "src", folder / "cache")


def test_a_changed_rule_is_compiled_again(
    compiled: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    (folder, before), cached = compiled, tmp_path / "cache"
    source = folder / "src"
    shutil.copytree(folder / "cache", cached)
    files = compiled_files(cached)
    assert files
    again = simulate_copy(source, cached)
    assert again["digest"] == before["digest"]
    assert compiled_files(cached) == files
    write_tiny_game(source, "1")
    try:
        after = simulate_copy(source, cached)
    finally:
        write_tiny_game(source, "0")
    assert after["digest"] != before["digest"]
    assert simulate_copy(source, cached)["digest"] == before["digest"]


def test_the_digest_depends_on_names_and_contents_of_sources(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "a.py").write_text("1")
    first = cache_dir.source_digest([package])
    (package / "a.py").write_text("2")
    second = cache_dir.source_digest([package])
    (package / "a.py").rename(package / "b.py")
    assert len({first, second, cache_dir.source_digest([package])}) == 3


def test_old_directories_are_removed_and_an_unwritable_one_is_no_error(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("HASHMARK_CACHE", str(tmp_path))
    for number in range(9):
        (tmp_path / f"compiled-{number}").mkdir()
        os.utime(tmp_path / f"compiled-{number}", (number, number))
    game_dir = cache_dir.prepare_game_dir("game")
    assert game_dir is not None
    assert len(list(tmp_path.iterdir())) == cache_dir.MAX_CACHE_DIRS
    assert game_dir.is_dir()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HASHMARK_CACHE", str(tmp_path / "file"))
    assert cache_dir.prepare_game_dir("game") is None


def test_damaged_cache_files_are_compiled_again(
    compiled: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    (folder, before), cached = compiled, tmp_path / "cache"
    shutil.copytree(folder / "cache", cached)
    damaged = [*cached.rglob("*.nbi"), *cached.rglob("*.nbc")]
    assert damaged
    for path in damaged:
        path.write_bytes(b"")
    assert simulate_copy(folder / "src", cached)["digest"] == before["digest"]


RUN = """
from types import SimpleNamespace
from hashmark.engine import registry
import my_plugin
registry.plugin_entry_points = lambda: {"tiny": SimpleNamespace(load=lambda: my_plugin.RULES)}
from hashmark.sim import simulate
for engine in ("plain", "compiled"):
    print(simulate(registry.load("tiny"), 20, engine=engine).digest)
"""


def test_a_changed_rule_of_a_plug_in_is_compiled_again(tmp_path: Path) -> None:
    """A plug-in may reuse everything but one rule."""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "HASHMARK_CACHE": str(tmp_path / "c")}
    digests = []
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
        digests.append(plain)
    assert digests[0] != digests[1]
