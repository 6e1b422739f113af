"""The tests are put to the test: do they notice small faults in the games?"""

from __future__ import annotations

import ast
import textwrap

import pytest

from hashmark.table import registry
from mutants.__main__ import main
from mutants.checks import checks_of, notices
from mutants.hunt import Hunt, in_child
from mutants.operators import mutants_of
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
