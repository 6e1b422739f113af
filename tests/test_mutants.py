"""The tests are put to the test: do they notice small faults in the games?"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import golden_rules
from hashmark.table import registry
from mutants import callers, checks
from mutants.__main__ import main
from mutants.checks import Tracer, checks_of, notices
from mutants.hunt import Hunt, in_child
from mutants.operators import MODULE, Mutant, mutants_of
from mutants.report import Key, Score, equivalent, sample, stale
from mutants.surgery import Specimen

WANTED = 0.98
SAMPLE = 400  # of each rule set


def changed(source: str) -> list[tuple[str, str, str]]:
    """The mutants of a piece of source, as function, old and new statement."""
    tree = ast.parse(textwrap.dedent(source))
    found = mutants_of("x.py", tree, lambda node: ast.unparse(node) == "p.LATE")
    assert ast.unparse(tree) == ast.unparse(ast.parse(textwrap.dedent(source)))
    return [(one.function, one.was, one.now) for one in found]


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
def test_faults(source: str, now: set[str]) -> None:
    """Each kind of fault, one at a time, and the tree is as it was."""
    assert {one[2] for one in changed(f"def f():\n{source}")} == now


def test_faults_outside_functions() -> None:
    assert changed("A = 1\ndef f(a, b=2):\n    return") == [
        ("<module>", "A = 1", "A = 2"),
        ("<module>", "A = 1", "A = 0"),
        ("<module>", "def f(a, b=2):", "def f(a, b=3):"),
        ("<module>", "def f(a, b=2):", "def f(a, b=1):"),
    ]


def test_a_child_answers_and_leaves_no_trace() -> None:
    assert in_child(lambda: "seen") == (0, "seen")
    status, said = in_child(lambda: str(1 // 0))
    assert status != 0
    assert said.startswith("ZeroDivisionError")


def test_known_equivalents_are_still_there() -> None:
    """An entry that no mutant matches any more is out of date."""
    known = equivalent()
    assert stale(known) == []
    assert all(len(reason) > 10 for reason in known.values())


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
            "tell(g, e.PENALISED, g.possession, FIFTEEN_YARDS, p.OFF_15)",
            "tell(g, e.PENALISED, g.possession, FIFTEEN_YARDS + 1, p.OFF_15)",
        ),
        (
            "two_minute_drill/play.py",
            "cross_line",
            "g.spot = min(GOAL_LINE - 1, g.spot + g.gain)",
            "pass",
        ),
    ],
    ids=["a penalty of 15 told as 16", "the final spot of a won reply"],
)
def test_a_fault_that_once_lived(key: Key) -> None:
    """What is told and where a game ends: the scenarios alone notice."""
    specimen = Specimen(key[0])
    mutant = next(one for one in specimen.mutants if one.key == key)
    rules = key[0].partition("/")[0].replace("_", "-")
    asked = [check for check in checks_of(rules) if check.kind == "scenario"]

    def noticed() -> str:
        return next((check.name for check in asked if notices(check, 100_000)), "")

    def operated() -> str:
        specimen.swap(mutant)
        return noticed()

    assert in_child(noticed) == (0, "")
    assert in_child(operated)[1].startswith(rules)


def test_nothing_is_noticed_where_nothing_is_wrong(tmp_path: Path) -> None:
    """A mutant that changes nothing passes, exchanged in place or with the game read anew."""
    hunt = Hunt("fourth-down", tmp_path)
    asked = hunt.survey(("rule set", "rule"))
    assert len(asked) > 50

    def noticed(operate: Callable[[], None]) -> str:
        operate()
        return next((one.check for one in asked[::5] if notices(hunt.checks[one.check], 10**6)), "")

    def without(mutant: Mutant) -> Mutant:
        return replace(mutant, apply=lambda: lambda: None)

    outside = next(one for one in hunt.mutants() if one.function == MODULE)
    reload = partial(hunt.reload, hunt.specimens[outside.file], without(outside))
    assert in_child(lambda: noticed(reload)) == (0, "")
    inside = next(one for one in hunt.mutants() if one.function == "finish")
    swap = partial(hunt.specimens[inside.file].swap, without(inside))
    assert in_child(lambda: noticed(swap)) == (0, "")


def test_a_test_that_is_stopped_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it leaves open, or a thread of its that is stopped, is nobody's fault.

    One that is long only because it reads a file anew is among the checks.
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
        return " ".join(one.check.rpartition("_")[2] for one in checks.survey_tests(file))

    assert in_child(surveyed) == (0, "short reads another")


def test_what_a_rule_runs_is_found_in_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line that is seen to run is among those that were read from the names."""
    rules = "roll-for-yardage"
    read = callers.surveyed(rules)
    golden_rules.places_of(rules), golden_rules.matches_of(rules)
    monkeypatch.setattr(golden_rules, "calls_at", lambda *_: ())
    for key in list(read)[::25]:
        _, seen = Tracer(0).watched(partial(golden_rules.line_of, rules, key))
        assert seen
        for file, lines in seen.items():
            assert lines <= read[key][1].get(file, frozenset()), key


def test_a_sample_stays_when_something_else_goes() -> None:
    mutants = Specimen("fourth_down/rules.py").mutants
    drawn = sample(mutants, 40, 1)
    assert len(drawn) == 40
    assert sample([one for one in mutants if one is not drawn[5]], 40, 1)[:5] == drawn[:5]
    assert len(set(map(id, drawn)) & set(map(id, sample(mutants, 40, 2)))) < 20


@pytest.mark.long
@pytest.mark.parametrize("rules", registry.built_in())
def test_mutants_are_noticed(rules: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A large sample of the mutants of each game; see "Mutants" in CONTRIBUTING.md."""
    hunt, score, same = Hunt(rules, tmp_path_factory.mktemp("mutants")), Score(), equivalent()
    for verdict in hunt.verdicts(
        sample([m for m in hunt.mutants() if m.key not in same], SAMPLE, 1)
    ):
        score.add(verdict)
    assert score.share() >= WANTED, "\n".join(score.report())
