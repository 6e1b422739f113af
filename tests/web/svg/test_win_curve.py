"""Win probability as a curve."""

from __future__ import annotations

from hashmark.web.svg.win_curve import HEIGHT, WIDTH, draw_win_curve
from web.svg.game_positions import check_markup, elements, text_of

NAMES = ("Otters", "Bears")


def test_a_curve_runs_from_the_first_turn_to_the_last() -> None:
    root = check_markup(draw_win_curve([(0, 0.5), (4, 0.9), (8, 0.25)], 8, [4], NAMES))
    steps = [path.get("d", "") for path in elements(root, "path")]
    assert steps[-1] == (
        f"M0.0 {HEIGHT / 2:.1f}L{WIDTH / 2:.1f} {HEIGHT * 0.1:.1f}L{WIDTH:.1f} {HEIGHT * 0.75:.1f}"
    )
    assert len([line for line in elements(root, "line") if line.get("class") == "curve-period"])
    assert text_of(elements(root, "title")[0]) == "Win probability: Otters 25 %"
    assert text_of(elements(root, "desc")[0]) == "Otters: between 25 % and 90 % so far."


def test_a_single_point_is_no_curve() -> None:
    assert draw_win_curve([(0, 0.5)], 8, [], NAMES) == ""
    assert draw_win_curve([], 0, [], NAMES) == ""
