"""Decisions of the Data-Driven Football coaches in many positions: entries, values, calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import golden_games
from coach_sweeps import digest, sheets_of_late_games, sheets_of_unfinished_games
from hashmark.conformance import ConformanceKit
from hashmark.engine.generator import RandomStream
from hashmark.engine.record import AWAY, HOME
from hashmark.games.data_driven import RULES, coaches
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.plans import lookup_tables
from hashmark.games.data_driven.position import Position
from hashmark.sim.plain import SamplingHandler
from hashmark.storage import search_path

OPTIONS: tuple[dict[str, Any], ...] = (
    {"audibles": "board", "max_usage": True},
    {"audibles": "pc", "away_plan": "bold", "quarter_seconds": 300},
    {"quarter_seconds": 120, "home_plan": "bold"},
)
OTHERS = (p.ASK_TOSS, p.ASK_KICK_RETURN, p.ASK_ROLL_OR_RETURN, p.ASK_REKICK, p.ASK_TACK_ON)
QUESTIONS = 60  # of each game


def match_of_wild_teams() -> Any:
    with search_path.search_beside(golden_games.path_of("data-driven")):
        return RULES.new_match({"charts": "wild", "away_plan": "bold"})


def positions(luck: RandomStream) -> Iterator[tuple[Any, Any]]:
    """Yield the questions of a random game of two wild teams, each as its own copy."""
    options = {**OPTIONS[luck.randbelow(len(OPTIONS))], "charts": "wild"}
    with search_path.search_beside(golden_games.path_of("data-driven")):
        game = ConformanceKit(RULES, seed=24).play_game(options, luck.randbelow(1000), "random")
    asked = [turn.before for turn in game.turns if turn.call >= 0]
    for g in asked[:: 1 + len(asked) // QUESTIONS]:
        yield game.match, g.copy()


def shifted(luck: RandomStream, g: Position) -> Position:
    """Return the same question at another spot and time and with another score."""
    if g.phase == p.SCRIMMAGE and g.asks in (p.ASK_PLAY, p.ASK_FORMATION):
        g.spot = 1 + luck.randbelow(99)
        g.down = 1 + luck.randbelow(4)
        g.to_go = 1 + luck.randbelow(min((3, 12, 30)[luck.randbelow(3)], 100 - g.spot))
    g.clock = 1 + luck.randbelow((20, 130, 900)[luck.randbelow(3)])
    g.period = 1 + luck.randbelow(5)
    g.score = [luck.randbelow(5) * 3 + luck.randbelow(8), luck.randbelow(5) * 3 + luck.randbelow(8)]
    return g


def entries(luck: RandomStream) -> Iterator[Any]:
    """Yield the fitting entry of each section, in all four plans."""
    for m, g in positions(luck):
        for section in range(lookup_tables.SECTION_STARTS_WIDTH - 1):
            g = shifted(luck, g)
            for plan in (coaches.BOOK, coaches.BOLD, coaches.HOME_PLAN, coaches.AWAY_PLAN):
                yield lookup_tables.find_row(m, g, plan, section, (HOME, AWAY)[luck.randbelow(2)])
            yield lookup_tables.seconds_left(m, g)


def values(luck: RandomStream) -> Iterator[Any]:
    """Yield the values and answers for penalties and kicks."""
    for m, g in positions(luck):
        if g.asks == p.ASK_PENALTY:
            for foul in range(1, len(p.FOULS)):
                g.foul, g.to_go, g.down = foul, 1 + luck.randbelow(14), 1 + luck.randbelow(4)
                yield coaches.play_value(g), coaches.penalty_value(g), coaches.judge_penalty(g)
        else:
            g.start, g.at = luck.randbelow(40) - 10, 1 + luck.randbelow(60)
            yield coaches.answer_other(m, g, luck.randbelow(4))
            yield coaches.first_legal_play(m, g)


def calls(luck: RandomStream) -> Iterator[Any]:
    """Yield each coach's answer, with its own random stream."""
    for number, (m, g) in enumerate(positions(luck)):
        for _ in range(3):
            g.handler = SamplingHandler(RULES, 24, number)
            yield [RULES.decide(coach, m, g) for coach in RULES.coaches]
            g = shifted(luck, g)


