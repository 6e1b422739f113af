"""Matrix game of secret calls: both teams call in secret and mix their calls optimally.

The outcomes of every call against every answer are enumerated exactly (`odds/plays.py`). The value
of an outcome, in points and in win probability, is estimated from rollouts that start in such
outcomes: a regression over the few features in which outcomes differ (possession, spot, down,
points scored, time). So a matrix cell carries no noise from its own play, and noise from the rest
of the game only through the regression. The matrix game is then solved for both teams' mixes.

With rollouts of each cell instead, the error of a cell would be as large as the differences
between cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hashmark.engine.generator import DICE_STREAM, RandomStream, check_seed
from hashmark.engine.record import HOME, TIE, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.odds.equilibrium import Equilibrium, solve_matrix_game
from hashmark.odds.outlook import CallDistribution
from hashmark.odds.plays import Follower, secret_pairs
from hashmark.sim.run import choose_engine
from hashmark.sim.threads import check_threads
from hashmark.values.rollout_jobs import RolloutJob
from hashmark.values.rollout_runner import RolloutRunner
from hashmark.values.value import DEFAULT_TIE_VALUE

if TYPE_CHECKING:
    from hashmark.odds.arrays import Floats

GROUPS = 8  # independent regressions: their mean is the estimate, their spread its error
OUTCOMES_PER_GROUP = 96  # outcomes rolled out per group
GAMES_PER_OUTCOME = 100  # rollouts per outcome
RIDGE_PENALTY = 1e-3  # ridge penalty per rolled-out outcome


@dataclass(frozen=True)
class HiddenCallGame:
    """Matrix game of secret calls: the worth of each pair of calls to the team that calls first.

    `worths` are win probabilities (ties weighted as requested), `points` the final margin; rows are
    the first team's calls, columns the other team's answers. `groups` holds the worths estimated by
    each of several independent groups of rollouts.
    """

    team: int
    calls: tuple[int, ...]
    answers: tuple[int, ...]
    worths: Floats
    points: Floats
    group_worths: Floats

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """Equilibrium in win probability."""
        return solve_matrix_game(self.worths)

    @cached_property
    def equilibrium_in_points(self) -> Equilibrium:
        """Equilibrium in points."""
        return solve_matrix_game(self.points)

    @property
    def value(self) -> float:
        """Value of the game to the team that calls first."""
        return self.equilibrium.value

    @property
    def error(self) -> float:
        """Standard error of the value."""
        return _error(self.group_worths @ self.equilibrium.column_mix @ self.equilibrium.row_mix)

    def call_worths(self) -> dict[int, tuple[float, float]]:
        """Return each call's worth against the other team's equilibrium mix.

        With each comes the standard error of its difference to the value of the game.
        """
        return self._against(
            self.calls, self.group_worths @ self.equilibrium.column_mix, self.equilibrium.row_mix
        )

    def answer_worths(self) -> dict[int, tuple[float, float]]:
        """Return the same for each answer: its worth to the other team."""
        groups = 1 - self.group_worths.swapaxes(1, 2) @ self.equilibrium.row_mix
        return self._against(self.answers, groups, self.equilibrium.column_mix)

    def _against(
        self, calls: Sequence[int], groups: Floats, own_mix: Floats
    ) -> dict[int, tuple[float, float]]:
        level = groups @ own_mix
        return {
            call: (float(groups[:, index].mean()), _error(groups[:, index] - level))
            for index, call in enumerate(calls)
        }


def _error(groups: Floats) -> float:
    """Return the standard error of the mean over groups."""
    return float(groups.std(ddof=1) / len(groups) ** 0.5)


def solve_hidden_calls(
    rules: RuleSet,
    m: MatchRecord,
    g: PositionRecord,
    *,
    tie: float = DEFAULT_TIE_VALUE,
    games: int = GAMES_PER_OUTCOME,
    seed: int = 0,
    threads: int | None = None,
    engine: str = "auto",
) -> HiddenCallGame:
    """Solve the secret calls of a position in which both teams are about to call.

    Neither team may have called yet. Each of GROUPS groups plays `games` rollouts from each of
    OUTCOMES_PER_GROUP outcomes.
    """
    engine = choose_engine(engine)
    check_seed(seed)
    if games < 1:
        raise HashmarkError("rollouts: at least one game per outcome is needed")
    follower = Follower(rules, m, engine, for_figures=True)
    pairs = secret_pairs(follower, g)
    team = rules.team_to_act(m, g)
    distributions = follower.follow(
        g, team, [pair[1] for pair in pairs], [pair[2] for pair in pairs]
    )
    cells = CellOutcomes(rules, m, g, distributions)
    player = RolloutRunner(rules, m, seed, engine, check_threads(threads))
    estimates = [cells.estimate(player, number, games, tie, team) for number in range(GROUPS)]
    calls = tuple(dict.fromkeys(call for call, _, _ in pairs))
    answers = tuple(dict.fromkeys(answer for _, _, answer in pairs))
    return _build_matrices(team, calls, answers, [(pair[0], pair[2]) for pair in pairs], estimates)


def _build_matrices(
    team: int,
    calls: tuple[int, ...],
    answers: tuple[int, ...],
    pairs: Sequence[tuple[int, int]],
    estimates: Sequence[Floats],
) -> HiddenCallGame:
    """Arrange the estimates of each group as matrices."""
    import numpy as np

    if len(pairs) != len(calls) * len(answers):
        raise HashmarkError("the calls here do not all allow the same answers")
    cells = np.zeros((len(estimates), 2, len(calls), len(answers)))
    for index, (call, answer) in enumerate(pairs):
        cell = (calls.index(call), answers.index(answer))
        cells[:, :, *cell] = [estimate[:, index] for estimate in estimates]
    worths = np.clip(cells[:, 0], 0, 1)
    return HiddenCallGame(team, calls, answers, worths.mean(0), cells[:, 1].mean(0), worths)


class CellOutcomes:
    """Outcome distribution of every pair of calls over one list of positions, and their values."""

    def __init__(
        self, rules: RuleSet, m: MatchRecord, g: PositionRecord, found: Sequence[CallDistribution]
    ) -> None:
        import numpy as np

        chances_by_key = [
            {key: chance for chance, key in outcomes.outcomes.to_list()} for outcomes in found
        ]
        keys = list(dict.fromkeys(key for outcomes in chances_by_key for key in outcomes))
        number = {key: index for index, key in enumerate(keys)}
        self.chances = np.zeros((len(found), len(keys)))
        for row, outcomes in zip(self.chances, chances_by_key, strict=True):
            for key, chance in outcomes.items():
                row[number[key]] = float(chance)
        self.chances /= self.chances.sum(axis=1, keepdims=True)
        self.positions = [rules.position.from_flat(list(key)) for key in keys]
        self.features = outcome_features(rules, m, g, self.positions)

    def estimate(
        self, player: RolloutRunner, number: int, games: int, tie: float, team: int
    ) -> Floats:
        """Estimate the worth and the points of each cell from one group of rollouts."""
        import numpy as np

        picked = self._sample(player.seed, number)
        jobs = [RolloutJob(self.positions[index]) for index in picked]
        winners, margins = player.run(jobs, number * games, (number + 1) * games)
        worths = ((winners == team) + tie * (winners == TIE)).mean(axis=0)
        points = margins.mean(axis=0) * (1 if team == HOME else -1)
        coefficients = _fit_ridge(self.features[picked], np.column_stack([worths, points]))
        predictions = self.features @ coefficients
        return (self.chances @ predictions).T

    def _sample(self, seed: int, number: int) -> list[int]:
        """Sample outcomes to roll out, by probability, each pair of calls equally weighted."""
        import numpy as np

        stream = RandomStream(seed, number, DICE_STREAM)
        cumulative = np.cumsum(self.chances.mean(axis=0))
        quantiles = (
            np.arange(OUTCOMES_PER_GROUP) + stream.randbelow(1 << 20) / (1 << 20)
        ) / OUTCOMES_PER_GROUP
        return [int(index) for index in np.searchsorted(cumulative, quantiles * cumulative[-1])]


def _fit_ridge(features: Floats, results: Floats) -> Floats:
    """Fit coefficients by ridge regression; the intercept is not penalized."""
    import numpy as np

    square = features.T @ features
    penalty = RIDGE_PENALTY * len(features) * np.eye(len(square))
    penalty[0, 0] = 0.0
    return np.asarray(np.linalg.solve(square + penalty, features.T @ results), float)


# --- Features of outcomes ---------------------------------------------------------------------


def outcome_features(
    rules: RuleSet, m: MatchRecord, before: PositionRecord, positions: Sequence[PositionRecord]
) -> Floats:
    """Return a feature matrix: one row per position, a constant 1, then standardized features.

    Possession, phase, period, down and score are indicator features. Spot, its square, yards to go
    and time are numeric, the first three separately for each team's ball. Down and yards to go are
    used where a game has them, so this works for any rule set.
    """
    import numpy as np

    rows = [_numbers(rules, m, before, g) for g in positions]
    categories = [_category(g) for g in positions]
    distinct = sorted(set(categories))
    switches = [[float(category == each) for each in distinct] for category in categories]
    matrix = np.column_stack([np.array(switches), np.array(rows, float)])
    spread = matrix.std(axis=0)
    matrix = (matrix - matrix.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    return np.column_stack([np.ones(len(matrix)), matrix])


def _category(g: PositionRecord) -> tuple[int, ...]:
    """Return the categorical features of a position."""
    return (g.phase, g.period, g.possession, *g.score, getattr(g, "down", 0))


def _numbers(
    rules: RuleSet, m: MatchRecord, before: PositionRecord, g: PositionRecord
) -> list[float]:
    """Return the numeric features of a position."""
    to_go = getattr(g, "to_go", 0)
    time = rules.solver.progress(m, g) - rules.solver.progress(m, before)
    ours = float(g.possession == before.possession)
    numbers: list[float] = [time]
    for side in (ours, 1 - ours):
        numbers += [side * g.spot, side * g.spot**2, side * to_go]
    return numbers
