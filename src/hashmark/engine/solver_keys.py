"""Keys of the solver: a position without its score, its time and which team is which.

The same lines of source serve plain Python, which looks positions up, and compiled code, which
finds them. A position is stripped of everything that no later rule reads, turned so that the team
to act is home, and split into its key and a few numbers that say where it stands (`place`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from hashmark.engine.codegen import make_function
from hashmark.engine.record import (
    TEAMS,
    FieldKind,
    KeyedField,
    MatchRecord,
    NameField,
    PositionRecord,
)
from hashmark.engine.rule_set import RuleSet

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Place: TypeAlias = "list[int] | npt.NDArray[np.int64]"

# Indices of `place`: what a position holds beside its key.
IS_FLIPPED, STEADY, PERIOD, CLOCK, CARRIED, MORE_CARRIED, LEAD = range(7)
PLACE_SIZE = 7
MAX_CARRIED_FIELDS = 2
LEAD_KEY_PERIOD = 2  # period of keys that include the lead: those that do not have period 1


def split_key(rules: RuleSet, m: MatchRecord, g: PositionRecord, place: Place) -> Any:
    """Leave only the key in the position and write the rest to `place`; the game must not
    be over."""
    return split_key_function(rules)(rules, m, g, place)


def restore_place(rules: RuleSet, g: PositionRecord, place: Place) -> Any:
    """Set the time and the carried fields of a key from `place`."""
    return restore_place_function(rules)(rules, g, place)


def swap_teams(rules: RuleSet, g: PositionRecord) -> None:
    """Swap home and away."""
    swap_teams_function(rules)(g)


def is_team_field(kind: FieldKind) -> bool:
    """Return whether a field holds a team."""
    return isinstance(kind, NameField) and kind.names == TEAMS


def _swap_lines(rules: RuleSet) -> list[str]:
    """Return source lines that swap home and away."""
    lines = []
    for name, kind in rules.position.fields.items():
        if is_team_field(kind):
            lines += [f"if g.{name} >= 0:", f"    g.{name} = 1 - g.{name}"]
        elif isinstance(kind, KeyedField) and kind.keys == TEAMS and len(kind.shape) == 1:
            lines += [f"first = g.{name}[0]", f"g.{name}[0] = g.{name}[1]", f"g.{name}[1] = first"]
        elif isinstance(kind, KeyedField) and kind.keys == TEAMS:
            lines += [f"for at in range({kind.shape[1]}):", f"    first = g.{name}[0][at]"]
            lines += [f"    g.{name}[0][at] = g.{name}[1][at]", f"    g.{name}[1][at] = first"]
    return lines


@cache
def swap_teams_function(rules: RuleSet) -> Any:
    """Return the function `swap_teams` of one game."""
    return make_function("swap_teams", "g", [f"    {line}" for line in _swap_lines(rules)])


@cache
def split_key_function(rules: RuleSet) -> Any:
    """Return the function `split_key` of one game."""
    assert rules.solver.spec is not None
    carried = rules.solver.spec.carried_fields
    assert len(carried) <= MAX_CARRIED_FIELDS
    lines = [
        "drop_irrelevant(m, g)",
        f"place[{STEADY}] = steady_layer(m, g)",
        "has_lead = keeps_lead(m, g)",
        f"place[{IS_FLIPPED}] = 0",
        "if team_to_act(m, g) == 1:",
        f"    place[{IS_FLIPPED}] = 1",
        *(f"    {line}" for line in _swap_lines(rules)),
        f"place[{LEAD}] = g.score[0] - g.score[1]",
        f"place[{PERIOD}] = g.period",
        f"place[{CLOCK}] = g.clock",
        f"place[{CARRIED}] = place[{MORE_CARRIED}] = -1",
    ]
    for at, name in enumerate(carried):
        lines += [f"place[{CARRIED + at}] = g.{name}", f"g.{name} = -1"]
    lines += [
        "g.clock = 0",
        "g.period = 1",
        "g.score[0] = 0",
        "g.score[1] = 0",
        "if has_lead:",
        f"    g.period = {LEAD_KEY_PERIOD}",
        f"    g.score[0] = max(place[{LEAD}], 0)",
        f"    g.score[1] = max(-place[{LEAD}], 0)",
    ]
    return make_function(
        "split_key",
        "rules, m, g, place",
        [f"    {line}" for line in lines],
        drop_irrelevant=rules.solver.drop_irrelevant,
        team_to_act=rules.team_to_act,
        steady_layer=rules.solver.spec.steady_layer,
        keeps_lead=rules.solver.spec.keeps_lead,
    )


@cache
def key_hash_lines(rules: RuleSet) -> list[str]:
    """Return source lines that hash a key by the fields in which keys differ."""
    assert rules.solver.spec is not None
    unused = {"clock", *rules.solver.spec.carried_fields}
    fields = [name for name, kind in rules.position.fields.items() if not kind.shape]
    lines = [f"    n = (n ^ uint64(g.{name})) * stride" for name in fields if name not in unused]
    lines += [f"    n = (n ^ uint64(g.score[{team}])) * stride" for team in range(2)]
    return ["    n = stride", *lines, "    return mix(n)"]


@cache
def restore_place_function(rules: RuleSet) -> Any:
    """Return the function `restore_place` of one game."""
    assert rules.solver.spec is not None
    lines = [f"g.period = place[{PERIOD}]", f"g.clock = place[{CLOCK}]"]
    for at, name in enumerate(rules.solver.spec.carried_fields):
        lines.append(f"g.{name} = place[{CARRIED + at}]")
    return make_function("restore_place", "rules, g, place", [f"    {line}" for line in lines])
