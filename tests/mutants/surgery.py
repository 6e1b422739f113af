"""Putting a mutant into a running Python: a function's code is exchanged, or a game read anew."""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import hashmark.games
from hashmark.table import registry
from hashmark.table.rule import RULES
from mutants.operators import MODULE, Mutant, mutants_of

GAMES = Path(hashmark.games.__path__[0])


def package_of(rules: str) -> str:
    return f"hashmark.games.{rules.replace('-', '_')}"


def modules_of(rules: str) -> list[str]:
    """The modules of a rule set that Python code is in, by their files below games/."""
    folder = GAMES / rules.replace("-", "_")
    return sorted(path.relative_to(GAMES).as_posix() for path in folder.rglob("*.py"))


def module_name(file: str) -> str:
    dotted = file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return f"hashmark.games.{dotted}"


class Specimen:
    """One module: its tree and its mutants."""

    def __init__(self, file: str) -> None:
        self.file, self.path = file, GAMES / file
        self.tree = ast.parse(self.path.read_text(encoding="utf-8"))
        self.module = importlib.import_module(module_name(file))
        self.mutants = mutants_of(file, self.tree, self._is_number)

    def _is_number(self, node: ast.expr) -> bool:
        """Whether a name in capitals stands for a whole number here."""
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        try:
            value = eval(ast.unparse(node), dict(vars(self.module)))
        except (NameError, AttributeError):
            return False
        return type(value) is int

    def is_early(self, mutant: Mutant, early: set[tuple[str, str]]) -> bool:
        """Whether this runs while the game is loaded, and its results are kept somewhere."""
        names = mutant.function.split(".")
        return mutant.function == MODULE or any((str(self.path), name) in early for name in names)

    def is_swappable(self, mutant: Mutant, early: set[tuple[str, str]]) -> bool:
        """Whether to exchange the code of one function is enough."""
        if self.is_early(mutant, early) or not isinstance(mutant.top, ast.FunctionDef):
            return False
        return _plain(getattr(self.module, mutant.top.name)) is not None

    def is_rule(self, mutant: Mutant) -> bool:
        """Whether the function is a rule, which keeps nothing."""
        assert isinstance(mutant.top, ast.FunctionDef)
        return getattr(self.module, mutant.top.name) in RULES

    def swap(self, mutant: Mutant) -> None:
        """Exchange the code of the mutant's function."""
        assert isinstance(mutant.top, ast.FunctionDef)
        undo = mutant.apply()
        code = compile(self._alone(mutant.top), str(self.path), "exec")
        undo()
        target = _plain(getattr(self.module, mutant.top.name))
        assert target is not None
        target.__code__ = next(
            one
            for one in code.co_consts
            if isinstance(one, CodeType) and one.co_name == mutant.top.name
        )

    def _alone(self, function: ast.FunctionDef) -> ast.Module:
        """A module with this one function, undecorated."""
        bare = ast.FunctionDef(**{**function.__dict__, "decorator_list": [], "returns": None})
        future = ast.parse("from __future__ import annotations").body
        return ast.Module([*future, ast.copy_location(bare, function)], [])

    def reload(self, mutant: Mutant, rules: str) -> None:
        """Read the whole game anew, with the mutant in its module."""
        undo = mutant.apply()
        code = compile(self.tree, str(self.path), "exec")
        undo()
        usual = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader: Any, name: str) -> CodeType | None:
            return code if loader.path == str(self.path) else usual(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
        forget(rules)


def forget(rules: str) -> None:
    """Whoever asks for the game next loads it anew."""
    package = package_of(rules)
    for name in [name for name in sys.modules if f"{name}.".startswith(f"{package}.")]:
        del sys.modules[name]
    registry.load.cache_clear()


def _plain(target: Any) -> FunctionType | None:
    """The function itself, if it has no cell of another one."""
    target = getattr(target, "__wrapped__", target)
    simple = isinstance(target, FunctionType) and not target.__code__.co_freevars
    return target if simple else None


def early_functions(work: Callable[[], Any]) -> set[tuple[str, str]]:
    """The functions of the games, by file and name, that run while `work` is done."""
    seen: set[tuple[str, str]] = set()
    inside = str(GAMES)

    def note(frame: Any, what: str, _: Any) -> None:
        if what == "call" and frame.f_code.co_filename.startswith(inside):
            seen.add((frame.f_code.co_filename, frame.f_code.co_name))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen
