"""OpenSpiel: its random test on all games, and its algorithms on short ones."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    mcts,
    outcome_sampling_mccfr,
)

from hashmark.engine import registry
from hashmark.engine.position_id import encode_position
from hashmark.engine.record import HOME
from hashmark.envs import open_spiel, settings
from hashmark.errors import HashmarkError
from hashmark.values.solved import SolvedGame
from values.enumerated import Enumerated

each_game = pytest.mark.parametrize("game", registry.builtin_names())
LATE = {"phase": "drive", "period": 2, "possession": "home", "spot": 40,
        "score": {"home": 0, "away": 3}}  # fmt: skip
LAST_DOWN = {"phase": "untimed-down", "period": 2, "possession": "home", "spot": 85, "clock": 0,
             "score": {"home": 0, "away": 4}}  # fmt: skip


@each_game
def test_openspiels_random_test_passes(game: str) -> None:
    loaded = pyspiel.load_game(settings.identifier_of(game))
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@each_game
def test_openspiels_long_random_test_passes(game: str) -> None:
    loaded = pyspiel.load_game(settings.identifier_of(game))
    pyspiel.random_sim_test(loaded, num_sims=20, serialize=True, verbose=False)


def worth(start: dict[str, Any]) -> float:
    """Return home's value of a position from -1 to 1, by plain enumeration."""
    rules = registry.load("fourth-down")
    m = rules.new_match()
    return 2 * Enumerated(rules, m).value(rules.new_position(m, start)).worth(0) - 1


@pytest.mark.parametrize("clock", [1, 2])
def test_value_iteration_finds_the_value_of_the_solver(clock: int, solved: SolvedGame) -> None:
    from open_spiel.python.algorithms import value_iteration  # loads a solver library

    start = {**LATE, "clock": clock}
    game = open_spiel.load("fourth-down", start=start)
    values = value_iteration.value_iteration(game, -1, 1e-12, cyclic_game=True)
    state = game.new_initial_state()
    expected = 2 * solved.value(state.node.position).worth(HOME) - 1
    assert values[str(state)] == pytest.approx(expected, abs=1e-12)
    assert expected == pytest.approx(worth(start), abs=1e-12)


def test_regret_minimization_finds_the_value() -> None:
    game = open_spiel.load("fourth-down", start=LAST_DOWN)
    solver = cfr.CFRSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    ours = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert ours[0] == pytest.approx(worth(LAST_DOWN), abs=0.05)
    assert exploitability.nash_conv(game, policy) < 0.05


def test_tree_search_makes_legal_calls() -> None:
    game = open_spiel.load("fourth-down", start=LAST_DOWN)
    rng = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 2.0, 400, rollouts, random_state=rng, solve=False)
    state = game.new_initial_state()
    assert state.action_to_string(bot.step(state)) == "go-for-it"  # four behind


def test_sampled_regret_minimization_handles_hidden_calls() -> None:
    start = {"phase": "scrimmage", "possession": "home", "spot": 80, "down": 4, "period": 4,
             "clock": 5, "score": {"home": 0, "away": 3}}  # fmt: skip
    game = open_spiel.load("data-driven", start=start)
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(20):
        solver.iteration()
    state = game.new_initial_state()
    probabilities = solver.average_policy().action_probabilities(state)
    assert sum(probabilities.values()) == pytest.approx(1)


def test_the_second_team_does_not_see_the_first_teams_call() -> None:
    start = {"phase": "scrimmage", "possession": "home", "spot": 30}
    game = open_spiel.load("data-driven", start=start)
    states = []
    for call in ("draw", "long-pass"):
        state = game.new_initial_state()
        state.apply_action(game.rules.call_codes[call])
        states.append(state)
    one, two = states
    assert one.current_player() == 1
    assert one.information_state_string(1) == two.information_state_string(1)
    assert one.observation_string(1) == two.observation_string(1)
    assert one.observation_tensor(1) == two.observation_tensor(1)
    assert one.legal_actions() == two.legal_actions()
    assert one.information_state_string(0) != two.information_state_string(0)


def test_the_name_of_a_game_includes_its_position() -> None:
    rules = registry.load("fourth-down")
    options = {"punt-touchback": "goal-line"}
    game = open_spiel.load("fourth-down", options=options, start={**LATE, "clock": 9})
    again = pyspiel.load_game(str(game))
    state = again.new_initial_state()
    assert str(state) == str(game.new_initial_state())
    assert again.match == rules.new_match(options)
    assert state.node.position.clock == 9
    assert str(open_spiel.load("fourth-down")) == "hashmark_fourth_down(position=)"


def test_a_solo_game_has_one_player() -> None:
    assert open_spiel.load("two-minute-drill").num_players() == 1
    assert open_spiel.load("two-minute-drill", options={"reply": True}).num_players() == 2


def test_chance_outcomes_are_described_by_dice_and_value() -> None:
    state = open_spiel.load("fourth-down").new_initial_state()
    assert state.is_chance_node()
    assert [state.action_to_string(at) for at, _ in state.chance_outcomes()] == [
        "coin: 1",
        "coin: 2",
    ]
    clone = state.clone()
    clone.apply_action(0)
    assert state.is_chance_node()
    assert not clone.is_chance_node()
    assert clone.action_to_string(0) == "balanced"


def test_invalid_positions_are_refused() -> None:
    rules = registry.load("fourth-down")
    over = encode_position(rules, {}, rules.new_position(rules.new_match(), {"phase": "over"}))
    with pytest.raises(HashmarkError, match=r"^position: the game is over in this position"):
        pyspiel.load_game("hashmark_fourth_down", {"position": over})
    with pytest.raises(HashmarkError, match=r"belongs to fourth-down, not to rapid-roll"):
        pyspiel.load_game("hashmark_rapid_roll", {"position": over})
    with pytest.raises(HashmarkError):
        pyspiel.load_game("hashmark_fourth_down", {"position": "hm123456"})
    with pytest.raises(HashmarkError, match=r"observers take no parameters"):
        open_spiel.load("fourth-down").make_py_observer(params={"x": 1})


def test_the_interpreter_exits_cleanly() -> None:
    """OpenSpiel keeps registered games until after the exit."""
    program = "from hashmark.envs import open_spiel; open_spiel.load('fourth-down')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
