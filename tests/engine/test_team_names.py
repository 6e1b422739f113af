"""Team names: given, taken from charts, rendered, saved; files keep home and away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hashmark.engine.record import HOME, TEAMS
from hashmark.engine.team_names import (
    MAX_SHORT_NAME_LETTERS,
    parse_names,
    short_names,
)
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES as DATA_DRIVEN
from hashmark.session import log
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.sheets import render, sheet_of
from hashmark.text import summary
from hashmark.text.game_report import print_history, print_summary, situation_lines

COACHES = {"home": "coach:book", "away": "coach:book"}


def play_session(rules: str, names: tuple[str, str], turns: int = 40) -> GameSession:
    """Play a game of two coaches for some turns."""
    header = Header(rules, seats=COACHES, seed=9, names=names)
    session = GameSession(header, header.new_game())
    while session.advance() and len(session.game.turns) < turns:
        pass
    return session


@pytest.mark.parametrize("rules", ["fourth-down", "roll-for-yardage", "rapid-roll", "data-driven"])
def test_a_game_is_rendered_with_team_names_only(rules: str) -> None:
    """Readable text contains neither home nor away; JSON keeps them."""
    session = play_session(rules, ("Bombers", "Gunners"))
    lines: list[str] = [*situation_lines(session.game)]
    print_history(session.game, lines.append)
    print_summary(session.game, lines.append)
    text = "\n".join([*lines, render(sheet_of(session.game)).decode()])
    assert "Bombers" in text
    assert "Gunners" in text
    words = {word.strip(".,:;()[]'").lower() for word in text.split()}
    assert not words & {"home", "away", "home's", "away's"}
    assert set(summary.game_json(session.game)["box"]) == set(TEAMS)
    assert session.feed_since(0, HOME)[1]["team"] in (*TEAMS, None)


def test_names_are_saved_with_the_game(tmp_path: Path) -> None:
    header = Header("fourth-down", seats=COACHES, seed=2, names=("Éire", "Rams of '66"))
    log.LogWriter.create(tmp_path / "a.log", header).close()
    read = log.replay(tmp_path / "a.log")
    assert read.header.names == read.game.names == ("Éire", "Rams of '66")
    plain = Header("fourth-down")
    assert "names" not in plain.to_json()


def test_real_teams_are_named_after_their_towns() -> None:
    def names(home: str, away: str) -> tuple[str, str]:
        return DATA_DRIVEN.team_names({"charts": "2008", "home_team": home, "away_team": away})

    assert names("PIT-2008", "ARI-2008") == ("Pittsburgh", "Arizona")
    assert names("NYG-2008", "NYJ-2008") == ("New York Giants", "New York Jets")
    assert names("PIT-2008", "PIT-2008") == TEAMS
    assert DATA_DRIVEN.team_names({}) == ("Millbrook", "Saltmarsh")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("Bombers", "two names separated by a comma"),
        ("a,b,c", "two names separated by a comma"),
        ("a,", "1 to 40 letters"),
        (f"{'x' * 41},b", "1 to 40 letters"),
        ("a\x1b[2J,b", "cannot be printed"),
        ("Rams,rams", "the teams need different names"),
    ],
)
def test_invalid_names_are_refused(given: str, message: str) -> None:
    with pytest.raises(HashmarkError, match=message):
        parse_names(given)


@pytest.mark.parametrize("names", ['["a", "b"]', '{"home": 1}', '{"us": "a"}', '{"home": "away"}'])
def test_forged_names_in_a_log_are_refused(tmp_path: Path, names: str) -> None:
    line = {**Header("fourth-down").to_json(), "names": json.loads(names)}
    with (tmp_path / "a.log").open("w", encoding="utf-8") as stream:
        log.LogWriter(stream).write(line)
    with pytest.raises(HashmarkError, match="line 1: name"):
        log.replay(tmp_path / "a.log")


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("home", "away"), ("home", "away")),
        (("San Francisco", "Indianapolis"), ("San Francisco", "Indianapolis")),
        (("New York Giants", "New York Jets"), ("Giants", "New York Jets")),
        (("Manchester United", "Newcastle United"), ("Manchester", "Newcastle")),
        (("Constantinople", "Rome"), ("Constantinop…", "Rome")),
        (("Constantinoples", "Constantinopler"), ("Consta…noples", "Consta…nopler")),
        (("a" * 20, "a" * 21), ("home", "away")),
    ],
)
def test_short_names_fit_and_differ(names: tuple[str, str], short: tuple[str, str]) -> None:
    assert short_names(names) == short
    assert all(len(name) <= MAX_SHORT_NAME_LETTERS for name in short)
    assert short_names(short) == short
