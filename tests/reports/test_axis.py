"""Chart axes: round tick values that span the data, with room between the labels."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hashmark.reports.axis import Axis, NumberFormat, percent, plain, round_ticks, signed
from hashmark.reports.shapes import Chart, Path, TextShape
from reports.page_checks import check_chart

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
    assert round_ticks(low, high) == found


@given(numbers, numbers, st.integers(1, 8), st.booleans())
def test_ticks_of_any_range_are_round_and_evenly_spaced(
    first: float, other: float, most: int, whole: bool
) -> None:
    low, high = sorted((first, other))
    values = round_ticks(low, high, most, whole)
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
    values: list[float], room: float, form: NumberFormat, above: bool
) -> None:
    axis = Axis.horizontal(values, 100, 100 + room, form)
    shapes = axis.draw_below(20, 60, above)
    check_chart(Chart("t", "d", room + 200, 90, shapes))
    assert sum(isinstance(shape, Path) for shape in shapes) == len(axis.ticks)
    assert sum(isinstance(shape, TextShape) for shape in shapes) >= 1 + above
    upright = Axis.vertical(values, 20 + room, 20, form)
    check_chart(Chart("t", "d", 400, room + 40, upright.draw_beside(200, 390)))


def test_a_value_beyond_the_ends_is_at_the_end() -> None:
    axis = Axis([0, 1, 2], 100, 200)
    assert [axis.coordinate(value) for value in (-math.inf, 0.5, 2, 7, math.inf)] == [
        100,
        125,
        200,
        200,
        200,
    ]


@pytest.mark.parametrize(
    ("form", "value", "said"),
    [(plain, 2.5, "2.5"), (signed, 0, "0"), (signed, 0.5, "+0.5"), (percent, 0.07, "7 %")],
)
def test_tick_labels_are_formatted(form: NumberFormat, value: float, said: str) -> None:
    assert form(value) == said
