"""Plans as text: reading, validating, writing and packing them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.check import find_warnings
from hashmark.games.data_driven.plans.plan import MAX_PLAN_BYTES, Plan
from hashmark.games.data_driven.plans.text import pack, write_plan
from hashmark.storage import search_path

__all__ = [
    "MAX_PLAN_BYTES",
    "Plan",
    "find_warnings",
    "load_real_plan",
    "name_after_changes",
    "normalize",
    "pack",
    "read",
    "rename_plan",
    "write",
]
MAX_NAME_LENGTH = 120  # characters, including the description of changes

read: Callable[[str, str], Plan] = plans.parse_text
write: Callable[[Plan], str] = write_plan


def normalize(text: str) -> str:
    """Return the text of a plan as we write it; raise if it is not a valid plan."""
    return write(read(text, "the plan"))


def load_real_plan(season: int, team: str) -> Plan:
    """Return a team's real plan."""
    with search_path.shipped_only():
        return plans.load(f"{season}:{team}")


def rename_plan(plan: Plan, name: str) -> Plan:
    """Return the plan under another name, if one is given."""
    return replace(plan, name=name) if name else plan


def name_after_changes(plan: Plan, season: int, team: str, changes: str) -> Plan:
    """Return a team's plan, named after its changes if there are any."""
    return rename_plan(plan, f"{season}:{team}, {changes}"[:MAX_NAME_LENGTH]) if changes else plan
