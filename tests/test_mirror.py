"""Tests mirror what they test: no module of these rooms, nor of the command, without one."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "hashmark"
COMMANDS = {"__init__", "commands", "run"}  # are tried by every command's test


def modules(room: str) -> list[str]:
    """The modules of a room, by their whole names; packages hold nothing of their own.

    Steps of the database have numbers for names, and are loaded by Alembic alone.
    """
    return [
        ".".join(("hashmark", *path.relative_to(SOURCE).with_suffix("").parts))
        for path in sorted((SOURCE / room).rglob("*.py"))
        if path.stem.isidentifier() and path.name != "__init__.py"
    ]


@cache
def imported() -> set[str]:
    """Every module that some test imports, by itself or by a name in it."""
    found: set[str] = set()
    for path in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
            elif isinstance(node, ast.Import):
                found |= {one.name for one in node.names}
    return found


@pytest.mark.parametrize("room", ["club", "envs", "league", "pages", "telling", "web"])
def test_every_module_is_imported_by_a_test(room: str) -> None:
    names = modules(room)
    assert names
    assert sorted(set(names) - imported()) == []


def test_every_module_of_the_command_has_a_file_of_tests() -> None:
    names = {path.stem for path in (SOURCE / "cli").glob("*.py")} - COMMANDS
    tested = {path.stem.removeprefix("test_") for path in (TESTS / "cli").glob("test_*.py")}
    assert sorted(names - tested) == []
