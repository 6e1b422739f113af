"""Checks that must notice a mutant: scenarios, golden games, golden lines and tests of a game.

A check tells whether a rule set still behaves as before. Most take milliseconds. The survey counts
the steps of each check and records the lines of the game that it runs, so that a mutant only meets
checks that run its line, short ones first. The choice depends on counts, never on a clock: a mutant
meets the same checks on every machine.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

import golden_games
import golden_rules
import golden_steps
from golden_digests import scenario_line
from hashmark.conformance import CHECKS, ConformanceKit
from hashmark.conformance.golden import playthrough
from hashmark.session import scenario
from hashmark.storage import search_path
from mutants import static_survey
from mutants.injection import GAMES

TESTS_FOLDER = Path(__file__).parent.parent
COACHES = ("random", "book")
GAMES_PREFIX = str(GAMES) + os.sep
CHECKS_PER_LINE = 40  # checks of each kind for a line; scenarios are short, and all are used
MAX_KIND_STEPS = 1_500_000  # steps of a kind of checks, after which no more of it are surveyed
COMPLETE_KINDS = ("set-up",)  # the kinds that are surveyed completely
GOLDEN_FILES = {  # for each kind, the golden files that its checks compare with
    "scenario": ("scenarios",),
    "set-up": ("positions",),
    "rule": ("rules",),
    **dict.fromkeys(("steps", "near by"), ("steps",)),
    **dict.fromkeys(("rule set", "game", "short"), ("games",)),
    "playthrough": COACHES,
    "kit": (),
}
FRESH_CHECKS = 5  # checks of each kind that run with empty caches
MAX_STEP_SECONDS = 2e-5  # twenty times the usual
PYTEST_STEPS = 500_000
LONGEST_TEST = 600_000  # steps; a longer test of tests/games/ is not among the checks
MAX_READING_STEPS = 3_000_000  # steps allowed once, to read charts and plans of real seasons
# A test that is stopped midway leaves files and threads behind: that is no failure of others.
PYTEST_SWITCHES = ("-p", "no:unraisableexception", "-p", "no:threadexception")

Lines = dict[str, frozenset[int]]  # by file below games/


@dataclass(frozen=True)
class Check:
    """One check that passes or fails; the survey determines its steps and its lines."""

    kind: str
    name: str
    passes: Callable[[], bool]


@dataclass(frozen=True)
class SurveyedCheck:
    """A check with its steps and its lines."""

    kind: str
    check: str
    steps: int = 0
    lines: Lines = field(default_factory=dict)

    def runs(self, file: str, first: int, last: int) -> bool:
        lines = self.lines.get(file, frozenset())
        return any(line in lines for line in range(first, last + 1))


def checks_of(rules: str) -> list[Check]:
    """Return all checks except the tests, which run in one pytest call (see `failing_test`)."""
    games = [*_rules(rules), *_steps(rules), *_lines(rules), *_playthroughs(rules)]
    return [*_scenarios(rules), *_set_ups(rules), *games, *_kit(rules)]


def _scenarios(rules: str) -> Iterator[Check]:
    lines = golden_games.stored_scenario_lines(rules)
    for line, (path, entry) in zip(lines, golden_games.scenarios(rules), strict=True):
        yield Check("scenario", f"{path.name} {entry.get('id')}", _scenario(path, entry, line))


def _scenario(path: Path, entry: Mapping[str, Any], line: str) -> Callable[[], bool]:
    """Check that a scenario ends as it must, with the same events."""

    def passes() -> bool:
        with search_path.search_beside(path):
            outcome = scenario.run_scenario(entry)
        return outcome.ok and scenario_line(outcome) == line

    return passes


def _set_ups(rules: str) -> Iterator[Check]:
    for number, set_up in enumerate(golden_games.stored_set_ups(rules)):
        yield Check("set-up", f"set-up {number}", _set_up(rules, set_up))


def _set_up(rules: str, set_up: golden_games.SetUp) -> Callable[[], bool]:
    return lambda: set_up.evaluate(rules) == set_up.result


def _lines(rules: str) -> Iterator[Check]:
    for number, line in enumerate(golden_games.stored_lines(rules)):
        kind = "game" if number <= golden_games.SERIES[rules].full else "short"
        kind = kind if number else "rule set"
        yield Check(kind, f"{kind} {number}", _line(rules, number, line))


def _line(rules: str, number: int, line: str) -> Callable[[], bool]:
    return lambda: golden_games.current_line(rules, number) == line


def _rules(rules: str) -> Iterator[Check]:
    for key, line in golden_rules.stored_lines(rules).items():
        yield Check("rule", rule_check(key), _rule_line(rules, key, line))


def rule_check(key: str) -> str:
    """Return the name of the check of a single rule."""
    return f"rule {key}"


def _rule_line(rules: str, key: str, line: str) -> Callable[[], bool]:
    return lambda: golden_rules.current_line(rules, key) == line


def _steps(rules: str) -> Iterator[Check]:
    for number, line in enumerate(golden_steps.stored_lines(rules)):
        kind = "steps" if number < golden_steps.LINES else "near by"
        yield Check(kind, f"{kind} {number}", _step_line(rules, number, line))


def _step_line(rules: str, number: int, line: str) -> Callable[[], bool]:
    return lambda: golden_steps.current_line(rules, number) == line


def _playthroughs(rules: str) -> Iterator[Check]:
    for coach in COACHES:
        path = golden_games.FOLDER / f"{rules}-{coach}.txt"
        text = path.read_text(encoding="utf-8")
        yield Check("playthrough", path.name, _playthrough(rules, coach, text))


def _playthrough(rules: str, coach: str, text: str) -> Callable[[], bool]:
    return lambda: playthrough(rules, coach, 1) == text


def _kit(rules: str) -> Iterator[Check]:
    """Yield the checks of the conformance kit that are quick and need no compiled code."""
    name = "positions survive json"
    yield Check("kit", name, _kit_check(rules, name))


def _kit_check(rules: str, name: str) -> Callable[[], bool]:
    def passes() -> bool:
        CHECKS[name](ConformanceKit(rules, games=1))
        return True

    return passes


# --- Time limit of each check ------------------------------------------------------------------


class CheckTimeout(BaseException):
    """Raised in a mutant that does not terminate."""


@contextmanager
def step_limit(steps: int) -> Iterator[None]:
    """Stop code that takes far more processor time than so many steps on a slow machine."""

    def stop(*_: Any) -> None:
        raise CheckTimeout

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1 + steps * MAX_STEP_SECONDS, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def notices(check: Check, steps: int) -> bool:
    """Return whether the check fails now in any way; it usually takes so many steps."""
    try:
        with step_limit(steps):
            return not check.passes()
    except CheckTimeout:
        return True
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        return True


# --- The tests of a game -----------------------------------------------------------------------


class _Plugin:
    """Pytest plugin that runs selected tests in order.

    With a tracer it runs all tests that are not too long and records their lines.
    """

    def __init__(self, only: Sequence[str] | None, tracer: Tracer | None) -> None:
        self.only, self.tracer = only, tracer
        self.surveyed: list[SurveyedCheck] = []
        self.failed = ""
        self.last_survey: tuple[int, Lines] = 0, {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self.only is not None:
            by_name = {item.nodeid: item for item in items}
            items[:] = [by_name[name] for name in self.only if name in by_name]

    def pytest_pyfunc_call(self, pyfuncitem: Any) -> bool | None:
        if self.tracer is None:
            return None
        names = pyfuncitem._fixtureinfo.argnames

        def run() -> None:
            pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})

        try:
            self.last_survey = self.tracer.trace(run, LONGEST_TEST)
        except CheckTimeout:
            self.last_survey = self._survey_with_caches(run, self.tracer)
        return True

    def _survey_with_caches(self, run: Callable[[], None], tracer: Tracer) -> tuple[int, Lines]:
        """Survey a test again with its charts in the cache: few tests read them, all run rules."""
        Tracer(0, enough=0).trace(run, MAX_READING_STEPS)
        return tracer.trace(run, LONGEST_TEST, clear=False)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" and report.passed:
            self.surveyed.append(SurveyedCheck("test", report.nodeid, *self.last_survey))
        elif report.failed:
            self.failed = report.nodeid


def test_files(rules: str) -> list[Path]:
    """Return the test files of a game."""
    return sorted((TESTS_FOLDER / "games" / rules.replace("-", "_")).rglob("test_*.py"))


def run_tests(
    files: Sequence[Path], only: Sequence[str] | None = None, tracer: Tracer | None = None
) -> Any:
    """Run tests in this process without compiled code; return pytest's status and the plugin."""
    import pytest

    sys.modules["numba"] = None  # type: ignore[assignment]
    plugin = _Plugin(only, tracer)
    switches = ["-q", "-m", "not long", "-p", "no:cacheprovider", *PYTEST_SWITCHES, "--tb=no"]
    stop = [] if only is None else ["-x"]
    with (
        tempfile.TemporaryDirectory() as folder,
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
    ):
        paths = [f"--basetemp={folder}/tests", *map(str, files)]
        status = pytest.main([*switches, *stop, *paths], plugins=[plugin])
    return status, plugin


