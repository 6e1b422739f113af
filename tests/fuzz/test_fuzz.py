"""Every fuzzer with a small budget, and all saved cases; more in `make test-long`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from hashmark.errors import HashmarkError

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
from .harness import CaseTimeout, Finding, Fuzzer

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
CASE_COUNTS = {
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
LONG_FACTOR, MIN_LONG_CASES = 25, 25


@pytest.fixture(scope="module", autouse=True)
def _close_the_server() -> Iterator[None]:
    yield
    requests.close()


@pytest.mark.parametrize("kind", sorted(FUZZERS))
def test_hostile_input_is_answered_with_a_sentence(kind: str) -> None:
    harness.assert_no_findings(FUZZERS[kind], seed=1, cases=CASE_COUNTS[kind])


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(FUZZERS))
def test_much_hostile_input_is_answered_with_a_sentence(kind: str) -> None:
    harness.assert_no_findings(
        FUZZERS[kind], seed=2, cases=LONG_FACTOR * max(MIN_LONG_CASES, CASE_COUNTS[kind])
    )


@pytest.mark.parametrize(
    "path",
    [path for kind in sorted(FUZZERS) for path in harness.saved_cases(kind)],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_saved_cases_are_answered_with_a_sentence(path: Path) -> None:
    assert harness.find_fault(FUZZERS[path.parent.name], path.read_bytes()) is None


def test_every_option_gets_a_hostile_value() -> None:
    """Check one value each; the fuzzer continues at random."""
    random = Random(7)
    assert set(options.VALID_CALLS) == set(options.parameters())
    for command, (valued, _) in options.parameters().items():
        for option in (None, *valued):
            case = options.make_call(random, command, option)
            assert harness.find_fault(options.FUZZER, case) is None, case


@pytest.mark.parametrize("command", sorted(options.VALID_CALLS))
def test_the_valid_call_of_each_subcommand_is_understood(command: str, tmp_path: Path) -> None:
    """Otherwise the fuzzer would only see the call itself being refused."""
    with options.sample_folder(tmp_path), options.cut_short():
        arguments = [*command.split(), *options.VALID_CALLS[command]]
        result = in_process.run_command(arguments, "q\n")
    stop_messages = (
        "where the work begins",
        "no play-by-play of 2008",
        "cannot read no/such/plays",
        "no play-by-play of any season",
    )
    assert result.status == 0 or any(message in result.err for message in stop_messages), result.err


# --- The harness itself ------------------------------------------------------------------


def fault_of_answer(answer: BaseException | None) -> str | None:
    def check(case: bytes) -> None:
        if answer is not None:
            raise answer

    return harness.find_fault(Fuzzer("none", ".txt", lambda random: b"", check), b"")


def test_the_harness_accepts_sentences_and_nothing_else() -> None:
    assert fault_of_answer(None) is None
    assert fault_of_answer(HashmarkError("no such team")) is None
    assert fault_of_answer(ValueError("x")) == "ValueError: x"
    assert fault_of_answer(RecursionError()) is not None
    assert fault_of_answer(SystemExit(3)) is not None
    assert fault_of_answer(Finding("seen")) == "seen"
    assert fault_of_answer(CaseTimeout()) is not None
    assert fault_of_answer(HashmarkError("")) is not None


def test_the_harness_rejects_unreadable_sentences() -> None:
    assert harness.find_sentence_fault("it is so") is None
    for sentence in ("", "a\nb", "x" * 5000, "\x1b[2J", "\x9b", "\u202e", "\ud800"):
        assert harness.find_sentence_fault(sentence) is not None


def test_a_finding_is_shrunk_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "CASES", tmp_path)

    def check(case: bytes) -> None:
        if b"!" in case:
            raise KeyError("!")

    def make(random: Random) -> bytes:
        return bytes(random.choice(b"abc!") for _ in range(20))

    fuzzer = Fuzzer("made", ".txt", make, check)
    findings = list(harness.findings(fuzzer, 1, 20))
    assert findings
    number, case, problem = findings[0]
    assert case == fuzzer.case(1, number)
    harness.save_case(fuzzer, harness.shrink(fuzzer, case, problem))
    assert [path.read_bytes() for path in harness.saved_cases("made")] == [b"!"]
    with pytest.raises(AssertionError, match="KeyError"):
        harness.assert_no_findings(fuzzer, 1, 20)
