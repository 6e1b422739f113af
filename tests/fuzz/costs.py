"""Costs of parsers: hostile input of growing size, with processor time and peak memory.

A parser is given the same attack at sizes n, 2n and 4n. Time and memory may grow with the input, so
by a factor of 4; a quadratic parser takes 16 times as much. Only ratios within one run are
compared, so that neither a slow nor a busy machine matters. A ratio that is too high is measured
again, and the fastest run of each size counts.

    python -m tests.fuzz.costs          # a table of all attacks
    python -m tests.fuzz.costs toml     # those on one parser
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from hashmark.errors import HashmarkError

MAX_GROWTH = 8.0  # from n to 4n: linear costs grow by 4, quadratic ones by 16
MIN_SECONDS = 0.002  # of processor time; shorter runs count as this long
MIN_BYTES = 200_000  # of peak memory; smaller peaks count as this high
MAX_EXPANSION = 500  # bytes of peak memory for each byte of input
FREE_BYTES = 5_000_000  # of peak memory that any input may take
ATTEMPTS = 4  # measurements before an excess counts
FACTORS = (1, 2, 4)

Parse = Callable[[Any], object]


@dataclass(frozen=True)
class Attack:
    """Hostile input of any size for one parser."""

    parser: str
    name: str
    parse: Parse
    make: Callable[[int], Any]
    size: int  # of the smallest input

    def __str__(self) -> str:
        return f"{self.parser}: {self.name}"


@dataclass(frozen=True)
class Cost:
    """Processor time and peak memory of one input."""

    input_bytes: int
    seconds: float
    memory_bytes: int

    def best(self, other: Cost) -> Cost:
        return Cost(self.input_bytes, min(self.seconds, other.seconds), self.memory_bytes)


def measure(parse: Parse, case: Any) -> Cost:
    """Return the cost of one input, whether it is taken or refused."""
    tracemalloc.start()
    try:
        _run(parse, case)
        memory_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    start = time.process_time()
    _run(parse, case)
    return Cost(len(case), time.process_time() - start, memory_bytes)


def _run(parse: Parse, case: Any) -> None:
    with suppress(HashmarkError, ValueError):
        parse(case)


def costs(attack: Attack) -> list[Cost]:
    """Return the costs of an attack at each size; an excess is measured again."""
    cases = [attack.make(factor * attack.size) for factor in FACTORS]
    measured = [measure(attack.parse, case) for case in cases]
    for _ in range(ATTEMPTS - 1):
        if find_excess(measured) is None:
            break
        again = [measure(attack.parse, case) for case in cases]
        measured = [cost.best(other) for cost, other in zip(measured, again, strict=True)]
    return measured


def find_excess(measured: list[Cost]) -> str | None:
    """Return what grows clearly faster than the input, or None."""
    first, last = measured[0], measured[-1]
    time_growth = max(last.seconds, MIN_SECONDS) / max(first.seconds, MIN_SECONDS)
    memory_growth = max(last.memory_bytes, MIN_BYTES) / max(first.memory_bytes, MIN_BYTES)
    if time_growth > MAX_GROWTH:
        return f"4 times the input takes {time_growth:.1f} times the processor time"
    if memory_growth > MAX_GROWTH:
        return f"4 times the input takes {memory_growth:.1f} times the memory"
    for cost in measured:
        if cost.memory_bytes > FREE_BYTES + MAX_EXPANSION * cost.input_bytes:
            return f"{cost.input_bytes} bytes of input take {cost.memory_bytes} bytes of memory"
    return None


def table_rows(attacks: list[Attack]) -> Iterator[str]:
    """Yield a line for each attack: milliseconds and kilobytes at each size."""
    for attack in attacks:
        measured = costs(attack)
        times = "".join(f"{1000 * cost.seconds:9.1f}" for cost in measured)
        memory = "".join(f"{cost.memory_bytes >> 10:9}" for cost in measured)
        yield f"{attack!s:52}{times} ms{memory} kB  {find_excess(measured) or ''}"


def main() -> None:
    from . import attacks  # which needs this module

    parsers = sys.argv[1:]
    chosen = [attack for attack in attacks.ATTACKS if not parsers or attack.parser in parsers]
    for row in table_rows(chosen):
        print(row)


if __name__ == "__main__":
    main()
