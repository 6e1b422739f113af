"""Tests mirror the source: every module of these packages, and of the command, has a test."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "hashmark"
COMMANDS = {"__init__", "commands", "run"}  # covered by the tests of every command


def modules(room: str) -> list[str]:
    """Return the full names of the modules of a package, without `__init__` modules.

    Database migrations have numbers for names, and only Alembic loads them.
    """
    return [
        ".".join(("hashmark", *path.relative_to(SOURCE).with_suffix("").parts))
        for path in sorted((SOURCE / room).rglob("*.py"))
        if path.stem.isidentifier() and path.name != "__init__.py"
    ]


@cache
def imported() -> set[str]:
    """Return every module that some test imports, directly or through a name in it."""
    names: set[str] = set()
    for path in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
    return names


@pytest.mark.parametrize("room", ["envs", "league", "reports", "text", "web"])
def test_every_module_is_imported_by_a_test(room: str) -> None:
    names = modules(room)
    assert names
    assert sorted(set(names) - imported()) == []


def test_every_module_of_the_command_has_a_file_of_tests() -> None:
    names = {path.stem for path in (SOURCE / "cli").glob("*.py")} - COMMANDS
    tested = {path.stem.removeprefix("test_") for path in (TESTS / "cli").glob("test_*.py")}
    assert sorted(names - tested) == []
