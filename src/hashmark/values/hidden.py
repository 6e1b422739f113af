"""The hidden choice: both sides call in secret, and each mixes its calls as is best.

Every call against every answer is a play whose outcomes are enumerated exactly (`odds/plays.py`).
What an outcome is worth, in points and in chances to win, is learnt from games played out from
such outcomes: a surface over the few things in which they differ (who has the ball where, which
down, what has been scored, the time) is laid through the results. So a cell of the matrix carries
no luck of its own play, and the luck of the rest of the game only as far as it moves the surface.
Then the matrix is solved for the mix of both sides.

Played out cell by cell instead, a cell's error would be as large as the differences between cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hashmark.odds.equilibrium import Equilibrium, solve
from hashmark.odds.outlook import Found
from hashmark.odds.plays import Follower, secret_pairs
from hashmark.sim.run import choose_engine
from hashmark.sim.threads import check_threads
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import DICE, Stream, check_seed
from hashmark.table.record import HOME, TIE
from hashmark.table.rules import RuleSet
from hashmark.values.player import Player
from hashmark.values.rollout_jobs import Job
from hashmark.values.surface import features
from hashmark.values.value import HALF

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GROUPS = 8  # independent surfaces: their mean counts, their differences are its error
ENDS = 96  # outcomes that are played out for each
GAMES = 100  # of each outcome
RIDGE = 1e-3  # how much less than one outcome a coefficient must explain to be held down


@dataclass(frozen=True)
class Hidden:
    """The matrix of a hidden choice: what each pair of calls is worth to who calls first.

    `worths` are his chances to win (a tie counting as asked), `points` his margin at the end of
    the game; rows are his calls, columns the other's answers. The `groups` hold the worths by
    each of several independent groups of games.
    """

    team: int
    calls: tuple[int, ...]
    answers: tuple[int, ...]
    worths: NDArray[np.float64]
    points: NDArray[np.float64]
    groups: NDArray[np.float64]

    @cached_property
    def mix(self) -> Equilibrium:
        """The best mix of both sides in chances to win."""
        return solve(self.worths)

    @cached_property
    def mix_in_points(self) -> Equilibrium:
        """The best mix of both sides in points."""
        return solve(self.points)

    @property
    def value(self) -> float:
        """What the choice is worth to who calls first, if both mix as is best."""
        return self.mix.value

    @property
    def error(self) -> float:
        """The standard error of that value."""
        return _error(self.groups @ self.mix.columns @ self.mix.rows)

    def of_calls(self) -> dict[int, tuple[float, float]]:
        """Each call's worth against the other's best mix, to who makes it, and the standard error
        of its difference to the value."""
        return self._against(self.calls, self.groups @ self.mix.columns, self.mix.rows)

    def of_answers(self) -> dict[int, tuple[float, float]]:
        """The same for each answer: its worth to the other side."""
        groups = 1 - self.groups.swapaxes(1, 2) @ self.mix.rows
        return self._against(self.answers, groups, self.mix.columns)

    def _against(
        self, calls: Sequence[int], groups: NDArray[np.float64], own: NDArray[np.float64]
    ) -> dict[int, tuple[float, float]]:
        level = groups @ own
        return {
            call: (float(groups[:, at].mean()), _error(groups[:, at] - level))
            for at, call in enumerate(calls)
        }


def _error(groups: NDArray[np.float64]) -> float:
    """The standard error of a mean of groups."""
    return float(groups.std(ddof=1) / len(groups) ** 0.5)


def hidden(
    rules: RuleSet,
    m: Any,
    g: Any,
    *,
    tie: float = HALF,
    games: int = GAMES,
    seed: int = 0,
    threads: int | None = None,
    engine: str = "auto",
) -> Hidden:
    """The hidden choice of a position in which both sides are about to call in secret.

    The position is one before either has called. `games` are played out from each of ENDS
    outcomes in each of GROUPS groups.
    """
    engine = choose_engine(engine)
    check_seed(seed)
    if games < 1:
        raise HashmarkError("rollouts: at least one game of each outcome must be played")
    follower = Follower(rules, m, engine, for_figures=True)
    pairs = secret_pairs(follower, g)
    team = rules.asked(m, g)
    found = follower.follow(g, team, [one[1] for one in pairs], [one[2] for one in pairs])
    cells = Cells(rules, m, g, found)
    player = Player(rules, m, seed, engine, check_threads(threads))
    made = [cells.learnt(player, number, games, tie, team) for number in range(GROUPS)]
    calls = tuple(dict.fromkeys(code for code, _, _ in pairs))
    answers = tuple(dict.fromkeys(answer for _, _, answer in pairs))
    return _laid_out(team, calls, answers, [(one[0], one[2]) for one in pairs], made)


def _laid_out(
    team: int,
    calls: tuple[int, ...],
    answers: tuple[int, ...],
    pairs: Sequence[tuple[int, int]],
    made: Sequence[Any],
) -> Hidden:
    """The cells as matrices, from their worths and points by each group."""
    import numpy as np

    if len(pairs) != len(calls) * len(answers):
        raise HashmarkError("not every call can be answered by the same calls here")
    both = np.zeros((len(made), 2, len(calls), len(answers)))
    for at, (call, answer) in enumerate(pairs):
        where = (calls.index(call), answers.index(answer))
        both[:, :, *where] = [one[:, at] for one in made]
    worths = np.clip(both[:, 0], 0, 1)
    return Hidden(team, calls, answers, worths.mean(0), both[:, 1].mean(0), worths)


class Cells:
    """The outcomes of every pair of calls in one table, and what they are worth."""

    def __init__(self, rules: RuleSet, m: Any, g: Any, found: Sequence[Found]) -> None:
        import numpy as np

        listed = [{key: chance for chance, key in one.ends.listed()} for one in found]
        keys = list(dict.fromkeys(key for one in listed for key in one))
        number = {key: at for at, key in enumerate(keys)}
        self.chances = np.zeros((len(found), len(keys)))
        for row, one in zip(self.chances, listed, strict=True):
            for key, chance in one.items():
                row[number[key]] = float(chance)
        self.chances /= self.chances.sum(axis=1, keepdims=True)
        self.positions = [rules.position.from_flat(list(key)) for key in keys]
        self.features = features(rules, m, g, self.positions)

    def learnt(self, player: Player, number: int, games: int, tie: float, team: int) -> Any:
        """Of each cell: its worth and its points, from one group of games."""
        import numpy as np

        picked = self._picked(player.seed, number)
        jobs = [Job(self.positions[at]) for at in picked]
        winners, margins = player.play(jobs, number * games, (number + 1) * games)
        worths = ((winners == team) + tie * (winners == TIE)).mean(axis=0)
        points = margins.mean(axis=0) * (1 if team == HOME else -1)
        surface = _fitted(self.features[picked], np.column_stack([worths, points]))
        ends = self.features @ surface
        return (self.chances @ ends).T

    def _picked(self, seed: int, number: int) -> list[int]:
        """Outcomes to be played out: as likely as they are, each pair of calls alike."""
        import numpy as np

        stream = Stream(seed, number, DICE)
        along = np.cumsum(self.chances.mean(axis=0))
        where = (np.arange(ENDS) + stream.below(1 << 20) / (1 << 20)) / ENDS
        return [int(at) for at in np.searchsorted(along, where * along[-1])]


def _fitted(known: Any, results: Any) -> Any:
    """Coefficients by least squares, held down a little where there is little to go by."""
    import numpy as np

    square = known.T @ known
    held = RIDGE * len(known) * np.eye(len(square))
    held[0, 0] = 0.0
    return np.linalg.solve(square + held, known.T @ results)
