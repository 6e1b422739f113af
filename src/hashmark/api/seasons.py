"""Real seasons, simulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.api.tables import TableView, percent
from hashmark.api.teams import parse_season

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from hashmark.league.seasons.outcome import SeasonOutcome, TeamOutcome
    from hashmark.league.seasons.season_run import SeasonResult

TEAM_COLUMNS = {
    "team": "code of the team in that season",
    "division": "division",
    "real_record": "real record",
    "real_wins": "real wins; a tie counts half",
    "wins": "mean of the simulated wins",
    "wins_se": "its standard error, from the dice alone",
    "wins_low": "wins that 5 % of the seasons stay below",
    "wins_high": "wins that 5 % of the seasons exceed",
    "points_for": "points scored a season",
    "points_against": "points allowed a season",
    "strength": "points a game in a round robin on a neutral field",
    "strength_se": "its standard error, from the dice alone",
    "make_playoffs": "share of seasons in the playoffs",
    "win_division": "share of division titles",
    "top_seed": "share of top seeds",
    "win_conference": "share of conference titles",
    "win_title": "share of league titles",
}


class Season(TableView):
    """A simulated season: one row a team, and the answer whether the best team won."""

    def __init__(self, result: SeasonResult) -> None:
        self._result = result

    @property
    def answer(self) -> str:
        """Whether the best team won the title, in a sentence or two."""
        return self._result.outcome.answer()

    @property
    def runs(self) -> int:
        """The number of simulated seasons."""
        return self._result.outcome.runs

    def team(self, team: str) -> TeamOutcome:
        """Return the figures of a team by code, city or nickname, of today or of the time."""
        from hashmark.league.data.teams import parse_team

        return self._result.outcome.team(parse_team(team))

    def table(self) -> pl.DataFrame:
        """Return a row for each team, those with the most simulated wins first."""
        extras.require("table()", "polars")
        import polars as pl

        return pl.DataFrame(team_rows(self._result.outcome))

    def to_html(self) -> str:
        """Return the whole report as one HTML page."""
        report = self._result.report()
        return "" if report is None else report.html()

    def plot(self, team: str, ax: Axes | None = None) -> Axes:
        """Draw how often a team wins how many games."""
        from hashmark.api.plots import win_distribution

        outcome = self.team(team)
        return win_distribution(outcome.distribution, outcome.actual, outcome.code, ax)

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import report_svg

        return report_svg(self._result.report())

    def __repr__(self) -> str:
        outcome = self._result.outcome
        return f"<Season {outcome.recipe.season}: {self.runs:,} simulations, seed {outcome.seed}>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        rows: list[Sequence[str]] = [
            (
                team.code,
                team.record,
                f"{team.wins.mean:.2f}",
                percent(team.playoffs),
                percent(team.division_title),
                percent(team.top_seed),
                percent(team.final),
                percent(team.title.mean),
            )
            for team in self._result.outcome.teams()
        ]
        names = ("team", "real", "wins", "playoffs", "division", "1 seed", "conference", "title")
        return names, rows


def team_rows(outcome: SeasonOutcome) -> list[dict[str, Any]]:
    """Return a row for each team with the columns of `Season.table`, the most wins first."""
    return [
        {
            "team": team.code,
            "division": team.division,
            "real_record": team.record,
            "real_wins": team.actual,
            "wins": team.wins.mean,
            "wins_se": team.wins.error,
            "wins_low": team.low,
            "wins_high": team.high,
            "points_for": team.points[0],
            "points_against": team.points[1],
            "strength": team.strength.mean,
            "strength_se": team.strength.error,
            "make_playoffs": team.playoffs,
            "win_division": team.division_title,
            "top_seed": team.top_seed,
            "win_conference": team.final,
            "win_title": team.title.mean,
        }
        for team in outcome.teams()
    ]


def season(
    season: int,
    *,
    runs: int = 1000,
    seed: int = 0,
    plan: str | None = None,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Season:
    """Simulate a real season `runs` times; `table()` has one row a team.

    `plan` names a game plan for every team instead of their real ones. The first call compiles the
    game, which takes a minute.
    """
    extras.require("season", "numba")
    from hashmark.league.seasons.season_run import SeasonRequest, run_season

    request = SeasonRequest(parse_season(season), runs, seed, None, plan, dict(options or {}))
    return Season(run_season(request, threads=threads, cluster=cluster, progress=progress))