def unload_tests() -> None:
    """Unload test modules: what they imported from a game may have changed."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(TESTS_FOLDER / "games"):
            del sys.modules[name]


def failing_test(rules: str, tests: Sequence[SurveyedCheck]) -> str:
    """Return the first of these tests that fails now, in this order, or an empty string."""
    try:
        with step_limit(PYTEST_STEPS + MAX_READING_STEPS + sum(test.steps for test in tests)):
            status, plugin = run_tests(test_files(rules), [test.check for test in tests])
    except CheckTimeout:
        return "what takes too long"
    failed: str = plugin.failed
    return failed or (
        "" if int(status) == 0 and len(plugin.surveyed) == len(tests) else "collecting"
    )


# --- The survey ----------------------------------------------------------------------------------


def survey_checks(rules: str, kind: str) -> list[SurveyedCheck]:
    """Survey the checks of a kind; takes a while."""
    surveys, spent = [], 0
    tracer = Tracer(FRESH_CHECKS, sys.maxsize if kind == "scenario" else CHECKS_PER_LINE)
    for check in checks_of(rules):
        if check.kind == kind and (spent < MAX_KIND_STEPS or kind in COMPLETE_KINDS):
            steps, lines = tracer.trace(partial(_expect, check))
            surveys.append(SurveyedCheck(kind, check.name, steps, lines))
            spent += steps
    return surveys


def survey_rules(rules: str) -> list[SurveyedCheck]:
    """Survey the checks of single rules statically, from their code."""
    by_rule = static_survey.survey_lines(rules)
    return [SurveyedCheck("rule", rule_check(key), *survey) for key, survey in by_rule.items()]


def survey_tests(file: Path) -> list[SurveyedCheck]:
    """Survey all tests of a file that are not too long."""
    status, plugin = run_tests([file], tracer=Tracer(sys.maxsize))
    if status not in (0, 1, 5):  # 1: some are too long or need compiled code; 5: there are none
        raise AssertionError(f"the tests of {file.name} cannot be run: pytest says {status!r}")
    surveys: list[SurveyedCheck] = plugin.surveyed
    return surveys


def _expect(check: Check) -> None:
    if not check.passes():
        raise AssertionError(f"{check.name} fails without any mutant")


def clear_caches() -> None:
    """Clear the caches of the games, so that cached lines run again."""
    for name, module in list(sys.modules.items()):
        if name.startswith("hashmark.games."):
            for cached in vars(module).values():
                if hasattr(cached, "cache_clear"):
                    cached.cache_clear()


class Tracer:
    """Tracer of the lines of the games that run, and counter of function calls.

    A line that enough checks run is no longer traced, nor is a function once all its lines were
    seen.
    """

    def __init__(self, fresh: int, enough: int = CHECKS_PER_LINE) -> None:
        self.line_counts: Counter[tuple[CodeType, int]] = Counter()
        self.enough = enough
        self.fresh = fresh  # runs left that start with empty caches

    def trace(
        self, work: Callable[[], Any], max_steps: int = sys.maxsize, clear: bool = True
    ) -> tuple[int, Lines]:
        """Run some work; return its steps, which are calls of named functions, and its lines."""
        if clear and self.fresh > 0:
            self.fresh -= 1
            clear_caches()
        seen: dict[CodeType, set[int]] = {}
        untraced: dict[CodeType, set[int]] = {}
        steps = 0

        def watch(frame: Any, event: str, _: Any) -> Any:
            nonlocal steps
            code = frame.f_code
            if event == "call":
                steps += code.co_name[0] != "<"
                if steps > max_steps:
                    raise CheckTimeout
                if code not in untraced:
                    untraced[code], seen[code] = self._lines_to_trace(code), set()
                return watch if untraced[code] else None
            if event == "line" and frame.f_lineno in untraced[code]:
                seen[code].add(frame.f_lineno)
                untraced[code].discard(frame.f_lineno)
            return watch

        old_trace = sys.gettrace()
        sys.settrace(watch)
        threading.settrace(watch)  # work in other threads counts too
        try:
            work()
        finally:
            sys.settrace(old_trace)
            threading.settrace(None)
        return steps, self._by_file(seen)

    def _lines_to_trace(self, code: CodeType) -> set[int]:
        """Return the lines of a function that are worth tracing."""
        if not code.co_filename.startswith(GAMES_PREFIX):
            return set()
        lines = {line for *_, line in code.co_lines() if line}
        return {line for line in lines if self.line_counts[code, line] < self.enough}

    def _by_file(self, seen: Mapping[CodeType, set[int]]) -> Lines:
        lines: dict[str, set[int]] = {}
        for code, numbers in seen.items():
            self.line_counts.update((code, line) for line in numbers)
            if numbers:
                lines.setdefault(code.co_filename.removeprefix(GAMES_PREFIX), set()).update(numbers)
        return {file: frozenset(numbers) for file, numbers in lines.items()}
