"""Fuzzes the reading of set-up positions and of options: refused with a sentence, or taken.

What becomes of positions that are taken is fuzzed elsewhere.
"""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

from hashmark.table import registry
from hashmark.table.errors import HashmarkError
from hashmark.table.files import parse_json

from . import hostile
from .harness import Fuzzer, main


@cache
def honest(rules: str) -> dict[str, Any]:
    """A whole position of a game, and its options."""
    loaded = registry.load(rules)
    options = {one.name: one.value for one in loaded.options if one.value is not None}
    options = json.loads(json.dumps(options))
    position = loaded.new_position(loaded.new_match()).to_json()
    return {"rules": rules, "options": options, "position": position}


def make(random: Random) -> bytes:
    case = dict(honest(random.choice(registry.built_in())))
    part = random.choice(("position", "position", "options"))
    other = "options" if part == "position" else "position"
    case[part] = hostile.some_mutations(random, case[part])
    case[other] = {}
    text = hostile.json_text(case)
    if random.random() < 0.1:
        text = hostile.mutated_text(random, text)
    return text.encode(errors="surrogatepass")


def check(case: bytes) -> None:
    try:
        read = parse_json(case.decode(), "the case")
    except UnicodeDecodeError:
        return
    if not isinstance(read, dict) or not isinstance(read.get("rules"), str):
        return
    loaded = registry.load(read["rules"])
    options = read.get("options")
    if not isinstance(options, dict):
        raise HashmarkError("options must be an object")
    m = loaded.new_match(options)
    loaded.new_position(m, read.get("position"))


FUZZER = Fuzzer("position_file", ".json", make, check)

if __name__ == "__main__":
    main(FUZZER)
