"""Drive chart of a game."""

from __future__ import annotations

import pytest

from hashmark.text.summary import list_drives
from hashmark.web.svg.drive import charted_drives
from hashmark.web.svg.drive_chart import draw_drive_chart
from web.svg.game_positions import GAMES, check_markup, elements, positions


@pytest.mark.parametrize("name", GAMES)
def test_every_drive_has_a_row_that_leads_to_its_end(name: str) -> None:
    *_, game = positions(name, seed=3)
    charted = charted_drives(game)
    assert [each.drive for each in charted] == list_drives(game)
    assert [each.last_turn for each in charted] == sorted(each.last_turn for each in charted)
    markup = draw_drive_chart(charted, game.names)
    if not charted:
        assert markup == ""
        return
    rows = [row for row in elements(check_markup(markup), "g") if row.get("data-turn")]
    assert [row.get("data-turn") for row in rows] == [str(each.last_turn) for each in charted]
