"""Which tests go to the same worker, because they share what is compiled or built.

A game is some hundreds of functions. Two loops over the same records share them, but only in the
process that compiled them, and what a test file builds once is built once in each process. So all
tests of a game go to one worker, all that build charts to one, all that look through a browser to
one, and every other file whole to wherever there is room. The place of a test, which is all that
is known where tests are handed out, says which game it is about, and where it does not, its text:
the one game that it names.
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
SOURCES = "sources"  # all modules are read

# What takes longest begins first, however many tests it is: at the end nobody waits for it.
LONGEST = (
    *("data-driven", BROWSER, "fourth-down", "two-minute-drill", "rapid-roll"),
    *("roll-for-yardage", CHARTS),
)

# The first that fits counts. Where a game is among the parameters of a test, it is that game's.
PLACES = {
    "league/charts/": CHARTS,
    "league/plans/": CHARTS,
    "cli/test_charts_build.py": CHARTS,
    "cli/test_plan.py": CHARTS,
    "club/test_charts_work.py": CHARTS,
    "club/test_made_again.py": "data-driven",
    "pages/test_in_browser.py": BROWSER,
    "web/test_for_everybody.py": BROWSER,
    "web/test_in_browser.py": BROWSER,
    "web/test_pictures.py": BROWSER,
    "web/test_seasons_in_browser.py": BROWSER,
    "web/test_slow_phone.py": BROWSER,
    "web/test_works_in_browser.py": BROWSER,
    "test_architecture.py": SOURCES,
    "test_mirror.py": SOURCES,
    "league/": "data-driven",
    "cli/test_charts_verify.py": "data-driven",
    "cli/test_commands.py::test_simulate": "fourth-down",
    "cli/test_season.py": "data-driven",
    "cli/test_whatif.py": "data-driven",
    "sim/test_cluster.py": "data-driven",
    "values/test_hidden.py": "data-driven",
    **{f"games/test_{game.replace('-', '_')}": game for game in GAMES},
}
USUAL = "fourth-down"  # the game of tests that need some game
OF_SOME_GAME = (
    "cli/test_warm.py",
    "envs/",
    "odds/",
    "referee/test_essence.py",
    "sim/",
    "table/test_registry.py",
    "table/test_secrets.py",
    "values/",
)


def group(test: str) -> str:
    """The group of a test, or its file if it shares nothing with other files."""
    place, _, parameters = test.removeprefix("tests/").partition("[")
    for start, found in PLACES.items():
        if place.startswith(start):
            return found
    for game in GAMES:
        if game in parameters:
            return game
    file, _, name = place.partition("::")
    if not place.startswith(OF_SOME_GAME):
        return file
    return _games_of(file).get(name, USUAL)


@functools.cache
def _games_of(file: str) -> dict[str, str]:
    """The tests of a file that name one game alone, themselves or by what the file calls it."""
    try:
        lines = ast.parse((TESTS / file).read_text(encoding="utf-8")).body
    except FileNotFoundError:
        return {}
    known: dict[str, set[str]] = {}
    for line in lines:
        if isinstance(line, ast.Assign | ast.ImportFrom):
            games = set(_named(line, known))
            known.update(dict.fromkeys(_bound(line), games) if len(games) == 1 else {})
    tests = (line for line in lines if isinstance(line, ast.FunctionDef))
    found = {test.name: set(_named(test, known)) for test in tests}
    return {name: games.pop() for name, games in found.items() if len(games) == 1}


def _bound(line: ast.Assign | ast.ImportFrom) -> Iterator[str]:
    """What a line of a file gives names to."""
    if isinstance(line, ast.ImportFrom):
        yield from (one.asname or one.name for one in line.names)
        return
    for target in line.targets:
        yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def _named(line: ast.stmt, known: dict[str, set[str]]) -> Iterator[str]:
    """The games that a part of a file names."""
    if isinstance(line, ast.ImportFrom):
        words = (line.module or "").replace("_", "-").split(".")
        yield from (game for game in GAMES if game in words)
        return
    for part in ast.walk(line):
        if isinstance(part, ast.Constant) and part.value in GAMES:
            yield str(part.value)
        if isinstance(part, ast.Name):
            yield from known.get(part.id, ())


def scheduler(config: Any, log: Any) -> Any:
    """Hands out groups: the longest first, then those of many tests."""
    from xdist.scheduler import LoadScopeScheduling

    class BySharing(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

        def _assign_work_unit(self, node: Any) -> None:
            first = next((one for one in LONGEST if one in self.workqueue), None)
            if first:
                self.workqueue.move_to_end(first, last=False)
            super()._assign_work_unit(node)

    return BySharing(config, log)
