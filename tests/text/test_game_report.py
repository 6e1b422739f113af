"""Play-by-play: plays under their situation, dice with their purpose, no uninformative lines."""

from __future__ import annotations

import re
from typing import Any

import pytest

from hashmark.conformance import ConformanceKit
from hashmark.engine import registry
from hashmark.engine.game import Game, ListedDice
from hashmark.engine.rule_set import RuleSet
from hashmark.text.game_report import (
    LINE_COLUMNS,
    PlayLine,
    play_heading,
    play_lines,
    print_history,
    print_summary,
    print_turn,
    roll_texts,
)

DOWN = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 3, "to_go": 6}


def make_game(rules: str, dice: Any, start: Any, options: Any = None) -> Game:
    """Return a game from a position, with the dice of home and away given."""
    return Game(rules, options or {}, dice=ListedDice(dice), start=start)


def history_lines(game: Game, everything: bool = False) -> list[str]:
    """Return the play-by-play as lines."""
    lines: list[str] = []
    print_history(game, lines.append, everything)
    return lines


# --- What dice were for --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "start", "calls", "dice", "said"),
    [
        (
            "fourth-down",
            {"phase": "drive", "possession": "home", "spot": 30},
            ["balanced"],
            ([9, 18, 6], []),
            ["drive: 9", "turnover: 18 = no", "yards to go: 6"],
        ),
        (
            "roll-for-yardage",
            DOWN,
            ["scrimmage"],
            ([2, 5, 4], [3, 3, 4]),
            ["yardage: home 2 5, away 3 3", "penalty check: home 4, away 4 = flag"],
        ),
        (
            "roll-for-yardage",
            {**DOWN, "spot": 80},
            ["field-goal"],
            ([2, 5], [3, 4]),
            ["field goal: home 2 5, away 3 4, bonus +4"],
        ),
        (
            "rapid-roll",
            {"phase": "kickoff", "possession": "home", "spot": 30},
            ["kickoff"],
            ([6, 6, 6, 3, 3, 1], []),
            [
                "kickoff: 6 6 = sum 12",
                "follow-up roll: 6 3 = sum 9",
                "follow-up roll: 3 1 = sum 4",
            ],
        ),
        (
            "two-minute-drill",
            None,
            [None],
            ([4, 6, 6, 4, 5, 1], [3, 3]),
            ["offense: 4 6 6 4 5 1", "defense: 3 3"],
        ),
        (
            "data-driven",
            DOWN,
            ["punt"],
            ([3, 1, 3], [1, 2, 0]),
            ["punt: home 3 1 3 = 34, 38", "punt return: away 1 2 0 = 12, FC"],
        ),
    ],
)
def test_dice_show_their_purpose(
    rules: str, start: Any, calls: list[str | None], dice: Any, said: list[str]
) -> None:
    game = make_game(rules, dice, start)
    for call in calls:
        turn = game.play() if call is None else game.play_named(call)
    assert roll_texts(game, turn) == said


def test_rolls_are_json() -> None:
    game = make_game("roll-for-yardage", ([2, 5], [3, 4]), {**DOWN, "spot": 80})
    (roll,) = game.roll_groups(game.play_named("field-goal"))
    dice = [("home", 2), ("home", 5), ("away", 3), ("away", 4)]
    assert roll.to_json() == {
        "for": "field goal",
        "dice": [{"team": team, "die": "d6", "face": face} for team, face in dice],
        "outcome": 0,
        "bonus": 4,
    }


# --- Lines ---------------------------------------------------------------------------------


def test_a_play_is_printed_under_its_heading() -> None:
    start = {**DOWN, "period": 2, "clock": 65, "score": {"home": 7, "away": 3}}
    game = make_game("data-driven", ([3, 1, 3], [1, 2, 0]), start)
    turn = game.play_named("punt")
    assert play_heading(game, turn) == "Q2 1:05 | home 7, away 3 | home: 3rd & 6 at the home 40"
    assert history_lines(game)[0] == play_heading(game, turn)


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_uninformative_lines_are_omitted_unless_requested(rules: str) -> None:
    game = ConformanceKit(rules, seed=3).play_game({}, 0, "book")
    idle = passed_defaults(game.rules, game)
    short, whole = history_lines(game), history_lines(game, everything=True)
    assert len(short) <= len(whole)
    calls = [f"- {team} calls {call}" for team in ("home", "away") for call in idle]
    assert not set(calls) & set(short)
    assert bool(set(calls) & set(whole)) == bool(idle)


def passed_defaults(rules: RuleSet, game: Game) -> set[str]:
    """Return the defaults of windows that were passed without events or dice."""
    return {
        rules.calls[turn.call]
        for turn in game.turns
        if turn.call == rules.questions[rules.question(game.match, turn.before)].default
        and turn.call >= 0
        and not turn.faces
        and not game.sentences(turn)
    }


def test_a_secret_call_is_named_by_the_sentence_that_reveals_it() -> None:
    game = make_game("data-driven", ([3, 1, 3], [1, 0, 0, 1, 0]), DOWN, {"def_penalties": "false"})
    game.play_named("line-plunge")
    game.play_named("standard")
    lines = history_lines(game)
    assert lines[1].startswith("- Home calls a line plunge against the standard defense")
    assert sum("a line plunge" in line for line in lines) == 1
    assert "- home calls line-plunge" in history_lines(game, everything=True)


def test_the_play_by_play_is_data() -> None:
    start = {"phase": "drive", "possession": "home", "spot": 40}
    game = make_game("fourth-down", ([10, 4, 3], []), start)
    game.play_named("balanced")
    heading, call, *sentences = play_lines(game, game.turns)
    assert heading == PlayLine("heading", play_heading(game, game.turns[0]) or "")
    dice = "; ".join(roll_texts(game, game.turns[0]))
    assert call == PlayLine("call", "home calls balanced", (dice,))
    assert {line.kind for line in sentences} == {"text"}
    assert [line.text for line in sentences] == game.sentences(game.turns[0])


def test_dice_stand_beside_a_call_or_below_it() -> None:
    assert PlayLine("call", "dice", ("a: 1;", "b: 2")).text_lines() == [
        "- dice  [a: 1;",
        "    b: 2]",
    ]
    long = "x" * (LINE_COLUMNS - len("- ") - len("  [a: 1]"))
    assert PlayLine("call", long, ("a: 1",)).text_lines() == [f"- {long}  [a: 1]"]
    assert PlayLine("call", f"{long}x", ("a: 1",)).text_lines() == [f"- {long}x", "    [a: 1]"]


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_dice_are_broken_between_rolls(rules: str) -> None:
    game = ConformanceKit(rules, seed=4).play_game({}, 0)
    for turn in game.turns:
        lines: list[str] = []
        print_turn(game, turn, lines.append)
        dice = [line for line in lines if line.startswith("    ")]
        longest = max(map(len, roll_texts(game, turn)), default=0)
        assert all(len(line) <= max(LINE_COLUMNS, longest + 8) for line in dice)


@pytest.mark.parametrize("rules", ["fourth-down", "data-driven"])
def test_times_are_shown_in_minutes(rules: str) -> None:
    lines: list[str] = []
    print_summary(ConformanceKit(rules, seed=3).play_game({}, 0, "book"), lines.append)
    row = next(line for line in lines if line.startswith("Time of possession"))
    assert all(re.fullmatch(r"\d+:\d\d", time) for time in row.split()[-2:])
    drives = lines[lines.index(next(line for line in lines if line.startswith("drive "))) + 2 :]
    assert all(len(re.findall(r"\d+:\d\d", line)) == 2 for line in drives)
