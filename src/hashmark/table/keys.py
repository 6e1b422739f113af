"""Position keys: a position without its score, its time and which team is which.

The same lines of source serve plain Python, which looks positions up, and compiled code, which
finds them. A position is stripped of everything that no later rule reads, turned so that the team
to act is home, and split into its key and a few numbers that say where it stands (`place`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from hashmark.table.record import TEAMS, Each, Kind, Named
from hashmark.table.rules import RuleSet
from hashmark.table.written import written

# Indices of `place`: what a position holds beside its key.
FLIPPED, STEADY, PERIOD, CLOCK, CARRIED, MORE_CARRIED, LEAD = range(7)
PLACE = 7
MOST_CARRIED = 2
WITH_LEAD = 2  # period of keys that include the lead, to keep them distinct from those that do not


def part(rules: Any, m: Any, g: Any, place: Any) -> Any:
    """Leave only the key in the position and write the rest to `place`; the game must not
    be over."""
    return parting(rules)(rules, m, g, place)


def restore(rules: Any, g: Any, place: Any) -> Any:
    """Set the time and the carried fields of a key from `place`."""
    return restoring(rules)(rules, g, place)


def mirror(rules: Any, g: Any) -> None:
    """Swap home and away."""
    mirroring(rules)(g)


def is_of_teams(kind: Kind) -> bool:
    """Return whether a field holds a team."""
    return isinstance(kind, Named) and kind.names == TEAMS


def _mirror_lines(rules: RuleSet) -> list[str]:
    """Return source lines that swap home and away."""
    lines = []
    for name, kind in rules.position.fields.items():
        if is_of_teams(kind):
            lines += [f"if g.{name} >= 0:", f"    g.{name} = 1 - g.{name}"]
        elif isinstance(kind, Each) and kind.keys == TEAMS and len(kind.shape) == 1:
            lines += [f"first = g.{name}[0]", f"g.{name}[0] = g.{name}[1]", f"g.{name}[1] = first"]
        elif isinstance(kind, Each) and kind.keys == TEAMS:
            lines += [f"for at in range({kind.shape[1]}):", f"    first = g.{name}[0][at]"]
            lines += [f"    g.{name}[0][at] = g.{name}[1][at]", f"    g.{name}[1][at] = first"]
    return lines


@cache
def mirroring(rules: RuleSet) -> Any:
    """Return the function `swap_teams` of one game."""
    return written("mirror", "g", [f"    {line}" for line in _mirror_lines(rules)])


@cache
def parting(rules: RuleSet) -> Any:
    """Return the function `split_key` of one game."""
    assert rules.solving is not None
    carried = rules.solving.carried
    assert len(carried) <= MOST_CARRIED
    lines = [
        "forget(m, g)",
        f"place[{STEADY}] = steady(m, g)",
        "kept = keeps(m, g)",
        f"place[{FLIPPED}] = 0",
        "if asked(m, g) == 1:",
        f"    place[{FLIPPED}] = 1",
        *(f"    {line}" for line in _mirror_lines(rules)),
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
        "if kept:",
        f"    g.period = {WITH_LEAD}",
        f"    g.score[0] = max(place[{LEAD}], 0)",
        f"    g.score[1] = max(-place[{LEAD}], 0)",
    ]
    known = {"forget": rules.forget, "asked": rules.asked}
    known |= {"steady": rules.solving.steady, "keeps": rules.solving.kept}
    return written("part", "rules, m, g, place", [f"    {line}" for line in lines], **known)


@cache
def spreading(rules: RuleSet) -> Any:
    """Return source lines that hash a key by the fields in which keys differ."""
    assert rules.solving is not None
    unused = {"clock", *rules.solving.carried}
    fields = [name for name, kind in rules.position.fields.items() if not kind.shape]
    lines = [f"    n = (n ^ uint64(g.{name})) * stride" for name in fields if name not in unused]
    lines += [f"    n = (n ^ uint64(g.score[{team}])) * stride" for team in range(2)]
    return ["    n = stride", *lines, "    return mix(n)"]


@cache
def restoring(rules: RuleSet) -> Any:
    """Return the function `restore_place` of one game."""
    assert rules.solving is not None
    lines = [f"g.period = place[{PERIOD}]", f"g.clock = place[{CLOCK}]"]
    for at, name in enumerate(rules.solving.carried):
        lines.append(f"g.{name} = place[{CARRIED + at}]")
    return written("restore", "rules, g, place", [f"    {line}" for line in lines])
