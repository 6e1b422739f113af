"""Fuzzer of the parsing of set-up positions and options: refused with a sentence, or accepted.

`positions` fuzzes playing on from accepted positions.
"""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.storage.user_files import parse_json

from . import hostile
from .harness import Fuzzer, main


@cache
def valid_case(rules: str) -> dict[str, Any]:
    """Return a whole position of a game and its options."""
    rule_set = registry.load(rules)
    options = {
        option.name: option.default_value
        for option in rule_set.setup.options
        if option.default_value is not None
    }
    options = json.loads(json.dumps(options))
    position = rule_set.new_position(rule_set.new_match()).to_json()
    return {"rules": rules, "options": options, "position": position}


def make(random: Random) -> bytes:
    case = dict(valid_case(random.choice(registry.builtin_names())))
    changed_part = random.choice(("position", "position", "options"))
    other_part = "options" if changed_part == "position" else "position"
    case[changed_part] = hostile.mutate_some(random, case[changed_part])
    case[other_part] = {}
    text = hostile.json_text(case)
    if random.random() < 0.1:
        text = hostile.mutate_text(random, text)
    return text.encode(errors="surrogatepass")


def check(case: bytes) -> None:
    try:
        data = parse_json(case.decode(), "the case")
    except UnicodeDecodeError:
        return
    if not isinstance(data, dict) or not isinstance(data.get("rules"), str):
        return
    rule_set = registry.load(data["rules"])
    options = data.get("options")
    if not isinstance(options, dict):
        raise HashmarkError("options must be an object")
    m = rule_set.new_match(options)
    rule_set.new_position(m, data.get("position"))


FUZZER = Fuzzer("position_file", ".json", make, check)

if __name__ == "__main__":
    main(FUZZER)
