"""Groups of tests that share compiled code or built charts and therefore run on the same xdist
worker.

A game compiles to some hundreds of functions, which are shared only within one process, and what a
test file builds once is built once in each process. So all tests of a game go to one worker, all
that build charts to one, all that use a browser to one, and every other file goes as a whole to any
free worker. The scheduler knows only the node ID of a test. It tells the game, or else the text of
the test does if it names exactly one game.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent

GAMES = ("data-driven", "fourth-down", "rapid-roll", "roll-for-yardage", "two-minute-drill")
CHARTS = "charts"
BROWSER = "browser"
SOURCES = "sources"  # tests that read all modules

# Groups to start first because they take longest, regardless of their number of tests.
LONGEST_GROUPS = (
    *("data-driven", BROWSER, "fourth-down", "two-minute-drill", "rapid-roll"),
    *("roll-for-yardage", CHARTS),
)

# The first match counts. A test with a game among its parameters belongs to that game.
GROUPS_BY_PATH = {
    "league/charts/": CHARTS,
    "league/plans/": CHARTS,
    "cli/test_charts_build.py": CHARTS,
    "cli/test_plan.py": CHARTS,
    "web/jobs/test_charts_job.py": CHARTS,
    "web/jobs/test_reproducibility.py": "data-driven",
    "reports/test_in_browser.py": BROWSER,
    "web/pages/test_accessibility.py": BROWSER,
    "web/pages/test_in_browser.py": BROWSER,
    "web/pages/test_screenshots.py": BROWSER,
    "web/pages/test_seasons_in_browser.py": BROWSER,
    "web/pages/test_slow_phone.py": BROWSER,
    "web/pages/test_jobs_in_browser.py": BROWSER,
    "test_architecture.py": SOURCES,
    "test_mirror.py": SOURCES,
    "league/": "data-driven",
    "cli/test_charts_verify.py": "data-driven",
    "cli/test_commands.py::test_simulate": "fourth-down",
    "cli/test_season.py": "data-driven",
    "cli/test_whatif.py": "data-driven",
    "sim/test_cluster.py": "data-driven",
    "values/test_hidden_calls.py": "data-driven",
    **{f"games/{game.replace('-', '_')}/": game for game in GAMES},
}
DEFAULT_GAME = "fourth-down"  # default for tests that need any game
NEEDS_ANY_GAME = (
    "cli/test_warm.py",
    "envs/",
    "odds/",
    "conformance/test_abstraction.py",
    "sim/",
    "engine/test_registry.py",
    "session/test_redaction.py",
    "values/",
)


def group_of(test: str) -> str:
    """Return the group of a test, or its file if it shares nothing with other files."""
    place, _, parameters = test.removeprefix("tests/").partition("[")
    for start, group_name in GROUPS_BY_PATH.items():
        if place.startswith(start):
            return group_name
    for game in GAMES:
        if game in parameters:
            return game
    file, _, name = place.partition("::")
    if not place.startswith(NEEDS_ANY_GAME):
        return file
    return _games_of(file).get(name, DEFAULT_GAME)


@functools.cache
def _games_of(file: str) -> dict[str, str]:
    """Return the tests of a file that name exactly one game, directly or through a module-level
    name.
    """
    try:
        statements = ast.parse((TESTS / file).read_text(encoding="utf-8")).body
    except FileNotFoundError:
        return {}
    aliases: dict[str, set[str]] = {}
    for statement in statements:
        if isinstance(statement, ast.Assign | ast.ImportFrom):
            games = set(_named(statement, aliases))
            aliases.update(dict.fromkeys(_bound(statement), games) if len(games) == 1 else {})
    tests = (statement for statement in statements if isinstance(statement, ast.FunctionDef))
    games_by_test = {test.name: set(_named(test, aliases)) for test in tests}
    return {name: games.pop() for name, games in games_by_test.items() if len(games) == 1}


def _bound(statement: ast.Assign | ast.ImportFrom) -> Iterator[str]:
    """Yield the names that a statement binds."""
    if isinstance(statement, ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in statement.names)
        return
    for target in statement.targets:
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _named(statement: ast.stmt, aliases: dict[str, set[str]]) -> Iterator[str]:
    """Yield the games that a part of a file names."""
    if isinstance(statement, ast.ImportFrom):
        words = (statement.module or "").replace("_", "-").split(".")
        yield from (game for game in GAMES if game in words)
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Constant) and node.value in GAMES:
            yield str(node.value)
        if isinstance(node, ast.Name):
            yield from aliases.get(node.id, ())


def create_scheduler(config: Any, log: Any) -> Any:
    """Return an xdist scheduler that hands out groups: the longest first, then those with many
    tests.
    """
    from xdist.scheduler import LoadScopeScheduling

    class BySharing(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

        def _assign_work_unit(self, node: Any) -> None:
            first = next((name for name in LONGEST_GROUPS if name in self.workqueue), None)
            if first:
                self.workqueue.move_to_end(first, last=False)
            super()._assign_work_unit(node)

    return BySharing(config, log)
