"""Fields of the event kinds: named, and emitted as declared."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

from hashmark.engine import registry
from hashmark.engine.events import EventKind, GameEvent
from hashmark.games import PACKAGE_PATH

MODULES = [module.name for module in pkgutil.walk_packages(PACKAGE_PATH, "hashmark.games.")]


def emit_calls(module: ModuleType) -> list[ast.Call]:
    """Return every call of `emit` in the source of a module."""
    assert module.__file__ is not None
    return [
        node
        for node in ast.walk(ast.parse(Path(module.__file__).read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "emit"
    ]


@pytest.mark.parametrize("name", MODULES)
def test_rules_emit_no_more_values_than_the_event_has_fields(name: str) -> None:
    module = importlib.import_module(name)
    for call in emit_calls(module):
        _, kind_source, _, *values = call.args
        kind = eval(ast.unparse(kind_source), vars(module))
        assert isinstance(kind, EventKind)
        assert len(values) <= len(kind.fields), ast.unparse(call)


@pytest.mark.parametrize("game", registry.builtin_names())
def test_fields_have_names_that_an_event_gives_as_attributes(game: str) -> None:
    for kind in registry.load(game).statistics.kinds:
        assert not {"a", "b", "c"} & set(kind.fields), kind
        assert not [field for field in kind.fields if hasattr(GameEvent, field)], kind
        event = GameEvent(kind, 0, (7, 8, 9))
        assert [getattr(event, field) for field in kind.fields] == [7, 8, 9][: len(kind.fields)]


def test_every_game_emits_events() -> None:
    assert len([name for name in MODULES if emit_calls(importlib.import_module(name))]) >= 5
