"""The hunt: every mutant in a child of its own, and whether something notices it."""

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
from hashmark.table import registry
from mutants import callers, checks
from mutants.checks import Check, Surveyed, notices
from mutants.operators import MODULE, Mutant
from mutants.surgery import GAMES, Specimen, early_functions, forget, modules_of

MEMORY = 3 << 30  # bytes that a mutant may ask for
STEPS = 4_000_000  # that a mutant meets at most in checks of each kind
STEPS_OF_TESTS = 30_000_000  # and in tests, which are of many kinds: more than any game has
TESTS = "tests: "  # what comes before the name of a test that noticed
HELPERS = ("golden_games.py", "golden_steps.py", "coach_sweeps.py")  # what makes up checks, tests
OF_TESTS = ("files",)  # the golden files that tests of a game may read
FIRST = ("rule set", "rule", "scenario", "set-up")  # the kinds that are asked of all mutants first
PATIENCE = 10  # times its steps before a check counts as endless: rules alone differ much in theirs
NAMING = 4  # rules that name a constant are asked before all others
RECENT = 12  # checks that have noticed a mutant of the same function or file are tried first


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: the check that noticed it, or nothing."""

    mutant: Mutant
    noticed_by: str | None


class Hunt:
    """All mutants of a rule set, and everything that may notice them."""

    def __init__(self, rules: str, cache: Path) -> None:
        self.rules = rules
        self.early = early_functions(self._warm_up)
        self.specimens = {file: Specimen(file) for file in modules_of(rules)}
        self.checks = {check.name: check for check in checks.checks_of(rules)}
        self.cache = cache
        self.proved: set[str] = set()  # checks that are silent without a mutant
        self.recent: dict[tuple[str, str], list[str]] = {}

    def prepare(self) -> None:
        """So that no child has to; not in a process that does anything but hunt."""
        golden_rules.rules_of(self.rules)
        golden_rules.places_of(self.rules)
        golden_rules.matches_of(self.rules)
        checks.run_tests(checks.test_files(self.rules), only=[])

    def _warm_up(self) -> None:
        """Load the game and its charts: what runs here keeps its results."""
        forget(self.rules)
        golden_rules.forget()
        rules = registry.load(self.rules)
        rules.new_position(rules.new_match())

    def survey(self, kinds: Sequence[str]) -> list[Surveyed]:
        """The checks of some kinds, short ones first."""
        found = []
        for kind in kinds:
            if kind == "rule":  # is read, not watched
                found += checks.survey_rules(self.rules)
                continue
            seen = _digest(self.rules, checks.GOLDEN[kind])
            survey = partial(checks.survey_checks, self.rules, kind)
            found += _kept(self.cache, f"{self.rules}-{kind.replace(' ', '-')}", seen, survey)
        return sorted(found, key=lambda one: one.steps)

    def survey_tests(self) -> list[Surveyed]:
        """The tests of each file, short ones first."""
        tests = []
        for file in checks.test_files(self.rules):
            seen = _digest(self.rules, OF_TESTS, file)
            tests += _kept(self.cache, file.stem, seen, partial(checks.survey_tests, file))
        return sorted(tests, key=lambda one: one.steps)

    def mutants(self) -> list[Mutant]:
        return [mutant for specimen in self.specimens.values() for mutant in specimen.mutants]

    def verdicts(self, chosen: Sequence[Mutant]) -> Iterator[Verdict]:
        """Let the mutants loose, one after the other; what nothing quick notices once more."""
        slow = [kind for kind in checks.GOLDEN if kind not in FIRST]
        rounds: list[Callable[[], tuple[list[Surveyed], list[Surveyed]]]] = [
            lambda: (self.survey(FIRST), []),
            lambda: (self.survey(slow), []),
            lambda: ([], self.survey_tests()),
            lambda: (self.survey(FIRST), []),
        ]
        for number, asked in enumerate(rounds):
            if not chosen:
                return
            last, found, unnoticed = number == len(rounds) - 1, asked(), []
            gc.collect()
            gc.freeze()
            for mutant in chosen:
                noticed = self._meet(mutant, *self._of_round(mutant, number, last, found))
                if noticed or last:
                    yield Verdict(mutant, noticed)
                else:
                    unnoticed.append(mutant)
            chosen = unnoticed

    def _of_round(
        self, mutant: Mutant, number: int, last: bool, found: Sequence[list[Surveyed]]
    ) -> list[list[Surveyed]]:
        """What a mutant meets in a round: what comes by its line, and likely checks.

        A line that runs while the game is loaded is seldom seen: after the first round it meets
        everything, and only such a line meets anything in the last.
        """
        early = self.specimens[mutant.file].is_early(mutant, self.early)
        if early and number > 0:
            return [*found]
        return [[] if last else self._that_run(mutant, asked) for asked in found]

    def _remember(self, place: tuple[str, str], noticed: str) -> None:
        """What has noticed one mutant of a function or a file may well notice the next."""
        recent = self.recent.setdefault(place, [])
        if noticed in recent:
            recent.remove(noticed)
        recent.insert(0, noticed)
        del recent[RECENT:]

    def _meet(
        self, mutant: Mutant, met: Sequence[Surveyed], tests: Sequence[Surveyed]
    ) -> str | None:
        """The one of these checks that notices a mutant, if any."""
        if not met and not tests:
            return None
        specimen = self.specimens[mutant.file]
        swappable = specimen.is_swappable(mutant, self.early)
        operate = partial(self._swap if swappable else self.reload, specimen, mutant)
        more = 1 if mutant.function != MODULE else 2
        likely = self._likely(mutant)
        met = _fewer(_first(met, likely), more * STEPS)
        tests = _fewer(tests, more * STEPS_OF_TESTS)
        recent = self.recent.get((mutant.file, mutant.function)) or self.recent.get(
            (mutant.file, ""), []
        )
        order = _first(met, [*likely, *recent])
        tests = _first(tests, [name.removeprefix(TESTS) for name in recent])
        tests_first = any(name.startswith(TESTS) for name in recent[:1])
        status, said = in_child(lambda: self._noticed(operate, order, tests, tests_first))
        noticed = f"the end of its process ({said[:60]})" if status != 0 else said
        if noticed:
            self._prove(noticed)
            for place in ((mutant.file, mutant.function), (mutant.file, "")):
                self._remember(place, noticed)
        return noticed or None

    def _prove(self, noticed: str) -> None:
        """See once that a rule which is said to have noticed is silent without any mutant.

        Checks of other kinds were, while they were watched.
        """
        check = self.checks.get(noticed)
        if check is None or check.kind != "rule" or noticed in self.proved:
            return
        self.proved.add(noticed)
        _, said = in_child(lambda: str(notices(check, PATIENCE * callers.LINE)))
        if said != "False":
            raise RuntimeError(f"{noticed} fails without any mutant")

    def _likely(self, mutant: Mutant) -> list[str]:
        """The checks that are most likely to notice: of the rule itself, or of who names it."""
        if mutant.function == MODULE:
            named = callers.naming(self.rules, callers.bound(mutant.top))[:NAMING]
            return [*map(checks.rule_check, named), "rule set 0"]
        module = mutant.file.removesuffix(".py").partition("/")[2].replace("/", ".")
        return [checks.rule_check(f"{module}.{mutant.function.partition('.')[0]}")]

    def _swap(self, specimen: Specimen, mutant: Mutant) -> None:
        """Exchange a function; what one that is no rule has read is read anew."""
        if not specimen.is_rule(mutant):
            checks.clear_caches()
        specimen.swap(mutant)

    def reload(self, specimen: Specimen, mutant: Mutant) -> None:
        checks.forget_tests()
        golden_rules.forget()
        specimen.reload(mutant, self.rules)

    def _that_run(self, mutant: Mutant, found: Sequence[Surveyed]) -> list[Surveyed]:
        """The checks that come by a mutant's line, and those that are likely to notice."""
        likely = self._likely(mutant)
        return [one for one in found if one.runs(mutant.file, *mutant.lines) or one.check in likely]

    def _noticed(
        self,
        operate: Callable[[], None],
        order: Sequence[Surveyed],
        tests: Sequence[Surveyed],
        tests_first: bool,
    ) -> str:
        """In the child: the name of the check that notices."""
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        operate()
        try:
            with checks.at_most(1_000_000):
                registry.load(self.rules)
        except BaseException as fault:
            return f"loading ({type(fault).__name__})"
        if tests_first and (failed := self._failing(tests)):
            return failed
        for one in order:
            if notices(self._check(one), PATIENCE * one.steps):
                return one.check
        return "" if tests_first else self._failing(tests)

    def _failing(self, tests: Sequence[Surveyed]) -> str:
        failed = checks.failing_test(self.rules, tests) if tests else ""
        return failed and TESTS + failed

    def _check(self, one: Surveyed) -> Check:
        return self.checks[one.check]


