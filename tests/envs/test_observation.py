"""Observations: names, bounds, symmetry of both seats, and nothing hidden."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.engine.record import (
    AWAY,
    HOME,
    NOBODY,
    FieldKind,
    ListField,
    flag,
    many,
    named,
    named_or_none,
    per_team,
    row,
    team_or_none,
    whole,
)
from hashmark.engine.rule_set import RuleSet
from hashmark.envs import observation
from hashmark.envs.settings import make_setting
from hashmark.envs.single_game import SingleGame

each_game = pytest.mark.parametrize("game", registry.builtin_names())


def played(game: str, seed: int, most: int = 10_000, **given: Any) -> Iterator[SingleGame]:
    """Yield the states of a random game in which a team is to call."""
    play = SingleGame(make_setting(game, seat="both", **given))
    play.begin(seed, 0)
    rng = random.Random(seed)
    while play.asked != NOBODY and most:
        yield play
        play.call(rng.choice(np.flatnonzero(play.mask).tolist()))
        most -= 1


@each_game
def test_every_number_stays_within_its_bounds(game: str) -> None:
    seen = observation.of(registry.load(game))
    for play in played(game, 1):
        for team in (HOME, AWAY):
            line, mask = play.observe(team)
            assert line.dtype == seen.dtype
            assert (seen.low <= line).all()
            assert (line <= seen.high).all()
            assert mask.any() == (team == play.asked)


@each_game
def test_names_are_unique_and_cover_every_field(game: str) -> None:
    rules = registry.load(game)
    seen = observation.of(rules)
    assert len(set(seen.names)) == seen.size
    assert list(seen.groups)[3:] == list(rules.position.fields)
    assert sum(part.stop - part.start for part in seen.groups.values()) == seen.size


@each_game
def test_numbers_are_those_of_the_position(game: str) -> None:
    for play in played(game, 2, 200):
        line, mask = play.observe(play.asked)
        view = play.rules.view(play.match, play.position, play.asked)
        by_name = dict(zip(play.observation.names, line, strict=True))
        assert by_name["asked"] == HOME  # the team to act is always 0 to itself
        assert by_name["seat"] == play.asked
        assert by_name["score.own"] == view.score[play.asked]
        assert by_name["score.other"] == view.score[1 - play.asked]
        assert by_name["clock"] == view.clock
        if view.possession != NOBODY:
            assert by_name["possession"] == (view.possession != play.asked)
        assert np.flatnonzero(mask).tolist() == sorted(
            play.rules.legal_calls(play.match, play.position)
        )


def mirrored(rules: RuleSet, g: Any) -> Any:
    """Return the same position with the teams swapped."""
    twin = g.copy()
    for name, kind in rules.position.fields.items():
        value = getattr(g, name)
        if observation.is_per_team(kind):
            setattr(twin, name, [_turned(kind.kind, one) for one in value[::-1]])
        else:
            setattr(twin, name, _turned(kind, value))
    return twin


def _turned(kind: FieldKind, value: Any) -> Any:
    table = observation.swapped_names(getattr(kind, "names", ()))
    return table[value] if table else value


@pytest.mark.parametrize("game", ["fourth-down", "roll-for-yardage", "rapid-roll"])
def test_both_seats_see_mirrored_positions_alike(game: str) -> None:
    for play in played(game, 3, 300):
        twin = mirrored(play.rules, play.position)
        ours, our_mask = play.observe(play.asked)
        theirs, their_mask = play.observation.read(play.match, twin, 1 - play.asked)
        assert ours[1:].tolist() == theirs[1:].tolist()
        assert our_mask.tolist() == their_mask.tolist()


def secret_moments(seed: int) -> Iterator[tuple[SingleGame, list[int]]]:
    """Yield states in which a team is to make a secret call, with its legal secret calls."""
    for play in played("data-driven", seed, options={"audibles": "pc"}):
        question = play.rules.questions[play.rules.question(play.match, play.position)]
        calls = [int(c) for c in np.flatnonzero(play.mask) if c in question.secret_calls]
        if len(calls) > 1:
            yield play, calls


def after(play: SingleGame, call: int) -> Any:
    """Return the position after a call without dice, or None if it rolls."""
    then = play.position.copy()
    then.handler = None
    try:
        play.rules.step(play.match, then, call)
    except AttributeError:  # there is no handler to roll with
        return None
    return then


def test_hidden_calls_do_not_change_the_observation() -> None:
    """Compare positions that differ in a secret call only; the team to act is public."""
    compared = 0
    for play, calls in secret_moments(1):
        by_question: dict[int, list[Any]] = {}
        for call in calls:
            if (successor := after(play, call)) is not None:
                by_question.setdefault(play.rules.question(play.match, successor), []).append(
                    successor
                )
        for successors in by_question.values():
            own, other = (
                [play.observation.read(play.match, successor, team) for successor in successors]
                for team in (play.asked, 1 - play.asked)
            )
            assert len({line.tobytes() for line, _ in own}) == len(successors)
            assert len({line.tobytes() for line, _ in other}) == 1
            assert len({mask.tobytes() for _, mask in other}) == 1
            compared += len(successors) - 1
    assert compared > 100


def test_future_rolls_are_not_observed() -> None:
    plays = [next(iter(played("rapid-roll", seed))) for seed in (1, 2)]
    plays[1].position.assign(plays[0].position)
    (ours, _), (theirs, _) = (play.observe(HOME) for play in plays)
    assert ours.tolist() == theirs.tolist()


def test_every_kind_of_field_has_its_bounds() -> None:
    assert observation.bounds(whole(1, 99, null_value=0)) == (0, 99)
    assert observation.bounds(whole(0, 3, default=-1, null_value=-1)) == (-1, 3)
    assert observation.bounds(named("a", "b")) == (0, 1)
    assert observation.bounds(team_or_none()) == (-1, 1)
    assert observation.bounds(flag()) == (0, 1)
    assert observation.bounds(FieldKind()) == (-(2**31), 2**31 - 1)


def columns(kind: Any) -> list[tuple[str, int, int]]:
    return [(one.name, one.low, one.high) for one in observation._columns("x", kind, "x")]


def test_lists_are_flattened_into_columns() -> None:
    assert isinstance(many(whole(11, 66), 2), ListField)
    assert columns(many(whole(11, 66), 2)) == [("x.length", 0, 2), ("x.0", 0, 66), ("x.1", 0, 66)]
    assert columns(per_team(row(flag(), 2)))[2:] == [("x.other.0", 0, 1), ("x.other.1", 0, 1)]


def test_team_names_are_swapped_for_away() -> None:
    assert observation.swapped_names(("home", "away", "tie")) == (1, 0, 2, -1)
    assert observation.swapped_names(("none", "home-toss", "away-toss")) == (0, 2, 1, -1)
    assert observation.swapped_names(("left", "right")) == ()
    assert observation.swapped_names(named_or_none("homely", "plain").names) == ()


def test_small_numbers_use_32_bits() -> None:
    assert observation.of(registry.load("fourth-down")).dtype == np.float32
