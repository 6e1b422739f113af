"""Tests of the mutation testing: do the tests notice small faults in the games?"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import golden_rules
from hashmark.engine import registry
from mutants import checks, static_survey
from mutants.__main__ import main
from mutants.checks import Tracer, checks_of, notices
from mutants.injection import MutableModule
from mutants.operators import MODULE, Mutant, mutants_of
from mutants.report import Key, Score, equivalent, find_stale, sample
from mutants.runner import MutationRun, in_child

MIN_KILLED_SHARE = 0.98
SAMPLE_SIZE = 400  # mutants of each rule set


def mutants_in(source: str) -> list[tuple[str, str, str]]:
    """Return the mutants of a piece of source, as function, old and new statement."""
    tree = ast.parse(textwrap.dedent(source))
    mutants = mutants_of("x.py", tree, lambda node: ast.unparse(node) == "p.LATE")
    assert ast.unparse(tree) == ast.unparse(ast.parse(textwrap.dedent(source)))
    return [(mutant.function, mutant.was, mutant.now) for mutant in mutants]


@pytest.mark.parametrize(
    ("source", "now"),
    [
        ("    if a < 1:\n        pass", {"if a <= 1:", "if a < 2:", "if a < 0:"}),
        ("    if is_late(g):\n        pass", {"if not is_late(g):"}),
        ("    if not a:\n        pass", {"if a:"}),
        ("    g.a += b", {"g.a -= b", "pass"}),
        ("    g.a = b", {"pass"}),
        ("    a = b", set()),
        ("    return a - b", {"return 0", "return a + b"}),
        ("    return a and b", {"return 0", "return a or b"}),
        ("    return True", {"return False"}),
        ("    a = b if g.c else d", {"a = b if not g.c else d"}),
        ("    tell(g, a, b)", {"pass", "tell(g, b, a)"}),
        ("    a = min(b, c)", {"a = max(b, c)"}),
        ("    a = p.LATE", {"a = p.LATE + 1"}),
        ("    a = HOME", {"a = AWAY"}),
        ("    a = -b", {"a = b"}),
        (
            "    a = (b + c) % 2 * d",
            {
                "a = (b + c) % 3 * d",
                "a = (b + c) % 1 * d",
                "a = (b + c) * 2 * d",
                "a = (b + c) % 2 + d",
            },
        ),
        ('    a = f"{b} yards"', {"a = f'{b}XX yards'"}),
        ('    """Why."""\n    a: list[int]', set()),
    ],
)
def test_each_operator_makes_its_mutants_one_at_a_time(source: str, now: set[str]) -> None:
    """The tree is unchanged afterwards."""
    assert {mutant[2] for mutant in mutants_in(f"def f():\n{source}")} == now


def test_constants_and_defaults_outside_functions_are_mutated() -> None:
    assert mutants_in("A = 1\ndef f(a, b=2):\n    return") == [
        ("<module>", "A = 1", "A = 2"),
        ("<module>", "A = 1", "A = 0"),
        ("<module>", "def f(a, b=2):", "def f(a, b=3):"),
        ("<module>", "def f(a, b=2):", "def f(a, b=1):"),
    ]


def test_a_child_answers_and_leaves_no_trace() -> None:
    assert in_child(lambda: "seen") == (0, "seen")
    status, output = in_child(lambda: str(1 // 0))
    assert status != 0
    assert output.startswith("ZeroDivisionError")


def test_known_equivalents_are_still_there() -> None:
    """An entry that matches no mutant any more is out of date."""
    known = equivalent()
    assert find_stale(known) == []
    assert all(len(reason) > 10 for reason in known.values())


def test_every_game_has_test_files_of_different_names() -> None:
    for rules in registry.builtin_names():
        names = [file.name for file in checks.test_files(rules)]
        assert "test_rules.py" in names
        assert len(set(names)) == len(names)  # surveys are stored under these names


def test_a_stale_equivalent_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = ("fourth_down/rules.py", "nobody", "a = 1", "a = 2")
    monkeypatch.setattr("mutants.__main__.equivalent", lambda: {gone: "it was there once"})
    assert main(["--rules", "fourth-down"]) == 2
    assert "nobody" in capsys.readouterr().err


@pytest.mark.parametrize(
    "key",
    [
        (
            "data_driven/verdict.py",
            "judge_off_15",
            "emit(g, e.PENALIZED, g.possession, FIFTEEN_YARDS, p.OFF_15)",
            "emit(g, e.PENALIZED, g.possession, FIFTEEN_YARDS + 1, p.OFF_15)",
        ),
        (
            "two_minute_drill/play.py",
            "cross_line",
            "g.spot = min(t.GOAL_LINE - 1, g.spot + g.gain)",
            "pass",
        ),
    ],
    ids=["a penalty of 15 told as 16", "the final spot of a won reply"],
)
def test_scenarios_kill_mutants_that_once_survived(key: Key) -> None:
    """Only the scenarios notice a wrong event and a wrong final position."""
    specimen = MutableModule(key[0])
    mutant = next(candidate for candidate in specimen.mutants if candidate.key == key)
    rules = key[0].partition("/")[0].replace("_", "-")
    scenario_checks = [check for check in checks_of(rules) if check.kind == "scenario"]

    def noticing_check() -> str:
        return next((check.name for check in scenario_checks if notices(check, 100_000)), "")

    def noticing_check_of_mutant() -> str:
        specimen.swap(mutant)
        return noticing_check()

    assert in_child(noticing_check) == (0, "")
    assert in_child(noticing_check_of_mutant)[1].startswith(rules)


def test_a_mutant_without_a_change_survives(tmp_path: Path) -> None:
    """It survives both when exchanged in place and when the game is loaded anew."""
    hunt = MutationRun("fourth-down", tmp_path)
    checks_run = hunt.survey(("rule set", "rule"))
    assert len(checks_run) > 50

    def noticing_check(operate: Callable[[], None]) -> str:
        operate()
        return next(
            (item.check for item in checks_run[::5] if notices(hunt.checks[item.check], 10**6)), ""
        )

    def without(mutant: Mutant) -> Mutant:
        return replace(mutant, apply=lambda: lambda: None)

    outside = next(item for item in hunt.mutants() if item.function == MODULE)
    reload = partial(hunt.reload, hunt.specimens[outside.file], without(outside))
    assert in_child(lambda: noticing_check(reload)) == (0, "")
    inside = next(item for item in hunt.mutants() if item.function == "finish")
    swap = partial(hunt.specimens[inside.file].swap, without(inside))
    assert in_child(lambda: noticing_check(swap)) == (0, "")


def test_a_stopped_test_does_not_affect_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Open files and stopped threads of the stopped test are not blamed on another.

    A test that is long only because it reads a file anew is among the checks.
    """
    file = tmp_path / "test_of_some_length.py"
    file.write_text(
        "import threading\n"
        "from hashmark.games.data_driven.plans import plan\n"
        "def step(): pass\n"
        "def many(): [step() for _ in range(10_000)]\n"
        "def test_short(): step()\n"
        "def test_long(tmp_path):\n"
        "    left_open = open(tmp_path / 'left', 'wb', buffering=0)\n"
        "    many()\n"
        "def test_long_in_a_thread():\n"
        "    thread = threading.Thread(target=many)\n"
        "    thread.start(), thread.join()\n"
        "def test_that_reads(): plan.load('book')\n"
        "def test_another(): step()\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(checks, "LONGEST_TEST", 1000)

    def surveyed() -> str:
        return " ".join(item.check.rpartition("_")[2] for item in checks.survey_tests(file))

    assert in_child(surveyed) == (0, "short reads another")


def test_executed_lines_are_found_by_reading_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every executed line is among the lines found by following names."""
    rules = "roll-for-yardage"
    found = static_survey.survey_lines(rules)
    golden_rules.sample_positions(rules), golden_rules.sample_matches(rules)
    monkeypatch.setattr(golden_rules, "calls_at", lambda *_: ())
    for key in list(found)[::25]:
        _, executed = Tracer(0).trace(partial(golden_rules.current_line, rules, key))
        assert executed
        for file, lines in executed.items():
            assert lines <= found[key][1].get(file, frozenset()), key


def test_a_sample_is_stable_when_other_mutants_are_removed() -> None:
    mutants = MutableModule("fourth_down/rules.py").mutants
    sampled = sample(mutants, 40, 1)
    assert len(sampled) == 40
    assert (
        sample([mutant for mutant in mutants if mutant is not sampled[5]], 40, 1)[:5] == sampled[:5]
    )
    assert len(set(map(id, sampled)) & set(map(id, sample(mutants, 40, 2)))) < 20


@pytest.mark.long
@pytest.mark.parametrize("rules", registry.builtin_names())
def test_mutants_are_killed(rules: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A large sample of the mutants of each game; see "Mutants" in CONTRIBUTING.md."""
    hunt, score, equivalents = (
        MutationRun(rules, tmp_path_factory.mktemp("mutants")),
        Score(),
        equivalent(),
    )
    for verdict in hunt.verdicts(
        sample(
            [mutant for mutant in hunt.mutants() if mutant.key not in equivalents], SAMPLE_SIZE, 1
        )
    ):
        score.add(verdict)
    assert score.share() >= MIN_KILLED_SHARE, "\n".join(score.report())
