"""Positions of played games, and helpers to read markup."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.rule_set import RuleSet
from hashmark.web.svg.game_sheet import FORM_ID

GAMES = registry.builtin_names()
SVG = "{http://www.w3.org/2000/svg}"


def new_game(rules: RuleSet | str, seed: int = 1, **options: Any) -> Game:
    loaded = registry.load(rules) if isinstance(rules, str) else rules
    return Game(loaded, options, dice=SeededDice(seed), seed=seed, names=loaded.team_names(options))


def positions(
    rules: RuleSet | str, seed: int = 1, coach: str = "random", every: int = 1, **options: Any
) -> Iterator[Game]:
    """Yield a game before each of its turns and at its end, always the same object."""
    game = new_game(rules, seed, **options)
    caller = game.rules.coach(coach)
    for step in range(10**6):
        if step % every == 0 or game.is_over:
            yield game
        if game.is_over:
            return
        game.play(game.decide(caller))


def play_until(game: Game, condition: Any, coach: str = "random") -> Game:
    """Play the game until a condition holds."""
    caller = game.rules.coach(coach)
    while not condition(game):
        assert not game.is_over
        game.play(game.decide(caller))
    return game


def parse_markup(markup: str) -> ElementTree.Element:
    """Parse markup as XML; malformed markup raises an error."""
    return ElementTree.fromstring(f"<all>{markup}</all>")


def local_name(tag: str) -> str:
    """Return the name of a tag without its namespace."""
    return tag.rpartition("}")[2]


def elements(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if local_name(element.tag) == name]


def text_of(element: ElementTree.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def check_markup(markup: str) -> ElementTree.Element:
    """Parse markup and check that it is accessible and has nothing inline."""
    root = parse_markup(markup)
    for element in root.iter():
        assert "style" not in element.attrib
        assert local_name(element.tag) not in ("style", "script", "foreignObject", "image", "use")
        assert not any(key.startswith("on") or key == "href" for key in element.attrib)
        assert "id" not in element.attrib  # many drawings share a page
    for svg in elements(root, "svg"):
        named = svg.get("role") == "img" and bool(text_of(next(iter(svg)))) and svg[0].tag
        inner = "x" in svg.attrib  # a part of another drawing
        assert svg.get("aria-hidden") == "true" or inner or local_name(str(named)) == "title"
    for button in elements(root, "button"):
        assert (button.get("type"), button.get("form")) == ("submit", FORM_ID)
        assert button.get("value")
        assert text_of(button)
    return root


@cache
def whole_game(name: str, seed: int = 1) -> Game:
    """Return a whole game."""
    *_, last = positions(name, seed, every=10**6)
    return last
