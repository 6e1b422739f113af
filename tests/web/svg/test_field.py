"""Drawings of the field for every game at every turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import AWAY, HOME, TEAMS
from hashmark.engine.team_names import TeamNames
from hashmark.games.rapid_roll.position import WINDOWS
from hashmark.session.redaction import VIEWERS
from hashmark.web.svg import draw_field, drive_path
from hashmark.web.svg.field import (
    BALL_Y_BY_HASH,
    CAPITAL_WIDTH,
    HASH_ROWS_Y,
    WIDTH,
    has_ball,
    spot_x,
)
from web.svg.game_positions import (
    GAMES,
    check_markup,
    elements,
    local_name,
    new_game,
    positions,
    text_of,
)


def with_class(root: Any, name: str) -> list[Any]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


@pytest.mark.parametrize("name", GAMES)
def test_every_position_is_drawn(name: str) -> None:
    for game in positions(name, seed=7, every=3):
        g = game.position
        root = check_markup(
            draw_field(game.rules, game.match, g, drive_path(game), names=game.names)
        )
        in_progress = game.rules.has_ball_moved(game.match, g)
        assert bool(with_class(root, "ball")) == (has_ball(g) and not in_progress)
        assert bool(with_class(root, "ball-place")) == (has_ball(g) and in_progress)
        assert ("Line of scrimmage" in text_of(root)) == (has_ball(g) and in_progress)
        assert "None" not in text_of(root)
        assert root[0].get("role") == "img"


def draw_checked_field(
    rules: str, start: dict[str, Any], path: tuple[int, ...] = (), **more: Any
) -> Any:
    game = new_game(rules)
    g = game.rules.new_position(game.match, start)
    return check_markup(draw_field(game.rules, game.match, g, path, **{"names": TEAMS, **more}))


DOWN = {"phase": "scrimmage", "possession": "home", "spot": 30, "down": 2, "to_go": 7}


def test_title_and_description_tell_the_situation() -> None:
    root = draw_checked_field("data-driven", DOWN, (18, 27, 30), names=("Otters", "Herons"))
    title, desc = (text_of(elements(root, name)[0]) for name in ("title", "desc"))
    assert title == "Football field: the Otters have the ball at the Otters 30"
    assert "Otters: 2nd & 7 at the Otters 30." in desc
    assert "The Otters drive to the right." in desc
    assert "The line to gain is the Otters 37." in desc
    assert "The drive started at the Otters 18 and has gained 12 yards so far." in desc


def test_home_goes_right_and_away_left() -> None:
    home = draw_checked_field("data-driven", DOWN)
    away = draw_checked_field("data-driven", {**DOWN, "possession": "away"})
    assert "drives to the left" in text_of(elements(away, "desc")[0])
    for root, x in ((home, 240.0), (away, 480.0)):
        line = with_class(root, "scrimmage")[0]
        assert float(line.get("x1")) == x
    assert spot_x(HOME, 0) + spot_x(AWAY, 0) == WIDTH


def test_the_line_to_gain_is_labelled_and_only_drawn_when_needed() -> None:
    root = draw_checked_field("data-driven", DOWN)
    assert float(with_class(root, "gain-line")[0].get("x1")) == spot_x(HOME, 37)
    assert text_of(with_class(root, "gain-word")[0]) == "to gain"
    kick = draw_checked_field("data-driven", {"phase": "kickoff", "possession": "home", "spot": 35})
    assert with_class(kick, "ball")
    assert not with_class(kick, "gain-line")
    goal = draw_checked_field("data-driven", {**DOWN, "spot": 95, "to_go": 5})
    assert not with_class(goal, "gain-line")  # the goal line is there already


def test_a_field_without_a_ball_says_so() -> None:
    game = new_game("fourth-down")
    root = check_markup(draw_field(game.rules, game.match, game.position, names=TEAMS))
    assert not with_class(root, "ball")
    assert text_of(elements(root, "title")[0]) == "Football field without a ball"


def test_gains_arc_above_the_ball_and_losses_below() -> None:
    gain, loss = (
        with_class(draw_checked_field("data-driven", DOWN, path), "drive-way")[0].get("d")
        for path in ((20, 30), (40, 30))
    )
    assert gain.count("Q") == loss.count("Q") == 1
    height = [float(d.partition("Q")[2].split()[1]) for d in (gain, loss)]
    assert height[0] < float(gain.split()[1].partition("Q")[0]) < height[1]
    assert not with_class(draw_checked_field("data-driven", DOWN, (30,)), "drive-way")


def test_the_ball_lies_on_its_hash_mark() -> None:
    for side, y in (
        ("left", HASH_ROWS_Y[0]),
        ("center", BALL_Y_BY_HASH["center"]),
        ("right", HASH_ROWS_Y[1]),
    ):
        root = draw_checked_field("two-minute-drill", {"hash": side})
        ball = next(
            element for element in root.iter() if element.get("transform", "").startswith("trans")
        )
        assert ball.get("transform").endswith(f" {y:g})")


def test_a_long_name_fits_its_end_zone() -> None:
    root = draw_checked_field(
        "data-driven", DOWN, names=("San Francisco 49ers of California", "<&>")
    )
    for name in with_class(root, "zone-name"):
        assert float(name.get("font-size")) * CAPITAL_WIDTH * len(name.text) <= 320
    assert [local_name(element.tag) for element in with_class(root, "zone-name")] == [
        "text",
        "text",
    ]


def test_what_is_hidden_from_the_viewer_is_hidden_on_the_field() -> None:
    rules = registry.load("data-driven")
    seen: list[str] = []

    def situation(m: Any, g: Any, names: TeamNames) -> str:
        seen.append(f"{g.play} {g.formation}")
        return "a down"

    spying = replace(rules, words=replace(rules.words, situation=situation))
    game = new_game(spying)
    g = spying.new_position(game.match, {**DOWN, "asks": "formation", "play": "draw"})
    for viewer in VIEWERS:
        draw_field(spying, game.match, g, (), viewer, names=TEAMS)
    assert seen == ["3 -1", "-1 -1", "-1 -1"]


@pytest.mark.parametrize(
    ("start", "moved"),
    [({}, False), ({"window": "clock"}, False), ({"window": "sideline"}, True)],
)
def test_rapid_roll_ball_has_not_moved_in_the_clock_window(
    start: dict[str, Any], moved: bool
) -> None:
    game = new_game("rapid-roll")
    g = game.rules.new_position(game.match, DOWN)
    for name, value in start.items():
        setattr(g, name, WINDOWS.index(value))
    assert game.rules.has_ball_moved(game.match, g) == moved
