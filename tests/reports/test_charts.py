"""Charts: true to their figures, and no text over another, for any input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hashmark.reports.axis import NumberFormat, percent, plain, signed
from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.histogram import NamedDistribution, draw_histogram, draw_two_histograms
from hashmark.reports.line_chart import LineSeries, draw_line_chart
from hashmark.reports.scatter import ScatterPoint, draw_scatter
from hashmark.reports.shapes import Bar, Chart, Datum, Dot, Path, Shape, TextShape, frames_overlap
from reports.page_checks import check_chart

few_examples = settings(max_examples=40)
any_figures = st.floats(-500, 500)
any_texts = st.text("abcdefghij WM.,%()+-", min_size=1, max_size=40)
any_spans = st.none() | st.tuples(any_figures, any_figures).map(lambda two: (min(two), max(two)))
any_shares = st.lists(st.floats(0, 1), max_size=40)
any_rows = st.lists(
    st.builds(
        BarRow, any_texts, any_figures, any_texts, any_spans, st.none() | any_figures, st.booleans()
    ),
    max_size=20,
)
any_points = st.lists(
    st.builds(ScatterPoint, any_figures, any_figures, any_texts, any_spans, st.booleans()),
    max_size=15,
)


def data(chart: Chart) -> list[Datum]:
    return [shape for shape in chart.shapes if isinstance(shape, Datum)]


def shapes(chart: Chart, kind: str) -> Iterator[Shape]:
    """Yield all shapes of a kind, including those inside a datum."""
    yield from _shapes(chart.shapes, kind)


def _shapes(drawn: Sequence[Shape], kind: str) -> Iterator[Shape]:
    for shape in drawn:
        if isinstance(shape, Datum):
            yield from _shapes(shape.shapes, kind)
        elif shape.kind == kind:
            yield shape


def bars(chart: Chart, kind: str) -> list[Bar]:
    return [shape for shape in shapes(chart, kind) if isinstance(shape, Bar)]


@given(any_rows, st.booleans(), st.booleans())
@few_examples
def test_any_bar_chart_is_sound(lines: list[BarRow], dots: bool, whole: bool) -> None:
    chart = draw_bar_chart("t", "d", lines, signed, dots=dots, whole=whole, x_title="wins")
    check_chart(chart)
    assert len(data(chart)) == len(lines)


@given(any_points, st.sampled_from([plain, percent]))
@few_examples
def test_any_scatter_plot_is_sound(points: list[ScatterPoint], form: NumberFormat) -> None:
    chart = draw_scatter("t", "d", points, "across", "up", form)
    check_chart(chart)
    assert len(data(chart)) == len(points)


@given(any_shares, any_shares, st.floats(0, 39), st.floats(0, 39))
@example([], [1e-05], 0.0, 0.0)  # small shares have long numbers
@few_examples
def test_any_histograms_are_sound(
    before: list[float], after: list[float], mean: float, other: float
) -> None:
    check_chart(draw_histogram("t", "d", before, "wins", mark=mean))
    old, new = NamedDistribution("old", before, mean), NamedDistribution("new", after, other)
    longest = max(len(before), len(after), 1)
    if max(mean, other) <= longest - 1:
        check_chart(draw_two_histograms("t", "d", old, new, "wins"))


@given(st.lists(st.tuples(any_figures, any_figures), min_size=1, max_size=30), st.booleans())
@few_examples
def test_any_line_chart_is_sound(values: list[tuple[float, float]], two: bool) -> None:
    both_lines = [
        LineSeries(name, [pair[index] for pair in values]) for index, name in enumerate("ab")
    ]
    chart = draw_line_chart("t", "d", range(len(values)), both_lines[: 1 + two], "plays", "points")
    check_chart(chart)
    assert len(data(chart)) == len(values)


# --- Rows --------------------------------------------------------------------------------------


def test_bars_grow_with_their_values() -> None:
    chart = draw_bar_chart("t", "d", [BarRow("a", 1, ""), BarRow("b", 4, ""), BarRow("c", -4, "")])
    one, four, less = bars(chart, "bar")
    assert four.width == pytest.approx(4 * one.width)
    assert less.width == pytest.approx(four.width)
    assert less.x + less.width == pytest.approx(four.x)


def test_insignificant_values_are_faint() -> None:
    chart = draw_bar_chart(
        "t", "d", [BarRow("a", 1, "", faint=True), BarRow("b", 2, "", highlighted=True)]
    )
    assert len(bars(chart, "faint")) == len(bars(chart, "here")) == 1


def test_long_labels_stand_above_their_bars() -> None:
    name = "called 5 % fewer medium passes on second down"
    chart = draw_bar_chart("t", "d", [BarRow(name, 1, "+1")])
    assert name in [text.text for text in chart.texts()]
    assert bars(chart, "bar")[0].width > 200


def test_charts_can_share_an_axis() -> None:
    small, large = (
        draw_bar_chart("t", "d", [BarRow("a", 0.1, "10%")], percent, extra_values=(0, n))
        for n in (0.1, 1)
    )
    assert bars(small, "bar")[0].width == pytest.approx(10 * bars(large, "bar")[0].width)


def test_an_unbounded_interval_ends_at_the_axis() -> None:
    chart = draw_bar_chart("t", "d", [BarRow("a", 1, "", (-float("inf"), float("inf")))])
    (span,) = shapes(chart, "span")
    assert isinstance(span, Path)
    assert "inf" not in span.d


# --- Points ------------------------------------------------------------------------------------


def test_labels_hide_neither_points_nor_each_other() -> None:
    crowd = [ScatterPoint(n % 6, n // 6 * 0.1, f"team {n}") for n in range(36)]
    chart = draw_scatter("t", "d", crowd, "x", "y")
    labels = [shape for shape in shapes(chart, "name") if isinstance(shape, TextShape)]
    assert 5 < len(labels) < 36
    assert chart.key[-1].text == "some labels omitted for lack of space"
    dots = [shape for shape in shapes(chart, "dot") if isinstance(shape, Dot)]
    assert len(dots) == 36
    for name in labels:
        for dot in dots:
            square = (dot.x - 3.9, dot.y - 3.9, dot.x + 3.9, dot.y + 3.9)
            assert not frames_overlap(name.frame, square)


def test_the_point_that_the_page_is_about_is_labeled() -> None:
    crowd = [ScatterPoint(0, 0, f"team {n}", highlighted=n == 29) for n in range(30)]
    labels = [text.text for text in draw_scatter("t", "d", crowd, "x", "y").texts()]
    assert "team 29" in labels


def test_both_axes_have_the_same_scale() -> None:
    chart = draw_scatter("t", "d", [ScatterPoint(0, 3), ScatterPoint(10, 12)], "x", "y")
    numbers = [text.text for text in chart.texts()]
    assert all(numbers.count(str(n)) == 2 for n in range(0, 13, 2))
    (diagonal,) = shapes(chart, "diagonal")
    assert isinstance(diagonal, Path)


# --- Histograms ----------------------------------------------------------------------------------


def test_columns_are_as_tall_as_their_shares() -> None:
    half, whole = bars(draw_histogram("t", "d", [0.2, 0.4], "wins"), "bar")
    assert whole.height == pytest.approx(2 * half.height)
    low, _ = bars(draw_histogram("t", "d", [0.2, 0.4], "wins", highest=0.8), "bar")
    assert low.height == pytest.approx(half.height / 2)
    assert [datum.tooltip for datum in data(draw_histogram("t", "d", [0.2, 0.4], "wins"))] == [
        "0 wins: 20.0 %",
        "1 win: 40.0 %",
    ]


def test_two_distributions_are_overlaid() -> None:
    old, new = (
        NamedDistribution("Old", [0.5, 0.5], 0.5),
        NamedDistribution("New", [0, 0.5, 0.5], 1.5),
    )
    chart = draw_two_histograms("t", "d", old, new, "wins")
    assert [item.tooltip for item in data(chart)] == [
        "0 wins: Old 50.0 %, New 0.0 %",
        "1 win: Old 50.0 %, New 50.0 %",
        "2 wins: Old 0.0 %, New 50.0 %",
    ]
    assert len(bars(chart, "pale")) == 3
    assert len(list(shapes(chart, "outline"))) == 1
    assert [item.text for item in chart.key] == ["Old: 0.50 wins", "New: 1.50 wins"]
    assert [n for n in range(3) if str(n) in [item.text for item in chart.texts()]] == [0, 1, 2]


# --- Lines -------------------------------------------------------------------------------------


def test_lines_go_through_their_values() -> None:
    home, away = LineSeries("home", [0.5, 0.75, 1]), LineSeries("away", [0.5, 0.25, 0])
    chart = draw_line_chart("t", "d", [0, 1, 2], [home, away], "plays", "chance", percent)
    assert [item.tooltip for item in data(chart)] == [
        "0: home 50 %, away 50 %",
        "1: home 75 %, away 25 %",
        "2: home 100 %, away 0 %",
    ]
    with_tooltips = draw_line_chart(
        "t", "d", [0, 1, 2], [home], "plays", "chance", tooltips=["a", "b", "c"]
    )
    assert [item.tooltip for item in data(with_tooltips)] == ["a", "b", "c"]
    dots = [item for item in shapes(chart, "dot point") if isinstance(item, Dot)]
    assert dots[0].y - dots[1].y == pytest.approx(dots[1].y - dots[2].y)
    (path,) = shapes(chart, "curve")
    assert isinstance(path, Path)
    assert path.d.endswith(f"{dots[2].x:.1f} {dots[2].y:.1f}")
    assert [item.text for item in chart.key] == ["home", "away"]
