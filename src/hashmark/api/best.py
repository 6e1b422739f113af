"""Best calls of a position."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.api.positions import Situation, parse_situation
from hashmark.api.tables import TableView, percent
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from hashmark.api.game import Game
    from hashmark.values.analysis import PositionAnalysis
    from hashmark.values.value import CallValues, Value

CALL_COLUMNS = {
    "call": "name of the call",
    "home_wp": "probability that home wins after this call and best play",
    "tie": "probability of a tie",
    "away_wp": "probability that away wins",
    "loss": "what the call costs against the best one, as a fraction",
    "loss_se": "standard error of the loss; 0 if exact",
}


class BestCall(TableView):
    """The value of a position, its best call, and what the other calls cost."""

    def __init__(self, situation: Situation, analysis: PositionAnalysis) -> None:
        self._situation, self._analysis = situation, analysis

    @property
    def call(self) -> str | None:
        """The best call; None if the dice decide."""
        judged = self._analysis.call_values
        return None if judged is None else self._name(judged.best)

    @property
    def value(self) -> Value:
        """Chances of home, tie and away, with the standard error of an estimate."""
        return self._analysis.value

    @property
    def method(self) -> str:
        """How the values were computed."""
        return self._analysis.source.description

    @property
    def loss(self) -> dict[str, float]:
        """What each call costs in win probability against the best one, from 0 to 1."""
        judged = self._judged()
        return {self._name(call): judged.loss(call) for call in judged.calls}

    def _judged(self) -> CallValues:
        return judged_calls(self._analysis)

    def _name(self, call: int) -> str:
        return self._situation.rules.calls[call]

    def frame(self) -> pl.DataFrame:
        """Return a row for each call, the best first."""
        extras.require("frame()", "polars")
        import polars as pl

        return pl.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return call_rows(self._analysis)

    def __repr__(self) -> str:
        home = percent(self.value.home)
        error = "" if self.value.is_exact else f" ± {100 * self.value.error:.1f} (SE)"
        call = self.call or "(the dice decide)"
        return f"<BestCall {self._situation.rules.name}: {call}, home WP {home}{error}>"

    def _caption(self) -> str:
        return f"{super()._caption()}. Method: {self.method}."

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw what each call costs, in win probability, with its 95 % interval."""
        from hashmark.api.plots import estimates

        rows = self._rows()
        losses = [100 * row["loss"] for row in rows]
        errors = [100 * row["loss_se"] for row in rows]
        title = "win probability below the best call (percentage points)"
        return estimates([row["call"] for row in rows], losses, errors, title, ax)

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import situation_svg

        return situation_svg(self._situation)

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        from hashmark.values.analysis import format_loss

        if self.call is None:
            return ("home wins", "tie", "away wins"), [
                [percent(chance) for chance in (self.value.home, self.value.tie, self.value.away)]
            ]
        judged = self._judged()
        rows = [
            (row["call"], percent(row["home_wp"]), percent(row["tie"]), percent(row["away_wp"]))
            for row in self._rows()
        ]
        losses = [format_loss(judged, call) for call in sorted(judged.calls, key=judged.loss)]
        headings = (f"{TEAMS[judged.team]}'s call", "home wins", "tie", "away wins", "WP vs. best")
        return headings, [(*row, loss) for row, loss in zip(rows, losses, strict=True)]


def judged_calls(analysis: PositionAnalysis) -> CallValues:
    """Return the values of all calls; raise an error where no call is pending."""
    if analysis.call_values is None:
        raise HashmarkError("no call is pending in this position: the dice decide")
    return analysis.call_values


def call_rows(analysis: PositionAnalysis) -> list[dict[str, Any]]:
    """Return a row for each call with the columns of `BestCall.frame`, the best first."""
    judged, names = judged_calls(analysis), analysis.source.rules.calls
    return [
        {
            "call": names[call],
            "home_wp": judged.calls[call].home,
            "tie": judged.calls[call].tie,
            "away_wp": judged.calls[call].away,
            "loss": judged.loss(call),
            "loss_se": judged.errors[call],
        }
        for call in sorted(judged.calls, key=judged.loss)
    ]


def best(
    rules: str,
    position: Mapping[str, Any] | str | os.PathLike[str] | Game | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    tie: float = 0.5,
    games: int = 1000,
    seed: int = 0,
) -> BestCall:
    """Return the value of a position, or of the first decision of a game, and its best call.

    >>> import hashmark as hm
    >>> late = {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 2, "period": 2,
    ...         "clock": 0, "score": {"home": 7, "away": 9}}
    >>> hm.best("fourth-down", late, games=200).call
    'field-goal'

    Solved games are exact; others are estimated by `games` rollouts for each call, with standard
    errors. `tie` is what a tie is worth, from 0 (a loss) to 1 (a win).
    """
    return _analyze(parse_situation(rules, position, options), tie, games, seed)


def solve(
    rules: str,
    *,
    options: Mapping[str, Any] | None = None,
    tie: float = 0.5,
    threads: int | None = None,
) -> BestCall:
    """Solve a game exactly, unless that was done before; return the value of a new game.

    The solution is saved: `best`, `review` and the coach `best` use it from then on. An interrupted
    run is resumed by the same call.
    """
    extras.require("solve", "numba")
    from hashmark.values import solution
    from hashmark.values.solve_on_disk import solve as solve_on_disk

    check_tie(tie)
    situation = parse_situation(rules, None, options, first_decision=False)
    game, m = situation.rules, situation.match
    if solution.find(game, m, tie) is None:
        solve_on_disk(solution.SolveTask(game, m, tie), threads=threads)
    return _analyze(situation, tie)


def _analyze(situation: Situation, tie: float, games: int = 1000, seed: int = 0) -> BestCall:
    extras.require("best", "numpy")
    from hashmark.values.analysis import analyze_position
    from hashmark.values.sources import source_of

    check_tie(tie)
    if situation.rules.is_over(situation.position):
        raise HashmarkError("the game is over in this position: there is no call left")
    source = source_of(situation.rules, situation.options, tie=tie, games=games, seed=seed)
    return BestCall(situation, analyze_position(source, situation.position))


def check_tie(tie: float) -> None:
    """Raise an error unless this is a value of a tie."""
    if not 0 <= tie <= 1:
        raise HashmarkError(f"tie {tie:g}: expected a number from 0 to 1")
