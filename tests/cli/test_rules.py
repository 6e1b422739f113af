"""`hashmark rules`: every game in words and as JSON."""

from __future__ import annotations

import json

import pytest

from fuzz.in_process import hashmark
from hashmark.table import registry


@pytest.mark.parametrize("rules", registry.built_in())
def test_words_and_json_name_the_same(rules: str) -> None:
    said = hashmark("rules", rules).out
    read = json.loads(hashmark("rules", rules, "--json").out)
    game = registry.load(rules)
    assert read["name"] == game.name
    assert game.title in said
    for coach in game.coaches:
        assert coach.name in said
    for option in game.options:
        assert option.name in said


def test_the_list_has_a_line_for_each() -> None:
    said = hashmark("rules").out.splitlines()
    assert [line.split()[0] for line in said[2:]] == registry.names()
