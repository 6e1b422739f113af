"""What is hidden is not drawn: games that differ only in it look the same, letter for letter."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.table.game import Game
from hashmark.table.record import AWAY, HOME
from hashmark.table.secrets import WATCHER, seen
from hashmark.web.drawn import field, paper
from web.drawn.moments import new_game, until

MODES = ("off", "board", "pc")


def shown(game: Game, viewer: int) -> str:
    """All that is drawn for a viewer."""
    of = seen(game, viewer)
    return field(game.rules, game.match, of.position, (), viewer) + paper(of, viewer)


def at_a_down(audibles: str, seed: int = 2) -> Game:
    game = new_game("data-driven", seed, audibles=audibles)
    return until(game, lambda one: one.question.name == "play" and len(one.turns) > 12)


def others(game: Game, team: int) -> list[int]:
    return [viewer for viewer in (HOME, AWAY, WATCHER) if viewer != team]


@pytest.mark.parametrize("audibles", MODES)
def test_a_play_that_is_called_in_secret(audibles: str) -> None:
    game = at_a_down(audibles)
    offence = game.asked
    plays = [play for play in PLAYS if play in game.legal()]
    pages: dict[int, set[str]] = {viewer: set() for viewer in (HOME, AWAY, WATCHER)}
    for play in plays:
        game.play(play)
        for viewer, found in pages.items():
            found.add(shown(game, viewer))
        game.undo()
    assert len(pages[offence]) == len(plays)
    for viewer in others(game, offence):
        assert len(pages[viewer]) == 1
        assert "face down" in next(iter(pages[viewer]))


def test_both_calls_of_a_prompt_on_the_pc() -> None:
    """Before the snap a PC asks for audibles: each side sees its own call, a watcher neither."""
    game = at_a_down("pc")
    rules, m = game.rules, game.match
    pages: dict[int, dict[tuple[str, str], str]] = {HOME: {}, AWAY: {}, WATCHER: {}}
    for play, formation in product(PLAYS[:4], FORMATIONS[:3]):
        start = {
            **game.position.to_json(),
            "asks": "offence-audible",
            "play": play,
            "formation": formation,
        }
        g = rules.position()
        g.update(start)
        for viewer, found in pages.items():
            told = game.as_told(rules.view(m, g, viewer), [])
            found[play, formation] = paper(told, viewer)
    offence = game.position.possession
    assert len(set(pages[WATCHER].values())) == 1
    assert len(set(pages[offence].values())) == 4
    assert len(set(pages[1 - offence].values())) == 3


def test_both_are_open_after_the_snap() -> None:
    game = at_a_down("off")
    game.play("draw")
    game.play("blitz")
    for viewer in (HOME, AWAY, WATCHER):
        of: Any = paper(seen(game, viewer), viewer)
        assert "draw" in of
        assert "blitz" in of
