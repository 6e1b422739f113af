"""Mutation run: every mutant runs in its own forked child, against the checks."""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import golden_rules
from hashmark.engine import registry
from mutants import checks, static_survey
from mutants.checks import Check, SurveyedCheck, notices
from mutants.injection import GAMES, MutableModule, early_functions, modules_of, unload_game
from mutants.operators import MODULE, Mutant

MAX_MEMORY_BYTES = 3 << 30  # of a mutant
MAX_CHECK_STEPS = 4_000_000  # for a mutant, in checks of each kind
MAX_TEST_STEPS = 30_000_000  # and in tests: more than those of any game take
TEST_PREFIX = "tests: "  # prefix of the name of a test that noticed
HELPERS = ("golden_games.py", "golden_steps.py", "coach_sweeps.py")  # used by checks and tests
TEST_GOLDEN_FILES = ("files",)  # that tests of a game may read
FIRST_KINDS = ("rule set", "rule", "scenario", "set-up")  # the kinds that all mutants meet first
PATIENCE_FACTOR = 10  # times its steps before a check counts as endless; single rules vary a lot
MAX_NAMING_RULES = 4  # rules that name a constant run before all others
MAX_RECENT_CHECKS = 12  # checks that noticed a mutant of the same function or file run first


@dataclass(frozen=True)
class Verdict:
    """Result of a mutant: the check that noticed it, or None."""

    mutant: Mutant
    noticed_by: str | None


