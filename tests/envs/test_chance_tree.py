"""Game tree: its odds match the enumeration, and secrets stay secret."""

from __future__ import annotations

import copy
import pickle
import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import AWAY, HOME, NOBODY
from hashmark.envs.chance_tree import GameTree, Node
from hashmark.envs.open_spiel import tree_of
from hashmark.errors import EndlessGame
from hashmark.odds.enumeration import enumerate_step

each_game = pytest.mark.parametrize("game", registry.builtin_names())


def random_nodes(tree: GameTree, seed: int) -> Iterator[Node]:
    """Yield the nodes of a random game."""
    dice, node = random.Random(seed), tree.root
    while not node.is_over:
        yield node
        if node.pending_roll is None:
            node = node.after_call(dice.choice(node.calls))
        else:
            chances = [float(chance) for _, chance in node.pending_roll.odds]
            node = node.after_roll(dice.choices(range(len(chances)), chances)[0])
    yield node


def step_ends(node: Node, chance: Fraction = Fraction(1)) -> Iterator[tuple[Fraction, Any]]:
    """Yield where the step under way can end."""
    if node.pending_roll is None:
        yield chance, node
        return
    for outcome, (_, outcome_chance) in enumerate(node.pending_roll.odds):
        successor = node.after_roll(outcome)
        if successor.past is not node.past:  # the step has ended; the next may have begun
            yield chance * outcome_chance, successor
        else:
            yield from step_ends(successor, chance * outcome_chance)


@pytest.mark.parametrize("game", ["fourth-down", "roll-for-yardage", "two-minute-drill"])
def test_chances_are_those_of_the_enumeration(game: str) -> None:
    tree = tree_of(game, "")
    for node in list(random_nodes(tree, 1))[:60:6]:
        if node.asked == NOBODY:
            continue
        for call in node.calls[:2]:
            tree_chances: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
            successor = node.after_call(call)
            outcomes = (
                [(Fraction(1), successor)]
                if successor.past is not node.past
                else list(step_ends(successor))
            )
            for chance, after in outcomes:
                tree_chances[tuple(after.position.flat())] += chance
            enumerated: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
            for chance, after, _ in enumerate_step(tree.rules, tree.match, node.position, call):
                enumerated[tuple(after.flat())] += chance
            assert tree_chances == enumerated


@each_game
def test_the_odds_of_every_roll_add_up_to_one(game: str) -> None:
    for node in random_nodes(tree_of(game, ""), 2):
        if node.pending_roll is not None:
            assert sum(chance for _, chance in node.pending_roll.odds) == 1
            assert len(node.pending_roll.odds) > 1
            assert node.asked == NOBODY
        elif not node.is_over:
            assert node.calls == sorted(node.calls)
            assert node.calls


@each_game
def test_a_pickled_node_is_restored_from_its_history(game: str) -> None:
    nodes = list(random_nodes(tree_of(game, ""), 3))
    for node in (nodes[0], nodes[len(nodes) // 2], nodes[-1]):
        again = pickle.loads(pickle.dumps(node))
        assert again.tree is node.tree
        assert again.position == node.position
        assert (again.call, again.rolls) == (node.call, node.rolls)
        assert again.known_to(HOME) == node.known_to(HOME)
        assert copy.deepcopy(node) is node


def test_a_secret_call_is_known_to_its_team_alone() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    start = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    tree = GameTree(rules, m, start, (str, ()))
    draw, screen = (tree.root.after_call(rules.call_codes[name]) for name in ("draw", "screen"))
    assert draw.known_to(AWAY) == screen.known_to(AWAY)
    assert draw.known_to(HOME) != screen.known_to(HOME)
    assert draw.calls == screen.calls
    blitz = draw.after_call(rules.call_codes["blitz"])
    while blitz.past is draw.past and blitz.pending_roll is not None:
        blitz = blitz.after_roll(len(blitz.pending_roll.odds) - 1)
    assert "0draw[]" in blitz.known_to(AWAY)  # the call has been revealed


def test_players_have_perfect_recall() -> None:
    """An information state begins with the previous one, apart from calls revealed since."""
    last = ""
    for node in random_nodes(tree_of("roll-for-yardage", ""), 4):
        known = node.known_to(HOME)
        assert known.startswith(last.rstrip("]"))
        last = known


def test_an_endless_game_raises_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hashmark.envs.chance_tree.MAX_GAME_STEPS", 5)
    with pytest.raises(EndlessGame):
        list(random_nodes(tree_of("fourth-down", ""), 1))
