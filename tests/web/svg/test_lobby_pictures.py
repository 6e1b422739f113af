"""Pictures of games in the lobby."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hashmark.engine import registry
from hashmark.engine.drawings import DrawnDie, Poster
from hashmark.engine.rule_set import RuleSet
from hashmark.web.svg import draw_lobby_picture, game_sentences
from hashmark.web.svg.lobby_pictures import MAX_DICE, WIDTH, sample_dice
from web.svg.game_positions import GAMES, check_markup, elements, text_of


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_three_sentences_and_a_picture(name: str) -> None:
    rules = registry.load(name)
    lines = game_sentences(rules)
    assert len(lines) == 3
    assert all(line.endswith(".") and 30 < len(line) < 180 for line in lines)
    root = check_markup(draw_lobby_picture(rules))
    assert text_of(elements(root, "title")[0]).startswith(rules.title)


def test_every_game_has_its_own_picture() -> None:
    assert len({draw_lobby_picture(registry.load(name)) for name in GAMES}) == len(GAMES)


def plug_in(name: str) -> RuleSet:
    return replace(
        registry.load(name),
        presentation=replace(
            registry.load(name).presentation, poster=None, make_drawing=None, color_teams=None
        ),
    )


def test_a_game_without_a_poster_is_drawn_with_its_dice() -> None:
    kinds = {name: {die.kind for die in sample_dice(plug_in(name))} for name in GAMES}
    assert kinds["two-minute-drill"] >= {"d4", "d6", "d8"}
    assert kinds["roll-for-yardage"] == {"d6"}
    assert "d20" in kinds["fourth-down"]
    for name in GAMES:
        root = check_markup(draw_lobby_picture(plug_in(name)))
        assert any("die-body" in element.get("class", "") for element in root.iter())
        assert game_sentences(plug_in(name)) == (registry.load(name).summary,)


@pytest.mark.parametrize("count", range(1, 9))
def test_dice_stay_within_the_picture(count: int) -> None:
    poster = Poster(
        ("A.", "B.", "C."), [DrawnDie("d20", 9, team=index % 2) for index in range(count)]
    )
    root = check_markup(
        draw_lobby_picture(
            replace(
                registry.load("fourth-down"),
                presentation=replace(registry.load("fourth-down").presentation, poster=poster),
            )
        )
    )
    shadows = [shadow for shadow in root.iter() if shadow.get("class") == "shadow"]
    assert len(shadows) == min(count, MAX_DICE)
    for shadow in shadows:
        middle, half = float(shadow.get("cx", "0")), float(shadow.get("rx", "0"))
        assert 0 <= middle - half < middle + half <= WIDTH


def test_a_game_that_cannot_start_has_two_default_dice() -> None:
    rules = plug_in("data-driven")
    options = tuple(
        replace(option, default="nowhere") if option.name == "charts" else option
        for option in rules.setup.options
    )
    lost = replace(rules, setup=replace(rules.setup, options=options))
    assert sample_dice(lost) == (DrawnDie("d6", 4, team=0), DrawnDie("d6", 3, team=1))
