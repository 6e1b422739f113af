"""Every fuzzer with a small budget, and every case that was ever kept; more in `make test-long`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from hashmark.table.errors import HashmarkError

from . import (
    chart,
    harness,
    in_process,
    log,
    options,
    plan,
    plays,
    position_file,
    position_id,
    requests,
    saved,
    scenario,
    tables,
)
from .harness import Finding, Fuzzer, TooLong

FUZZERS = {
    module.FUZZER.kind: module.FUZZER
    for module in (
        log,
        scenario,
        position_file,
        position_id,
        chart,
        plan,
        saved,
        tables,
        plays,
        options,
        requests,
    )
}
SMALL = {
    "log": 120,
    "scenario": 60,
    "position_file": 200,
    "position_id": 200,
    "chart": 60,
    "plan": 25,
    "saved": 60,
    "tables": 100,
    "plays": 6,
    "options": 40,
    "requests": 60,
}
LONG, FEWEST = 25, 25  # times as many, of so many at least


@pytest.fixture(scope="module", autouse=True)
def _close_the_server() -> Iterator[None]:
    yield
    requests.close()


@pytest.mark.parametrize("kind", sorted(FUZZERS))
def test_hostile_input_is_answered_with_a_sentence(kind: str) -> None:
    harness.assert_none(FUZZERS[kind], seed=1, cases=SMALL[kind])


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(FUZZERS))
def test_much_hostile_input_is_answered_with_a_sentence(kind: str) -> None:
    harness.assert_none(FUZZERS[kind], seed=2, cases=LONG * max(FEWEST, SMALL[kind]))


@pytest.mark.parametrize(
    "path",
    [path for kind in sorted(FUZZERS) for path in harness.kept(kind)],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_kept_cases_are_answered_with_a_sentence(path: Path) -> None:
    assert harness.fault(FUZZERS[path.parent.name], path.read_bytes()) is None


def test_every_option_gets_a_hostile_value() -> None:
    """One each here; the fuzzer goes on at random."""
    random = Random(7)
    assert set(options.CALLS) == set(options.parameters())
    for command, (valued, _) in options.parameters().items():
        for option in (None, *valued):
            case = options.make_one(random, command, option)
            assert harness.fault(options.FUZZER, case) is None, case


@pytest.mark.parametrize("command", sorted(options.CALLS))
def test_the_honest_call_of_each_subcommand_is_understood(command: str, tmp_path: Path) -> None:
    """Else the fuzzer would only see how the call itself is refused."""
    with options.place(tmp_path), options.cut_short():
        arguments = [*command.split(), *options.CALLS[command]]
        done = in_process.answer(arguments, "q\n")
    begins = (
        "where the work begins",
        "no play-by-play of 2008",
        "cannot read no/such/plays",
        "no play-by-play of any season",
    )
    assert done.status == 0 or any(words in done.err for words in begins), done.err


# --- The harness itself ------------------------------------------------------------------


def answered_with(answer: BaseException | None) -> str | None:
    def check(case: bytes) -> None:
        if answer is not None:
            raise answer

    return harness.fault(Fuzzer("none", ".txt", lambda random: b"", check), b"")


def test_the_harness_takes_sentences_and_nothing_else() -> None:
    assert answered_with(None) is None
    assert answered_with(HashmarkError("no such team")) is None
    assert answered_with(ValueError("x")) == "ValueError: x"
    assert answered_with(RecursionError()) is not None
    assert answered_with(SystemExit(3)) is not None
    assert answered_with(Finding("seen")) == "seen"
    assert answered_with(TooLong()) is not None
    assert answered_with(HashmarkError("")) is not None


def test_the_harness_reads_what_is_said() -> None:
    assert harness.poor_sentence("it is so") is None
    for poor in ("", "a\nb", "x" * 5000, "\x1b[2J", "\x9b", "\u202e", "\ud800"):
        assert harness.poor_sentence(poor) is not None


def test_a_finding_is_made_shorter_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness, "CASES", tmp_path)

    def check(case: bytes) -> None:
        if b"!" in case:
            raise KeyError("!")

    def make(random: Random) -> bytes:
        return bytes(random.choice(b"abc!") for _ in range(20))

    fuzzer = Fuzzer("made", ".txt", make, check)
    found = list(harness.findings(fuzzer, 1, 20))
    assert found
    number, case, wrong = found[0]
    assert case == fuzzer.case(1, number)
    harness.keep(fuzzer, harness.shorter(fuzzer, case, wrong))
    assert [path.read_bytes() for path in harness.kept("made")] == [b"!"]
    with pytest.raises(AssertionError, match="KeyError"):
        harness.assert_none(fuzzer, 1, 20)
