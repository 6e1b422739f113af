"""Plans as text, for whoever keeps them: read and checked, written, packed into a word."""

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
LONGEST_NAME = 120  # letters, for what is changed

read: Callable[[str, str], Plan] = plans.read
write: Callable[[Plan], str] = write_plan


def real(season: int, team: str) -> Plan:
    """How a team really called."""
    with places.only_shipped():
        return plans.load(f"{season}:{team}")


def named(plan: Plan, name: str) -> Plan:
    """The plan under another name, if one is given."""
    return replace(plan, name=name) if name else plan


def called_after(plan: Plan, season: int, team: str, said: str) -> Plan:
    """A team's plan that is called after what was changed in it, if anything was."""
    return named(plan, f"{season}:{team}, {said}"[:LONGEST_NAME]) if said else plan