def _first(found: Sequence[Surveyed], names: Sequence[str]) -> list[Surveyed]:
    """The same checks, those of these names first."""
    known = {one.check: one for one in found}
    first = [known[name] for name in names if name in known]
    return [*first, *(one for one in found if one.check not in names)]


def _fewer(met: Sequence[Surveyed], steps: int) -> list[Surveyed]:
    """The same checks, of each kind no more than so many steps."""
    spent, kept = Counter[str](), []
    for one in met:
        spent[one.kind] += one.steps
        if spent[one.kind] <= steps:
            kept.append(one)
    return kept


def in_child(work: Callable[[], str]) -> tuple[int, str]:
    """Do the work in a forked child: its exit status, and what it answered."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os._exit(_answer(work, writing))
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return status, said


def _answer(work: Callable[[], str], writing: int) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silent, stream)
        os.write(writing, work().encode())
    except BaseException as fault:
        os.write(writing, f"{type(fault).__name__}: {fault}".encode()[:4000])
        return 1
    return 0


def _kept(
    cache: Path, name: str, digest: str, survey: Callable[[], list[Surveyed]]
) -> list[Surveyed]:
    """A survey, made in a child and kept as long as no source or test changes."""
    path = cache / f"mutants-{name}-{digest}.pickle"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)

        def write() -> str:
            rough = path.with_suffix(".new")
            rough.write_bytes(pickle.dumps(survey()))
            rough.replace(path)
            return ""

        _, said = in_child(write)
        if said:
            raise RuntimeError(f"{name}: {said}")
    found: list[Surveyed] = pickle.loads(path.read_bytes())
    return found


def _digest(rules: str, golden: Sequence[str], tests: Path | None = None) -> str:
    """A digest of the sources, and of whatever makes up a file of tests, or a kind of checks."""
    seen = hashlib.blake2b(digest_size=8)
    paths = [path for path in GAMES.parent.rglob("*.*") if not _of_another(path, rules)]
    for pattern in ("golden/wild.toml", f"scenarios/{rules}*"):
        paths += checks.TESTS.glob(pattern)
    paths += [checks.TESTS / "golden" / f"{rules}-{part}.txt" for part in golden]
    paths += [Path(checks.__file__), *(checks.TESTS / name for name in HELPERS)]
    paths += [tests] if tests else []
    read = {path for path in paths if path.suffix in (".py", ".json", ".txt", ".toml")}
    for path in sorted(path for path in read if path.exists()):
        seen.update(path.read_bytes())
    return seen.hexdigest()


def _of_another(path: Path, rules: str) -> bool:
    """Whether a source is that of another game."""
    inside = path.is_relative_to(GAMES) and path.parent != GAMES
    return inside and path.relative_to(GAMES).parts[0] != rules.replace("-", "_")
