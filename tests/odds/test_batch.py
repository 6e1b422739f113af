"""Batch enumeration: the rows of many positions and calls match plain enumeration."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from hashmark.conformance import abstraction
from hashmark.conformance.kit import ConformanceKit
from hashmark.engine import registry
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.odds import enumeration
from hashmark.odds.arrays import Records

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from hashmark.odds.batch import Batch  # noqa: E402

MOST = 2000  # leaves that plain Python enumerates


def pairs_of(rules: RuleSet, games: int, every: int, seed: int) -> dict[int, tuple[Any, list[Any]]]:
    """Return positions of random games, each with a legal call, by match."""
    draw = random.Random(seed)
    pairs: dict[int, tuple[Any, list[Any]]] = {}
    for m, g in ConformanceKit(rules.name, seed=seed).random_positions(games, every):
        if not rules.is_over(g):
            call = draw.choice(rules.legal_calls(m, g) or [NO_CALL])
            pairs.setdefault(id(m), (m, []))[1].append((g, call))
    return pairs


def compare(rules: RuleSet, m: MatchRecord, pairs: list[Any], strip: bool) -> int:
    """Enumerate all pairs at once and each in plain Python; return how many were compared."""
    batch = Batch(rules, m, abstract=strip)
    calls = [call for _, call in pairs]
    rows = batch.run(batch.positions([g for g, _ in pairs]), calls, max_leaves=MOST)
    for index, (g, call) in enumerate(pairs):
        if index not in rows.abandoned:
            assert rows_by_key(batch, rows.of(index)) == pytest.approx(
                plain_rows(rules, m, g, call, strip), rel=1e-12, abs=1e-15
            )
    return len(pairs) - len(rows.abandoned)


def rows_by_key(batch: Batch, rows: Records) -> dict[Any, float]:
    """Return the rows of one input by position, points and time, all distinct."""
    chances = {}
    for row in rows:
        after = batch.rules.position.from_array(batch.found_positions[row["next"]])
        chances[(tuple(after.flat()), *row["points"].tolist(), int(row["time"]))] = float(
            row["chance"]
        )
    assert len(chances) == len(rows)
    return chances


def plain_rows(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, call: int, strip: bool
) -> dict[Any, float]:
    if strip:
        return {
            key: float(chance)
            for key, chance in abstraction.outcome_chances(rules, m, g, call).items()
        }
    chances: dict[Any, Fraction] = {}
    for chance, after, _ in enumeration.enumerate_step(rules, m, g, call):
        points = [after.score[team] - g.score[team] for team in range(2)]
        time = rules.solver.progress(m, after) - rules.solver.progress(m, g)
        key = (tuple(after.flat()), *points, time)
        chances[key] = chances.get(key, Fraction(0)) + chance
    return {key: float(chance) for key, chance in chances.items()}


@pytest.mark.parametrize("name", ["fourth-down", "roll-for-yardage"])
@pytest.mark.parametrize("strip", [False, True], ids=["whole", "essence"])
def test_rows_are_those_of_plain_enumeration(name: str, strip: bool) -> None:
    rules = registry.load(name)
    for m, pairs in pairs_of(rules, 2, 12, 3).values():
        assert compare(rules, m, pairs, strip)


@pytest.mark.long
@pytest.mark.parametrize("name", registry.builtin_names())
@pytest.mark.parametrize("strip", [False, True], ids=["whole", "essence"])
def test_rows_of_every_game_are_those_of_plain_enumeration(name: str, strip: bool) -> None:
    rules = registry.load(name)
    compared = sum(
        compare(rules, m, pairs, strip) for m, pairs in pairs_of(rules, 24, 9, 11).values()
    )
    assert compared > 100


FIRST = {"phase": "drive", "possession": "home", "spot": 30}


def test_tables_grow_and_inputs_with_too_many_leaves_are_abandoned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match({})
    spots = [rules.new_position(m, {**FIRST, "spot": spot}) for spot in range(1, 100)]
    calls = [rules.call_codes["pass-first"]] * len(spots)
    spots.insert(50, rules.new_position(m, {"phase": "try", "possession": "home"}))
    calls.insert(50, rules.call_codes["one-point"])
    large = Batch(rules, m)
    usual = large.run(large.positions(spots), calls)
    monkeypatch.setattr("hashmark.odds.batch.INITIAL_CAPACITY", 4)
    monkeypatch.setattr("hashmark.odds.batch.LEAVES_PER_SLICE", 7)
    small = Batch(rules, m)
    rows = small.run(small.positions(spots), calls)
    assert rows.rows["next"].tolist() == usual.rows["next"].tolist()
    assert rows.rows["chance"].tolist() == usual.rows["chance"].tolist()
    assert (small.found_positions[: small.count] == large.found_positions[: large.count]).all()
    assert np.allclose(rows.means, usual.means, rtol=1e-12)
    short = small.run(small.positions(spots), calls, max_leaves=50)
    assert set(range(len(spots))) - set(short.abandoned) == {50}
    for index in range(len(spots)):
        total = 0.0 if index in short.abandoned else 1.0
        assert short.of(index)["chance"].sum() == pytest.approx(total)
    assert str(next(iter(short.abandoned.values()))) == "the dice have more than 50 outcomes"


def test_abstract_positions_have_points_in_their_rows_only() -> None:
    """Different scores lead to the same abstract positions."""
    rules = registry.load("fourth-down")
    m = rules.new_match({})
    given = [{**FIRST, "score": score} for score in ({}, {"home": 14}, {"away": 3, "home": 30})]
    batch = Batch(rules, m, abstract=True)
    starts = batch.positions([rules.new_position(m, fields) for fields in given])
    rows = batch.run(starts, [rules.call_codes["balanced"]] * 3)
    first = rows.of(0)
    assert set(first["points"].max(axis=0).tolist()) == {6, 0}
    for index in (1, 2):
        for key in ("next", "chance", "points", "time"):
            assert (rows.of(index)[key] == first[key]).all()
