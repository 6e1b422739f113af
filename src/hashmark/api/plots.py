"""Plots for notebooks, with Matplotlib: pictures that need no network and go into any document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hashmark import extras

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    extras.require("plot()", "matplotlib")
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def win_probability(values: Sequence[float], home: str, ax: Axes | None = None) -> Axes:
    """Draw a team's win probability over the turns of a game."""
    axes = _axes(ax)
    axes.plot(range(len(values)), [100 * value for value in values])
    axes.axhline(50, color="gray", linewidth=0.8, linestyle="--")
    axes.set(xlabel="turn", ylabel=f"win probability of {home} (%)", ylim=(0, 100))
    return axes


def score_distribution(
    home: Iterable[int], away: Iterable[int], names: Sequence[str], ax: Axes | None = None
) -> Axes:
    """Draw how often each team scores how many points."""
    axes = _axes(ax)
    for points, name in zip((list(home), list(away)), names, strict=True):
        counts = Counter(points)
        scores = range(max(counts) + 1)
        shares = [100 * counts[score] / len(points) for score in scores]
        axes.step(scores, shares, where="mid", label=name)
    axes.set(xlabel="points", ylabel="share of games (%)", ylim=(0, None))
    axes.legend()
    return axes


def win_distribution(
    shares: Sequence[float], real: float, label: str, ax: Axes | None = None
) -> Axes:
    """Draw how often a team wins 0, 1, 2 ... games, with its real wins."""
    axes = _axes(ax)
    from matplotlib.ticker import MaxNLocator

    axes.bar(range(len(shares)), [100 * share for share in shares])
    axes.axvline(real, color="black", linestyle="--", label=f"real: {real:g}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel=f"wins of {label}", ylabel="share of simulated seasons (%)")
    axes.legend()
    return axes


def estimates(
    labels: Sequence[str],
    means: Sequence[float],
    errors: Sequence[float],
    title: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw means with their 95 % confidence intervals, one below the other."""
    axes = _axes(ax)
    axes.errorbar(means, range(len(labels)), xerr=[1.96 * error for error in errors], fmt="o")
    axes.axvline(0, color="gray", linewidth=0.8)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xlabel(title)
    return axes


def fourth_down_map(calls: Sequence[Sequence[str | None]], ax: Axes | None = None) -> Axes:
    """Draw the fourth-down call by yards to go (rows, from 1) and spot (columns, from 1)."""
    axes = _axes(ax)
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    names = sorted({call for row in calls for call in row if call})
    cells = [[names.index(call) if call else float("nan") for call in row] for row in calls]
    colors = [colormaps["Set2"](number) for number in range(len(names))]
    axes.imshow(
        cells,
        cmap=ListedColormap(colors),
        origin="lower",
        aspect="auto",
        extent=(0.5, len(calls[0]) + 0.5, 0.5, len(calls) + 0.5),
        vmin=-0.5,
        vmax=len(names) - 0.5,
    )
    handles = [Patch(color=color, label=name) for color, name in zip(colors, names, strict=True)]
    axes.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(names))
    axes.set(xlabel="yards from the own goal line", ylabel="yards to go")
    return axes
