"""The packed table of the blind game."""

from __future__ import annotations

from itertools import pairwise

from hashmark.games.rapid_roll import blind_states, blind_table
from hashmark.games.rapid_roll.blind_table import HALF_BOXES, MAX_LEAD, PARTS, WHOLE, load_table
from hashmark.games.rapid_roll.blind_value import table_worth

FIRST_AND_TEN = blind_states.scrimmage_row(50, 1, 10)
MAX_BYTES = 600_000


def worth(part: int, boxes: int, row: int, lead: int) -> float:
    return table_worth(load_table(), part, boxes, row, lead) / WHOLE


def test_the_file_is_small_and_unpacks_to_what_was_packed() -> None:
    packed = blind_table.PACKED_FILE.read_bytes()
    assert len(packed) < MAX_BYTES
    table = blind_table.unpack(packed)
    assert len(table) == blind_table.TABLE_SIZE
    assert blind_table.unpack(blind_table.pack(table)) == table


def test_a_larger_lead_is_worth_more() -> None:
    for part in PARTS[:3]:
        for boxes in (0, 1, 3, 4, 12, 13, 40, HALF_BOXES):
            worths = [worth(part, boxes, FIRST_AND_TEN, lead) for lead in range(-40, 41)]
            assert all(high > low - 0.02 for low, high in pairwise(worths))
            assert worths[0] == worth(part, boxes, FIRST_AND_TEN, -MAX_LEAD)  # clipped


def test_the_end_of_the_game_is_decided() -> None:
    second = blind_table.SECOND_HALF
    for lead, decided in ((-1, 0), (0, 0.5), (1, 1)):
        assert abs(worth(second, 0, FIRST_AND_TEN, lead) - decided) < 0.01
    assert worth(second, 1, blind_states.TRY_ROW, -1) > 0.5  # a try cannot end the half
    assert 0.6 < worth(blind_table.OVERTIME, 40, FIRST_AND_TEN, 0) < 0.9


def test_receiving_after_the_half_is_worth_more_than_kicking() -> None:
    kicks, receives = (worth(part, 20, FIRST_AND_TEN, 0) for part in blind_table.FIRST_HALF)
    assert 0.5 < kicks < receives < 0.7
