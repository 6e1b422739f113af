"""Image of the field: the ball at its spot, the score, and nothing hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.engine.record import AWAY, HOME
from hashmark.envs import rendering
from hashmark.envs.gymnasium import GameEnv


def draw_position(game: str = "fourth-down", **start: Any) -> Any:
    rules = registry.load(game)
    m = rules.new_match()
    return rendering.render_field(rules, m, rules.new_position(m, start), ("home", "away"))


@pytest.mark.parametrize("game", registry.builtin_names())
def test_every_game_is_drawn(game: str) -> None:
    env = GameEnv(game, render_mode="rgb_array")
    env.reset(seed=1)
    image = env.render()
    assert image.shape == (rendering.HEIGHT, rendering.WIDTH, 3)
    assert image.dtype == np.uint8
    assert len({tuple(dot) for dot in image[::4, ::4].reshape(-1, 3).tolist()}) > 4


def columns_of(image: Any, color: tuple[int, int, int]) -> Any:
    """Return the columns of the field that contain a color."""
    field = image[rendering.HEADER_HEIGHT : rendering.HEADER_HEIGHT + rendering.FIELD_HEIGHT]
    return np.flatnonzero((field == color).all(2).any(0))


def test_the_ball_is_drawn_at_its_spot() -> None:
    for team, name in ((HOME, "home"), (AWAY, "away")):
        for spot in (1, 20, 50, 99):
            image = draw_position(phase="drive", possession=name, spot=spot)
            columns = columns_of(image, rendering.BALL_COLOR)
            assert (columns[0] + columns[-1]) / 2 == rendering.pixel_x(team, spot)
    assert rendering.pixel_x(HOME, 30) == rendering.pixel_x(AWAY, 70)


def test_the_line_to_gain_is_drawn_at_its_yard() -> None:
    given: dict[str, Any] = {"phase": "fourth-down", "possession": "home", "spot": 40}
    near, far = (
        columns_of(draw_position(**given, to_go=n), rendering.TO_GAIN_COLOR) for n in (3, 10)
    )
    assert far.mean() - near.mean() == 7 * rendering.YARD_PIXELS


def test_the_score_appears_in_the_header_only() -> None:
    one, two = (draw_position(score={"home": points, "away": 0}) for points in (0, 7))
    differs = (one != two).any(2)
    assert differs[: rendering.HEADER_HEIGHT].any()
    assert not differs[rendering.HEADER_HEIGHT :].any()


def test_letters_are_drawn_and_cut_off_at_the_edge() -> None:
    canvas = np.zeros((10, 40, 3), np.uint8)
    rendering.draw_text(canvas, "1\u00a7i", 0, 0, 1)
    dots = (canvas[:5, :11, 0] > 0).astype(int)
    assert dots[:, :3].tolist() == [[0, 1, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0], [1, 1, 1]]
    assert not dots[:, 4:7].any()  # no glyph
    assert dots[:, 8:].tolist() == [[1, 1, 1], [0, 1, 0], [0, 1, 0], [0, 1, 0], [1, 1, 1]]
    rendering.draw_text(canvas, "w" * 99, 0, 0, 1)  # letters without room are cut off
    assert rendering.text_width("ab", 3) == 21