def random_positions(luck: RandomStream) -> Iterator[Any]:
    """Yield penalties beside plays of similar value, and kick questions near their limits."""
    m, g = match_of_wild_teams(), RULES.new_position(RULES.new_match())
    g.phase = p.SCRIMMAGE
    for _ in range(900):
        g.possession, g.holder = luck.randbelow(2), luck.randbelow(2)
        g.spot, g.down, g.to_go = (
            1 + luck.randbelow(99),
            1 + luck.randbelow(4),
            1 + luck.randbelow(16),
        )
        g.foul, g.foul_yards = 1 + luck.randbelow(len(p.FOULS) - 1), luck.randbelow(30)
        g.play = (luck.randbelow(len(p.ALL_PLAYS)), p.PLAY_PUNT)[luck.randbelow(5) // 4]
        g.result = (p.ENDS_DOWN, luck.randbelow(len(p.RESULTS)))[luck.randbelow(3) // 2]
        g.at = g.spot + luck.randbelow(24) - 8
        yield coaches.play_value(g), coaches.penalty_value(g), coaches.judge_penalty(g)
        g.asks, g.start = OTHERS[luck.randbelow(len(OTHERS))], luck.randbelow(24) - 11
        g.at = 10 + luck.randbelow(16)
        yield coaches.answer_other(m, g, luck.randbelow(4))


DIGESTS: dict[Callable[[RandomStream], Iterator[Any]], tuple[str, ...]] = {
    entries: (
        "35f4da94cda5",
        "8bff6cb4101b",
        "ca2bcfcbf796",
    ),
    random_positions: ("e62df712b4b7", "7c87ed50a0f9"),
    values: (
        "9aa3dc3ad92a",
        "5ee22a15d094",
        "f9d8542ee1b1",
        "8105fe4ebc99",
        "559a4a52d1b7",
        "6fcbf188436e",
        "569b6b192845",
        "1c275e52f67f",
    ),
    calls: (
        "443731b1b679",
        "25caf806bd17",
        "965cdb4e3e3f",
        "ca8dc6ae708b",
        "771c9be1beaa",
        "8590a4714365",
    ),
}


@pytest.mark.parametrize(
    ("find", "number"),
    [(find, number) for find, kept in DIGESTS.items() for number in range(len(kept))],
)
def test_coach_values_are_unchanged(
    find: Callable[[RandomStream], Iterator[Any]], number: int
) -> None:
    assert digest(find(RandomStream(24, number, 0))) == DIGESTS[find][number]


def test_sheets_of_unfinished_games_are_unchanged() -> None:
    assert digest(sheets_of_unfinished_games(RULES, {})) == "fef9f46873b5"


def test_sheets_of_games_from_set_up_positions_are_unchanged() -> None:
    assert digest(sheets_of_late_games(RULES)) == "88719dc025d3"


@pytest.mark.parametrize(
    ("behind", "given_up"),
    [(-1, ""), (0, ""), (1, "punt"), (3, "punt"), (4, "punt field-goal")],
)
def test_no_coach_concedes_the_last_possession(behind: int, given_up: str) -> None:
    """R105: Calls that a plan may not make on fourth down when this many points behind."""
    m = RULES.new_match({"overtime": "both"})
    start = {"phase": "scrimmage", "period": 5, "possession": "away", "spot": 50, "down": 4}
    score = {"home": 20 + behind, "away": 20}
    g = RULES.new_position(
        m, {**start, "score": score, "overtime": "reply", "overtime_team": "away"}
    )
    calls = [p.CALLS.index(name) for name in ("punt", "field-goal")]
    conceding = [p.CALLS[call] for call in calls if coaches.concedes_game(g, call)]
    assert " ".join(conceding) == given_up
    for name, value in (("down", 3), ("overtime", p.SUDDEN), ("overtime_team", HOME)):
        other = g.copy()
        setattr(other, name, value)
        assert not any(coaches.concedes_game(other, call) for call in calls)
