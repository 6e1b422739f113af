"""Tests mirror the source: every test file is named after a module, and every module has a test."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "hashmark"
PACKAGES = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))

# Test files that are named after no module, because they cover many.
CROSS_CUTTING = {
    "web/test_loop_budget": "all routes: none keeps the event loop busy",
    "cli/test_invented": "every output of the command names what is invented",
    "cli/test_missing_extras": "every command in an installation without extras",
    "cli/test_part_of_a_season": "charts of a part of a season through all commands",
    "envs/test_example": "the learner of the docs",
    "envs/test_missing_extras": "every environment without its library",
    "envs/test_plug_in": "a game from outside in every environment",
    "games/test_event_fields": "the events of all games",
    "games/test_should_prompt": "the same question put to all games",
    "games/data_driven/test_packed_plans": "plans within options: plans, logs and sessions",
    "games/data_driven/test_rules_edges": "texts of all modules that no game reaches",
    "games/rapid_roll/test_blind_solver": "the solver in `tools/rapid_roll_blind`",
    "games/rapid_roll/test_rules_edges": "texts of all modules that no game reaches",
    "games/two_minute_drill/test_best_use_pairs": "the quick tests of `best_use`",
    "odds/test_without_compiler": "all odds in plain Python",
    "reports/test_charts": "what holds for every kind of chart",
    "reports/test_in_browser": "reports in a browser",
    "session/test_game_session_model": "`game_session` against a model; slow",
    "storage/test_power_loss": "every file that is written, in all packages",
    "terminal/test_small_screen": "every game on a small terminal",
    "web/test_backups": "backups of a running server",
    "web/test_secrecy": "every response of a server",
    "web/api/test_openapi": "requests to every route",
    "web/db/test_two_server_processes": "`table_sync` with real processes",
    "web/jobs/test_reproducibility": "every job type against its command",
    "web/pages/test_accessibility": "every page in a browser",
    "web/pages/test_in_browser": "a game in a browser",
    "web/pages/test_jobs_in_browser": "jobs in a browser",
    "web/pages/test_screenshots": "every page, pixel by pixel",
    "web/pages/test_seasons_in_browser": "seasons in a browser",
    "web/pages/test_slow_phone": "pages over a slow line",
    "web/pages/test_times": "times of all pages in a browser",
    "web/svg/test_secrets": "hidden information in every drawing",
}
# Modules that only run inside another one, whose tests are theirs.
TESTED_THROUGH = {
    "web.single_process": "web.sandbox",
    "compiler.constants": "sim.run",
    "compiler.effects": "compiler.registration",
    "compiler.record_types": "compiler.registration",
    "conformance.question_checks": "conformance.checks",
    "engine.solver_spec": "engine.rule_set",
    "values.compiled_search": "values.search",
    "odds.batch_plays": "odds.plays",
    "odds.enumeration_kernel": "odds.batch",
    "odds.plain_plays": "odds.plays",
    "sheets.layout": "sheets.pagination",
    "sim.kernel": "sim.run",
    "values.rollout_kernel": "values.rollout_runner",
    "values.state_space": "values.solve_on_disk",
    "values.storage_plan": "values.solve_on_disk",
}


@cache
def modules() -> dict[str, Path]:
    """Return all modules by name, without the prefix `hashmark.`.

    Database migrations have numbers for names, and only Alembic loads them.
    """
    paths = [path.relative_to(SOURCE) for path in sorted(SOURCE.rglob("*/*.py"))]
    return {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__"): SOURCE / path
        for path in paths
        if path.stem.isidentifier()
    }


@cache
def imports_of(path: Path) -> set[str]:
    """Return the modules that a file imports, wherever in it, directly or through a name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.removeprefix("hashmark.") for name in names} & modules().keys()


@cache
def covered() -> set[str]:
    """Return the modules that a test imports, or that a test file is named after.

    The modules of a game belong together: a test of its rules plays with all that they import.
    """
    named = {".".join(_mirrored(file).parts) for file in all_test_files()}
    imported = {name for file in TESTS.rglob("*.py") for name in imports_of(file)}
    reached: set[str] = set()
    new = {name for name in imported if name.startswith("games.")}
    while new:
        reached |= new
        imports = {name for module in new for name in imports_of(modules()[module])}
        new = {name for name in imports if name.startswith("games.")} - reached
    return named | imported | reached


def all_test_files() -> list[Path]:
    """Return all test files of the packages."""
    return sorted(file for name in PACKAGES for file in (TESTS / name).rglob("test_*.py"))


def _mirrored(file: Path) -> Path:
    """Return the place of the module that a test file is named after."""
    place = file.relative_to(TESTS).with_suffix("")
    return place.with_name(place.name.removeprefix("test_"))


def test_every_test_file_is_named_after_a_module() -> None:
    nameless = {
        file.relative_to(TESTS).with_suffix("").as_posix()
        for file in all_test_files()
        if not (SOURCE / _mirrored(file)).with_suffix(".py").exists()
    }
    assert sorted(nameless - CROSS_CUTTING.keys()) == []
    assert sorted(CROSS_CUTTING.keys() - nameless) == []  # entries that are out of date


def test_every_module_has_a_test() -> None:
    own = {name for name, path in modules().items() if path.name != "__init__.py"}
    assert len(own) > 300
    assert sorted(own - covered() - TESTED_THROUGH.keys()) == []


def test_every_module_of_the_command_has_a_file_of_tests() -> None:
    names = {path.stem for path in (SOURCE / "cli").glob("*.py")} - {"__init__", "run"}
    files = {_mirrored(file).name for file in all_test_files() if file.parent.name == "cli"}
    assert sorted(names - files) == []


def test_modules_without_tests_are_part_of_a_tested_one() -> None:
    for inner, outer in TESTED_THROUGH.items():
        assert inner not in covered(), f"{inner} has tests of its own now"
        assert outer in covered()
        assert inner in imports_of(modules()[outer])
