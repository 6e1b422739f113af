"""Tests of the menu, answered by a script: which game, which opponent, which teams."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fuzz.in_process import CommandResult, run_command, run_ok
from hashmark.engine import registry
from hashmark.engine.presentation import Difficulty
from hashmark.session import log
from hashmark.session.header import Header
from hashmark.session.opponents import games_by_difficulty
from hashmark.terminal import saves


def start_game(*answers: str) -> tuple[CommandResult, Header]:
    """Answer the menu, leave the game at its first question, and read the header of its log."""
    done = run_ok("play", stdin_text="\n".join([*answers, "q", ""]))
    (path, *_) = saves.list_saves()
    return done, log.replay(path).header


def menu_number(rules: str) -> str:
    """Return what to type for a game."""
    return str([game.name for game in games_by_difficulty()].index(rules) + 1)


def test_enter_chooses_the_easiest_game() -> None:
    done, header = start_game("", "", "", "")
    assert header.rules == "fourth-down"
    assert header.seats == {"home": "human", "away": "coach:book"}
    assert done.out.splitlines()[2].startswith("  1 4th Down! (easy, 10 to 15 minutes): ")


def test_games_are_sorted_by_difficulty_and_length(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {name: registry.load(name) for name in registry.builtin_names()}
    games["unsaid"] = replace(
        games["fourth-down"],
        name="unsaid",
        presentation=replace(games["fourth-down"].presentation, difficulty=None),
    )
    games["long"] = replace(
        games["fourth-down"],
        name="long",
        presentation=replace(
            games["fourth-down"].presentation, difficulty=Difficulty("easy", (90, 95))
        ),
    )
    monkeypatch.setattr(registry, "names", lambda: list(games))
    monkeypatch.setattr(registry, "load", games.__getitem__)
    order = [game.name for game in games_by_difficulty()]
    assert order[0] == "fourth-down"
    assert order[-2:] == ["data-driven", "unsaid"]
    assert order.index("roll-for-yardage") < order.index("long") < order.index("rapid-roll")


def test_a_solo_game_asks_for_no_opponent() -> None:
    done, header = start_game(menu_number("two-minute-drill"), "", "", "")
    assert header.rules == "two-minute-drill"
    assert header.seats["home"] == "human"
    assert "opponent" not in done.out
    assert "two people" not in done.out
    assert "HOME 0 (5 behind)" in done.out
    assert "AWAY" not in done.out


def test_a_difficulty_is_offered_and_the_rulebook_is_one_answer_away() -> None:
    done, header = start_game(menu_number("two-minute-drill"), "", "", "")
    assert "Which difficulty? (Enter for 2, q to quit)" in done.out
    assert "fair: 8 spaces" in done.out
    assert header.options == registry.load("two-minute-drill").setup.presets["fair"]
    _, header = start_game(menu_number("two-minute-drill"), "", "rulebook", "")
    assert header.options == {}


def test_a_solo_game_refuses_an_opponent() -> None:
    done = run_command(["play", "--away", "coach:book"], f"{menu_number('two-minute-drill')}\n")
    assert done.status == 2
    assert "two-minute-drill is a solo game: leave --away out" in done.err


def test_watching_a_solo_game_asks_for_one_coach() -> None:
    done = run_ok("play", stdin_text=f"{menu_number('two-minute-drill')}\nwatch\nbook\n\n")
    assert "Which coach?" in done.out
    assert "Which dice?" not in done.out
    assert "Game saved to" not in done.out  # without a player there is no log
    assert "final" in done.out


def test_teams_season_and_coach_are_picked_as_the_game_declares() -> None:
    answers = ("", "plan", "2008", "ari", "giants", "", "")
    done, header = start_game(menu_number("data-driven"), *answers)
    assert header.options == {
        "charts": "2008",
        "home_team": "ARI-2008",
        "away_team": "NYG-2008",
        "away_plan": "2008:NYG",
    }
    assert header.seats["away"] == "coach:plan"
    assert header.names == ("Arizona", "New York")
    assert "are invented" not in done.out


def test_invented_teams_are_announced() -> None:
    done, header = start_game(menu_number("data-driven"), "", "", "invented", "", "", "")
    assert header.options["charts"] == "invented"
    assert "invented: two invented teams" in done.out
    assert "The teams are invented and stand for no real team or season." in done.out
    again = run_ok("play", "data-driven", stdin_text="q\n").out
    assert "The teams are invented" in again


def test_options_of_the_command_line_are_not_asked() -> None:
    given = ("-o", "charts=2008", "-o", "home_team=ARI-2008", "--home", "human", "--dice", "auto")
    done = run_ok("play", *given, stdin_text=f"{menu_number('data-driven')}\nnyg\nq\n")
    assert "Which team plays on the road?" in done.out
    for question in ("Who plays?", "Which season?", "Which team plays at home?", "Which dice?"):
        assert question not in done.out


def test_a_team_of_the_command_line_is_known_by_any_name() -> None:
    given = ("-o", "charts=2008", "-o", "home_team=ari", "--home", "coach:plan", "--away", "human")
    done = run_ok(
        "play", *given, "--dice", "auto", stdin_text=f"{menu_number('data-driven')}\nnyg\n\nq\n"
    )
    assert "NYG-2008: New York Giants" in done.out
    assert "ARI-2008" not in done.out
    assert "2008:ARI: the real play-calling of the 2008 Arizona Cardinals" in done.out


def test_an_unknown_or_ambiguous_answer_is_asked_again() -> None:
    done = run_ok("play", stdin_text="99\nfootball\nq\n")
    assert done.out.count("Type a number from 1 to 5.") == 2


def test_saved_games_are_listed_and_resumed() -> None:
    for seed in (3, 4):
        path = saves.new_path("fourth-down")
        assert path is not None
        log.LogWriter.create(path, Header("fourth-down", seed=seed)).close()
    (broken := saves.saves_dir() / "broken.log").write_text("{}", encoding="utf-8")
    over = run_ok(
        "play", "fourth-down", "--home", "coach:book", "--log", str(broken.parent / "over.log")
    )
    assert over.status == 0
    listed = run_ok("play", stdin_text="saved\n2\nq\n").out
    entries = [line for line in listed.splitlines() if "4th Down!, HOME 0 AWAY 0" in line]
    assert len(entries) == 3  # the last one, and both in the list
    assert "Resume the last game: 4th Down!" in listed
    assert "Saved. Resume with" in listed


def test_leaving_the_menu_plays_nothing(tmp_path: Path) -> None:
    assert "Saved" not in run_ok("play", stdin_text="").out
    assert not saves.list_saves()
