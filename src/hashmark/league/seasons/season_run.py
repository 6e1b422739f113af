"""A run of seasons from the request to its report: the same for the command and the web page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hashmark.league.seasons.bootstrap_ratings_file import load_matching
from hashmark.league.seasons.certainty import Certainty
from hashmark.league.seasons.checkpoints import CheckpointText
from hashmark.league.seasons.outcome import SeasonOutcome
from hashmark.league.seasons.pairings import validate_run
from hashmark.league.seasons.season import Recipe, choose_plan
from hashmark.league.seasons.season_report import build_season_report
from hashmark.league.seasons.simulate import simulate_season
from hashmark.reports.report import Report
from hashmark.sim.threads import Interrupted


@dataclass(frozen=True)
class SeasonRequest:
    """Seasons as a user requests them."""

    season: int
    runs: int
    seed: int = 0
    charts: str | None = None  # chart file; default: the season's own
    plan: str | None = None  # plan of every team; default: the real ones, if there are any
    options: Mapping[str, Any] = field(default_factory=dict)
    rebuilds: Path | None = None  # file of bootstrap ratings; default: the season's own


@dataclass(frozen=True)
class SeasonResult:
    """Outcome of a finished or interrupted run, with its report and JSON."""

    outcome: SeasonOutcome

    @property
    def is_complete(self) -> bool:
        return not self.outcome.interrupted

    def report(self) -> Report | None:
        """Build the report; None if the run was interrupted before the first season was over."""
        return build_season_report(self.outcome) if self.outcome.runs else None

    def to_json(self) -> dict[str, Any]:
        return self.outcome.to_json()


def run_season(
    request: SeasonRequest,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    resume: Path | CheckpointText | None = None,
    fresh: bool = False,
    progress: Callable[[int], None] | None = None,
    interrupted: Interrupted | None = None,
) -> SeasonResult:
    """Simulate the requested seasons, and add how certain the ratings are.

    The other parameters are those of `simulate_season`.
    """
    validate_run(request.runs, request.seed, threads)
    plan = choose_plan(request.season, request.plan)
    recipe = Recipe(request.season, request.charts, plan, request.options)
    ratings, unsure = load_matching(recipe, request.rebuilds)
    outcome = simulate_season(
        recipe,
        request.runs,
        request.seed,
        threads=threads,
        cluster=cluster,
        resume=resume,
        fresh=fresh,
        progress=progress,
        interrupted=interrupted,
    )
    certainty = Certainty(ratings) if ratings else None
    return SeasonResult(replace(outcome, certainty=certainty, unsure=unsure))
