"""Regression digests of the searching coach: the values behind its calls.

A call often stays the same when the search changes slightly. So digests pin the values computed on
the way, over made-up positions, gains and hands, including hands that the dice of a game seldom
show. A better value table changes all of them, as intended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from coach_sweeps import digest, sheets_of_late_games, sheets_of_unfinished_games
from hashmark.conformance import ConformanceKit
from hashmark.engine.generator import RandomStream
from hashmark.games.two_minute_drill import RULES, best_use, coaches, lookahead, search, value
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.tables import (
    DT_A,
    DT_B,
    EIGHT,
    FOUR,
    GOAL_LINE,
    REPLY_LINE,
    SIX_A,
    SIX_B,
    TEN,
    TOP_FACE,
    TWELVE,
)

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"referee-clock": "sheet"},
    {"reply": True, "start-spot": 40},
    {"reply": True, "referee-clock": "sheet", "start-timeouts": 1},
)
SETS = (
    (FOUR, SIX_A, SIX_B, EIGHT),
    (FOUR, SIX_A, TEN, TWELVE),
    (FOUR, SIX_B, EIGHT, TWELVE),
    (FOUR, SIX_A, SIX_B, TWELVE),
)
PHASES = (p.PICK, p.REFEREE, p.YARDS, p.PIPS, p.EFFORT, p.RESULT, p.PICK, p.REFEREE, p.SPECIAL)
MODES = (
    best_use.FRESH,
    best_use.TIMEOUT_NOW,
    best_use.TIMEOUT_NOW,
    best_use.TIMEOUT_TAKEN,
    best_use.AS_THEY_LIE,
    best_use.PLACE,
)


def between(luck: RandomStream) -> tuple[Any, Any]:
    """Return a match and a made-up position before a play, sometimes on a last chance."""
    options = OPTIONS[luck.randbelow(len(OPTIONS))]
    m = RULES.new_match(options)
    reply = bool(options.get("reply")) and luck.randbelow(2) == 1
    line = REPLY_LINE if reply else GOAL_LINE
    spot = 1 + luck.randbelow(line - 1)
    spot = spot if luck.randbelow(3) else max(1, spot // 10)
    given = {
        "period": 2 if reply else 1,
        "possession": "away" if reply else "home",
        "clock": 1 + luck.randbelow(40),
        "spot": spot,
        "down": 1 + luck.randbelow(4),
        "to_go": 1 + luck.randbelow(min(12, line - spot)),
        "timeouts": luck.randbelow(4),
        "hash": ("left", "center", "right")[luck.randbelow(3)],
    }
    g = RULES.new_position(m, given)
    g.chance = int(luck.randbelow(5) == 0)
    return m, g


def worths(luck: RandomStream) -> Iterator[Any]:
    """Yield values of positions between plays, last chances and won drives."""
    for _ in range(150):
        m, g = between(luck)
        clock, spot, timeouts = (
            luck.randbelow(41),
            1 + luck.randbelow(99 - 20 * (g.period - 1)),
            g.timeouts,
        )
        down, to_go = 1 + luck.randbelow(4), 1 + luck.randbelow(30)
        yield value.position_value(m, g, clock, spot, g.hash, down, to_go, timeouts)
        yield value.last_chance_value(m, g, clock, spot, g.hash, timeouts)
        yield value.win_value(m, g, clock)


def plays(luck: RandomStream) -> Iterator[Any]:
    """Yield values of the ends of a play, of gains, and of extra effort."""
    for _ in range(60):
        m, g = between(luck)
        for end in range(lookahead.END_COUNT):
            yield lookahead.end_value(m, g, g.clock, end, g.timeouts)
        gain, to, flag = (
            luck.randbelow(18) - 5,
            (p.LEFT, p.RIGHT)[luck.randbelow(2)],
            luck.randbelow(2),
        )
        made = luck.randbelow(3)
        yield lookahead.best_result_value(m, g, g.clock, gain, to, made, flag, g.timeouts, 0)
        yield lookahead.penalty_value(m, g, g.clock, flag, g.timeouts)
        top = (4, 6, 8, 10, 12)[luck.randbelow(5)]
        if g.spot + gain < 80:
            yield lookahead.effort_value(m, g, g.clock, top, gain, to, made, flag, g.timeouts)


def surveys(luck: RandomStream) -> Iterator[Any]:
    """Yield the whole work space after a survey."""
    for _ in range(12):
        m, g = between(luck)
        w = [0] * search.WORK_SIZE
        paid, spent = luck.randbelow(3), luck.randbelow(2)
        yield lookahead.survey(m, g, w, paid, spent)
        yield w


def hands(luck: RandomStream) -> Iterator[Any]:
    """Yield values of six dice in every mode; few faces, so that there are groups."""
    for number in range(60):
        m, g = between(luck)
        g.clock = max(g.clock, 3)
        faces = 1 + luck.randbelow(6)
        faces_shown = [1 + luck.randbelow(faces) + 6 * (luck.randbelow(5) == 0) for _ in range(4)]
        w = work_space(luck, faces_shown, [1 + luck.randbelow(faces) for _ in range(2)])
        settled = luck.randbelow(3)
        w[lookahead.ONLY_OT] = luck.randbelow(4) if settled == 2 else lookahead.ANY
        w[lookahead.ONLY_DT] = luck.randbelow(2) if settled == 2 else lookahead.ANY
        if settled == 2 and luck.randbelow(2):
            w[lookahead.ONLY_RUNS] = (w[lookahead.ONLY_OT] + 1) % 4
        mode = MODES[number % len(MODES)]
        g.timeouts = max(g.timeouts, int(mode == best_use.TIMEOUT_NOW))
        yield best_use.hand_value(m, g, w, mode, (0, 0, value.WIN_VALUE // 2)[luck.randbelow(3)])
        yield w


def near_groups(luck: RandomStream) -> Iterator[Any]:
    """Yield values of dice around one face, where a few pips make or break a large group."""
    for _ in range(30):
        m, g = between(luck)
        g.timeouts, g.chance, g.clock = max(g.timeouts, 1), 0, max(g.clock, 3)
        face, far = 1 + luck.randbelow(6), 2 + luck.randbelow(3)
        faces_shown = [
            abs(face + luck.randbelow(far) - 1 - luck.randbelow(2)) or 1 for _ in range(6)
        ]
        w = work_space(luck, faces_shown[:4], [min(6, shown) for shown in faces_shown[4:]])
        w[lookahead.OT_PIPS], w[lookahead.DT_PIPS] = 2 + luck.randbelow(3), luck.randbelow(3)
        mode = (best_use.TIMEOUT_NOW, best_use.TIMEOUT_TAKEN)[luck.randbelow(2)]
        yield best_use.hand_value(m, g, w, mode, 0)
        yield w[: lookahead.FIRST_SURVEY]


def work_space(luck: RandomStream, offense: list[int], defense: list[int]) -> list[int]:
    """Return a hand of six dice with some pips and nothing placed."""
    w = [0] * search.WORK_SIZE
    for at, die in enumerate(SETS[luck.randbelow(len(SETS))]):
        w[lookahead.HIGHEST + at] = TOP_FACE[die]
        w[lookahead.FACE + at] = min(TOP_FACE[die], offense[at])
    w[lookahead.DEFENSE : lookahead.DEFENSE + 2] = defense
    w[lookahead.OT_PIPS], w[lookahead.DT_PIPS] = luck.randbelow(4), luck.randbelow(3)
    w[lookahead.PAID] = luck.randbelow(3)
    w[lookahead.ONLY_OT] = w[lookahead.ONLY_DT] = w[lookahead.ONLY_RUNS] = lookahead.ANY
    return w


def candidates(luck: RandomStream) -> Iterator[Any]:
    """Yield each candidate alone, and the answer, for positions of random games during a play."""
    for number in range(2):
        options = OPTIONS[luck.randbelow(len(OPTIONS))]
        game = ConformanceKit(RULES, seed=22).play_game(
            options, number + luck.randbelow(1000), "random"
        )
        seen = set()
        for turn in game.turns:
            g = turn.before
            if g.phase in (p.SCRIMMAGE, p.OVER, p.REROLL) or g.phase in seen:
                continue
            seen.add(g.phase)
            yield search.search(game.match, g)
            if g.phase not in (p.EFFORT, p.RESULT):
                yield list(each_alone(game.match, g))


def each_alone(m: p.Match, g: p.Position) -> Iterator[Any]:
    w = [0] * search.WORK_SIZE
    for at in range(search.candidates(g)):
        mode = search.prepare(g, w, at)
        yield mode, w[:16], search.call_of(g, at)
        if mode != best_use.IMPOSSIBLE and at % 4 == 0:
            yield best_use.hand_value(m, g, w, mode, 0)


def rerolls(luck: RandomStream) -> Iterator[Any]:
    """Yield which DT dice to reroll: by made-up values, and with six dice by all of them."""
    for _ in range(60):
        _, g = between(luck)
        g.dice[DT_A], g.dice[DT_B] = 1 + luck.randbelow(6), 1 + luck.randbelow(6)
        w = [0] * search.WORK_SIZE
        w[search.BEST_BY_PAIR : search.BEST_STANDING] = [
            luck.randbelow(1000) for _ in range(search.PAIR_COUNT)
        ]
        w[search.BEST_STANDING] = luck.randbelow(900)
        yield search.reroll_answer(g, w)
    m, g = between(luck)
    g.phase, g.chance, g.timeouts = p.REROLL, 0, 0
    g.dice = [1 + luck.randbelow(min(TOP_FACE[die], 6)) for die in range(len(g.dice))]
    g.dice[TEN] = g.dice[TWELVE] = 0
    w = [0] * search.WORK_SIZE
    yield search.compare(m, g, w, search.candidates(g)), w, search.search(m, g)


def heuristic_values(luck: RandomStream) -> Iterator[Any]:
    """Yield the chance to win by each answer, in every phase of a play, with any dice."""
    for number in range(150):
        m, g = between(luck)
        g.phase, g.chance = (p.EFFORT, p.RESULT, p.RESULT, p.YARDS)[number % 4], 0
        lay_down(g, luck)
        g.gain, g.efforts = luck.randbelow(16) - 4, luck.randbelow(3)
        g.clock = (g.clock, 1 + luck.randbelow(8))[luck.randbelow(2)]
        yield RULES.solver.heuristic_value(m, g), search.search(m, g)  # type: ignore[misc]
    for phase in (p.REFEREE, p.PIPS, p.COMBINE, p.SPECIAL, p.PICK, p.SCRIMMAGE, p.OVER):
        m, g = between(luck)
        g.phase, g.pips, g.timeouts = (
            phase,
            [luck.randbelow(3), luck.randbelow(2)],
            luck.randbelow(2),
        )
        lay_down(g, luck)
        g.referee_ot = g.referee_dt = -1
        yield RULES.solver.heuristic_value(m, g)  # type: ignore[misc]
    for clock in (0, 4):
        m, g = between(luck)
        g.phase, g.clock, g.timeouts, g.chance = p.REROLL, clock, 0, 0
        lay_down(g, luck)
        yield RULES.solver.heuristic_value(m, g)  # type: ignore[misc]


def lay_down(g: p.Position, luck: RandomStream) -> None:
    """Put six dice down: two for the referee and one for the yards."""
    kept, g.dice = SETS[luck.randbelow(len(SETS))], [0] * len(g.dice)
    for die in (*kept, DT_A, DT_B):
        g.dice[die] = 1 + luck.randbelow(TOP_FACE[die])
    g.referee_ot, g.yards_ot = kept[luck.randbelow(2)], kept[2 + luck.randbelow(2)]
    g.referee_dt = (DT_A, DT_B)[luck.randbelow(2)]


def hopeless(luck: RandomStream) -> Iterator[Any]:
    """Yield answers with one space left and far from the line, where all of them lose."""
    for _ in range(20):
        m, g = between(luck)
        g.clock, g.spot, g.chance, g.timeouts, g.period = 1, 1 + luck.randbelow(20), 0, 0, 1
        g.phase = (p.YARDS, p.PICK, p.PIPS)[luck.randbelow(3)]
        g.dice = [1 + luck.randbelow(min(TOP_FACE[die], 6)) for die in range(len(g.dice))]
        if g.phase != p.PICK:
            g.dice[TEN] = g.dice[TWELVE] = 0
        if g.phase == p.YARDS:
            g.referee_ot, g.referee_dt = FOUR, DT_A
        yield search.search(m, g)


def rule_of_thumb_coaches(luck: RandomStream) -> Iterator[Any]:
    """Yield the calls of the coaches that follow rules of thumb, with any dice, in every phase."""
    for number in range(500):
        m, g = between(luck)
        g.phase = PHASES[number % len(PHASES)]
        kept = SETS[luck.randbelow(len(SETS))] if g.phase != p.PICK else range(len(TOP_FACE) - 2)
        faces = 2 + luck.randbelow(11)
        g.dice = [0] * len(g.dice)
        for die in (*kept, DT_A, DT_B):
            g.dice[die] = 1 + luck.randbelow(min(TOP_FACE[die], faces))
        g.referee_ot, g.referee_dt = (
            kept[luck.randbelow(len(kept))],
            (DT_A, DT_B)[luck.randbelow(2)],
        )
        g.gain, g.pips = luck.randbelow(16) - 4, [luck.randbelow(3), luck.randbelow(3)]
        g.to_go = (g.to_go, 1 + abs(g.gain))[luck.randbelow(2)]
        yield [coach(m, g) for coach in (coaches.book, coaches.forced, coaches.bold)]


DIGESTS: dict[Callable[[RandomStream], Iterator[Any]], tuple[str, ...]] = {
    worths: ("20841d1729a3",),
    plays: ("6f5dea6fd43e",),
    rule_of_thumb_coaches: ("17114cd6a582", "e6c7d20dc1a5"),
    surveys: ("dd9147e4fc6b",),
    hands: (
        "cd2a32760be4",
        "348ae7a79205",
        "7e00592e9e16",
        "331f392f542e",
    ),
    near_groups: (
        "e20fd09ff08c",
        "79cb6af34761",
    ),
    rerolls: (
        "7434fc971da0",
        "da2b73cd0c48",
    ),
    heuristic_values: (
        "8dc4fcbda4a1",
        "3bc39031f2cd",
    ),
    hopeless: ("fe5c449f7431",),
    candidates: (
        "f7295eb4166c",
        "0bfa38df4a09",
        "a761ae5a1886",
    ),
}


@pytest.mark.parametrize(
    ("find", "number"),
    [(find, number) for find, kept in DIGESTS.items() for number in range(len(kept))],
)
def test_values_are_unchanged(find: Callable[[RandomStream], Iterator[Any]], number: int) -> None:
    assert digest(find(RandomStream(22, number, 0))) == DIGESTS[find][number]


def test_sheets_of_unfinished_games_are_unchanged() -> None:
    assert digest(sheets_of_unfinished_games(RULES, {})) == "fd664ed9946f"


def test_sheets_of_games_that_begin_late_are_unchanged() -> None:
    assert digest(sheets_of_late_games(RULES)) == "88bd51f77f81"
