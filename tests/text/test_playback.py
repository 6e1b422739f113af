"""Scenes of a game and their banners."""

from __future__ import annotations

import pytest

from hashmark.engine import registry
from hashmark.engine.game import Game, ListedDice, SeededDice
from hashmark.text.playback import (
    Highlight,
    find_highlight,
    last_scene,
    list_scenes,
    position_after,
    scenes_backwards,
)


def played(rules: str, seed: int = 3) -> Game:
    game = Game(rules, dice=SeededDice(seed))
    coach = game.rules.coach("random")
    while not game.is_over:
        game.play(game.decide(coach))
    return game


@pytest.mark.parametrize("rules", registry.names())
def test_scenes_have_every_sentence_once_and_in_order(rules: str) -> None:
    game = played(rules)
    scenes = list_scenes(game)
    sentences = [line for scene in scenes for line in scene.sentences(game)]
    assert sentences == [line for turn in game.turns for line in game.sentences(turn)]
    assert sum(len(scene.rolls(game)) for scene in scenes) == sum(
        len(game.roll_groups(turn)) for turn in game.turns
    )
    assert list(scenes_backwards(game)) == scenes[::-1]
    assert last_scene(game) == scenes[-1]
    assert scenes[-1].end <= len(game.turns)


@pytest.mark.parametrize("rules", registry.names())
def test_a_scene_has_one_roll_of_dice_and_what_follows(rules: str) -> None:
    game = played(rules)
    for scene in list_scenes(game):
        assert scene.sentences(game) or scene.rolls(game)
        with_dice = [turn for turn in scene.turns if turn.has_dice]
        assert len(with_dice) <= 1


@pytest.mark.parametrize("rules", registry.names())
def test_banners_name_events_of_the_game_and_its_end(rules: str) -> None:
    game = played(rules)
    names = {kind.name for kind in game.rules.statistics.kinds}
    assert set(game.rules.presentation.highlights) <= names
    banners = [find_highlight(game, scene) for scene in list_scenes(game)]
    last = banners[-1]
    assert last is not None
    assert last.text.endswith("Final")
    assert sum(1 for banner in banners if banner and "Final" in banner.text) == 1


def test_a_touchdown_has_the_banner_of_its_team() -> None:
    start = {"phase": "drive", "possession": "away", "spot": 60, "period": 1}
    game = Game("fourth-down", dice=ListedDice([[], [20, 20, 20, 20, 20]]), start=start)
    game.play_named("balanced")
    scene = last_scene(game)
    assert scene is not None
    assert scene.includes(1)
    assert not scene.includes(0)
    assert find_highlight(game, scene) == Highlight("Touchdown, Away", 1)
    assert position_after(game, scene.end) == game.position


def test_before_the_first_play_there_is_no_scene() -> None:
    game = Game("fourth-down", dice=SeededDice(1))
    assert last_scene(game) is None
    assert list_scenes(game) == []
    assert list_scenes(game, since=5) == []
