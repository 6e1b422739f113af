"""Shared checks of positions that a user sets up: fields tied to a phase, room for points.

Every game reads positions that a user writes. Most fields always mean something; some belong to a
stage of a play and keep their initial value everywhere else. A game declares which:

    PENDING = PhaseFields(Position, "asks", {"holder": "toss kick-return rekick"})

and its check reports with `PENDING.describe_misplaced(g)` which key is set where it means nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from hashmark.engine.record import MAX_POINTS, TEAMS, NameField, PositionRecord, Record
from hashmark.errors import join_names


class PhaseFields:
    """For each field, the stages, by name, in which it may differ from its initial value.

    The stage is the value of the field `key`: a phase, a question, a window.
    """

    def __init__(self, position: type[Record], key: str, stages: Mapping[str, str]) -> None:
        kind = position.fields[key]
        assert isinstance(kind, NameField)
        self.key, self.names = key, kind.names
        self.stages = {field: frozenset(names.split()) for field, names in stages.items()}
        self.initial_values = {field: position.fields[field].new_value() for field in stages}
        unknown = frozenset().union(*self.stages.values()) - frozenset(kind.names)
        if unknown:
            raise ValueError(f"{position.__name__}.{key} has no {', '.join(sorted(unknown))}")

    def describe_misplaced(self, g: PositionRecord) -> str | None:
        """Return an error message for the first field that is set in the wrong stage, or None."""
        stage = self.names[getattr(g, self.key)]
        for field, stages in self.stages.items():
            if getattr(g, field) != self.initial_values[field] and stage not in stages:
                allowed = join_names([name for name in self.names if name in stages])
                only = f"it applies only in {self.key} {allowed}" if allowed else "it never applies"
                return f"{field} does not apply in {self.key} {stage}: {only}"
        return None


def score_headroom(g: PositionRecord, points_to_come: int) -> str | None:
    """Return an error message if a score leaves no room for the points that may still be scored."""
    most = MAX_POINTS - points_to_come
    for team, name in enumerate(TEAMS):
        if g.score[team] > most:
            return f"score.{name}: {g.score[team]} is more than {most}, with time left to score"
    return None
