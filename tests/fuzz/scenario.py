"""Fuzzes scenario files: a scenario runs, fails with a sentence, or is refused with one."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hashmark.table import scenario

from . import hostile
from .harness import Finding, Fuzzer, main, poor_sentence

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def make(random: Random) -> bytes:
    """One to three honest scenarios of a game, changed."""
    path = random.choice(sorted(SCENARIOS.glob("*.json")))
    honest = json.loads(path.read_text(encoding="utf-8"))
    chosen = [random.choice(honest) for _ in range(random.choice((1, 1, 2, 3)))]
    return hostile.json_case(random, chosen)


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.json"
        path.write_bytes(case)
        for outcome in scenario.run_file(path):
            for said in (outcome.error, *outcome.diff):
                if said is None:
                    continue
                if said.startswith("Hashmark failed"):
                    raise Finding(said)
                if wrong := poor_sentence(said):
                    raise Finding(wrong)


FUZZER = Fuzzer("scenario", ".json", make, check)

if __name__ == "__main__":
    main(FUZZER)
