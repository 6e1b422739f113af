"""What all fuzzers share: the loop, what counts as a finding, and cases kept for good.

A fuzzer makes cases (bytes) from a random source and checks them. A check may return, or refuse
with a `HashmarkError` whose sentence can be read; everything else is a finding: another
exception, a sentence with control characters or without end, too much time or memory.

    python -m tests.fuzz.log --seed 7 --cases 100000

looks for findings and keeps them in `tests/fuzz/cases/<kind>/`, made as short as it can. What
lies there is checked again by every run of the tests.
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

from hashmark.table.errors import HashmarkError

CASES = Path(__file__).parent / "cases"
SECONDS = 60.0  # of processor time for one case: far more than any needs on a slow machine
GROWTH = 1 << 20  # kilobytes by which one case may grow the process: 1 GB
LONGEST = 1500  # characters of a sentence


class TooLong(BaseException):
    """A case takes more time than it may; nothing but the harness catches it."""


class Finding(Exception):
    """What a check says when it saw something that must not be."""


@dataclass(frozen=True)
class Fuzzer:
    """One kind of input: how a case is made, and what must hold of it.

    `check` may raise a `HashmarkError`, or a `Finding` for what it sees itself.
    """

    kind: str
    suffix: str
    make: Callable[[Random], bytes]
    check: Callable[[bytes], object]

    def case(self, seed: int, number: int) -> bytes:
        """Case number so and so of a seed, the same wherever it is made."""
        return self.make(Random(f"{self.kind} {seed} {number}"))


def unreadable(text: str) -> str | None:
    """The first character that no terminal should see, by name; line ends are allowed."""
    if text.isprintable():
        return None
    for letter in text:
        if letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Cs"):
            return f"U+{ord(letter):04X}"
    return None


def poor_sentence(sentence: str) -> str | None:
    """What is wrong with the sentence of a refusal, if anything."""
    if not sentence.strip():
        return "a refusal without a word"
    if "\n" in sentence:
        return f"a refusal in several lines: {sentence[:200]!r}"
    if len(sentence) > LONGEST:
        return f"a refusal of {len(sentence)} characters: {sentence[:200]!r}"
    bad = unreadable(sentence)
    return f"{bad} in a refusal: {sentence[:200]!r}" if bad else None


def fault(fuzzer: Fuzzer, case: bytes) -> str | None:
    """What is wrong with how a case was answered; None if nothing is."""
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        with limited(SECONDS):
            fuzzer.check(case)
    except HashmarkError as refusal:
        return poor_sentence(str(refusal))
    except TooLong:
        return f"more than {SECONDS:g} s of processor time"
    except Finding as finding:
        return str(finding)
    except KeyboardInterrupt:
        raise
    except BaseException as wrong:
        return f"{type(wrong).__name__}: {wrong}"[:300]
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - grown
    return f"{grown >> 10} MB of memory" if grown > GROWTH else None


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End what takes longer, in processor time, so that a busy machine makes no finding."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    usual = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)


def findings(fuzzer: Fuzzer, seed: int, cases: int) -> Iterator[tuple[int, bytes, str]]:
    """Every case that is answered as none should be: its number, the case, what is wrong."""
    for number in range(cases):
        case = fuzzer.case(seed, number)
        wrong = fault(fuzzer, case)
        if wrong is not None:
            yield number, case, wrong


def assert_none(fuzzer: Fuzzer, seed: int, cases: int) -> None:
    """For tests: fail at the first finding, and say how to keep it."""
    for number, case, wrong in findings(fuzzer, seed, cases):
        raise AssertionError(
            f"{fuzzer.kind}, seed {seed}, case {number}: {wrong}\n{case[:500]!r}\n"
            f"keep it with: python -m tests.fuzz.{fuzzer.kind} --seed {seed} --cases {number + 1}"
        )


# --- Kept cases ------------------------------------------------------------------------


def kept(kind: str) -> list[Path]:
    """The cases of a kind that were kept."""
    return sorted(path for path in (CASES / kind).glob("*") if path.is_file())


def keep(fuzzer: Fuzzer, case: bytes) -> Path:
    """Keep a case for all later runs of the tests."""
    folder = CASES / fuzzer.kind
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.blake2b(case, digest_size=5).hexdigest()}{fuzzer.suffix}"
    path.write_bytes(case)
    return path


def shorter(fuzzer: Fuzzer, case: bytes, wrong: str, tries: int = 300) -> bytes:
    """A shorter case with the same fault, as far as leaving pieces out leads."""
    size = max(1, len(case) // 2)
    while size and tries:
        at = 0
        while at < len(case) and tries:
            tries -= 1
            less = case[:at] + case[at + size :]
            if _same(wrong, fault(fuzzer, less)):
                case = less
            else:
                at += size
        size //= 2
    return case


def _same(wrong: str, other: str | None) -> bool:
    return other is not None and other.split(":")[0] == wrong.split(":")[0]


# --- For long runs by hand ---------------------------------------------------------------


def main(fuzzer: Fuzzer) -> None:
    """`python -m tests.fuzz.<kind>`: look for findings, keep one of each sort."""
    parser = argparse.ArgumentParser(description=f"Fuzz {fuzzer.kind}; keep what is found.")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--only", type=int, help="only this case of the seed")
    given = parser.parse_args()
    seen: set[str] = set()
    began = time.perf_counter()
    if given.only is not None:
        case = fuzzer.case(given.seed, given.only)
        print(f"{case!r}\n{fault(fuzzer, case)}")
        return
    for number, case, wrong in findings(fuzzer, given.seed, given.cases):
        sort = wrong[:60]
        print(f"seed {given.seed}, case {number}: {wrong}")
        if sort not in seen:
            seen.add(sort)
            print(f"kept as {keep(fuzzer, shorter(fuzzer, case, wrong))}")
    seconds = time.perf_counter() - began
    print(f"{fuzzer.kind}: seed {given.seed}, {given.cases} cases in {seconds:.0f} s")
    sys.exit(1 if seen else 0)
