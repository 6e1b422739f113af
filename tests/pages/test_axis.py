"""Chart axes: round tick values that span the data, with room between the labels."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hashmark.pages.axis import Axis, Form, percent, plain, signed, ticks
from hashmark.pages.shapes import Chart, Path, Words
from pages.soundness import sound_chart

numbers = st.floats(-1e6, 1e6).map(lambda one: round(one, 6))


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-3, 12, [-4, -2, 0, 2, 4, 6, 8, 10, 12]),
        (0, 0, [-1, -0.5, 0, 0.5, 1]),
        (0, 16, [0, 2, 4, 6, 8, 10, 12, 14, 16]),
    ],
)
def test_ticks_are_round_and_span_the_range(low: float, high: float, found: list[float]) -> None:
    assert ticks(low, high) == found


@given(numbers, numbers, st.integers(1, 8), st.booleans())
def test_ticks_of_any_range_are_round_and_evenly_spaced(
    first: float, other: float, most: int, whole: bool
) -> None:
    low, high = sorted((first, other))
    values = ticks(low, high, most, whole)
    assert 2 <= len(values) <= most + 2
    steps = {round(b - a, 8) for a, b in pairwise(values)}
    assert len(steps) == 1
    step = steps.pop()
    assert values[0] <= low + 1e-8 * step
    assert values[-1] >= high - 1e-8 * step
    lead = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(lead - n) for n in (1, 2, 5, 10)) < 1e-5
    assert not whole or all(n == int(n) for n in values)


@given(
    st.lists(numbers, max_size=5),
    st.floats(40, 400),
    st.sampled_from([plain, signed, percent]),
    st.booleans(),
)
def test_tick_labels_do_not_overlap(
    values: list[float], room: float, form: Form, above: bool
) -> None:
    axis = Axis.across(values, 100, 100 + room, form)
    shapes = axis.below(20, 60, above)
    sound_chart(Chart("t", "d", room + 200, 90, shapes))
    assert sum(isinstance(shape, Path) for shape in shapes) == len(axis.ticks)
    assert sum(isinstance(shape, Words) for shape in shapes) >= 1 + above
    upright = Axis.upright(values, 20 + room, 20, form)
    sound_chart(Chart("t", "d", 400, room + 40, upright.beside(200, 390)))


def test_a_value_beyond_the_ends_is_at_the_end() -> None:
    axis = Axis([0, 1, 2], 100, 200)
    assert [axis.at(value) for value in (-math.inf, 0.5, 2, 7, math.inf)] == [
        100,
        125,
        200,
        200,
        200,
    ]


@pytest.mark.parametrize(
    ("form", "value", "said"),
    [(plain, 2.5, "2.5"), (signed, 0, "0"), (signed, 0.5, "+0.5"), (percent, 0.07, "7%")],
)
def test_tick_labels_are_formatted(form: Form, value: float, said: str) -> None:
    assert form(value) == said
