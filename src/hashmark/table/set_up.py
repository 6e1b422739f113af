"""What the checks of set-up positions share: fields that belong to a stage, room for points.

Every game reads positions that a user writes. Most fields of one always mean something; some
belong to a stage of a play and stand at their first value everywhere else. A game declares which:

    PENDING = Ties(Position, "asks", {"holder": "toss kick-return rekick"})

and its check says with `PENDING.misplaced(g)` which key stands where it cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.table.errors import listed
from hashmark.table.record import MOST_POINTS, TEAMS, Named, Record


class Ties:
    """In which stages, by name, each field may differ from its first value.

    The stage is what the field `key` names: a phase, a question, a window.
    """

    def __init__(self, position: type[Record], key: str, stages: Mapping[str, str]) -> None:
        kind = position.fields[key]
        assert isinstance(kind, Named)
        self.key, self.names = key, kind.names
        self.stages = {field: frozenset(names.split()) for field, names in stages.items()}
        self.neutral = {field: position.fields[field].new() for field in stages}
        unknown = frozenset().union(*self.stages.values()) - frozenset(kind.names)
        if unknown:
            raise ValueError(f"{position.__name__}.{key} has no {', '.join(sorted(unknown))}")

    def misplaced(self, g: Any) -> str | None:
        """The first field that stands where it cannot, in one sentence."""
        stage = self.names[getattr(g, self.key)]
        for field, stages in self.stages.items():
            if getattr(g, field) != self.neutral[field] and stage not in stages:
                where = [name for name in self.names if name in stages]
                return (
                    f"{field} means nothing in {self.key} {stage}, "
                    f"it may be given only in {listed(where)}"
                )
        return None


def crowded(g: Any, to_come: int) -> str | None:
    """A score that leaves no room for the points that a team may still make."""
    most = MOST_POINTS - to_come
    for team, name in enumerate(TEAMS):
        if g.score[team] > most:
            return f"score.{name}: {g.score[team]} is more than {most}, with time left to score"
    return None
