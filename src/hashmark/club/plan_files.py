"""Plans as text: reading, validating, writing and packing them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.check import warnings
from hashmark.games.data_driven.plans.plan import LARGEST_TEXT, Plan
from hashmark.games.data_driven.plans.text import pack, write_plan
from hashmark.table import places

__all__ = [
    "LARGEST_TEXT",
    "Plan",
    "called_after",
    "named",
    "pack",
    "read",
    "real",
    "warnings",
    "write",
]
LONGEST_NAME = 120  # characters, including the description of changes

read: Callable[[str, str], Plan] = plans.read
write: Callable[[Plan], str] = write_plan


def real(season: int, team: str) -> Plan:
    """Return a team's real plan."""
    with places.only_shipped():
        return plans.load(f"{season}:{team}")


def named(plan: Plan, name: str) -> Plan:
    """Return the plan under another name, if one is given."""
    return replace(plan, name=name) if name else plan


def called_after(plan: Plan, season: int, team: str, said: str) -> Plan:
    """Return a team's plan, named after its changes if there are any."""
    return named(plan, f"{season}:{team}, {said}"[:LONGEST_NAME]) if said else plan
