"""Fuzzer of scenario files: a scenario runs, fails with a sentence, or is refused with one."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hashmark.session import scenario

from . import hostile
from .harness import Finding, Fuzzer, find_sentence_fault, main

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def make(random: Random) -> bytes:
    """Return one to three scenarios of a game, changed."""
    path = random.choice(sorted(SCENARIOS.glob("*.json")))
    scenarios = json.loads(path.read_text(encoding="utf-8"))
    chosen = [random.choice(scenarios) for _ in range(random.choice((1, 1, 2, 3)))]
    return hostile.make_json(random, chosen)


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.json"
        path.write_bytes(case)
        for outcome in scenario.run_scenarios(path):
            for message in (outcome.error, *outcome.diff):
                if message is None:
                    continue
                if message.startswith("Hashmark failed"):
                    raise Finding(message)
                if problem := find_sentence_fault(message):
                    raise Finding(problem)


FUZZER = Fuzzer("scenario", ".json", make, check)

if __name__ == "__main__":
    main(FUZZER)
