"""Which games there are: every package in `hashmark.games`, and every installed plug-in.

A package `hashmark.games.fourth_down` whose module has `RULES` is the rule set
`fourth-down`. Another distribution adds a game with an entry point in the group
`hashmark.games`. Nothing else has to know of a new game.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

import hashmark.games
from hashmark.table.errors import UnknownName
from hashmark.table.rules import RuleSet


def built_in() -> list[str]:
    """The names of the games that come with Hashmark."""
    return sorted(
        found.name.replace("_", "-")
        for found in pkgutil.iter_modules(hashmark.games.__path__)
        if found.ispkg
    )


def names() -> list[str]:
    """The names of all games."""
    return sorted({*built_in(), *(point.name for point in entry_points(group="hashmark.games"))})


@cache
def load(name: str) -> RuleSet:
    """The rule set of this name."""
    if name in built_in():
        module = importlib.import_module(f"hashmark.games.{name.replace('-', '_')}")
        rules: RuleSet = module.RULES
        return rules
    for point in entry_points(group="hashmark.games", name=name):
        plugged: RuleSet = point.load()
        return plugged
    raise UnknownName("rule set", name, names())
