"""Plots with Matplotlib, on axes of one's own or new ones."""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.patches import Rectangle

import hashmark as hm
from hashmark.api import plots


def test_plots_are_drawn_on_the_given_axes() -> None:
    _, axes = plt.subplots()
    assert plots.win_probability([0.5, 0.7, 1.0], "home", axes) is axes
    assert axes.get_ylabel() == "win probability of home (%)"
    assert np.array(axes.get_lines()[0].get_ydata()).tolist() == [50.0, 70.0, 100.0]


def test_score_distributions_are_shares() -> None:
    axes = plots.score_distribution([0, 7, 7, 3], [10, 10, 10, 10], ("ARI", "PIT"))
    home, away = axes.get_lines()
    assert np.array(home.get_ydata()).tolist() == [25, 0, 0, 25, 0, 0, 0, 50]
    assert (home.get_label(), away.get_label()) == ("ARI", "PIT")


def test_win_distributions_name_the_real_wins() -> None:
    axes = plots.win_distribution([0.25, 0.5, 0.25], 1, "ARI")
    assert [bar.get_bbox().height for bar in axes.patches if isinstance(bar, Rectangle)] == [
        25,
        50,
        25,
    ]
    legend = axes.get_legend()
    assert legend is not None
    assert legend.get_texts()[0].get_text() == "real: 1"


def test_estimates_have_intervals() -> None:
    axes = plots.estimates(["punt", "go"], [1.0, 0.0], [0.5, 0.1], "points")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["punt", "go"]
    assert axes.yaxis_inverted()


def test_maps_have_a_color_for_each_call() -> None:
    axes = plots.fourth_down_map([["punt", "go"], [None, "punt"]])
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["go", "punt"]
    assert axes.images[0].get_extent() == pytest.approx([0.5, 2.5, 0.5, 2.5])


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(hm.MissingLibrary, match="plot"):
        plots.win_probability([0.5], "home")
