"""Games: one package for each rulebook; the registry finds a package by its name.

The package is callable, because its name is also that of a public function: `hashmark.games()`
returns the installed games.
"""

from __future__ import annotations

from hashmark import make_callable

PACKAGE_PATH = tuple(__path__)

make_callable(__name__, "hashmark.api.catalog")
