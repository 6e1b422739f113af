"""Regression digests of the Rapid Roll coaches: the values behind their calls, and their calls.

A call often stays the same when the evaluation changes slightly. So digests pin the values
themselves, over positions of random games and over positions that games seldom reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from coach_sweeps import digest, sheets_of_late_games, sheets_of_unfinished_games
from hashmark.conformance import ConformanceKit
from hashmark.engine.generator import RandomStream
from hashmark.games.rapid_roll import RULES, coaches, heuristic_value
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.reader import (
    NEVER_READ_LENGTH,
    ROLLS,
    best_call,
    call_value,
    cell_value,
    choose_call,
    end_zone_window_call,
    punt_call_value,
    punt_window_call,
    reader,
    sneak_value,
)

OPTIONS: tuple[dict[str, Any], ...] = (
    {"records": {"home": [10, 6], "away": [7, 9]}},
    {"shading": {}, "repeat": "column"},
    {"repeat": "off", "numbers_per_quarter": 12},
    {"records": {"home": [3, 9], "away": [8, 4]}, "numbers_per_quarter": 20},
)
RUNS_AND_PASSES = range(p.LINE_RUN, p.FAKE_PUNT_SHORT_PASS + 4)


def positions(luck: RandomStream) -> Iterator[tuple[Any, Any]]:
    """Yield the positions of a random game, each as its own copy."""
    options = OPTIONS[luck.randbelow(len(OPTIONS))]
    game = ConformanceKit(RULES, seed=23).play_game(options, luck.randbelow(1000), "random")
    for turn in game.turns:
        yield game.match, turn.before.copy()


def tables(luck: RandomStream) -> Iterator[Any]:
    """Yield everything computed when the game is loaded, and values over a grid of positions."""
    yield [heuristic_value.FIRST_DOWN[spot] for spot in range(101)]
    yield [heuristic_value.KICK_CHANCE[length] for length in range(120)]
    yield [
        heuristic_value.FIRST_DOWN_CHANCES[down, to_go]
        for down in range(4)
        for to_go in range(heuristic_value.MAX_TO_GO + 1)
    ]
    for spot in range(1, 100):
        yield (
            heuristic_value.field_goal_value(spot),
            heuristic_value.punt_value(spot),
            heuristic_value.fourth_down_value(spot),
        )
        down, to_go = 1 + luck.randbelow(4), 1 + luck.randbelow(min(40, 100 - spot))
        yield heuristic_value.down_value(spot, down, to_go), heuristic_value.down_value(spot, 1, 10)
        yield heuristic_value.first_down_value(spot - 5), heuristic_value.first_down_value(spot + 5)


def shifted(luck: RandomStream, g: p.Position) -> Any:
    """Move the position to another spot, time and score."""
    g.spot = 1 + luck.randbelow(99)
    g.down = 1 + luck.randbelow(4)
    g.to_go = 1 + luck.randbelow(min((3, 12, 30)[luck.randbelow(3)], 100 - g.spot))
    g.clock = 1 + luck.randbelow((3, 7, 14, 40)[luck.randbelow(4)])
    g.period = 1 + luck.randbelow(5)
    g.score = [luck.randbelow(4) * 3 + luck.randbelow(8), luck.randbelow(4) * 3 + luck.randbelow(8)]
    g.timeouts = [luck.randbelow(2), luck.randbelow(2)]
    g.last_play = luck.randbelow(p.FAKE_PUNT_SHORT_PASS)
    g.fake_used = [luck.randbelow(2), luck.randbelow(2)]
    return g


def calls(luck: RandomStream) -> Iterator[Any]:
    """Yield what each coach calls between plays, in many situations."""
    for m, g in positions(luck):
        if g.window == p.NONE and g.phase != p.OVER:
            for _ in range(8):
                if g.phase == p.SCRIMMAGE:
                    shifted(luck, g)
                else:
                    g.period, g.clock = 1 + luck.randbelow(5), 1 + luck.randbelow(14)
                    g.score = [luck.randbelow(12), luck.randbelow(12)]
                yield [coach(m, g) for coach in (coaches.book, coaches.cautious, coaches.bold)]


def windows(luck: RandomStream) -> Iterator[Any]:
    """Yield the coaches' answers in windows, and the values behind them."""
    for m, g in positions(luck):
        if g.window == p.NONE:
            continue
        if g.window == p.PENALTY_CHOICE:
            yield coaches.accepted_value(m, g), heuristic_value.pending_play_value(g)
        if g.window in (p.PUNT_CHOICE, p.END_ZONE_CHOICE):
            yield punt_window_call(g), end_zone_window_call(g)
        for _ in range(6):
            g.period, g.clock = 1 + luck.randbelow(5), 1 + luck.randbelow(9)
            g.score = [luck.randbelow(12), luck.randbelow(12)]
            g.timeouts = [luck.randbelow(2), luck.randbelow(2)]
            g.magic = [luck.randbelow(20), luck.randbelow(20)]
            yield [coach(m, g) for coach in (coaches.book, coaches.cautious, coaches.bold)]


