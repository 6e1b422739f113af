"""What-ifs: the effect of another game plan on a team's season."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.api.tables import TableView, percent
from hashmark.api.teams import parse_season
from hashmark.errors import HashmarkError

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from hashmark.api.plans import Plan
    from hashmark.league.whatifs.best_plan import BestPlan
    from hashmark.league.whatifs.scan import Finding, Scan
    from hashmark.league.whatifs.whatif import Comparison
    from hashmark.league.whatifs.whatif_run import WhatIfResult
    from hashmark.sim.results import Estimate

GAME_COLUMNS = {
    "game": "opponent, `vs` at home and `at` away",
    "wp": "share of wins with the unchanged plan; a tie counts half",
    "wp_change": "what the change adds",
    "wp_change_se": "its standard error, from paired seasons",
}
RESPONSES = ("keep their plans", "defenses respond", "both sides respond")


class WhatIf(TableView):
    """The effect of another game plan on a team's season, paired run by run."""

    def __init__(self, result: WhatIfResult) -> None:
        self._result = result

    @property
    def _comparison(self) -> Comparison:
        from hashmark.league.whatifs.whatif import Comparison

        assert isinstance(self._result.answer, Comparison)
        return self._result.answer

    @property
    def runs(self) -> int:
        """The number of simulated seasons with each plan."""
        return self._comparison.runs

    @property
    def wins(self) -> Estimate:
        """Wins a season gained by the change, with the standard error of the dice."""
        return self._comparison.wins

    @property
    def points_for(self) -> Estimate:
        """Points scored a season gained by the change."""
        return self._comparison.points_for

    @property
    def points_against(self) -> Estimate:
        """Points allowed a season added by the change."""
        return self._comparison.points_against

    @property
    def plan(self) -> Plan:
        """The changed game plan."""
        from hashmark.api.plans import Plan

        return Plan(self._comparison.plan)

    @property
    def answer(self) -> str:
        """What changed and what it was worth, in one sentence."""
        return self._comparison.sentence()

    def games(self) -> pl.DataFrame:
        """Return a row for each game of the schedule: its win probability and the change."""
        extras.require("games()", "polars")
        import polars as pl

        return pl.DataFrame(game_rows(self._comparison))

    def frame(self) -> pl.DataFrame:
        """Return one row: the change, and what it adds to wins and points, with standard errors."""
        extras.require("frame()", "polars")
        import polars as pl

        estimates = {"wins": self.wins, "points_for": self.points_for}
        estimates["points_against"] = self.points_against
        trial = self._comparison.trial
        season = trial.setup.recipe.season
        row: dict[str, Any] = {"season": season, "team": trial.team, "runs": self.runs}
        for name, estimate in estimates.items():
            row |= {f"{name}_change": estimate.mean, f"{name}_change_se": estimate.error}
        return pl.DataFrame([row])

    def calls(self) -> pl.DataFrame:
        """Return a row for each play: its share of all calls before and after the change."""
        extras.require("calls()", "polars")
        import polars as pl

        rows = self._comparison.call_shares()
        return pl.DataFrame(rows, schema=["play", "before", "after"], orient="row")

    def to_html(self) -> str:
        """Return the whole report as one HTML page."""
        report = self._result.report()
        return "" if report is None else report.html()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the change of the win probability of each game."""
        from hashmark.api.plots import estimates

        games = self._comparison.by_game()
        means = [100 * change.mean for _, _, change in games]
        errors = [100 * change.error for _, _, change in games]
        title = "change of win probability (percentage points, 95 % interval)"
        return estimates([game for game, _, _ in games], means, errors, title, ax)

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import report_svg

        return report_svg(self._result.report())

    def _caption(self) -> str:
        trial = self._comparison.trial
        return f"{trial.season} {trial.team}: {self.answer}"

    def __repr__(self) -> str:
        trial, wins = self._comparison.trial, self.wins
        gain = f"{wins.mean:+.2f} ± {wins.error:.2f} (SE)"
        return f"<WhatIf {trial.season} {trial.team}: {gain} wins a season, {self.runs:,} runs>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        rows: list[Sequence[str]] = [
            (play, percent(before), percent(after))
            for play, before, after in self._comparison.call_shares()
        ]
        return ("play", "share before", "after"), rows


def game_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return a row for each game of the schedule: its win probability and the change."""
    return [
        {"game": game, "wp": chance, "wp_change": change.mean, "wp_change_se": change.error}
        for game, chance, change in comparison.by_game()
    ]


def answer_rows(answer: Comparison | Scan | BestPlan) -> list[dict[str, Any]]:
    """Return the rows of any what-if: games of a change, changes of a scan, or plans compared."""
    from hashmark.league.whatifs.scan import Scan
    from hashmark.league.whatifs.whatif import Comparison

    if isinstance(answer, Comparison):
        return game_rows(answer)
    if isinstance(answer, Scan):
        return [_finding_row(finding) for finding in answer.findings]
    unchanged = answer.results[0]
    return [
        {
            "plan": result.name,
            "opponents": response,
            "wins": float(sample.wins.mean()),
            "wins_change": result.change(column, unchanged).mean,
            "wins_change_se": result.change(column, unchanged).error,
        }
        for result in answer.results
        for column, (response, sample) in enumerate(zip(RESPONSES, result.samples(), strict=True))
    ]


def _finding_row(finding: Finding) -> dict[str, Any]:
    return {
        "change": finding.words,
        "wins_change": finding.wins.mean,
        "wins_change_se": finding.wins.error,
        "net_points_change": finding.points.mean,
        "net_points_change_se": finding.points.error,
        "runs": finding.runs,
        "is_significant": finding.is_significant,
    }


def whatif(
    season: int,
    team: str,
    *,
    pass_rate: str | Sequence[str] = (),
    blitz_rate: str | Sequence[str] = (),
    play: str | Sequence[str] = (),
    formation: str | Sequence[str] = (),
    tempo: str | Sequence[str] = (),
    fourth_down: str | None = None,
    when: str | None = None,
    plan: str | None = None,
    runs: int = 1000,
    seed: int = 0,
    answered: bool = False,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> WhatIf:
    """Measure how another game plan would change a team's wins.

    Changes are written as at the command line: `pass_rate="+10%"`, `play="deep=+5%"`,
    `fourth_down="bold"`, `when="down=1"`. Both plans are simulated with the same dice.
    """
    extras.require("whatif", "numba")
    from hashmark.league.seasons.pairings import MAX_RECORDED_RUNS, validate_run
    from hashmark.league.whatifs import whatif_run
    from hashmark.league.whatifs.change_request import ChangeRequest

    change = ChangeRequest(
        _texts(pass_rate),
        _texts(play),
        _texts(blitz_rate),
        _texts(formation),
        _texts(tempo),
        fourth_down,
        when,
    )
    season = parse_season(season)
    if not change.has_changes and plan is None:
        raise HashmarkError("name a change, e.g. pass_rate='+10%' or play='deep=+5%', or a plan")
    validate_run(runs, seed, threads, MAX_RECORDED_RUNS)
    change.validate()
    question = whatif_run.ask_change(change, plan, runs, seed, answered)
    request = whatif_run.WhatIfRequest(season, team, question, dict(options or {}))
    return WhatIf(whatif_run.run_request(request, threads=threads, progress=progress))


def _texts(given: str | Sequence[str]) -> Sequence[str]:
    return (given,) if isinstance(given, str) else given
