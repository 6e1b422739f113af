"""What a seat sees: names, bounds, both sides alike, and nothing that is hidden."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hashmark.envs import observation
from hashmark.envs.playing import Play
from hashmark.envs.seats import set_up
from hashmark.table import registry
from hashmark.table.record import (
    AWAY,
    HOME,
    NOBODY,
    Kind,
    Many,
    flag,
    many,
    named,
    named_or_none,
    per_team,
    row,
    team_or_none,
    whole,
)
from hashmark.table.rules import RuleSet

each_game = pytest.mark.parametrize("game", registry.built_in())


def played(game: str, seed: int, most: int = 10_000, **given: Any) -> Iterator[Play]:
    """The moments of a random game at which somebody is asked."""
    play = Play(set_up(game, seat="both", **given))
    play.begin(seed, 0)
    dice = random.Random(seed)
    while play.asked != NOBODY and most:
        yield play
        play.call(dice.choice(np.flatnonzero(play.mask).tolist()))
        most -= 1


@each_game
def test_every_number_stays_within_its_bounds(game: str) -> None:
    seen = observation.of(registry.load(game))
    for play in played(game, 1):
        for team in (HOME, AWAY):
            line, mask = play.seen_by(team)
            assert line.dtype == seen.dtype
            assert (seen.low <= line).all()
            assert (line <= seen.high).all()
            assert mask.any() == (team == play.asked)


@each_game
def test_names_are_unlike_and_every_field_is_there(game: str) -> None:
    rules = registry.load(game)
    seen = observation.of(rules)
    assert len(set(seen.names)) == seen.size
    assert list(seen.groups)[3:] == list(rules.position.fields)
    assert sum(part.stop - part.start for part in seen.groups.values()) == seen.size


@each_game
def test_numbers_are_those_of_the_position(game: str) -> None:
    for play in played(game, 2, 200):
        line, mask = play.seen_by(play.asked)
        view = play.rules.view(play.match, play.position, play.asked)
        by_name = dict(zip(play.observation.names, line, strict=True))
        assert by_name["asked"] == HOME  # as the one who is asked calls himself
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
    """The same position with the teams in each other's place."""
    twin = g.copy()
    for name, kind in rules.position.fields.items():
        value = getattr(g, name)
        if observation.is_of_teams(kind):
            setattr(twin, name, [_turned(kind.kind, one) for one in value[::-1]])  # type: ignore[attr-defined]
        else:
            setattr(twin, name, _turned(kind, value))
    return twin


def _turned(kind: Kind, value: Any) -> Any:
    table = observation.turned(getattr(kind, "names", ()))
    return table[value] if table else value


@pytest.mark.parametrize("game", ["fourth-down", "roll-for-yardage", "rapid-roll"])
def test_both_sides_see_alike(game: str) -> None:
    for play in played(game, 3, 300):
        twin = mirrored(play.rules, play.position)
        ours, our_mask = play.seen_by(play.asked)
        theirs, their_mask = play.observation.read(play.match, twin, 1 - play.asked)
        assert ours[1:].tolist() == theirs[1:].tolist()
        assert our_mask.tolist() == their_mask.tolist()


def secret_moments(seed: int) -> Iterator[tuple[Play, list[int]]]:
    """Where a team is asked for a secret call, and those it may make."""
    for play in played("data-driven", seed, options={"audibles": "pc"}):
        question = play.rules.questions[play.rules.question(play.match, play.position)]
        calls = [int(c) for c in np.flatnonzero(play.mask) if c in question.secret]
        if len(calls) > 1:
            yield play, calls


def after(play: Play, call: int) -> Any:
    """The position after a call that rolls nothing; None if it rolls."""
    then = play.position.copy()
    then.table = None
    try:
        play.rules.step(play.match, then, call)
    except AttributeError:  # there is no table to roll on
        return None
    return then


def test_what_is_hidden_makes_no_difference() -> None:
    """Positions that differ in a secret call alone; who is asked next everybody may know."""
    compared = 0
    for play, calls in secret_moments(1):
        by_question: dict[int, list[Any]] = {}
        for call in calls:
            if (then := after(play, call)) is not None:
                by_question.setdefault(play.rules.question(play.match, then), []).append(then)
        for found in by_question.values():
            own, other = (
                [play.observation.read(play.match, then, team) for then in found]
                for team in (play.asked, 1 - play.asked)
            )
            assert len({line.tobytes() for line, _ in own}) == len(found)
            assert len({line.tobytes() for line, _ in other}) == 1
            assert len({mask.tobytes() for _, mask in other}) == 1
            compared += len(found) - 1
    assert compared > 100


def test_seeds_and_rolls_to_come_are_not_seen() -> None:
    plays = [next(iter(played("rapid-roll", seed))) for seed in (1, 2)]
    plays[1].position.assign(plays[0].position)
    (ours, _), (theirs, _) = (play.seen_by(HOME) for play in plays)
    assert ours.tolist() == theirs.tolist()


def test_bounds_of_every_kind() -> None:
    assert observation.bounds(whole(1, 99, null=0)) == (0, 99)
    assert observation.bounds(whole(0, 3, default=-1, null=-1)) == (-1, 3)
    assert observation.bounds(named("a", "b")) == (0, 1)
    assert observation.bounds(team_or_none()) == (-1, 1)
    assert observation.bounds(flag()) == (0, 1)
    assert observation.bounds(Kind()) == (-(2**31), 2**31 - 1)


def columns(kind: Any) -> list[tuple[str, int, int]]:
    return [(one.name, one.low, one.high) for one in observation._columns("x", kind, "x")]


def test_columns_of_lists() -> None:
    assert isinstance(many(whole(11, 66), 2), Many)
    assert columns(many(whole(11, 66), 2)) == [("x.length", 0, 2), ("x.0", 0, 66), ("x.1", 0, 66)]
    assert columns(per_team(row(flag(), 2)))[2:] == [("x.other.0", 0, 1), ("x.other.1", 0, 1)]


def test_teams_in_names_are_turned() -> None:
    assert observation.turned(("home", "away", "tie")) == (1, 0, 2, -1)
    assert observation.turned(("none", "home-toss", "away-toss")) == (0, 2, 1, -1)
    assert observation.turned(("left", "right")) == ()
    assert observation.turned(named_or_none("homely", "plain").names) == ()


def test_numbers_too_large_for_32_bits_get_64() -> None:
    assert observation.of(registry.load("fourth-down")).dtype == np.float32