class MutationRun:
    """All mutants of a rule set, and all checks that may notice them."""

    def __init__(self, rules: str, cache: Path) -> None:
        self.rules = rules
        self.early = early_functions(self._warm_up)
        self.specimens = {file: MutableModule(file) for file in modules_of(rules)}
        self.checks = {check.name: check for check in checks.checks_of(rules)}
        self.cache = cache
        self.proved: set[str] = set()  # checks that pass without a mutant
        self.recent: dict[tuple[str, str], list[str]] = {}

    def prepare(self) -> None:
        """Load everything that children share; only in a process that does nothing else."""
        golden_rules.covered_functions(self.rules)
        golden_rules.sample_positions(self.rules)
        golden_rules.sample_matches(self.rules)
        checks.run_tests(checks.test_files(self.rules), only=[])

    def _warm_up(self) -> None:
        """Load the game and its charts: functions that run here have cached results."""
        unload_game(self.rules)
        golden_rules.clear_caches()
        rules = registry.load(self.rules)
        rules.new_position(rules.new_match())

    def survey(self, kinds: Sequence[str]) -> list[SurveyedCheck]:
        """Return the checks of some kinds, short ones first."""
        surveys = []
        for kind in kinds:
            if kind == "rule":  # surveyed statically
                surveys += checks.survey_rules(self.rules)
                continue
            digest = _digest(self.rules, checks.GOLDEN_FILES[kind])
            survey = partial(checks.survey_checks, self.rules, kind)
            surveys += _cached_survey(
                self.cache, f"{self.rules}-{kind.replace(' ', '-')}", digest, survey
            )
        return sorted(surveys, key=lambda check: check.steps)

    def survey_tests(self) -> list[SurveyedCheck]:
        """Return the tests of all files, short ones first."""
        tests = []
        for file in checks.test_files(self.rules):
            digest = _digest(self.rules, TEST_GOLDEN_FILES, file)
            tests += _cached_survey(
                self.cache, f"{self.rules}-{file.stem}", digest, partial(checks.survey_tests, file)
            )
        return sorted(tests, key=lambda test: test.steps)

    def mutants(self) -> list[Mutant]:
        return [mutant for specimen in self.specimens.values() for mutant in specimen.mutants]

    def verdicts(self, chosen: Sequence[Mutant]) -> Iterator[Verdict]:
        """Yield the verdict on each mutant.

        Mutants that no quick check notices go on to the next, slower round.
        """
        slow = [kind for kind in checks.GOLDEN_FILES if kind not in FIRST_KINDS]
        rounds: list[Callable[[], tuple[list[SurveyedCheck], list[SurveyedCheck]]]] = [
            lambda: (self.survey(FIRST_KINDS), []),
            lambda: (self.survey(slow), []),
            lambda: ([], self.survey_tests()),
            lambda: (self.survey(FIRST_KINDS), []),
        ]
        for number, survey_round in enumerate(rounds):
            if not chosen:
                return
            last, surveys, unnoticed = number == len(rounds) - 1, survey_round(), []
            gc.collect()
            gc.freeze()
            for mutant in chosen:
                noticed = self._find_noticing_check(
                    mutant, *self._checks_of_round(mutant, number, last, surveys)
                )
                if noticed or last:
                    yield Verdict(mutant, noticed)
                else:
                    unnoticed.append(mutant)
            chosen = unnoticed

    def _checks_of_round(
        self, mutant: Mutant, number: int, last: bool, surveys: Sequence[list[SurveyedCheck]]
    ) -> list[list[SurveyedCheck]]:
        """Return the checks of a round: those that run the line of the mutant, and likely ones.

        A line that runs while the game is loaded is seldom traced: after the first round its
        mutants meet every check, and only they meet any check in the last round.
        """
        early = self.specimens[mutant.file].is_early(mutant, self.early)
        if early and number > 0:
            return [*surveys]
        return [[] if last else self._relevant_checks(mutant, survey) for survey in surveys]

    def _remember(self, place: tuple[str, str], noticed: str) -> None:
        """Remember a check that noticed a mutant: it may well notice the next one there."""
        recent = self.recent.setdefault(place, [])
        if noticed in recent:
            recent.remove(noticed)
        recent.insert(0, noticed)
        del recent[MAX_RECENT_CHECKS:]

    def _find_noticing_check(
        self, mutant: Mutant, candidates: Sequence[SurveyedCheck], tests: Sequence[SurveyedCheck]
    ) -> str | None:
        """Return the check that notices a mutant, if any."""
        if not candidates and not tests:
            return None
        specimen = self.specimens[mutant.file]
        swappable = specimen.is_swappable(mutant, self.early)
        operate = partial(self._swap if swappable else self.reload, specimen, mutant)
        factor = 1 if mutant.function != MODULE else 2
        likely = self._likely_checks(mutant)
        candidates = _limit_steps(_put_first(candidates, likely), factor * MAX_CHECK_STEPS)
        tests = _limit_steps(tests, factor * MAX_TEST_STEPS)
        recent = self.recent.get((mutant.file, mutant.function)) or self.recent.get(
            (mutant.file, ""), []
        )
        order = _put_first(candidates, [*likely, *recent])
        tests = _put_first(tests, [name.removeprefix(TEST_PREFIX) for name in recent])
        tests_first = any(name.startswith(TEST_PREFIX) for name in recent[:1])
        status, output = in_child(lambda: self._run_mutant(operate, order, tests, tests_first))
        noticed = f"the end of its process ({output[:60]})" if status != 0 else output
        if noticed:
            self._prove_silent(noticed)
            for place in ((mutant.file, mutant.function), (mutant.file, "")):
                self._remember(place, noticed)
        return noticed or None

    def _prove_silent(self, noticed: str) -> None:
        """Check once that a rule check that noticed a mutant passes without one.

        Checks of other kinds were seen to pass during the survey.
        """
        check = self.checks.get(noticed)
        if check is None or check.kind != "rule" or noticed in self.proved:
            return
        self.proved.add(noticed)
        _, output = in_child(
            lambda: str(notices(check, PATIENCE_FACTOR * static_survey.RULE_CHECK_STEPS))
        )
        if output != "False":
            raise RuntimeError(f"{noticed} fails without any mutant")

    def _likely_checks(self, mutant: Mutant) -> list[str]:
        """Return the most likely checks: of the rule itself, or of rules that name the constant."""
        if mutant.function == MODULE:
            named = static_survey.rules_naming(self.rules, static_survey.bound_names(mutant.top))[
                :MAX_NAMING_RULES
            ]
            return [*map(checks.rule_check, named), "rule set 0"]
        module = mutant.file.removesuffix(".py").partition("/")[2].replace("/", ".")
        return [checks.rule_check(f"{module}.{mutant.function.partition('.')[0]}")]

    def _swap(self, specimen: MutableModule, mutant: Mutant) -> None:
        """Replace a function; caches are cleared unless it is a rule."""
        if not specimen.is_rule(mutant):
            checks.clear_caches()
        specimen.swap(mutant)

    def reload(self, specimen: MutableModule, mutant: Mutant) -> None:
        checks.unload_tests()
        golden_rules.clear_caches()
        specimen.reload(mutant, self.rules)

    def _relevant_checks(
        self, mutant: Mutant, surveys: Sequence[SurveyedCheck]
    ) -> list[SurveyedCheck]:
        """Return the checks that run a mutant's line, and the likely ones."""
        likely = self._likely_checks(mutant)
        return [
            check
            for check in surveys
            if check.runs(mutant.file, *mutant.lines) or check.check in likely
        ]

    def _run_mutant(
        self,
        operate: Callable[[], None],
        order: Sequence[SurveyedCheck],
        tests: Sequence[SurveyedCheck],
        tests_first: bool,
    ) -> str:
        """Return the name of the check that notices the mutant; runs in the child."""
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
        operate()
        try:
            with checks.step_limit(1_000_000):
                registry.load(self.rules)
        except BaseException as fault:
            return f"loading ({type(fault).__name__})"
        if tests_first and (failed := self._find_failing_test(tests)):
            return failed
        for check in order:
            if notices(self._check(check), PATIENCE_FACTOR * check.steps):
                return check.check
        return "" if tests_first else self._find_failing_test(tests)

    def _find_failing_test(self, tests: Sequence[SurveyedCheck]) -> str:
        failed = checks.failing_test(self.rules, tests) if tests else ""
        return failed and TEST_PREFIX + failed

    def _check(self, survey: SurveyedCheck) -> Check:
        return self.checks[survey.check]


