"""Standing orders as text."""

from __future__ import annotations

import pytest

from hashmark.table.errors import HashmarkError
from hashmark.table.header import Header
from hashmark.table.record import HOME
from hashmark.table.sitting import NEVER, ORDERS, Sitting
from hashmark.telling.orders import MEANINGS, give_order, order_lines


def test_every_order_has_a_description() -> None:
    assert set(MEANINGS) == set(ORDERS)


def test_an_order_is_set_and_shown() -> None:
    header = Header("data-driven")
    session = Sitting(header, header.new_game())
    give_order(session, HOME, "never tempo")
    assert session.order_for(HOME, "tempo") == NEVER
    (line,) = [entry for entry in order_lines(session, HOME) if entry.split()[0] == "tempo"]
    assert line.endswith("never asked, else let-it-run")
    with pytest.raises(HashmarkError, match="unknown window"):
        give_order(session, HOME, "never lunch")
