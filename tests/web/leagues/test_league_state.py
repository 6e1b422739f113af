"""Leagues as data: no tokens, and the state of every game."""

from __future__ import annotations

import json

import pytest

from hashmark.errors import HashmarkError
from hashmark.web.leagues import league_state
from hashmark.web.leagues.league_state import TableStatus
from web.leagues.test_league import friends, season

SECRET = "a" * 64


def test_league_data_contains_no_token_digests() -> None:
    league = friends(days=1.0).give_team(0, SECRET, "Anna").give_team(1, "b" * 64).start(0.0)
    mine = league.next_game_for(SECRET)
    assert mine is not None
    statuses = {mine.table: TableStatus(True, "A 7 B 3", mine.side_of(0))}
    data = league_state.league_to_dict(league, SECRET, statuses)
    assert SECRET not in json.dumps(data)
    assert data["yours"] == [0]
    assert data["next"]["table"] == mine.table
    assert data["next"]["asked"] == 0
    states = {
        game["number"]: game["state"]
        for league_round in data["rounds"]
        for game in league_round["games"]
    }
    assert states[mine.number] == league_state.IN_PROGRESS
    assert {states[game.number] for game in league.games if game.round > 1} == {"later"}
    assert data["due"] == "1970-01-02T00:00:00Z"
    public = league_state.league_to_dict(league, "", {})
    assert public["yours"] == []
    assert public["next"] is None
    tables = [game["table"] for league_round in public["rounds"] for game in league_round["games"]]
    assert set(tables) == {None}  # no table exists yet: no table ID is revealed
    assert not league_state.is_waiting_for_coaches(public) or not all(league.games_in_round())


def test_season_data_contains_the_real_results() -> None:
    pytest.importorskip("numpy")
    data = league_state.league_to_dict(season().start(0.0), "", {})
    assert league_state.is_waiting_for_coaches(data)
    assert len(data["divisions"]) == 8
    assert data["divisions"][1]["rows"][0]["really"]
    assert data["rounds"][0]["games"][0]["really"] is not None
    assert data["teams"][7]["short"] == "Steelers"


def test_there_are_no_seeds_before_the_first_game() -> None:
    pytest.importorskip("numpy")
    league = season().start(0.0)
    assert league_state.league_to_dict(league, "", {})["seeds"] is None
    first = league.games_in_round()[0].number
    seeds = league_state.league_to_dict(league.with_results({first: (7, 3)}), "", {})["seeds"]
    assert [len(order) for order in seeds.values()] == [6, 6]


@pytest.mark.parametrize(
    ("text", "when"),
    [("1970-01-02T00:00", 86400.0), ("1970-01-02T00:00Z", 86400.0), ("1970-01-02", 86400.0)],
)
def test_dates_are_parsed_as_utc(text: str, when: float) -> None:
    assert league_state.parse_date(text) == when
    assert league_state.format_for_people(when) == "1970-01-02 00:00 UTC"


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-01", "9" * 40])
def test_invalid_dates_are_rejected(text: str) -> None:
    with pytest.raises(HashmarkError, match="expected a date and time"):
        league_state.parse_date(text)
