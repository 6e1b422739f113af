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

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
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
    "odds": "hashmark.api.odds",
    "plan": "hashmark.api.plans",
    "review": "hashmark.api.reviewing",
    "season": "hashmark.api.seasons",
    "simulate": "hashmark.api.simulation",
    "solve": "hashmark.api.best",
    "to_pandas": "hashmark.api.pandas_frames",
    "teams": "hashmark.api.teams",
    "whatif": "hashmark.api.whatifs",
}
_PACKAGES = {"charts": "hashmark.api.charts", "games": "hashmark.games"}

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


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
