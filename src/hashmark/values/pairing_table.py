"""Value tables of pairings in the user's cache directory: one file for two teams and their options.

A game names the module of its pairing model in `SolverHooks.pairing_module`. A table can always be
made again (`hashmark solve`), so it is kept with other files of that kind.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from hashmark import extras
from hashmark.engine.record import MatchRecord
from hashmark.engine.rule_set import COACH_SEPARATOR, RuleSet
from hashmark.errors import HashmarkError
from hashmark.storage import user_dirs

SUFFIX = ".pairing"
MAX_OPEN_TABLES = 4


def has_model(rules: RuleSet) -> bool:
    """Return whether pairings of this game can be solved."""
    return bool(rules.solver.pairing_module)


def model_of(rules: RuleSet) -> Any:
    """Return the module of a game's pairing model."""
    return pkgutil.resolve_name(rules.solver.pairing_module)


def level_descriptions(rules: RuleSet) -> Mapping[str, str]:
    """Return the sentence about each coach that a game's pairing model has."""
    return rules.solver.pairing_levels


@dataclass(frozen=True)
class PairingTask:
    """A match whose pairing is to be solved."""

    rules: RuleSet
    m: MatchRecord

    def __post_init__(self) -> None:
        if not has_model(self.rules):
            raise HashmarkError(f"{self.rules.name} has no model of a pairing")

    @property
    def identity(self) -> dict[str, Any]:
        """What a table must match to be the table of this task."""
        model = model_of(self.rules)
        return {
            "format": model.FORMAT,
            "rules": self.rules.name.partition(COACH_SEPARATOR)[0],
            "version": self.rules.version,
            "key": model.content_key(self.m),
        }

    @property
    def path(self) -> Path:
        """Path of the table in the user's cache directory."""
        identity = self.identity
        return pairings_dir() / f"{identity['rules']}-{identity['key']}{SUFFIX}"


def pairings_dir() -> Path:
    """Return the directory of value tables of pairings."""
    return user_dirs.cache_dir() / "pairings"


def find(rules: RuleSet, m: MatchRecord) -> Mapping[str, Any] | None:
    """Return the arrays of a match's table, or None if its pairing has not been solved."""
    if not has_model(rules) or not extras.has("numpy"):
        return None
    task = PairingTask(rules, m)
    path = task.path
    if not path.exists():
        return None
    return _load(path, path.stat().st_mtime_ns, tuple(sorted(task.identity.items())))


def solver_gap(rules: RuleSet, m: MatchRecord) -> float:
    """Return what the mixes of both teams together give away in a situation, on average."""
    from hashmark.values.array_file import ArrayFile

    return float(ArrayFile(PairingTask(rules, m).path).metadata["gap"])


@lru_cache(MAX_OPEN_TABLES)
def _load(path: Path, modified: int, identity: tuple[Any, ...]) -> Mapping[str, Any] | None:
    """Open a table; None if another version of hashmark has made it."""
    from hashmark.values.array_file import ArrayFile

    file = ArrayFile(path)
    known = {name: file.metadata.get(name) for name, _ in identity}
    if known != dict(identity):
        return None
    return {name: file.map_unverified(name) for name in file.metadata["arrays"]}


def require(rules: RuleSet, m: MatchRecord) -> Mapping[str, Any]:
    """Return the arrays of a match's table; raise an error that says how to make it."""
    extras.require("a coach with a value table", "numpy")
    found = find(rules, m)
    if found is None:
        raise HashmarkError(
            f"the pairing is not solved with these options; run `hashmark solve "
            f"{rules.name.partition(COACH_SEPARATOR)[0]}` with the same teams and options"
        )
    return found
