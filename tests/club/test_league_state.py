"""A league as data: nothing of tokens in it, and the state of every game."""

from __future__ import annotations

import json

import pytest

from hashmark.club import league_state
from hashmark.club.league_state import OnTable
from hashmark.table.errors import HashmarkError

from .test_leagues import friends, season

SECRET = "a" * 64


def test_a_league_is_told_without_whose_tokens_hold_it() -> None:
    league = friends(days=1.0).taken(0, SECRET, "Anna").taken(1, "b" * 64).begun(0.0)
    mine = league.next_for(SECRET)
    assert mine is not None
    laid = {mine.table: OnTable(True, "A 7 B 3", mine.side_of(0))}
    told = league_state.state(league, SECRET, laid)
    assert SECRET not in json.dumps(told)
    assert told["yours"] == [0]
    assert told["next"]["table"] == mine.table
    assert told["next"]["asked"] == 0
    states = {game["number"]: game["state"] for one in told["rounds"] for game in one["games"]}
    assert states[mine.number] == league_state.ON
    assert {states[game.number] for game in league.games if game.round > 1} == {"later"}
    assert told["due"] == "1970-01-02T00:00:00Z"
    other = league_state.state(league, "", {})
    assert other["yours"] == []
    assert other["next"] is None
    tables = [game["table"] for one in other["rounds"] for game in one["games"]]
    assert set(tables) == {None}  # none is laid: no address is given away
    assert not league_state.waits_for_coaches(other) or not all(league.in_round())


def test_a_season_is_told_beside_the_real_one() -> None:
    pytest.importorskip("numpy")
    told = league_state.state(season().begun(0.0), "", {})
    assert league_state.waits_for_coaches(told)
    assert len(told["divisions"]) == 8
    assert told["divisions"][1]["rows"][0]["really"]
    assert told["rounds"][0]["games"][0]["really"] is not None
    assert told["teams"][7]["short"] == "Steelers"


def test_nobody_is_seeded_before_the_first_game() -> None:
    pytest.importorskip("numpy")
    league = season().begun(0.0)
    assert league_state.state(league, "", {})["seeds"] is None
    first = league.in_round()[0].number
    seeds = league_state.state(league.with_results({first: (7, 3)}), "", {})["seeds"]
    assert [len(order) for order in seeds.values()] == [6, 6]


@pytest.mark.parametrize(
    ("text", "when"),
    [("1970-01-02T00:00", 86400.0), ("1970-01-02T00:00Z", 86400.0), ("1970-01-02", 86400.0)],
)
def test_moments(text: str, when: float) -> None:
    assert league_state.moment(text) == when
    assert league_state.spoken(when) == "1970-01-02 00:00 UTC"


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-01", "9" * 40])
def test_moments_that_are_none(text: str) -> None:
    with pytest.raises(HashmarkError, match="expected a moment"):
        league_state.moment(text)
