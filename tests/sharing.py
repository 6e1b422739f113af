"""Which tests go to the same worker, because they share what is compiled or built.

A game is some hundreds of functions. Two loops over the same records share them, but only in the
process that compiled them, and what a test file builds once is built once in each process. So all
tests of a game go to one worker, and all that build charts to one; every other test goes wherever
there is room. The place of a test, which is all that is known where tests are handed out, says
which game it is about.
"""

from __future__ import annotations

from typing import Any

GAMES = ("data-driven", "fourth-down", "rapid-roll", "roll-for-yardage", "two-minute-drill")
CHARTS = "charts"
SOURCES = "sources"  # all modules are read

# The first that fits counts. Where a game is among the parameters of a test, it is that game's.
PLACES = {
    "league/charts/": CHARTS,
    "league/plans/": CHARTS,
    "cli/test_charts_build.py": CHARTS,
    "cli/test_plan.py": CHARTS,
    "test_architecture.py": SOURCES,
    "test_mirror.py": SOURCES,
    "league/": "data-driven",
    "cli/test_charts_verify.py": "data-driven",
    "cli/test_season.py": "data-driven",
    "cli/test_whatif.py": "data-driven",
    "sim/test_cluster.py": "data-driven",
    "values/test_hidden.py": "data-driven",
    "values/test_player.py::test_compiled_and_plain_make_hidden_calls_alike": "data-driven",
    **{f"games/test_{game.replace('-', '_')}": game for game in GAMES},
}
USUAL = "fourth-down"  # the game of tests that need some game
OF_SOME_GAME = (
    "cli/test_warm.py",
    "envs/",
    "odds/",
    "sim/",
    "table/test_registry.py",
    "table/test_secrets.py",
    "values/",
)


def group(test: str) -> str:
    """The group of a test, or the test itself if it shares nothing."""
    place, _, parameters = test.removeprefix("tests/").partition("[")
    for start, found in PLACES.items():
        if place.startswith(start):
            return found
    for game in GAMES:
        if game in parameters:
            return game
    return USUAL if place.startswith(OF_SOME_GAME) else test


def scheduler(config: Any, log: Any) -> Any:
    """Hands out groups, large ones first."""
    from xdist.scheduler import LoadScopeScheduling

    class BySharing(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    return BySharing(config, log)
