"""Round robins: pairings, both sides, scores with their errors, and interruption."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.sim import round_robin
from hashmark.sim.results import Estimate, Result
from hashmark.sim.round_robin import RoundRobin, list_legs, play_round_robin, score_of
from hashmark.sim.run import simulate

GAME = "fourth-down"


def small_robin(games: int = 6, **settings: Any) -> RoundRobin:
    coaches = ("thumb", "random", "plain")
    return play_round_robin(GAME, games, seed=3, coaches=coaches, engine="plain", **settings)


def test_every_pair_plays_half_its_games_from_each_side() -> None:
    robin = small_robin(7)
    assert [coach.name for coach in robin.coaches] == ["random", "plain", "thumb"]
    assert set(robin.scores) == {("random", "plain"), ("random", "thumb"), ("plain", "thumb")}
    legs = [leg for leg in list_legs(robin) if leg.pairing == ("random", "plain")]
    assert [(leg.home, leg.away, leg.seed, leg.games) for leg in legs] == [
        ("random", "plain", 3, 4),
        ("plain", "random", 4, 3),
    ]


def test_the_score_counts_ties_as_half_a_win() -> None:
    first = simulate(GAME, 20, seed=1, home="thumb", away="random", engine="plain")
    second = simulate(GAME, 20, seed=2, home="random", away="thumb", engine="plain")
    games = [1.0] * (first.totals.wins[0] + second.totals.wins[1])
    games += [0.5] * (first.totals.ties + second.totals.ties)
    games += [0.0] * (40 - len(games))
    mean = sum(games) / 40
    variance = sum((score - mean) ** 2 for score in games) / 39
    score = score_of(first, second)
    assert score.mean == pytest.approx(mean)
    assert score.error == pytest.approx(math.sqrt(variance / 40))


def test_a_score_is_known_from_both_ends() -> None:
    robin = small_robin()
    score, reverse = robin.score("random", "thumb"), robin.score("thumb", "random")
    assert score is not None
    assert reverse == Estimate(1 - score.mean, score.error)
    assert robin.score("thumb", "thumb") is None
    scores = [robin.score("thumb", other) for other in ("random", "plain")]
    average = robin.average("thumb")
    assert average is not None
    assert average.mean == pytest.approx(sum(item.mean for item in scores if item) / 2)


def test_all_ready_coaches_take_part_by_default() -> None:
    robin = play_round_robin(GAME, 2, engine="plain")
    names = {coach.name for coach in robin.coaches}
    assert names >= {coach.name for coach in registry.load(GAME).coaches}


def test_a_solo_game_has_no_pairings() -> None:
    robin = play_round_robin(
        "two-minute-drill", 2, coaches=["book", "bold"], engine="plain", options={}
    )
    assert robin.is_solo
    assert set(robin.scores) == {("book", "book"), ("bold", "bold")}
    assert robin.average("book") == robin.scores["book", "book"]
    assert {item["opponent"] for item in robin.to_json()["scores"]} == {None}


def test_progress_covers_all_pairings() -> None:
    seen: list[tuple[int, int]] = []
    small_robin(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (18, 18)
    assert seen == sorted(seen)


def test_an_interrupted_pairing_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[Result] = []

    def interrupt_in_the_fourth_leg(*given: object, **settings: object) -> Result:
        result = simulate(*given, **settings)  # type: ignore[arg-type]
        if len(results) == 3:
            result.totals.games -= 1
        results.append(result)
        return result

    monkeypatch.setattr(round_robin, "simulate", interrupt_in_the_fourth_leg)
    robin = small_robin()
    assert robin.interrupted
    assert set(robin.scores) == {("random", "plain")}
    assert robin.average("thumb") is None


@pytest.mark.parametrize(("games", "coaches"), [(1, ["book", "bold"]), (10, ["book"])])
def test_too_few_games_or_coaches_are_refused(games: int, coaches: list[str]) -> None:
    with pytest.raises(HashmarkError, match="needs two coaches and two games"):
        play_round_robin(GAME, games, coaches=coaches, engine="plain")
