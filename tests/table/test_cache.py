"""A change to a rule's source is never answered from code compiled before it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import hashmark
from hashmark.table import cache


def simulated(source: Path, cached: Path) -> dict[str, Any]:
    """A small simulation by a copy of the package."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "HASHMARK_CACHE": str(cached),
        "PYTHONDONTWRITEBYTECODE": "1",  # which tells changes within a second by length alone
    }
    arguments = ["simulate", "fourth-down", "--games", "200", "--json"]
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


def test_a_changed_rule_is_compiled_anew(tmp_path: Path) -> None:
    source, cached = tmp_path / "src", tmp_path / "cache"
    shutil.copytree(Path(hashmark.__file__).parent, source / "hashmark")
    before = simulated(source, cached)
    files = compiled_files(cached)
    assert files
    again = simulated(source, cached)
    assert again["digest"] == before["digest"]
    assert compiled_files(cached) == files
    rules = source / "hashmark" / "games" / "fourth_down" / "rules.py"
    text = rules.read_text()
    changed = text.replace("g.score[g.possession] += 3", "g.score[g.possession] += 4")
    assert changed != text
    rules.write_text(changed)
    after = simulated(source, cached)
    assert after["digest"] != before["digest"]
    rules.write_text(text)
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


def test_a_damaged_cache_is_compiled_around(tmp_path: Path) -> None:
    source = Path(hashmark.__file__).parent.parent
    before = simulated(source, tmp_path)
    for path in [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]:
        path.write_bytes(b"")
    assert simulated(source, tmp_path)["digest"] == before["digest"]


PLUGIN = """
from dataclasses import replace
from hashmark.games.fourth_down import RULES as USUAL, rules
from hashmark.table.rule import rule

@rule
def step(m, g, call):
    rules.step(m, g, call)
    g.score[0] += BONUS

RULES = replace(USUAL, name="my-game", step=step)
"""

RUN = """
from types import SimpleNamespace
from hashmark.table import registry
import my_plugin
registry.plugged_in = lambda: {"my-game": SimpleNamespace(load=lambda: my_plugin.RULES)}
from hashmark.sim import simulate
for engine in ("plain", "compiled"):
    print(simulate(registry.load("my-game"), 20, engine=engine).digest)
"""


def test_a_changed_rule_of_a_plug_in_is_compiled_anew(tmp_path: Path) -> None:
    """A plug-in may borrow everything but one rule."""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "HASHMARK_CACHE": str(tmp_path / "c")}
    seen = []
    for bonus in ("1", "2"):
        (tmp_path / "my_plugin.py").write_text(PLUGIN.replace("BONUS", bonus))
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
