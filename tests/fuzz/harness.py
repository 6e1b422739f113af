"""Fuzzing harness: the loop, the definition of a finding, and saved cases.

A fuzzer makes cases (bytes) from a random source and checks them. A check may return, or raise a
`HashmarkError` with a readable sentence. Everything else is a finding: another exception, a
sentence that is too long or has control characters, too much time or memory.

    python -m tests.fuzz.log --seed 7 --cases 100000

searches for findings and saves them in `tests/fuzz/cases/<kind>/`, shrunk as far as possible. Every
test run checks the saved cases again.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import signal
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType

from hashmark.errors import HashmarkError

CASES = Path(__file__).parent / "cases"
MAX_CASE_SECONDS = 60.0  # of processor time: far more than any case needs on a slow machine
MAX_GROWTH_KILOBYTES = 1 << 20  # of the process, by one case: 1 GB
MAX_SENTENCE_CHARACTERS = 1500


class CaseTimeout(BaseException):
    """Raised in a case that exceeds its time; caught only by the harness."""


class Finding(Exception):
    """Raised by a check that finds a fault."""


@dataclass(frozen=True)
class Fuzzer:
    """One kind of input: how to make a case, and how to check it.

    `check` may raise a `HashmarkError` to refuse the case, or a `Finding` for a fault.
    """

    kind: str
    suffix: str
    make: Callable[[Random], bytes]
    check: Callable[[bytes], object]

    def case(self, seed: int, number: int) -> bytes:
        """Return a case by seed and number, reproducibly."""
        return self.make(Random(f"{self.kind} {seed} {number}"))


def find_control_character(text: str) -> str | None:
    """Return the code point of the first control character, if any; line ends are allowed."""
    if text.isprintable():
        return None
    for character in text:
        if character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cf", "Cs"):
            return f"U+{ord(character):04X}"
    return None


def find_sentence_fault(sentence: str) -> str | None:
    """Return what is wrong with the sentence of a refusal, if anything."""
    if not sentence.strip():
        return "a refusal without a word"
    if "\n" in sentence:
        return f"a refusal in several lines: {sentence[:200]!r}"
    if len(sentence) > MAX_SENTENCE_CHARACTERS:
        return f"a refusal of {len(sentence)} characters: {sentence[:200]!r}"
    code_point = find_control_character(sentence)
    return f"{code_point} in a refusal: {sentence[:200]!r}" if code_point else None


def find_fault(fuzzer: Fuzzer, case: bytes) -> str | None:
    """Return what is wrong with the response to a case, or None."""
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        with processor_time_limit(MAX_CASE_SECONDS):
            fuzzer.check(case)
    except HashmarkError as refusal:
        return find_sentence_fault(str(refusal))
    except CaseTimeout:
        return f"more than {MAX_CASE_SECONDS:g} s of processor time"
    except Finding as finding:
        return str(finding)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - growth
    return f"{growth >> 10} MB of memory" if growth > MAX_GROWTH_KILOBYTES else None


@contextmanager
def processor_time_limit(seconds: float) -> Iterator[None]:
    """Raise in code that exceeds its processor time; a busy machine makes no findings."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise CaseTimeout

    old_handler = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old_handler)


def findings(fuzzer: Fuzzer, seed: int, cases: int) -> Iterator[tuple[int, bytes, str]]:
    """Yield every faulty case: its number, the case, and what is wrong."""
    for number in range(cases):
        case = fuzzer.case(seed, number)
        problem = find_fault(fuzzer, case)
        if problem is not None:
            yield number, case, problem


def assert_no_findings(fuzzer: Fuzzer, seed: int, cases: int) -> None:
    """Fail at the first finding, with the command that saves it."""
    for number, case, problem in findings(fuzzer, seed, cases):
        raise AssertionError(
            f"{fuzzer.kind}, seed {seed}, case {number}: {problem}\n{case[:500]!r}\n"
            f"keep it with: python -m tests.fuzz.{fuzzer.kind} --seed {seed} --cases {number + 1}"
        )


# --- Saved cases -----------------------------------------------------------------------


def saved_cases(kind: str) -> list[Path]:
    """Return the saved cases of a kind."""
    return sorted(path for path in (CASES / kind).glob("*") if path.is_file())


def save_case(fuzzer: Fuzzer, case: bytes) -> Path:
    """Save a case for all later test runs."""
    folder = CASES / fuzzer.kind
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.blake2b(case, digest_size=5).hexdigest()}{fuzzer.suffix}"
    path.write_bytes(case)
    return path


def shrink(fuzzer: Fuzzer, case: bytes, problem: str, attempts: int = 300) -> bytes:
    """Shrink a case by removing pieces while it keeps its fault."""
    size = max(1, len(case) // 2)
    while size and attempts:
        index = 0
        while index < len(case) and attempts:
            attempts -= 1
            candidate = case[:index] + case[index + size :]
            if _is_same_fault(problem, find_fault(fuzzer, candidate)):
                case = candidate
            else:
                index += size
        size //= 2
    return case


def _is_same_fault(problem: str, other: str | None) -> bool:
    return other is not None and other.split(":")[0] == problem.split(":")[0]


# --- For long manual runs ----------------------------------------------------------------


def main(fuzzer: Fuzzer) -> None:
    """Run `python -m tests.fuzz.<kind>`: search for findings and save one of each sort."""
    parser = argparse.ArgumentParser(description=f"Fuzz {fuzzer.kind}; keep what is found.")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--only", type=int, help="only this case of the seed")
    arguments = parser.parse_args()
    sorts: set[str] = set()
    start = time.perf_counter()
    if arguments.only is not None:
        case = fuzzer.case(arguments.seed, arguments.only)
        print(f"{case!r}\n{find_fault(fuzzer, case)}")
        return
    for number, case, problem in findings(fuzzer, arguments.seed, arguments.cases):
        sort = problem[:60]
        print(f"seed {arguments.seed}, case {number}: {problem}")
        if sort not in sorts:
            sorts.add(sort)
            print(f"kept as {save_case(fuzzer, shrink(fuzzer, case, problem))}")
    seconds = time.perf_counter() - start
    print(f"{fuzzer.kind}: seed {arguments.seed}, {arguments.cases} cases in {seconds:.0f} s")
    sys.exit(1 if sorts else 0)
