"""Hidden information is not drawn: games that differ only in it look exactly the same."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from hashmark.engine.game import Game
from hashmark.engine.record import AWAY, HOME
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.session.redaction import SPECTATOR, view_for
from hashmark.web.svg import draw_field, draw_game_sheet
from web.svg.game_positions import new_game, play_until

MODES = ("off", "board", "pc")


def shown(game: Game, viewer: int) -> str:
    """Return everything drawn for a viewer."""
    visible = view_for(game, viewer)
    field = draw_field(game.rules, game.match, visible.position, (), viewer, names=game.names)
    return field + draw_game_sheet(visible, viewer)


def at_a_down(audibles: str, seed: int = 2) -> Game:
    game = new_game("data-driven", seed, audibles=audibles)
    return play_until(game, lambda state: state.question.name == "play" and len(state.turns) > 12)


def others(game: Game, team: int) -> list[int]:
    return [viewer for viewer in (HOME, AWAY, SPECTATOR) if viewer != team]


@pytest.mark.parametrize("audibles", MODES)
def test_a_secret_play_is_drawn_for_its_own_team_only(audibles: str) -> None:
    game = at_a_down(audibles)
    offense = game.team_to_act
    plays = [call for call in game.legal_calls() if game.rules.calls[call] in PLAYS]
    pages: dict[int, set[str]] = {viewer: set() for viewer in (HOME, AWAY, SPECTATOR)}
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
    pages: dict[int, dict[tuple[str, str], str]] = {HOME: {}, AWAY: {}, SPECTATOR: {}}
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
            visible = game.read_only_copy(rules.view(m, g, viewer), [])
            drawings[play, formation] = draw_game_sheet(visible, viewer)
    offense = game.position.possession
    assert len(set(pages[SPECTATOR].values())) == 1
    assert len(set(pages[offense].values())) == 4
    assert len(set(pages[1 - offense].values())) == 3


def test_both_calls_are_drawn_after_the_snap() -> None:
    game = at_a_down("off")
    game.play_named("draw")
    game.play_named("blitz")
    for viewer in (HOME, AWAY, SPECTATOR):
        sheet: Any = draw_game_sheet(view_for(game, viewer), viewer)
        assert "draw" in sheet
        assert "blitz" in sheet
