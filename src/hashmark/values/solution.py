"""Solutions in the user's data directory: list them and find the one of a match."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.storage import user_dirs
from hashmark.values.value import DEFAULT_TIE_VALUE, NoValue

if TYPE_CHECKING:
    from hashmark.values.solved import SolvedGame

FORMAT = "hashmark-solution/4"
SUFFIX = ".solution"


class NotSolved(NoValue):
    """A position that no game reaches, so the solution does not contain it."""


@dataclass(frozen=True)
class SolveTask:
    """A match to be solved, and the value of a tie."""

    rules: RuleSet
    m: MatchRecord
    tie: float = DEFAULT_TIE_VALUE
    start: PositionRecord | None = (
        None  # solve from this position on; None: from the start of a new game
    )

    def __post_init__(self) -> None:
        if self.rules.solver.spec is None:
            raise HashmarkError(f"{self.rules.name} is too large to be solved")
        if not 0 <= self.tie <= 1:
            raise HashmarkError(f"tie: {self.tie} is not between 0 and 1")

    @property
    def identity(self) -> dict[str, Any]:
        """What a solution must match to be the solution of this task."""
        identity = {
            "format": FORMAT,
            "rules": self.rules.name,
            "version": self.rules.version,
            "match": self.m.to_json(),
            "tie": self.tie,
        }
        return identity if self.start is None else {**identity, "start": self.start.to_json()}

    @property
    def path(self) -> Path:
        """Path of the solution in the user's data directory."""
        text = json.dumps(self.identity, sort_keys=True).encode()
        name = f"{self.rules.name}-{blake2b(text, digest_size=5).hexdigest()}{SUFFIX}"
        return solutions_dir() / name

    @property
    def leads(self) -> int:
        assert self.rules.solver.spec is not None
        return self.rules.solver.spec.max_lead


def solutions_dir() -> Path:
    """Return the directory of solutions."""
    return user_dirs.data_dir() / "solutions"


def find(rules: RuleSet, m: MatchRecord, tie: float = DEFAULT_TIE_VALUE) -> SolvedGame | None:
    """Return the solution of a match, or None if it has not been solved."""
    if rules.solver.spec is None or not extras.has("numpy"):
        return None
    path = SolveTask(rules, m, tie).path
    if not path.exists():
        return None
    from hashmark.values.solved import SolvedGame

    return SolvedGame(rules, m, path)


def list_solutions() -> list[tuple[Path, dict[str, Any] | None]]:
    """List every solution with its metadata, or None for a damaged file."""
    from hashmark.values.array_file import ArrayFile

    solutions: list[tuple[Path, dict[str, Any] | None]] = []
    for path in sorted(solutions_dir().glob(f"*{SUFFIX}")):
        try:
            solutions.append((path, ArrayFile(path).metadata))
        except HashmarkError:
            solutions.append((path, None))
    return solutions
