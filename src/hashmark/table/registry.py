"""Which games there are: every package in `hashmark.games`, and every installed plug-in.

A package `hashmark.games.fourth_down` whose module has `RULES` is the rule set
`fourth-down`. Another distribution adds a game with an entry point in the group
`hashmark.games`. Nothing else has to know of a new game.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

import hashmark.games
from hashmark.table.errors import UnknownName
from hashmark.table.rules import RuleSet


def built_in() -> list[str]:
    """The names of the games that come with Hashmark."""
    return list(_packages())


@cache
def _packages() -> list[str]:
    """The packages of games, by the names of their rule sets; looked for once."""
    return sorted(
        found.name.replace("_", "-")
        for found in pkgutil.iter_modules(hashmark.games.__path__)
        if found.ispkg
    )


@cache
def plugged_in() -> dict[str, Any]:
    """The entry points of games that other distributions bring.

    Found once: for that, what is known of every installed distribution is read.
    """
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="hashmark.games")}


def names() -> list[str]:
    """The names of all games."""
    return sorted({*built_in(), *plugged_in()})


@cache
def load(name: str) -> RuleSet:
    """The rule set of this name."""
    if name in built_in():
        module = importlib.import_module(f"hashmark.games.{name.replace('-', '_')}")
        rules: RuleSet = module.RULES
        return rules
    if name in (plugins := plugged_in()):
        plugged: RuleSet = plugins[name].load()
        return plugged
    raise UnknownName("rule set", name, names())
