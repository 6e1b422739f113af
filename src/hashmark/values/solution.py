"""Solutions in the user's data folder: which there are, and the one of a match."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.table import extras, folders
from hashmark.table.errors import HashmarkError
from hashmark.table.rules import RuleSet
from hashmark.values.value import HALF

if TYPE_CHECKING:
    from hashmark.values.solved import Solved

FORMAT = "hashmark-solution/4"
SUFFIX = ".solution"


class NotSolved(HashmarkError):
    """A position that no game comes to, so that the solution does not have it."""


@dataclass(frozen=True)
class Task:
    """What is to be solved: a match, and what a tie is worth."""

    rules: RuleSet
    m: Any
    tie: float = HALF
    start: Any = None  # solved from this position on; None: from the first one of a new game

    def __post_init__(self) -> None:
        if self.rules.solving is None:
            raise HashmarkError(f"{self.rules.name} is too large to be solved whole")
        if not 0 <= self.tie <= 1:
            raise HashmarkError(f"tie: {self.tie} is not between 0 and 1")

    @property
    def identity(self) -> dict[str, Any]:
        """What a solution must agree in to be this one's."""
        said = {
            "format": FORMAT,
            "rules": self.rules.name,
            "version": self.rules.version,
            "match": self.m.to_json(),
            "tie": self.tie,
        }
        return said if self.start is None else {**said, "start": self.start.to_json()}

    @property
    def path(self) -> Path:
        """Where its solution lies in the user's data folder."""
        text = json.dumps(self.identity, sort_keys=True).encode()
        name = f"{self.rules.name}-{blake2b(text, digest_size=5).hexdigest()}{SUFFIX}"
        return folder() / name

    @property
    def leads(self) -> int:
        assert self.rules.solving is not None
        return self.rules.solving.leads


def folder() -> Path:
    """Where solutions lie."""
    return folders.data() / "solutions"


def find(rules: RuleSet, m: Any, tie: float = HALF) -> Solved | None:
    """The solution of a match, if somebody has solved it."""
    if rules.solving is None or not extras.has("numpy"):
        return None
    path = Task(rules, m, tie).path
    if not path.exists():
        return None
    from hashmark.values.solved import Solved

    return Solved(rules, m, path)


def all_there() -> list[tuple[Path, dict[str, Any] | None]]:
    """Every solution that lies there with what it says of itself; None of one that is damaged."""
    from hashmark.values.container import Container

    found: list[tuple[Path, dict[str, Any] | None]] = []
    for path in sorted(folder().glob(f"*{SUFFIX}")):
        try:
            found.append((path, Container(path).said))
        except HashmarkError:
            found.append((path, None))
    return found
