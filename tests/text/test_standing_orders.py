"""Standing orders as text."""

from __future__ import annotations

import pytest

from hashmark.engine.record import HOME
from hashmark.errors import HashmarkError
from hashmark.session.game_session import NEVER, STANDING_ORDERS, GameSession
from hashmark.session.header import Header
from hashmark.text.standing_orders import ORDER_MEANINGS, order_lines, parse_order


def test_every_order_has_a_description() -> None:
    assert set(ORDER_MEANINGS) == set(STANDING_ORDERS)


def test_an_order_is_set_and_shown() -> None:
    header = Header("data-driven")
    session = GameSession(header, header.new_game())
    parse_order(session, HOME, "never tempo")
    assert session.order_for(HOME, "tempo") == NEVER
    (line,) = [entry for entry in order_lines(session, HOME) if entry.split()[0] == "tempo"]
    assert line.endswith("never asked, else let-it-run")
    with pytest.raises(HashmarkError, match="unknown window"):
        parse_order(session, HOME, "never lunch")