def _put_first(surveys: Sequence[SurveyedCheck], names: Sequence[str]) -> list[SurveyedCheck]:
    """Return the same checks, those with these names first."""
    by_name = {survey.check: survey for survey in surveys}
    first = [by_name[name] for name in names if name in by_name]
    return [*first, *(survey for survey in surveys if survey.check not in names)]


def _limit_steps(surveys: Sequence[SurveyedCheck], steps: int) -> list[SurveyedCheck]:
    """Return the same checks, limited to so many steps of each kind."""
    step_counts, chosen = Counter[str](), []
    for survey in surveys:
        step_counts[survey.kind] += survey.steps
        if step_counts[survey.kind] <= steps:
            chosen.append(survey)
    return chosen


def in_child(work: Callable[[], str]) -> tuple[int, str]:
    """Run work in a forked child; return its exit status and its output."""
    read_end, write_end = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        os._exit(_run_in_child(work, write_end))
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        output = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return status, output


def _run_in_child(work: Callable[[], str], write_end: int) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        devnull = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(devnull, stream)
        os.write(write_end, work().encode())
    except BaseException as fault:
        os.write(write_end, f"{type(fault).__name__}: {fault}".encode()[:4000])
        return 1
    return 0


def _cached_survey(
    cache: Path, name: str, digest: str, survey: Callable[[], list[SurveyedCheck]]
) -> list[SurveyedCheck]:
    """Return a survey, computed in a child and cached until a source or test changes."""
    path = cache / f"mutants-{name}-{digest}.pickle"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)

        def write() -> str:
            temporary = path.with_suffix(".new")
            temporary.write_bytes(pickle.dumps(survey()))
            temporary.replace(path)
            return ""

        _, output = in_child(write)
        if output:
            raise RuntimeError(f"{name}: {output}")
    surveys: list[SurveyedCheck] = pickle.loads(path.read_bytes())
    return surveys


def _digest(rules: str, golden: Sequence[str], tests: Path | None = None) -> str:
    """Return a digest of the sources and of everything that a test file or kind of checks uses."""
    digest = hashlib.blake2b(digest_size=8)
    paths = [path for path in GAMES.parent.rglob("*.*") if not _is_of_another_game(path, rules)]
    for pattern in ("golden/wild.toml", f"scenarios/{rules}*"):
        paths += checks.TESTS_FOLDER.glob(pattern)
    paths += [checks.TESTS_FOLDER / "golden" / f"{rules}-{part}.txt" for part in golden]
    paths += [Path(checks.__file__), *(checks.TESTS_FOLDER / name for name in HELPERS)]
    paths += [tests] if tests else []
    files = {path for path in paths if path.suffix in (".py", ".json", ".txt", ".toml")}
    for path in sorted(path for path in files if path.exists()):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _is_of_another_game(path: Path, rules: str) -> bool:
    """Return whether a source belongs to another game."""
    inside = path.is_relative_to(GAMES) and path.parent != GAMES
    return inside and path.relative_to(GAMES).parts[0] != rules.replace("-", "_")
