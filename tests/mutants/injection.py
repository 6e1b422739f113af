"""Injection of a mutant into a running Python: replace the code of a function, or reload a game."""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from hashmark.engine import registry
from hashmark.engine.rule import REGISTERED_RULES
from hashmark.games import PACKAGE_PATH
from mutants.operators import MODULE, Mutant, mutants_of

GAMES = Path(PACKAGE_PATH[0])


def package_of(rules: str) -> str:
    return f"hashmark.games.{rules.replace('-', '_')}"


def modules_of(rules: str) -> list[str]:
    """Return the Python files of a rule set, relative to games/."""
    folder = GAMES / rules.replace("-", "_")
    return sorted(path.relative_to(GAMES).as_posix() for path in folder.rglob("*.py"))


def module_name(file: str) -> str:
    dotted = file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return f"hashmark.games.{dotted}"


class MutableModule:
    """A module of a game with its syntax tree and its mutants."""

    def __init__(self, file: str) -> None:
        self.file, self.path = file, GAMES / file
        self.tree = ast.parse(self.path.read_text(encoding="utf-8"))
        self.module = importlib.import_module(module_name(file))
        self.mutants = mutants_of(file, self.tree, self._is_number)

    def _is_number(self, node: ast.expr) -> bool:
        """Return whether a name stands for a whole number here."""
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        try:
            value = eval(ast.unparse(node), dict(vars(self.module)))
        except (NameError, AttributeError):
            return False
        return type(value) is int

    def is_early(self, mutant: Mutant, early: set[tuple[str, str]]) -> bool:
        """Return whether the code runs while the game is loaded, so that its results are cached."""
        names = mutant.function.split(".")
        return mutant.function == MODULE or any((str(self.path), name) in early for name in names)

    def is_swappable(self, mutant: Mutant, early: set[tuple[str, str]]) -> bool:
        """Return whether replacing the code of one function is enough."""
        if self.is_early(mutant, early) or not isinstance(mutant.top, ast.FunctionDef):
            return False
        return _unwrapped(getattr(self.module, mutant.top.name)) is not None

    def is_rule(self, mutant: Mutant) -> bool:
        """Return whether the function is a rule, which caches nothing."""
        assert isinstance(mutant.top, ast.FunctionDef)
        return getattr(self.module, mutant.top.name) in REGISTERED_RULES

    def swap(self, mutant: Mutant) -> None:
        """Replace the code of the mutant's function."""
        assert isinstance(mutant.top, ast.FunctionDef)
        undo = mutant.apply()
        code = compile(self._as_module(mutant.top), str(self.path), "exec")
        undo()
        target = _unwrapped(getattr(self.module, mutant.top.name))
        assert target is not None
        target.__code__ = next(
            constant
            for constant in code.co_consts
            if isinstance(constant, CodeType) and constant.co_name == mutant.top.name
        )

    def _as_module(self, function: ast.FunctionDef) -> ast.Module:
        """Return a module with this one function, undecorated."""
        bare = ast.FunctionDef(**{**function.__dict__, "decorator_list": [], "returns": None})
        future = ast.parse("from __future__ import annotations").body
        return ast.Module([*future, ast.copy_location(bare, function)], [])

    def reload(self, mutant: Mutant, rules: str) -> None:
        """Reload the whole game with the mutant in its module."""
        undo = mutant.apply()
        code = compile(self.tree, str(self.path), "exec")
        undo()
        original = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader: Any, name: str) -> CodeType | None:
            return code if loader.path == str(self.path) else original(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
        unload_game(rules)


def unload_game(rules: str) -> None:
    """Unload the game, so that it is loaded again when next needed."""
    package = package_of(rules)
    for name in [name for name in sys.modules if f"{name}.".startswith(f"{package}.")]:
        del sys.modules[name]
    registry.load.cache_clear()


def _unwrapped(target: Any) -> FunctionType | None:
    """Return the function itself, unless it uses variables of an enclosing function."""
    target = getattr(target, "__wrapped__", target)
    simple = isinstance(target, FunctionType) and not target.__code__.co_freevars
    return target if simple else None


def early_functions(work: Callable[[], Any]) -> set[tuple[str, str]]:
    """Return the functions of the games, by file and name, that run during `work`."""
    seen: set[tuple[str, str]] = set()
    games_folder = str(GAMES)

    def record(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(games_folder):
            seen.add((frame.f_code.co_filename, frame.f_code.co_name))

    sys.setprofile(record)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen
