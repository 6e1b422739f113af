"""Registry of games: every package in `hashmark.games`, and every installed plug-in.

A package `hashmark.games.fourth_down` whose module has `RULES` is the rule set `fourth-down`.
Another distribution adds a game with an entry point in the group `hashmark.games`. No other code
has to know of a new game.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from hashmark.engine.rule_set import RuleSet
from hashmark.errors import UnknownName
from hashmark.games import PACKAGE_PATH


def builtin_names() -> list[str]:
    """Return the names of the games that come with Hashmark."""
    return list(_packages())


@cache
def _packages() -> list[str]:
    """Return the names of the rule sets of all game packages; searched once."""
    return sorted(
        module.name.replace("_", "-")
        for module in pkgutil.iter_modules(PACKAGE_PATH)
        if module.ispkg
    )


@cache
def plugin_entry_points() -> dict[str, Any]:
    """Return the entry points of games from other distributions.

    Searched once, because that reads the metadata of every installed distribution.
    """
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="hashmark.games")}


def names() -> list[str]:
    """Return the names of all games."""
    return sorted({*builtin_names(), *plugin_entry_points()})


@cache
def load(name: str) -> RuleSet:
    """Return the rule set of this name."""
    if name in builtin_names():
        module = importlib.import_module(f"hashmark.games.{name.replace('-', '_')}")
        rules: RuleSet = module.RULES
        return rules
    if name in (plugins := plugin_entry_points()):
        plugin_rules: RuleSet = plugins[name].load()
        return plugin_rules
    raise UnknownName("rule set", name, names())
