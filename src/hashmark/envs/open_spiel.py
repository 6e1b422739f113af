"""OpenSpiel games: importing this module registers `hashmark_fourth_down` and the others.

    import pyspiel
    from hashmark.envs import open_spiel

    game = pyspiel.load_game("hashmark_fourth_down")
    late = open_spiel.load("fourth-down", start={"phase": "drive", "period": 2, "clock": 3, ...})

Every roll is a chance node with its exact odds (see `chance_tree`). Secret calls are made one after
the other, and the second team's information state does not contain the first team's call. Actions
are the calls of the rule set. Players are home and away; a solo game has one player.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

from hashmark import extras

try:
    import numpy as np
    import pyspiel
except ImportError as fault:
    raise extras.missing_library_error("hashmark.envs.open_spiel", "open_spiel") from fault

from hashmark.engine import position_id, registry
from hashmark.engine.record import winner
from hashmark.engine.rule_set import MAX_GAME_STEPS, RuleSet
from hashmark.envs import observation, settings
from hashmark.envs.chance_tree import GameTree, Node
from hashmark.envs.settings import class_name, identifier_of
from hashmark.errors import HashmarkError

MAX_ROLL_OUTCOMES = 1024  # maximum outcomes of one roll
POSITION_PARAMETER = "position"  # the only parameter: a position ID, which includes the options


def load(
    game: str,
    options: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
) -> Any:
    """Load a game with these options, from this position on."""
    rules = registry.load(game)
    game_options = dict(options or {})
    if not game_options and not start:
        return pyspiel.load_game(identifier_of(game))
    position = rules.new_position(rules.new_match(game_options), start)
    return pyspiel.load_game(
        identifier_of(game),
        {POSITION_PARAMETER: position_id.encode_position(rules, game_options, position)},
    )


def build_game_type(rules: RuleSet) -> Any:
    """Return the OpenSpiel game type of a rule set."""
    kinds = pyspiel.GameType
    is_solo = rules.is_solo(rules.new_match())
    return kinds(
        short_name=identifier_of(rules.name),
        long_name=rules.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if rules.has_secret_calls
            else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.GENERAL_SUM if is_solo else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=1 if is_solo else 2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={POSITION_PARAMETER: ""},
    )


class HashmarkGame(pyspiel.Game):  # type: ignore[misc]
    """A game from one position on; each rule set has its own subclass, see `_register`."""

    rules: ClassVar[RuleSet]
    kind: ClassVar[Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        rules, parameters = self.rules, dict(params or {})
        self.tree = tree_of(rules.name, str(parameters.get(POSITION_PARAMETER, "")))
        self.match = self.tree.match
        self.layout = observation.of(rules)
        is_solo = rules.is_solo(self.match)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.calls),
            max_chance_outcomes=MAX_ROLL_OUTCOMES,
            num_players=1 if is_solo else 2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if is_solo else 0.0,
            max_game_length=MAX_GAME_STEPS,
        )
        super().__init__(self.kind, info, parameters)

    def new_initial_state(self, *_: object) -> HashmarkState:
        """Return the first state: a decision node or a chance node."""
        return HashmarkState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> Observer:
        """Return an observer of states from a player's point of view."""
        if params:
            raise HashmarkError("observers take no parameters")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self, recall)


@lru_cache(maxsize=256)
def tree_of(game: str, identifier: str) -> GameTree:
    """Return the tree of games from the position of an ID, or from the start if it is empty."""
    rules, remade = registry.load(game), (tree_of, (game, identifier))
    if not identifier:
        m = rules.new_match()
        return GameTree(rules, m, rules.new_position(m), remade)
    parsed = position_id.decode_position(identifier)
    if parsed.rules is not rules:
        raise HashmarkError(
            f"position: {identifier} belongs to {parsed.rules.name}, not to {rules.name}"
        )
    if rules.is_over(parsed.position):
        raise HashmarkError("position: the game is over in this position")
    return GameTree(rules, rules.new_match(parsed.options), parsed.position, remade)


class HashmarkState(pyspiel.State):  # type: ignore[misc]
    """State of a game; all its data is in its immutable node."""

    def __init__(self, game: HashmarkGame) -> None:
        super().__init__(game)
        self.node: Node = game.tree.root

    def current_player(self) -> Any:
        """Return the player to act, chance, or terminal."""
        node = self.node
        if node.pending_roll is not None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if node.is_over else node.asked

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.calls if player == self.node.asked else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every outcome of the pending roll, by index, with its probability."""
        assert self.node.pending_roll is not None
        column = self.node.pending_roll.odds
        if len(column) > MAX_ROLL_OUTCOMES:
            raise HashmarkError(f"a roll has {len(column)} outcomes, more than {MAX_ROLL_OUTCOMES}")
        return [(index, float(chance)) for index, (_, chance) in enumerate(column)]

    def _apply_action(self, action: int) -> None:
        node = self.node
        self.node = (
            node.after_call(action) if node.pending_roll is None else node.after_roll(action)
        )

    def _action_to_string(self, player: int, action: int) -> str:
        wanted = self.node.pending_roll
        if player == pyspiel.PlayerId.CHANCE and wanted is not None:
            return f"{wanted.pool.name}: {wanted.odds[action][0]}"
        return str(self.node.tree.rules.calls[action])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.is_over

    def returns(self) -> list[float]:
        """Return 1 for the winner, -1 for the loser, 0 for a tie or before the end."""
        node = self.node
        won = settings.game_result(winner(node.position), 0) if node.is_over else 0.0
        return [won] if self.num_players() == 1 else [won, -won]

    def __str__(self) -> str:
        """Return the position and the step under way: equal texts have equal futures."""
        node = self.node
        text = json.dumps(node.position.to_json(), separators=(",", ":"))
        return text if node.pending_roll is None else f"{text} {node.call} {list(node.rolls)}"


class Observer:
    """A player's observation of a state, as numbers and as text."""

    def __init__(self, game: HashmarkGame, recall: bool) -> None:
        """Create the observer; with `recall`, the player's whole history, as text only."""
        self.game, self.recall = game, recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not recall:
            self.tensor = np.zeros(game.layout.size, np.float32)
            self.mask = np.zeros(len(game.rules.calls), np.int8)
            self.dict = {name: self.tensor[part] for name, part in game.layout.groups.items()}

    def set_from(self, state: HashmarkState, player: int) -> None:
        """Write a player's observation; within a step, that of the position before it."""
        if self.tensor is None:
            return
        position = state.node.position
        self.game.layout.write(self.game.match, position, player, self.tensor, self.mask)

    def string_from(self, state: HashmarkState, player: int) -> str:
        """Return a player's observation as text."""
        node = state.node
        if self.recall:
            return node.known_to(player)
        view = self.game.rules.view(self.game.match, node.position, player)
        return f"{player}: {json.dumps(view.to_json(), separators=(',', ':'))}"


def register_games() -> None:
    """Register every game that OpenSpiel does not know yet."""
    known = set(pyspiel.registered_names())
    for game in registry.names():
        if identifier_of(game) not in known:
            _register(registry.load(game))


def _register(rules: RuleSet) -> None:
    """Register a rule set as a class.

    OpenSpiel keeps what it is given until the interpreter has shut down; only a class survives it.
    """
    game_type = build_game_type(rules)
    game_class = type(class_name(rules.name), (HashmarkGame,), {"rules": rules, "kind": game_type})
    pyspiel.register_game(game_type, game_class)


register_games()
