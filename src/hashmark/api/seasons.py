"""Real seasons: simulations, what-ifs, teams and plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.api.tables import TableView, percent
from hashmark.errors import HashmarkError, UnknownName

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from hashmark.games.data_driven.plans.plan import Plan as GamePlan
    from hashmark.league.seasons.outcome import TeamOutcome
    from hashmark.league.seasons.season_run import SeasonResult
    from hashmark.league.whatifs.whatif import Comparison
    from hashmark.league.whatifs.whatif_run import WhatIfResult
    from hashmark.sim.results import Estimate


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

        return pl.DataFrame([_team_row(team) for team in self._result.outcome.teams()])

    def to_html(self) -> str:
        """Return the whole report as one HTML page."""
        report = self._result.report()
        return "" if report is None else report.html()

    def plot(self, team: str, ax: Axes | None = None) -> Axes:
        """Draw how often a team wins how many games."""
        from hashmark.api.plots import win_distribution

        outcome = self.team(team)
        return win_distribution(outcome.distribution, outcome.actual, outcome.code, ax)

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


def _team_row(team: TeamOutcome) -> dict[str, Any]:
    return {
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
    """Simulate a real season `runs` times; `table()` has one row a team."""
    extras.require("season", "numba")
    from hashmark.league.seasons.season_run import SeasonRequest, run_season

    request = SeasonRequest(season, runs, seed, None, plan, dict(options or {}))
    return Season(run_season(request, threads=threads, cluster=cluster, progress=progress))


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
    def answer(self) -> str:
        """What changed and what it was worth, in one sentence."""
        return self._comparison.sentence()

    def games(self) -> pl.DataFrame:
        """Return a row for each game of the schedule: its win probability and the change."""
        extras.require("games()", "polars")
        import polars as pl

        return pl.DataFrame(
            [
                {"game": game, "wp": chance, "wp_change": change.mean, "wp_change_se": change.error}
                for game, chance, change in self._comparison.by_game()
            ]
        )

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

    def __repr__(self) -> str:
        return (
            f"<WhatIf {self._comparison.trial.season} {self._comparison.trial.team}: {self.answer}>"
        )

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        rows: list[Sequence[str]] = [
            (play, percent(before), percent(after))
            for play, before, after in self._comparison.call_shares()
        ]
        return ("play", "share before", "after"), rows


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
    if not change.has_changes and plan is None:
        raise HashmarkError("name a change, e.g. pass_rate='+10%' or play='deep=+5%', or a plan")
    validate_run(runs, seed, threads, MAX_RECORDED_RUNS)
    change.validate()
    question = whatif_run.ask_change(change, plan, runs, seed, answered)
    request = whatif_run.WhatIfRequest(season, team, question, dict(options or {}))
    return WhatIf(whatif_run.run_request(request, threads=threads, progress=progress))


def _texts(given: str | Sequence[str]) -> Sequence[str]:
    return (given,) if isinstance(given, str) else given


class TeamList(TableView):
    """The teams of a season."""

    def __init__(self, season: int) -> None:
        from hashmark.league.data import schedule, teams

        self.season = season
        seasons = schedule.available_seasons()
        if season not in seasons:
            raise UnknownName("season", str(season), map(str, seasons))
        self.codes = tuple(teams.code_in_season(team, season) for team in schedule.TEAMS)
        self.names = tuple(teams.full_name(team, season) for team in schedule.TEAMS)

    def __repr__(self) -> str:
        return f"<{len(self.codes)} teams of {self.season}>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        return ("code", "team"), [*zip(self.codes, self.names, strict=True)]


def teams(season: int) -> TeamList:
    """Return the teams of a season, with the codes and names of the time.

    >>> import hashmark as hm
    >>> hm.teams(2008).codes[:3]
    ('ARI', 'ATL', 'BAL')
    """
    return TeamList(season)


class Plan(TableView):
    """A game plan: how often each call is made in each situation."""

    def __init__(self, plan: GamePlan) -> None:
        self._plan = plan

    @property
    def name(self) -> str:
        """The name of the plan."""
        return self._plan.name

    def frame(self) -> pl.DataFrame:
        """Return a row for each situation and call with its share."""
        extras.require("frame()", "polars")
        import polars as pl

        from hashmark.games.data_driven.plans.text import describe_situation, share_fractions

        rows = [
            {
                "section": section,
                "situation": describe_situation(entry.when),
                "call": call,
                "share": share,
            }
            for section, entries in self._plan.sections().items()
            for entry in entries
            for call, share in share_fractions(entry).items()
        ]
        return pl.DataFrame(rows)

    def to_toml(self) -> str:
        """Return the plan as a file to edit."""
        from hashmark.games.data_driven.plans.text import write_plan

        return write_plan(self._plan)

    def __repr__(self) -> str:
        return f"<Plan {self.name}>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        from hashmark.league.plans.habits import habit_shares

        return ("habit", "share"), [(k, percent(v)) for k, v in habit_shares(self._plan).items()]


def plan(season_or_name: int | str, team: str | None = None) -> Plan:
    """Return a game plan: `plan(2008, "ARI")` is how Arizona really called, `plan("book")` a name.

    >>> import hashmark as hm
    >>> hm.plan(2008, "ARI")
    <Plan 2008:ARI>
    """
    from hashmark.games.data_driven.plans import plan as plans

    if team is None:
        return Plan(plans.load(str(season_or_name)))
    if not str(season_or_name).isdigit() and team.isdigit():
        season_or_name, team = team, str(season_or_name)
    from hashmark.league.data.teams import parse_team

    code = team if team == plans.LEAGUE else parse_team(team)
    return Plan(plans.load(f"{season_or_name}:{code}"))
