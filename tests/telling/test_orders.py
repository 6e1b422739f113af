"""Standing orders in words, given and told."""

from __future__ import annotations

import pytest

from hashmark.table.errors import HashmarkError
from hashmark.table.header import Header
from hashmark.table.record import HOME
from hashmark.table.sitting import NEVER, ORDERS, Sitting
from hashmark.telling.orders import MEANINGS, give_order, order_lines


def test_every_order_has_its_words() -> None:
    assert set(MEANINGS) == set(ORDERS)


def test_an_order_is_given_and_told() -> None:
    header = Header("data-driven")
    sitting = Sitting(header, header.new_game())
    give_order(sitting, HOME, "never tempo")
    assert sitting.order_for(HOME, "tempo") == NEVER
    (line,) = [one for one in order_lines(sitting, HOME) if one.split()[0] == "tempo"]
    assert line.endswith("never asked, else let-it-run")
    with pytest.raises(HashmarkError, match="unknown window"):
        give_order(sitting, HOME, "never lunch")
