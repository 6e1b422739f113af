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
    environment = {**os.environ, "PYTHONPATH": str(source), "HASHMARK_CACHE": str(cached)}
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


def test_a_changed_rule_is_compiled_anew(tmp_path: Path) -> None:
    source, cached = tmp_path / "src", tmp_path / "cache"
    shutil.copytree(Path(hashmark.__file__).parent, source / "hashmark")
    before = simulated(source, cached)
    again = simulated(source, cached)
    assert again["digest"] == before["digest"]
    assert again["preparing_seconds"] < before["preparing_seconds"] / 2
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
    place = cache.prepare()
    assert place is not None
    assert len(list(tmp_path.iterdir())) == cache.KEPT
    assert place.is_dir()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HASHMARK_CACHE", str(tmp_path / "file"))
    assert cache.prepare() is None