def prospects(luck: RandomStream) -> Iterator[Any]:
    """Yield the value of each call, with the line and without."""
    for number, (m, g) in enumerate(positions(luck)):
        if g.window != p.NONE or g.phase not in (p.SCRIMMAGE, p.TRY) or number % 4:
            continue
        call = RUNS_AND_PASSES[luck.randbelow(len(RUNS_AND_PASSES))]
        if call != p.SNEAK:
            yield call_value(m, g, call, True)
            if number % 16 == 0:
                yield call_value(m, g, call, False)
        if g.phase == p.SCRIMMAGE:
            yield sneak_value(g), punt_call_value(g)
            yield heuristic_value.value_after_play(g, g.spot + luck.randbelow(40) - 20)
        yield reader(m, g) if number % 24 == 0 else None
        yield choose_call(m, shifted(luck, g), NEVER_READ_LENGTH) if number % 60 == 0 else None


def rows(luck: RandomStream) -> Iterator[Any]:
    """Yield prospects for one row and two numbers at a time."""
    for m, g in list(positions(luck))[::5]:
        if g.phase in (p.SCRIMMAGE, p.TRY) and g.window == p.NONE:
            for _ in range(12):
                if g.phase == p.SCRIMMAGE:
                    shifted(luck, g)
                call = RUNS_AND_PASSES[luck.randbelow(len(RUNS_AND_PASSES))]
                if call != p.SNEAK:
                    first, second = (ROLLS[luck.randbelow(36)] for _ in range(2))
                    unknown = luck.randbelow(4)
                    first, second = first * (unknown != 1), second * (unknown not in (1, 2))
                    yield cell_value(m, g, call, 2 + luck.randbelow(11), first, second)


