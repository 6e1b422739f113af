"""A what-if from the request to its report: the same for the command and the web page."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hashmark.games.data_driven.plans.plan import Plan
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.league.seasons.season import Recipe, choose_plan
from hashmark.league.whatifs import whatif_report, whatif_text
from hashmark.league.whatifs.best_plan import (
    DEFAULT_BUDGET,
    DEFAULT_MAX_SHARE_CHANGE,
    BestPlan,
    find_best,
    parse_budget,
    parse_within,
)
from hashmark.league.whatifs.change_request import ChangeRequest
from hashmark.league.whatifs.scan import Scan, scan_changes
from hashmark.league.whatifs.trial import Trial, real_season_setup
from hashmark.league.whatifs.whatif import Comparison, run_whatif
from hashmark.reports.report import Report
from hashmark.sim.threads import Interrupted

Question = Callable[[Trial], Comparison | Scan | BestPlan]


@dataclass(frozen=True)
class WhatIfRequest:
    """A question about the season of a team."""

    season: int
    team: str
    question: Question
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class WhatIfResult:
    """Answer to a question, complete or interrupted, with its text, report, JSON and plan file."""

    answer: Comparison | Scan | BestPlan

    @property
    def is_complete(self) -> bool:
        return not self.answer.trial.interrupted

    def lines(self) -> list[str]:
        return whatif_text.report_lines(self.answer)

    def report(self) -> Report | None:
        """Build the report; None if nothing was measured before an interruption."""
        return whatif_report.build_report(self.answer) if self.answer.is_measured else None

    def to_json(self) -> dict[str, Any]:
        return self.answer.to_json()

    def plan_text(self) -> str | None:
        """Return the resulting plan as a file; None if the question tries many plans."""
        return write_plan(self.answer.plan) if self.answer.plan is not None else None


def run_request(
    request: WhatIfRequest,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    interrupted: Interrupted | None = None,
) -> WhatIfResult:
    """Ask the question about the team's real season; parameters as those of `Trial`."""
    season = request.season
    recipe = Recipe(season, None, choose_plan(season, None), request.options)
    trial = Trial(
        real_season_setup(recipe, request.team),
        threads=threads,
        cluster=cluster,
        progress=progress,
        interrupted=interrupted,
    )
    return WhatIfResult(request.question(trial))


# --- The three questions ----------------------------------------------------------------------


def ask_change(
    wanted: ChangeRequest, plan: str | Plan | None, runs: int, seed: int, answered: bool
) -> Question:
    """Ask for the effect of some changes, applied to another plan if one is given."""
    return lambda trial: run_whatif(trial, wanted, plan, runs, seed, answered)


def ask_scan(runs: int, seed: int) -> Question:
    """Ask which of many single changes gain most."""
    return lambda trial: scan_changes(trial, runs, seed)


def ask_best(
    runs: int, seed: int, budget: str | None, within: str | None, notify: Callable[[str], None]
) -> Question:
    """Ask for the best plan; the budget and the limit are parsed at once."""
    max_move = DEFAULT_MAX_SHARE_CHANGE if within is None else parse_within(within)
    parsed_budget = parse_budget(DEFAULT_BUDGET if budget is None else budget)

    def search(trial: Trial) -> BestPlan:
        started = replace(parsed_budget, began=time.perf_counter())
        return find_best(trial, started, runs, seed, max_move, notify)

    return search
