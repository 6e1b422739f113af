"""Image of the field: the ball at its spot, the score, and nothing hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.envs import picture
from hashmark.envs.gymnasium import GameEnv
from hashmark.table import registry
from hashmark.table.record import AWAY, HOME


def draw_position(game: str = "fourth-down", **start: Any) -> Any:
    rules = registry.load(game)
    m = rules.new_match()
    return picture.field(rules, m, rules.new_position(m, start), ("home", "away"))


@pytest.mark.parametrize("game", registry.built_in())
def test_every_game_is_drawn(game: str) -> None:
    env = GameEnv(game, render_mode="rgb_array")
    env.reset(seed=1)
    image = env.render()
    assert image.shape == (picture.HEIGHT, picture.WIDTH, 3)
    assert image.dtype == np.uint8
    assert len({tuple(dot) for dot in image[::4, ::4].reshape(-1, 3).tolist()}) > 4


def columns_of(image: Any, color: tuple[int, int, int]) -> Any:
    """Return the columns of the field that contain a color."""
    field = image[picture.HEAD : picture.HEAD + picture.TURF]
    return np.flatnonzero((field == color).all(2).any(0))


def test_the_ball_is_drawn_at_its_spot() -> None:
    for team, name in ((HOME, "home"), (AWAY, "away")):
        for spot in (1, 20, 50, 99):
            image = draw_position(phase="drive", possession=name, spot=spot)
            columns = columns_of(image, picture.BALL)
            assert (columns[0] + columns[-1]) / 2 == picture.place(team, spot)
    assert picture.place(HOME, 30) == picture.place(AWAY, 70)


def test_the_line_to_gain_is_drawn_at_its_yard() -> None:
    given: dict[str, Any] = {"phase": "fourth-down", "possession": "home", "spot": 40}
    near, far = (columns_of(draw_position(**given, to_go=n), picture.TO_GAIN) for n in (3, 10))
    assert far.mean() - near.mean() == 7 * picture.YARD


def test_the_score_appears_in_the_header_only() -> None:
    one, two = (draw_position(score={"home": points, "away": 0}) for points in (0, 7))
    differs = (one != two).any(2)
    assert differs[: picture.HEAD].any()
    assert not differs[picture.HEAD :].any()


def test_letters_are_drawn_and_cut_off_at_the_edge() -> None:
    canvas = np.zeros((10, 40, 3), np.uint8)
    picture.write(canvas, "1\u00a7i", 0, 0, 1)
    dots = (canvas[:5, :11, 0] > 0).astype(int)
    assert dots[:, :3].tolist() == [[0, 1, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0], [1, 1, 1]]
    assert not dots[:, 4:7].any()  # no glyph
    assert dots[:, 8:].tolist() == [[1, 1, 1], [0, 1, 0], [0, 1, 0], [0, 1, 0], [1, 1, 1]]
    picture.write(canvas, "w" * 99, 0, 0, 1)  # letters without room are cut off
    assert picture.width_of("ab", 3) == 21