def made_up(luck: RandomStream) -> Iterator[Any]:
    """Yield answers in windows with a made-up play behind them, possible or not."""
    for m, g in list(positions(luck))[::4]:
        if g.phase not in (p.SCRIMMAGE, p.TRY, p.KICKOFF):
            continue
        for _ in range(12):
            if g.phase == p.SCRIMMAGE:
                shifted(luck, g)
            g.window = 1 + luck.randbelow(len(p.WINDOWS) - 1)
            g.foul, g.foul_yards = luck.randbelow(len(p.FOULS)), 5 * (1 + luck.randbelow(3))
            g.call = (p.PUNT, luck.randbelow(p.PUNT + 2))[luck.randbelow(2)]
            g.play, g.result = luck.randbelow(len(p.PLAY_OUTCOMES)), luck.randbelow(len(p.RESULTS))
            g.result = g.result if luck.randbelow(3) == 0 else p.BALL
            g.at, g.return_spot = luck.randbelow(108) - 4, luck.randbelow(60) - 5
            g.carrier, g.lost = luck.randbelow(2), [luck.randbelow(4) // 3, luck.randbelow(4) // 3]
            g.magic = [luck.randbelow(14), luck.randbelow(14)]
            g.new_qb = [luck.randbelow(3) - 1, luck.randbelow(3) - 1]
            yield coaches.accepted_value(m, g), heuristic_value.pending_play_value(g)
            yield [coach(m, g) for coach in (coaches.book, coaches.cautious, coaches.bold)]


def best_calls(luck: RandomStream) -> Iterator[Any]:
    """Yield the best call with and without the line, and the reader's answers in some windows."""
    for number, (m, g) in enumerate(list(positions(luck))[40::9]):
        if g.phase != p.SCRIMMAGE:
            continue
        shifted(luck, g)
        g.down, g.window = 4, p.NONE
        if number < 8:
            yield best_call(m, g, number % 2 == 0)
        for window in (p.PUNT_CHOICE, p.END_ZONE_CHOICE, p.SIDELINE_CHOICE):
            g.window, g.roll, g.rewinds = window, ROLLS[luck.randbelow(36)], luck.randbelow(2)
            g.call, g.at = (p.PUNT, p.LONG_PASS)[luck.randbelow(2)], luck.randbelow(30) - 9
            yield reader(m, g)


def penalties(luck: RandomStream) -> Iterator[Any]:
    """Yield choices between fouls and plays of similar value, where 0.01 points may decide."""
    m, g = RULES.new_match(), RULES.new_position(RULES.new_match())
    g.phase, g.window, g.result, g.play = p.SCRIMMAGE, p.PENALTY_CHOICE, p.BALL, p.COMPLETED
    for _ in range(1500):
        shifted(luck, g)
        g.possession = luck.randbelow(2)
        g.carrier = g.possession if luck.randbelow(5) else 1 - g.possession
        g.foul, g.foul_yards = luck.randbelow(p.DPI + 1), 5 * (1 + luck.randbelow(3))
        g.call = (p.SHORT_PASS, p.PUNT)[luck.randbelow(4) // 3]
        g.at, g.return_spot = (
            min(99, max(1, g.spot + luck.randbelow(30) - 8)),
            1 + luck.randbelow(50),
        )
        yield coaches.penalty_choice(m, g)


DIGESTS: dict[Callable[[RandomStream], Iterator[Any]], tuple[str, ...]] = {
    tables: ("cde079bbe9b5",),
    penalties: ("01e457fbd3f1", "9f456c03e04f"),
    calls: (
        "5810412d7fc8",
        "e3291ece2652",
        "441bd4e17c43",
        "2e88ee81d632",
    ),
    windows: (
        "192c163f2aee",
        "d45f9b6137e7",
        "180fe2a9d929",
        "523c4498fc6e",
    ),
    made_up: (
        "7082a61677fe",
        "306a0d19fd52",
        "92e1a13e7101",
        "e828d9f53dc0",
    ),
    best_calls: (
        "373313e9b9ab",
        "e44ed04a82ab",
        "74c3f2785464",
    ),
    prospects: (
        "8085a67aa42b",
        "ac2b3904e77d",
        "7429af65e266",
    ),
    rows: (
        "6c407c7d8b64",
        "72588793cce5",
        "31ea4472a9f3",
        "da84441b3a0d",
    ),
}


@pytest.mark.parametrize(
    ("find", "number"),
    [(find, number) for find, kept in DIGESTS.items() for number in range(len(kept))],
)
def test_values_are_unchanged(find: Callable[[RandomStream], Iterator[Any]], number: int) -> None:
    assert digest(find(RandomStream(23, number, 0))) == DIGESTS[find][number]


def test_sheets_of_unfinished_games_are_unchanged() -> None:
    assert digest(sheets_of_unfinished_games(RULES, {})) == "55612e5c4b18"


def test_sheets_of_games_that_begin_late_are_unchanged() -> None:
    assert digest(sheets_of_late_games(RULES)) == "10c294539a2b"
