"""Hashmark: gridiron football dice games, played, simulated and solved.

    import hashmark as hm

    hm.games()                                            # the games
    game = hm.Game("fourth-down", seed=1)                 # play one
    hm.odds("fourth-down", game)                          # exact odds of every call
    hm.best("fourth-down", game)                          # the best call, and what others cost
    hm.simulate("fourth-down", 100_000, rows=True).frame()
    hm.season(2008).table()                               # a real season
    hm.whatif(2008, "ARI", pass_rate="+10%").wins         # another game plan

The names in `__all__` are the public API; everything else is internal and may change. Names are
imported when they are first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # that of `typing`, whose import takes longer than all of this module

__version__ = "0.1.0"

if TYPE_CHECKING:
    from typing import Any

    from hashmark.api import charts
    from hashmark.api.best import BestCall, best, solve
    from hashmark.api.catalog import GameInfo, games
    from hashmark.api.game import Game
    from hashmark.api.odds import Odds, odds
    from hashmark.api.pandas_frames import to_pandas
    from hashmark.api.plans import Plan, plan
    from hashmark.api.positions import Position
    from hashmark.api.reviewing import Review, review
    from hashmark.api.seasons import Season, season
    from hashmark.api.simulation import Simulation, simulate
    from hashmark.api.teams import teams
    from hashmark.api.whatifs import WhatIf, whatif
    from hashmark.errors import HashmarkError, IllegalCall, InvalidPosition, UnknownName
    from hashmark.extras import MissingLibrary

_MODULES = {
    "BestCall": "hashmark.api.best",
    "Game": "hashmark.api.game",
    "GameInfo": "hashmark.api.catalog",
    "HashmarkError": "hashmark.errors",
    "IllegalCall": "hashmark.errors",
    "InvalidPosition": "hashmark.errors",
    "MissingLibrary": "hashmark.extras",
    "Odds": "hashmark.api.odds",
    "Plan": "hashmark.api.plans",
    "Position": "hashmark.api.positions",
    "Review": "hashmark.api.reviewing",
    "Season": "hashmark.api.seasons",
    "Simulation": "hashmark.api.simulation",
    "UnknownName": "hashmark.errors",
    "WhatIf": "hashmark.api.whatifs",
    "best": "hashmark.api.best",
    "plan": "hashmark.api.plans",
    "review": "hashmark.api.reviewing",
    "season": "hashmark.api.seasons",
    "simulate": "hashmark.api.simulation",
    "solve": "hashmark.api.best",
    "to_pandas": "hashmark.api.pandas_frames",
    "teams": "hashmark.api.teams",
    "whatif": "hashmark.api.whatifs",
}
# Modules; `games` and `odds` are packages that can be called, see `make_callable`.
_PACKAGES = {
    "charts": "hashmark.api.charts",
    "games": "hashmark.games",
    "odds": "hashmark.odds",
}

__all__ = [
    "BestCall",
    "Game",
    "GameInfo",
    "HashmarkError",
    "IllegalCall",
    "InvalidPosition",
    "MissingLibrary",
    "Odds",
    "Plan",
    "Position",
    "Review",
    "Season",
    "Simulation",
    "UnknownName",
    "WhatIf",
    "best",
    "charts",
    "games",
    "odds",
    "plan",
    "review",
    "season",
    "simulate",
    "solve",
    "teams",
    "to_pandas",
    "whatif",
]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(_PACKAGES[name])
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


class _CallablePackage(ModuleType):
    """A package with the name of a public function, which is called in its place."""

    def _function(self) -> Any:
        return getattr(import_module(self._function_module), self.__name__.rpartition(".")[2])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function()(*args, **kwargs)

    @property
    def __signature__(self) -> Any:
        """The signature of the function, for `help` and notebooks."""
        from inspect import signature

        return signature(self._function())


def make_callable(package: str, function_module: str) -> None:
    """Let a package be called as the function of its name in another module.

    Python sets a package as an attribute of its parent when it is first imported: without this,
    `hashmark.odds` would be the function or the package, depending on earlier imports.
    """
    module: Any = sys.modules[package]
    module.__class__ = _CallablePackage
    module._function_module = function_module


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
