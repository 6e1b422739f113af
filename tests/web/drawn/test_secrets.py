"""Hidden information is not drawn: games that differ only in it look exactly the same."""

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
    """Return everything drawn for a viewer."""
    visible = seen(game, viewer)
    return field(game.rules, game.match, visible.position, (), viewer) + paper(visible, viewer)


def at_a_down(audibles: str, seed: int = 2) -> Game:
    game = new_game("data-driven", seed, audibles=audibles)
    return until(game, lambda state: state.question.name == "play" and len(state.turns) > 12)


def others(game: Game, team: int) -> list[int]:
    return [viewer for viewer in (HOME, AWAY, WATCHER) if viewer != team]


@pytest.mark.parametrize("audibles", MODES)
def test_a_secret_play_is_drawn_for_its_own_team_only(audibles: str) -> None:
    game = at_a_down(audibles)
    offense = game.asked
    plays = [play for play in PLAYS if play in game.legal()]
    pages: dict[int, set[str]] = {viewer: set() for viewer in (HOME, AWAY, WATCHER)}
    for play in plays:
        game.play(play)
        for viewer, drawings in pages.items():
            drawings.add(shown(game, viewer))
        game.undo()
    assert len(pages[offense]) == len(plays)
    for viewer in others(game, offense):
        assert len(pages[viewer]) == 1
        assert "face down" in next(iter(pages[viewer]))


def test_each_team_sees_its_own_call_at_an_audible_on_the_pc() -> None:
    """Before the snap a PC asks for audibles: each team sees its own call, a spectator neither."""
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
        for viewer, drawings in pages.items():
            visible = game.as_told(rules.view(m, g, viewer), [])
            drawings[play, formation] = paper(visible, viewer)
    offense = game.position.possession
    assert len(set(pages[WATCHER].values())) == 1
    assert len(set(pages[offense].values())) == 4
    assert len(set(pages[1 - offense].values())) == 3


def test_both_calls_are_drawn_after_the_snap() -> None:
    game = at_a_down("off")
    game.play("draw")
    game.play("blitz")
    for viewer in (HOME, AWAY, WATCHER):
        sheet: Any = paper(seen(game, viewer), viewer)
        assert "draw" in sheet
        assert "blitz" in sheet
