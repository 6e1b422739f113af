"""The coach `best`, in games of one play a quarter: at the table, plain and compiled."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hashmark.odds import plain
from hashmark.sim import run
from hashmark.sim.results import Totals
from hashmark.table import registry
from hashmark.table.errors import HashmarkError
from hashmark.table.rules import RuleSet
from hashmark.values import coach, solution
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import Solved

RULES = registry.load("roll-for-yardage")
CLOSE = 1e-12


def short_match(season: int = 0) -> Any:
    """A game of four plays, and one more in overtime: shorter than any option makes it."""
    m = RULES.new_match()
    m.plays_per_quarter = m.overtime_plays = 1
    m.season = season
    return m


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The short game, solved; it is what the coach finds."""
    m = short_match()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HASHMARK_DATA", str(tmp_path_factory.mktemp("data")))
        found = Solved(RULES, m, solve(solution.Task(RULES, m), threads=2))
        patch.setattr(coach, "_solved", lambda rules, options: found)
        yield found


def met(m: Any, games: int) -> list[Any]:
    """Positions of random games in which somebody is asked."""
    found = []
    for seed in range(games):
        luck = random.Random(seed)
        g = RULES.new_position(m)
        while not RULES.is_over(g):
            call = -1
            if RULES.questions[RULES.question(m, g)].calls:
                found.append(g.copy())
                call = luck.choice(RULES.legal_calls(m, g))
            ends = [(float(chance), then) for chance, then, _ in plain.leaves(RULES, m, g, call)]
            (g,) = luck.choices([then for _, then in ends], [chance for chance, _ in ends])
    return found


def test_only_games_that_can_be_solved_have_it() -> None:
    there = {
        name
        for name in ("fourth-down", "roll-for-yardage", "two-minute-drill", "rapid-roll")
        if any(one.name == "best" for one in registry.load(name).all_coaches())
    }
    assert there == {"fourth-down", "roll-for-yardage"}


def test_without_a_solution_it_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    coach._solved.cache_clear()
    m, best = RULES.new_match(), RULES.coach("best")
    assert best.call is not None
    with pytest.raises(HashmarkError, match="not solved with these options; `hashmark solve roll"):
        best.call(m, RULES.new_position(m))


@pytest.mark.heavy
@pytest.mark.parametrize("games", [4, pytest.param(8, marks=pytest.mark.long)])
def test_it_never_gives_anything_away(solved: Solved, games: int) -> None:
    """A position is worth what its best call leads to, and no other call leads to more.

    (Counting to the end is impossible: a penalty may extend a half again and again, R52.)
    """
    best, count = RULES.coach("best"), 0
    for g in met(solved.m, games):
        judged = solved.judge(g)
        assert best.call is not None
        assert judged.loss(best.call(solved.m, g)) == pytest.approx(0, abs=CLOSE)
        after = solved.after(g, judged.best)
        assert after.home == pytest.approx(solved.value(g).home, abs=CLOSE)
        count += 1
    assert count > 5 * games


def played(rules: RuleSet, m: Any, names: tuple[str, str], engine: str, games: int) -> Totals:
    """Some games of the short match, added up."""
    known = [one.name for one in rules.all_coaches()]
    seats = (known.index(names[0]), known.index(names[1]))
    work = run.Games(rules, m, rules.new_position(m), 7, seats, engine, False)
    return work.ready()(0, games)[0]


@pytest.mark.heavy
@pytest.mark.parametrize(
    "names", [("best", "best"), pytest.param(("book", "best"), marks=pytest.mark.long)]
)
def test_plain_and_compiled_games_are_the_same(solved: Solved, names: tuple[str, str]) -> None:
    plainly = played(RULES, solved.m, names, "plain", 60)
    assert played(RULES, solved.m, names, "compiled", 60) == plainly


@pytest.mark.heavy
def test_best_against_best_comes_out_as_the_value_says(solved: Solved) -> None:
    games = 300_000
    totals = played(RULES, solved.m, ("best", "best"), "compiled", games)
    value = solved.value(RULES.new_position(solved.m))
    for won, chance in zip(totals.wins, (value.home, value.away), strict=True):
        error = (chance * (1 - chance) / games) ** 0.5
        assert abs(won / games - chance) < 4 * error


@pytest.mark.long
def test_a_postseason_has_no_ties(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    m = short_match(RULES.new_match({"season": "postseason"}).season)
    found = Solved(RULES, m, solve(solution.Task(RULES, m), threads=1))
    value = found.value(RULES.new_position(m))
    assert value.tie == pytest.approx(0, abs=1e-9)
    assert value.home == pytest.approx(0.5, abs=1e-9)


def test_it_sits_beside_a_coach_made_at_run_time() -> None:
    def own(m: Any, g: Any) -> int:
        return RULES.legal_calls(m, g)[0]

    rules, seats = run.seat_coaches(RULES, "best", own)
    assert [coach.name for coach in seats] == ["best", "own"]
    known = rules.all_coaches()
    assert [known.index(coach) for coach in seats] == [len(known) - 1, len(known) - 2]
