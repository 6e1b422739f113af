"""Games: one package for each rulebook; the registry finds a package by its name.

The package is callable, because its name is also that of a public function: `hashmark.games()`
returns the installed games.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashmark.api.catalog import GameList

PACKAGE_PATH = tuple(__path__)


class _CallablePackage(ModuleType):
    """A package that returns the installed games when it is called."""

    def __call__(self) -> GameList:
        from hashmark.api.catalog import games

        return games()


sys.modules[__name__].__class__ = _CallablePackage
