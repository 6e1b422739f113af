"""What must notice a mutant: scenarios, golden games, golden lines and the tests of a game.

A check says whether a rule set still does what it did. Most take milliseconds; `survey` finds
out how many steps each takes and which lines of the game it runs, so that a mutant only meets
checks that come by its line, short ones first. Which these are is a matter of counting, never of
a clock: a mutant meets the same checks on every machine.
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
from hashmark.referee import CHECKS, Referee
from hashmark.referee.digest import scenario_line
from hashmark.referee.golden import playthrough
from hashmark.table import places, scenario
from mutants import callers
from mutants.surgery import GAMES

TESTS = Path(__file__).parent.parent
COACHES = ("random", "book")
INSIDE = str(GAMES) + os.sep
ENOUGH = 40  # checks of each kind that come by a line; scenarios are short, and all are asked
LONGEST_KIND = 1_500_000  # steps of a kind of checks, after which no more of it are looked at
ALL_OF = ("set-up",)  # the kinds that are looked at to their end
GOLDEN = {  # the kinds, and which golden files of a game their checks compare with
    "scenario": ("scenarios",),
    "set-up": ("positions",),
    "rule": ("rules",),
    **dict.fromkeys(("steps", "near by"), ("steps",)),
    **dict.fromkeys(("rule set", "game", "short"), ("games",)),
    "playthrough": COACHES,
    "kit": (),
}
FRESH = 5  # checks of each kind that read charts and plans anew
LONGEST_STEP = 2e-5  # seconds; twenty times as long as usual
STEPS_OF_PYTEST = 500_000
LONGEST_TEST = 600_000  # steps that a test of tests/games/ may take to be among the checks
LONGEST_READING = 3_000_000  # and what it may take once, to read charts and plans of real seasons
# A test that is stopped midway leaves files and threads behind, which says nothing of the others.
BLIND_TO = ("-p", "no:unraisableexception", "-p", "no:threadexception")

Lines = dict[str, frozenset[int]]  # by file below games/


@dataclass(frozen=True)
class Check:
    """One question with a yes or no; what it costs and which lines it runs is found out."""

    kind: str
    name: str
    passes: Callable[[], bool]


@dataclass(frozen=True)
class Surveyed:
    """A check, its steps and its lines."""

    kind: str
    check: str
    steps: int = 0
    lines: Lines = field(default_factory=dict)

    def runs(self, file: str, first: int, last: int) -> bool:
        lines = self.lines.get(file, frozenset())
        return any(line in lines for line in range(first, last + 1))


def checks_of(rules: str) -> list[Check]:
    """Everything but the tests: they are one call of pytest, see `passing_tests`."""
    games = [*_rules(rules), *_steps(rules), *_lines(rules), *_playthroughs(rules)]
    return [*_scenarios(rules), *_set_ups(rules), *games, *_kit(rules)]


def _scenarios(rules: str) -> Iterator[Check]:
    lines = golden_games.kept_scenarios(rules)
    for line, (path, one) in zip(lines, golden_games.scenarios(rules), strict=True):
        yield Check("scenario", f"{path.name} {one.get('id')}", _scenario(path, one, line))


def _scenario(path: Path, one: Mapping[str, Any], line: str) -> Callable[[], bool]:
    """A scenario ends as it must, and tells what it told."""

    def passes() -> bool:
        with places.beside(path):
            outcome = scenario.run(one)
        return outcome.ok and scenario_line(outcome) == line

    return passes


def _set_ups(rules: str) -> Iterator[Check]:
    for number, one in enumerate(golden_games.kept_set_ups(rules)):
        yield Check("set-up", f"set-up {number}", _set_up(rules, one))


def _set_up(rules: str, one: golden_games.SetUp) -> Callable[[], bool]:
    return lambda: one.again(rules) == one.said


def _lines(rules: str) -> Iterator[Check]:
    for number, line in enumerate(golden_games.kept(rules)):
        kind = "game" if number <= golden_games.SERIES[rules].full else "short"
        kind = kind if number else "rule set"
        yield Check(kind, f"{kind} {number}", _line(rules, number, line))


def _line(rules: str, number: int, line: str) -> Callable[[], bool]:
    return lambda: golden_games.line_of(rules, number) == line


def _rules(rules: str) -> Iterator[Check]:
    for key, line in golden_rules.kept(rules).items():
        yield Check("rule", rule_check(key), _rule_line(rules, key, line))


def rule_check(key: str) -> str:
    """The name of the check that asks one rule alone."""
    return f"rule {key}"


def _rule_line(rules: str, key: str, line: str) -> Callable[[], bool]:
    return lambda: golden_rules.line_of(rules, key) == line


def _steps(rules: str) -> Iterator[Check]:
    for number, line in enumerate(golden_steps.kept(rules)):
        kind = "steps" if number < golden_steps.LINES else "near by"
        yield Check(kind, f"{kind} {number}", _step_line(rules, number, line))


def _step_line(rules: str, number: int, line: str) -> Callable[[], bool]:
    return lambda: golden_steps.line_of(rules, number) == line


def _playthroughs(rules: str) -> Iterator[Check]:
    for coach in COACHES:
        path = golden_games.FOLDER / f"{rules}-{coach}.txt"
        text = path.read_text(encoding="utf-8")
        yield Check("playthrough", path.name, _playthrough(rules, coach, text))


def _playthrough(rules: str, coach: str, text: str) -> Callable[[], bool]:
    return lambda: playthrough(rules, coach, 1) == text


def _kit(rules: str) -> Iterator[Check]:
    """What of the referee kit needs no compiled code and little time."""
    name = "positions survive json"
    yield Check("kit", name, _kit_check(rules, name))


def _kit_check(rules: str, name: str) -> Callable[[], bool]:
    def passes() -> bool:
        CHECKS[name](Referee(rules, games=1))
        return True

    return passes


# --- A limit to each check -------------------------------------------------------------------


class TooLong(BaseException):
    """A mutant that does not come to an end."""


@contextmanager
def at_most(steps: int) -> Iterator[None]:
    """End what takes far more processor time than so many steps do on a slow machine."""

    def stop(*_: Any) -> None:
        raise TooLong

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1 + steps * LONGEST_STEP, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def notices(check: Check, steps: int) -> bool:
    """Whether the check fails now, in whatever way; it usually takes so many steps."""
    try:
        with at_most(steps):
            return not check.passes()
    except TooLong:
        return True
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        return True


# --- The tests of a game -----------------------------------------------------------------------


class _Plugin:
    """Runs some tests, in their order; with a tracer all that are not too long, and their lines."""

    def __init__(self, only: Sequence[str] | None, tracer: Tracer | None) -> None:
        self.only, self.tracer = only, tracer
        self.found: list[Surveyed] = []
        self.failed = ""
        self.seen: tuple[int, Lines] = 0, {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self.only is not None:
            known = {item.nodeid: item for item in items}
            items[:] = [known[name] for name in self.only if name in known]

    def pytest_pyfunc_call(self, pyfuncitem: Any) -> bool | None:
        if self.tracer is None:
            return None
        names = pyfuncitem._fixtureinfo.argnames

        def run() -> None:
            pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})

        try:
            self.seen = self.tracer.watched(run, LONGEST_TEST)
        except TooLong:
            self.seen = self._once_read(run, self.tracer)
        return True

    def _once_read(self, run: Callable[[], None], tracer: Tracer) -> tuple[int, Lines]:
        """What a test takes that finds its charts read: few read them, and all come by rules."""
        Tracer(0, enough=0).watched(run, LONGEST_READING)
        return tracer.watched(run, LONGEST_TEST, anew=False)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" and report.passed:
            self.found.append(Surveyed("test", report.nodeid, *self.seen))
        elif report.failed:
            self.failed = report.nodeid


def test_files(rules: str) -> list[Path]:
    """The files with the tests of a game."""
    return sorted((TESTS / "games").glob(f"test_{rules.replace('-', '_')}*.py"))


def run_tests(
    files: Sequence[Path], only: Sequence[str] | None = None, tracer: Tracer | None = None
) -> Any:
    """Run tests in this process, without compiled code; pytest's status, plugin."""
    import pytest

    sys.modules["numba"] = None  # type: ignore[assignment]
    plugin = _Plugin(only, tracer)
    switches = ["-q", "-m", "not long", "-p", "no:cacheprovider", *BLIND_TO, "--tb=no"]
    stop = [] if only is None else ["-x"]
    with (
        tempfile.TemporaryDirectory() as folder,
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
    ):
        where = [f"--basetemp={folder}/tests", *map(str, files)]
        status = pytest.main([*switches, *stop, *where], plugins=[plugin])
    return status, plugin


