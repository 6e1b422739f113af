"""Games in a lobby."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hashmark.table import registry
from hashmark.table.drawings import Die, Poster
from hashmark.table.rules import RuleSet
from hashmark.web.drawn import picture, sentences
from hashmark.web.drawn.pictures import MOST_DICE, WIDTH, seen_dice
from web.drawn.moments import GAMES, look_at, tags, words


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_three_sentences_and_a_picture(name: str) -> None:
    rules = registry.load(name)
    said = sentences(rules)
    assert len(said) == 3
    assert all(one.endswith(".") and 30 < len(one) < 180 for one in said)
    root = look_at(picture(rules))
    assert words(tags(root, "title")[0]).startswith(rules.title)


def test_pictures_differ() -> None:
    assert len({picture(registry.load(name)) for name in GAMES}) == len(GAMES)


def plug_in(name: str) -> RuleSet:
    return replace(registry.load(name), poster=None, drawing=None, colours=None)


def test_a_game_that_says_nothing_is_drawn_by_its_dice() -> None:
    found = {name: {die.kind for die in seen_dice(plug_in(name))} for name in GAMES}
    assert found["two-minute-drill"] >= {"d4", "d6", "d8"}
    assert found["roll-for-yardage"] == {"d6"}
    assert "d20" in found["fourth-down"]
    for name in GAMES:
        root = look_at(picture(plug_in(name)))
        assert any("die-body" in one.get("class", "") for one in root.iter())
        assert sentences(plug_in(name)) == (registry.load(name).summary,)


@pytest.mark.parametrize("count", range(1, 9))
def test_dice_stay_on_the_picture(count: int) -> None:
    poster = Poster(("A.", "B.", "C."), [Die("d20", 9, team=at % 2) for at in range(count)])
    root = look_at(picture(replace(registry.load("fourth-down"), poster=poster)))
    shadows = [one for one in root.iter() if one.get("class") == "shadow"]
    assert len(shadows) == min(count, MOST_DICE)
    for one in shadows:
        middle, half = float(one.get("cx", "0")), float(one.get("rx", "0"))
        assert 0 <= middle - half < middle + half <= WIDTH


def test_a_game_that_cannot_be_begun_without_options_has_two_dice() -> None:
    rules = plug_in("data-driven")
    options = tuple(
        replace(one, default="nowhere") if one.name == "charts" else one for one in rules.options
    )
    lost = replace(rules, options=options)
    assert seen_dice(lost) == (Die("d6", 4, team=0), Die("d6", 3, team=1))
