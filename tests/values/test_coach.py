"""The coach `best` in games of one play per quarter: at the table, plain and compiled."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.odds import enumeration
from hashmark.sim import run
from hashmark.sim.results import Totals
from hashmark.values import coach, solution
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import SolvedGame

RULES = registry.load("roll-for-yardage")
CLOSE = 1e-12


def short_match(season: int = 0) -> Any:
    """Return a match of four plays, plus one in overtime: shorter than any option allows."""
    m = RULES.new_match()
    m.plays_per_quarter = m.overtime_plays = 1
    m.season = season
    return m


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Solve the short match and make the coach find it."""
    m = short_match()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HASHMARK_DATA", str(tmp_path_factory.mktemp("data")))
        found = SolvedGame(RULES, m, solve(solution.SolveTask(RULES, m), threads=2))
        patch.setattr(coach, "_solved", lambda rules, options: found)
        yield found


def random_positions(m: MatchRecord, games: int) -> list[Any]:
    """Return the positions of random games in which a team is to call."""
    positions = []
    for seed in range(games):
        rng = random.Random(seed)
        g = RULES.new_position(m)
        while not RULES.is_over(g):
            call = -1
            if RULES.questions[RULES.question(m, g)].calls:
                positions.append(g.copy())
                call = rng.choice(RULES.legal_calls(m, g))
            outcomes = [
                (float(chance), successor)
                for chance, successor, _ in enumeration.enumerate_step(RULES, m, g, call)
            ]
            (g,) = rng.choices(
                [successor for _, successor in outcomes], [chance for chance, _ in outcomes]
            )
    return positions


def test_games_that_can_be_solved_or_searched_have_the_coach() -> None:
    names = {
        name
        for name in ("fourth-down", "roll-for-yardage", "two-minute-drill", "rapid-roll")
        if any(one.name == "best" for one in registry.load(name).all_coaches())
    }
    assert names == {"fourth-down", "rapid-roll", "roll-for-yardage"}


def test_without_a_solution_the_error_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    coach._solved.cache_clear()
    m, best = RULES.new_match({"season": "preseason"}), RULES.coach("best")
    assert best.call is not None
    with pytest.raises(
        HashmarkError, match="not solved with these options; run `hashmark solve roll"
    ):
        best.call(m, RULES.new_position(m))


def test_without_a_solution_the_value_function_gives_the_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    coach._solved.cache_clear()
    coach._shipped.cache_clear()
    m, best = RULES.new_match(), RULES.coach("best")
    assert best.call is not None
    assert best.check_match is not None
    assert best.compiled_factory is not None
    best.check_match(m)
    given = {"phase": "scrimmage", "possession": "home", "spot": 80, "down": 4, "to_go": 9}
    g = RULES.new_position(m, {**given, "period": 4, "clock": 1, "score": {"home": 10, "away": 12}})
    assert RULES.calls[best.call(m, g)] == "field-goal"
    with pytest.raises(HashmarkError, match="not solved"):
        best.compiled_factory(m, g)


@pytest.mark.heavy
@pytest.mark.parametrize("games", [4, pytest.param(8, marks=pytest.mark.long)])
def test_the_best_call_never_gives_anything_away(solved: SolvedGame, games: int) -> None:
    """A position is worth what its best call leads to, and no other call leads to more.

    (Enumeration to the end is impossible: a penalty may extend a half again and again, R52.)
    """
    best, count = RULES.coach("best"), 0
    for g in random_positions(solved.m, games):
        judged = solved.judge(g)
        assert best.call is not None
        assert judged.loss(best.call(solved.m, g)) == pytest.approx(0, abs=CLOSE)
        after = solved.value_of_call(g, judged.best)
        assert after.home == pytest.approx(solved.value(g).home, abs=CLOSE)
        count += 1
    assert count > 5 * games


def play_games(
    rules: RuleSet, m: MatchRecord, names: tuple[str, str], engine: str, games: int
) -> Totals:
    """Play games of the short match and total them."""
    coach_names = [candidate.name for candidate in rules.all_coaches()]
    seats = (coach_names.index(names[0]), coach_names.index(names[1]))
    work = run.SimulationWork(rules, m, rules.new_position(m), 7, seats, engine, False)
    return work.prepare()(0, games)[0]


@pytest.mark.heavy
@pytest.mark.parametrize(
    "names", [("best", "best"), pytest.param(("book", "best"), marks=pytest.mark.long)]
)
def test_plain_and_compiled_games_are_the_same(solved: SolvedGame, names: tuple[str, str]) -> None:
    plainly = play_games(RULES, solved.m, names, "plain", 60)
    assert play_games(RULES, solved.m, names, "compiled", 60) == plainly


@pytest.mark.heavy
def test_best_against_best_matches_the_solved_value(solved: SolvedGame) -> None:
    games = 300_000
    totals = play_games(RULES, solved.m, ("best", "best"), "compiled", games)
    value = solved.value(RULES.new_position(solved.m))
    for won, chance in zip(totals.wins, (value.home, value.away), strict=True):
        error = (chance * (1 - chance) / games) ** 0.5
        assert abs(won / games - chance) < 4 * error


@pytest.mark.long
def test_a_postseason_has_no_ties(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    m = short_match(RULES.new_match({"season": "postseason"}).season)
    solved_match = SolvedGame(RULES, m, solve(solution.SolveTask(RULES, m), threads=1))
    value = solved_match.value(RULES.new_position(m))
    assert value.tie == pytest.approx(0, abs=1e-9)
    assert value.home == pytest.approx(0.5, abs=1e-9)


def test_it_plays_against_a_coach_created_at_run_time() -> None:
    def own(m: MatchRecord, g: PositionRecord) -> int:
        return RULES.legal_calls(m, g)[0]

    rules, seats = run.resolve_coaches(RULES, "best", own)
    assert [coach.name for coach in seats] == ["best", "own"]
    known = rules.all_coaches()
    assert [known.index(coach) for coach in seats] == [len(known) - 1, len(known) - 2]
