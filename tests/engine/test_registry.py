"""Registry: games are found automatically, including plug-ins."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hashmark.compiler import cache_dir
from hashmark.engine import registry
from hashmark.errors import UnknownName
from hashmark.sim import simulate

PLUGIN = """
from dataclasses import replace
from hashmark.games.fourth_down import RULES as FOURTH_DOWN
from hashmark.games.fourth_down.position import Position as Usual

class Position(Usual):
    __slots__ = ()

RULES = replace(FOURTH_DOWN, name="my-game", position=Position)
"""


def test_built_in_games_load_under_their_names() -> None:
    assert "fourth-down" in registry.builtin_names()
    for name in registry.builtin_names():
        assert registry.load(name).name == name


def test_an_unknown_game_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean 'fourth-down'"):
        registry.load("fourthdown")


def test_a_plug_in_is_a_game_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_plugin").mkdir()
    (tmp_path / "my_plugin" / "__init__.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("HASHMARK_CACHE", str(tmp_path / "cache"))

    def load() -> object:
        import my_plugin  # type: ignore[import-not-found]

        return my_plugin.RULES

    monkeypatch.setattr(
        registry, "plugin_entry_points", lambda: {"my-game": SimpleNamespace(load=load)}
    )
    registry.load.cache_clear()
    assert "my-game" in registry.names()
    rules = registry.load("my-game")
    folder = cache_dir.game_dir(rules)
    assert folder is not None
    assert folder != cache_dir.game_dir(registry.load("fourth-down"))
    mine, usual = simulate(rules, 300), simulate("fourth-down", 300)
    assert mine.digest == usual.digest
    assert any(folder.rglob("*.nbi"))
    del sys.modules["my_plugin"]
    registry.load.cache_clear()
