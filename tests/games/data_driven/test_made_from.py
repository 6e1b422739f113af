"""The share of a season that a file was made from."""

from __future__ import annotations

import tomllib

import pytest

from hashmark.games.data_driven import made_from
from hashmark.games.data_driven.made_from import MadeFrom

FOUR = MadeFrom(4, 17, 60, 256)


def test_made_from_round_trips_through_toml() -> None:
    assert made_from.parse_made_from(tomllib.loads(FOUR.to_toml())[made_from.MADE_FROM]) == FOUR
    assert made_from.parse_made_from(None) is None


def test_made_from_reads_as_a_phrase() -> None:
    assert str(FOUR) == "made from 4 of 17 weeks (60 of 256 games)"
    assert str(MadeFrom(17, 17, 255, 256)) == "made from 255 of 256 games"
    assert FOUR.to_json()["text"] == str(FOUR)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (4, "must be a table of weeks, of-weeks, games, of-games"),
        ({"weeks": 4}, "must be a table of"),
        ({"weeks": -1, "of-weeks": 17, "games": 1, "of-games": 2}, "weeks is -1, not between 0"),
        ({"weeks": True, "of-weeks": 17, "games": 1, "of-games": 2}, "weeks is True"),
        ({"weeks": 1, "of-weeks": 17, "games": 1, "of-games": 10**6}, "of-games is 1000000"),
        ({"weeks": 18, "of-weeks": 17, "games": 1, "of-games": 2}, "18 weeks are more than 17"),
        ({"weeks": 1, "of-weeks": 17, "games": 3, "of-games": 2}, "3 games are more than 2"),
    ],
)
def test_invalid_values_are_refused_with_a_reason(given: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        made_from.parse_made_from(given)
