"""Positions of played games, and helpers to read markup."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

from hashmark.table import registry
from hashmark.table.game import Game, SeededDice
from hashmark.table.rules import RuleSet
from hashmark.web.drawn.papers import FORM

GAMES = registry.built_in()
SVG = "{http://www.w3.org/2000/svg}"
STEPS = 120  # turns of a game that are examined


def new_game(rules: RuleSet | str, seed: int = 1, **options: Any) -> Game:
    loaded = registry.load(rules) if isinstance(rules, str) else rules
    return Game(loaded, options, dice=SeededDice(seed), seed=seed, names=loaded.team_names(options))


def moments(
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
        game.play(game.decide(caller) if game.wants_call else None)


def until(game: Game, condition: Any, coach: str = "random") -> Game:
    """Play the game until a condition holds."""
    caller = game.rules.coach(coach)
    while not condition(game):
        assert not game.is_over
        game.play(game.decide(caller) if game.wants_call else None)
    return game


def read(markup: str) -> ElementTree.Element:
    """Parse markup as XML; malformed markup raises an error."""
    return ElementTree.fromstring(f"<all>{markup}</all>")


def bare(tag: str) -> str:
    """Return the name of a tag without its namespace."""
    return tag.rpartition("}")[2]


def tags(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if bare(element.tag) == name]


def words(element: ElementTree.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def look_at(markup: str) -> ElementTree.Element:
    """Parse markup and check that it is accessible and has nothing inline."""
    root = read(markup)
    for element in root.iter():
        assert "style" not in element.attrib
        assert bare(element.tag) not in ("style", "script", "foreignObject", "image", "use")
        assert not any(key.startswith("on") or key == "href" for key in element.attrib)
        assert "id" not in element.attrib  # many drawings share a page
    for svg in tags(root, "svg"):
        named = svg.get("role") == "img" and bool(words(next(iter(svg)))) and svg[0].tag
        inner = "x" in svg.attrib  # a part of another drawing
        assert svg.get("aria-hidden") == "true" or inner or bare(str(named)) == "title"
    for button in tags(root, "button"):
        assert (button.get("type"), button.get("form")) == ("submit", FORM)
        assert button.get("value")
        assert words(button)
    return root


@cache
def played(name: str, seed: int = 1) -> Game:
    """Return a whole game."""
    *_, last = moments(name, seed, every=10**6)
    return last
