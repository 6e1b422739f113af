"""Charts: true to their figures, and no text over another, whatever they are given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hashmark.pages.axis import Form, percent, plain, signed
from hashmark.pages.histogram import Sample, histogram, two_histograms
from hashmark.pages.lines import Line, lines
from hashmark.pages.rows import Row, rows
from hashmark.pages.scatter import Point, scatter
from hashmark.pages.shapes import Bar, Chart, Datum, Dot, Path, Shape, Words, meet
from pages.soundness import sound_chart

few = settings(max_examples=40)
figures = st.floats(-500, 500)
words = st.text("abcdefghij WM.,%()+-", min_size=1, max_size=40)
spans = st.none() | st.tuples(figures, figures).map(lambda two: (min(two), max(two)))
shares = st.lists(st.floats(0, 1), max_size=40)
made_rows = st.lists(
    st.builds(Row, words, figures, words, spans, st.none() | figures, st.booleans()), max_size=20
)
made_points = st.lists(st.builds(Point, figures, figures, words, spans, st.booleans()), max_size=15)


def data(chart: Chart) -> list[Datum]:
    return [one for one in chart.shapes if isinstance(one, Datum)]


def shapes(chart: Chart, kind: str) -> Iterator[Shape]:
    """All shapes of a kind, also those that stand for a value."""
    yield from _shapes(chart.shapes, kind)


def _shapes(some: Sequence[Shape], kind: str) -> Iterator[Shape]:
    for one in some:
        if isinstance(one, Datum):
            yield from _shapes(one.shapes, kind)
        elif one.kind == kind:
            yield one


def bars(chart: Chart, kind: str) -> list[Bar]:
    return [one for one in shapes(chart, kind) if isinstance(one, Bar)]


@given(made_rows, st.booleans(), st.booleans())
@few
def test_any_rows(lines: list[Row], dots: bool, whole: bool) -> None:
    chart = rows("t", "d", lines, signed, dots=dots, whole=whole, across="wins")
    sound_chart(chart)
    assert len(data(chart)) == len(lines)


@given(made_points, st.sampled_from([plain, percent]))
@few
def test_any_points(points: list[Point], form: Form) -> None:
    chart = scatter("t", "d", points, "across", "up", form)
    sound_chart(chart)
    assert len(data(chart)) == len(points)


@given(shares, shares, st.floats(0, 39), st.floats(0, 39))
@example([], [1e-05], 0.0, 0.0)  # small shares have long numbers
@few
def test_any_histograms(before: list[float], after: list[float], mean: float, other: float) -> None:
    sound_chart(histogram("t", "d", before, "wins", mark=mean))
    old, new = Sample("old", before, mean), Sample("new", after, other)
    longest = max(len(before), len(after), 1)
    if max(mean, other) <= longest - 1:
        sound_chart(two_histograms("t", "d", old, new, "wins"))


@given(st.lists(st.tuples(figures, figures), min_size=1, max_size=30), st.booleans())
@few
def test_any_lines(values: list[tuple[float, float]], two: bool) -> None:
    both = [Line(name, [one[at] for one in values]) for at, name in enumerate("ab")]
    chart = lines("t", "d", range(len(values)), both[: 1 + two], "plays", "points")
    sound_chart(chart)
    assert len(data(chart)) == len(values)


# --- Rows --------------------------------------------------------------------------------------


def test_bars_grow_with_their_values() -> None:
    chart = rows("t", "d", [Row("a", 1, ""), Row("b", 4, ""), Row("c", -4, "")])
    one, four, less = bars(chart, "bar")
    assert four.width == pytest.approx(4 * one.width)
    assert less.width == pytest.approx(four.width)
    assert less.x + less.width == pytest.approx(four.x)


def test_what_is_not_told_apart_looks_it() -> None:
    chart = rows("t", "d", [Row("a", 1, "", faint=True), Row("b", 2, "", here=True)])
    assert len(bars(chart, "faint")) == len(bars(chart, "here")) == 1


def test_long_names_stand_over_their_bars() -> None:
    name = "called 5 % fewer medium passes on second down"
    chart = rows("t", "d", [Row(name, 1, "+1")])
    assert name in [one.text for one in chart.words()]
    assert bars(chart, "bar")[0].width > 200


def test_charts_can_share_an_axis() -> None:
    small, large = (rows("t", "d", [Row("a", 0.1, "10%")], percent, reach=(0, n)) for n in (0.1, 1))
    assert bars(small, "bar")[0].width == pytest.approx(10 * bars(large, "bar")[0].width)


def test_an_interval_without_bounds_goes_to_the_ends() -> None:
    chart = rows("t", "d", [Row("a", 1, "", (-float("inf"), float("inf")))])
    (span,) = shapes(chart, "span")
    assert isinstance(span, Path)
    assert "inf" not in span.d


# --- Points ------------------------------------------------------------------------------------


def test_names_hide_neither_points_nor_each_other() -> None:
    crowd = [Point(n % 6, n // 6 * 0.1, f"team {n}") for n in range(36)]
    chart = scatter("t", "d", crowd, "x", "y")
    named = [one for one in shapes(chart, "name") if isinstance(one, Words)]
    assert 5 < len(named) < 36
    assert chart.key[-1].text == "some names left out for want of room"
    dots = [one for one in shapes(chart, "dot") if isinstance(one, Dot)]
    assert len(dots) == 36
    for name in named:
        for dot in dots:
            square = (dot.x - 3.9, dot.y - 3.9, dot.x + 3.9, dot.y + 3.9)
            assert not meet(name.frame, square)


def test_the_one_it_is_about_has_its_name() -> None:
    crowd = [Point(0, 0, f"team {n}", here=n == 29) for n in range(30)]
    named = [one.text for one in scatter("t", "d", crowd, "x", "y").words()]
    assert "team 29" in named


def test_both_axes_have_the_same_scale() -> None:
    chart = scatter("t", "d", [Point(0, 3), Point(10, 12)], "x", "y")
    numbers = [one.text for one in chart.words()]
    assert all(numbers.count(str(n)) == 2 for n in range(0, 13, 2))
    (diagonal,) = shapes(chart, "diagonal")
    assert isinstance(diagonal, Path)


# --- Histograms ----------------------------------------------------------------------------------


def test_columns_are_as_tall_as_their_shares() -> None:
    half, whole = bars(histogram("t", "d", [0.2, 0.4], "wins"), "bar")
    assert whole.height == pytest.approx(2 * half.height)
    low, _ = bars(histogram("t", "d", [0.2, 0.4], "wins", highest=0.8), "bar")
    assert low.height == pytest.approx(half.height / 2)
    assert [one.said for one in data(histogram("t", "d", [0.2, 0.4], "wins"))] == [
        "0 wins: 20.0%",
        "1 wins: 40.0%",
    ]


def test_two_distributions_stand_over_one_another() -> None:
    old, new = Sample("Old", [0.5, 0.5], 0.5), Sample("New", [0, 0.5, 0.5], 1.5)
    chart = two_histograms("t", "d", old, new, "wins")
    assert [one.said for one in data(chart)] == [
        "0 wins: Old 50.0%, New 0.0%",
        "1 wins: Old 50.0%, New 50.0%",
        "2 wins: Old 0.0%, New 50.0%",
    ]
    assert len(bars(chart, "pale")) == 3
    assert len(list(shapes(chart, "outline"))) == 1
    assert [one.text for one in chart.key] == ["Old: 0.50 wins", "New: 1.50 wins"]
    assert [n for n in range(3) if str(n) in [one.text for one in chart.words()]] == [0, 1, 2]


# --- Lines -------------------------------------------------------------------------------------


def test_lines_go_through_their_values() -> None:
    home, away = Line("home", [0.5, 0.75, 1]), Line("away", [0.5, 0.25, 0])
    chart = lines("t", "d", [0, 1, 2], [home, away], "plays", "chance", percent)
    assert [one.said for one in data(chart)] == [
        "0: home 50%, away 50%",
        "1: home 75%, away 25%",
        "2: home 100%, away 0%",
    ]
    told = lines("t", "d", [0, 1, 2], [home], "plays", "chance", said=["a", "b", "c"])
    assert [one.said for one in data(told)] == ["a", "b", "c"]
    dots = [one for one in shapes(chart, "dot point") if isinstance(one, Dot)]
    assert dots[0].y - dots[1].y == pytest.approx(dots[1].y - dots[2].y)
    (path,) = shapes(chart, "curve")
    assert isinstance(path, Path)
    assert path.d.endswith(f"{dots[2].x:.1f} {dots[2].y:.1f}")
    assert [one.text for one in chart.key] == ["home", "away"]