def forget_tests() -> None:
    """Test files are read anew: what they took from a game may be another's by now."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).parent == TESTS / "games":
            del sys.modules[name]


def failing_test(rules: str, tests: Sequence[Surveyed]) -> str:
    """The first of these tests that fails now, in this order; empty if none does."""
    try:
        with at_most(STEPS_OF_PYTEST + LONGEST_READING + sum(test.steps for test in tests)):
            status, plugin = run_tests(test_files(rules), [test.check for test in tests])
    except TooLong:
        return "what takes too long"
    failed: str = plugin.failed
    return failed or ("" if int(status) == 0 and len(plugin.found) == len(tests) else "collecting")


# --- The survey ----------------------------------------------------------------------------------


def survey_checks(rules: str, kind: str) -> list[Surveyed]:
    """The checks of a kind, with steps and lines. Takes a while."""
    found, spent = [], 0
    tracer = Tracer(FRESH, sys.maxsize if kind == "scenario" else ENOUGH)
    for check in checks_of(rules):
        if check.kind == kind and (spent < LONGEST_KIND or kind in ALL_OF):
            steps, lines = tracer.watched(partial(_expect, check))
            found.append(Surveyed(kind, check.name, steps, lines))
            spent += steps
    return found


def survey_rules(rules: str) -> list[Surveyed]:
    """The checks of every rule alone, with steps and lines as their code says."""
    read = callers.surveyed(rules)
    return [Surveyed("rule", rule_check(key), *seen) for key, seen in read.items()]


def survey_tests(file: Path) -> list[Surveyed]:
    """All tests of a file that are not too long, with steps and lines."""
    status, plugin = run_tests([file], tracer=Tracer(sys.maxsize))
    if status not in (0, 1, 5):  # 1: some are too long or need compiled code; 5: there are none
        raise AssertionError(f"the tests of {file.name} cannot be run: pytest says {status!r}")
    found: list[Surveyed] = plugin.found
    return found


def _expect(check: Check) -> None:
    if not check.passes():
        raise AssertionError(f"{check.name} fails without any mutant")


def clear_caches() -> None:
    """Forget what the games keep: a line that does not run again must be seen all the same."""
    for name, module in list(sys.modules.items()):
        if name.startswith("hashmark.games."):
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()


class Tracer:
    """Which lines of the games run while something is done, and how many calls that takes.

    A line that enough checks have come by is not watched any more, nor is a function of which
    every line has been seen.
    """

    def __init__(self, fresh: int, enough: int = ENOUGH) -> None:
        self.met: Counter[tuple[CodeType, int]] = Counter()
        self.enough = enough
        self.fresh = fresh  # so many of what is watched find nothing that the games have kept

    def watched(
        self, work: Callable[[], Any], at_most: int = sys.maxsize, anew: bool = True
    ) -> tuple[int, Lines]:
        """The steps of some work, which are calls of named functions, and its lines."""
        if anew and self.fresh > 0:
            self.fresh -= 1
            clear_caches()
        seen: dict[CodeType, set[int]] = {}
        left: dict[CodeType, set[int]] = {}
        steps = 0

        def watch(frame: Any, what: str, _: Any) -> Any:
            nonlocal steps
            code = frame.f_code
            if what == "call":
                steps += code.co_name[0] != "<"
                if steps > at_most:
                    raise TooLong
                if code not in left:
                    left[code], seen[code] = self._wanted(code), set()
                return watch if left[code] else None
            if what == "line" and frame.f_lineno in left[code]:
                seen[code].add(frame.f_lineno)
                left[code].discard(frame.f_lineno)
            return watch

        was = sys.gettrace()
        sys.settrace(watch)
        threading.settrace(watch)  # work that is spread over threads is counted too
        try:
            work()
        finally:
            sys.settrace(was)
            threading.settrace(None)
        return steps, self._by_file(seen)

    def _wanted(self, code: CodeType) -> set[int]:
        """The lines of a function that are worth watching."""
        if not code.co_filename.startswith(INSIDE):
            return set()
        lines = {line for *_, line in code.co_lines() if line}
        return {line for line in lines if self.met[code, line] < self.enough}

    def _by_file(self, seen: Mapping[CodeType, set[int]]) -> Lines:
        lines: dict[str, set[int]] = {}
        for code, found in seen.items():
            self.met.update((code, line) for line in found)
            if found:
                lines.setdefault(code.co_filename.removeprefix(INSIDE), set()).update(found)
        return {file: frozenset(found) for file, found in lines.items()}
