"""Every parser of foreign text takes time and memory in proportion to its input."""

from __future__ import annotations

import pytest

from . import costs
from .attacks import ATTACKS
from .costs import Attack


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_costs_grow_no_faster_than_the_input(attack: Attack) -> None:
    measured = costs.costs(attack)
    assert costs.find_excess(measured) is None, measured


def test_quadratic_time_is_noticed() -> None:
    def parse(text: str) -> int:
        return sum(text[index:].count("b") for index in range(len(text)))

    attack = Attack("none", "quadratic time", parse, lambda size: "a" * size, 4_000)
    assert "processor time" in (costs.find_excess(costs.costs(attack)) or "")


def test_quadratic_memory_is_noticed() -> None:
    def parse(text: str) -> list[str]:
        return [text[: index + 1] for index in range(0, len(text), 100)]

    attack = Attack("none", "quadratic memory", parse, lambda size: "a" * size, 10_000)
    assert "the memory" in (costs.find_excess(costs.costs(attack)) or "")


def test_much_memory_for_little_input_is_noticed() -> None:
    attack = Attack("none", "expansion", lambda text: bytearray(10**7), lambda size: "a", 1)
    assert "bytes of memory" in (costs.find_excess(costs.costs(attack)) or "")
