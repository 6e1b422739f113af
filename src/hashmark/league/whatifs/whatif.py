"""What-if comparisons: how a team's wins change under another plan, with the same luck otherwise.

Changes start from the plan that the team has in its trial: its real plan or, if the season has no
plan file, that of all teams. Every report says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hashmark.games.data_driven.plans.plan import SECTIONS, Plan
from hashmark.games.data_driven.tables import PLAYS
from hashmark.league.data import teams
from hashmark.league.seasons import game_options
from hashmark.league.seasons.pairings import resolve_plan
from hashmark.league.seasons.season import (
    REAL_PLANS,
    partial_source_notes,
    partial_sources_json,
    plan_note,
)
from hashmark.league.whatifs import opponent_response, plan_changes
from hashmark.league.whatifs.bootstrap_gains import BootstrapGains
from hashmark.league.whatifs.change_request import ChangeRequest
from hashmark.league.whatifs.fourth_down_policy import FourthDownPolicy
from hashmark.league.whatifs.fourth_down_search import find_policy
from hashmark.league.whatifs.opponent_response import ResponseResults
from hashmark.league.whatifs.opposition import Opposition, typical_situations
from hashmark.league.whatifs.plan_changes import GameSituation, PlanChange, pluralize
from hashmark.league.whatifs.trial import (
    OWN,
    THEIRS,
    Lineup,
    Sample,
    Trial,
    mean_estimate,
    paired_difference,
)
from hashmark.number_text import percent
from hashmark.sim.results import Estimate

# Situations in which two plans are compared.
COMPARED_SITUATIONS = {
    "on first down": GameSituation(1, 10, 40),
    "on 2nd & short": GameSituation(2, 3, 40),
    "on 2nd & long": GameSituation(2, 9, 40),
    "on 3rd & short": GameSituation(3, 2, 40),
    "on 3rd & long": GameSituation(3, 8, 40),
    "inside the 10": GameSituation(1, 7, 93),
}
MIN_SHARE_CHANGE = 0.02  # smallest change of a share that is described
MAX_DIFFERENCES = 5


@dataclass(frozen=True)
class Comparison:
    """A changed plan against the unchanged one, paired run by run."""

    trial: Trial
    plan: Plan
    words: str
    before: Sample
    after: Sample
    requested_runs: int
    seed: int
    changes: Sequence[PlanChange] = ()
    rebuilt: BootstrapGains | None = None  # the same on rebuilt charts, if requested
    answered: tuple[ResponseResults, ResponseResults] | None = None  # before and after
    base_words: str = ""  # difference of the plan that the changes start from, if it is another

    @property
    def runs(self) -> int:
        return min(self.before.runs, self.after.runs)

    @property
    def is_measured(self) -> bool:
        """Whether anything was played before an interruption."""
        return self.runs > 0

    @property
    def wins(self) -> Estimate:
        return paired_difference(self.after.wins, self.before.wins)

    @property
    def points_for(self) -> Estimate:
        return paired_difference(self.after.season_points(OWN), self.before.season_points(OWN))

    @property
    def points_against(self) -> Estimate:
        return paired_difference(
            self.after.season_points(THEIRS), self.before.season_points(THEIRS)
        )

    def sentence(self) -> str:
        """Return the change as requested and as measured, and the wins it adds.

        `10 percentage points more passes (measured: 67.0 % to 75.7 % of all plays): -0.18 wins a
        season (95 % CI -0.74 to +0.38, 50 paired runs), no measurable effect`.
        """
        interval = self.wins.ci_text(2) if self.runs > 1 else "no interval"
        runs = "1 run" if self.runs == 1 else f"{self.runs:,} paired runs"
        effect = "" if self.wins.is_significant else ", no measurable effect"
        return (
            f"{self.measured_change()}: {self.wins.mean:+.2f} wins a season ({interval}, {runs})"
            f"{effect}"
        )

    def measured_change(self) -> str:
        """Describe the changes as requested, and what the team called in the simulated games."""
        if not self.changes:
            return self.words
        parts = [self.base_words] if self.base_words else []
        return "; ".join([*parts, *(self._describe_measured(change) for change in self.changes)])

    def _describe_measured(self, change: PlanChange) -> str:
        if isinstance(change, FourthDownPolicy):
            old, new = (sample.statistic("fourth_downs") for sample in (self.before, self.after))
            return f"{change.words()} (measured: {old:.1f} to {new:.1f} tries a season)"
        if not isinstance(change, plan_changes.ShareChange) or change.section != "play":
            return change.words()
        old, new = (
            sum(shares[PLAYS.index(call)] for call in change.calls)
            for shares in (_call_shares(self.before), _call_shares(self.after))
        )
        return f"{change.words()} (measured: {percent(old, 1)} to {percent(new, 1)} of all plays)"

    def remaining_gain(self) -> str:
        """Describe what remains after the opponents' response; empty if not requested."""
        return (
            opponent_response.remaining_gain(*self.answered, self.wins)
            if self.answered is not None
            else ""
        )

    def call_shares(self) -> list[tuple[str, float, float]]:
        """Return the share of each of the nine plays, before and after."""
        shares = [_call_shares(sample) for sample in (self.before, self.after)]
        return list(zip(PLAYS, *shares, strict=True))

    def by_game(self) -> list[tuple[str, float, Estimate]]:
        """Return the win probability of each game of the schedule, and its change."""
        games = []
        for index, fixture in enumerate(self.trial.fixtures):
            old, new = (
                (np.sign(sample.margins[index, : self.runs]) + 1) / 2
                for sample in (self.before, self.after)
            )
            where = "vs" if fixture.is_home else "at"
            opponent = teams.code_in_season(fixture.opponent, self.trial.setup.recipe.season)
            games.append((f"{where} {opponent}", float(old.mean()), paired_difference(new, old)))
        return games

    def to_json(self) -> dict[str, Any]:
        data = {**report_header(self.trial, self.runs, self.seed), "change": self.words}
        if self.runs == 0:
            return data
        return {
            **data,
            "sentence": self.sentence(),
            "wins_before": mean_estimate(self.before.wins).interval(),
            "wins_after": mean_estimate(self.after.wins).interval(),
            "wins": self.wins.interval(),
            "certain": self.wins.is_significant,
            "rebuilt": self.rebuilt.to_json() if self.rebuilt is not None else None,
            "answered": self._responses_json(),
            "points_for": self.points_for.interval(),
            "points_against": self.points_against.interval(),
            "calls": [
                {"play": play, "before": old, "after": new} for play, old, new in self.call_shares()
            ],
            "games": [
                {"game": game, "win_chance": chance, "change": change.interval()}
                for game, chance, change in self.by_game()
            ],
        }

    def _responses_json(self) -> dict[str, Any] | None:
        if self.answered is None:
            return None
        real, changed = self.answered
        return {
            "remains": self.remaining_gain(),
            "unchanged": real.to_json(real),
            "changed": changed.to_json(real),
        }


def report_header(trial: Trial, runs: int, seed: int) -> dict[str, Any]:
    """Return the fields common to all JSON reports."""
    return {
        "season": trial.season,
        "team": trial.team,
        "name": team_name(trial),
        "plan": trial.setup.recipe.plan,
        "options": dict(trial.setup.recipe.options),
        "made_from": partial_sources_json(trial.made_from),
        "invented": game_options.list_assumptions(trial.setup.recipe.options),
        "runs": runs,
        "seed": seed,
        "interrupted": trial.interrupted,
    }


def unchanged_plan_name(trial: Trial) -> str:
    """Return the name of the unchanged plan: `real plan`, or `plan 'book'`."""
    plan = trial.setup.recipe.plan
    return "real plan" if plan == REAL_PLANS else f"plan {plan!r}"


def report_note(trial: Trial) -> str:
    """Return the note of a report: plans other than the real ones, partial sources, assumptions."""
    recipe = trial.setup.recipe
    notes = [plan_note(recipe.plan), *partial_source_notes(trial.made_from)]
    return " ".join([*filter(None, notes), game_options.assumptions_note(recipe.options)])


def team_name(trial: Trial) -> str:
    """Return the team's name in that season; its code in an invented league."""
    return teams.full_name(trial.team, trial.setup.recipe.season)


def compare_plans(
    trial: Trial,
    plan: Plan,
    words: str,
    runs: int,
    seed: int = 0,
    changes: Sequence[PlanChange] = (),
    with_responses: bool = False,
    base_words: str = "",
) -> Comparison:
    """Play the schedule with the unchanged plan and with another.

    With `with_responses` both are also played against opponents that respond, with the same luck.
    """
    lineups = [Lineup(trial.plan), Lineup(plan)]
    if with_responses:
        opposition = Opposition(trial)
        for candidate in (trial.plan, plan):
            lineups += opponent_response.response_lineups(opposition, candidate)
    before, after, *responding = trial.play(lineups, runs, seed, statistics=True)
    comparison = Comparison(
        trial, plan, words, before, after, runs, seed, changes, base_words=base_words
    )
    if not with_responses or trial.interrupted:
        return comparison
    lines = (
        ResponseResults(unchanged_plan_name(trial), before, *responding[:2]),
        ResponseResults("changed plan", after, *responding[2:]),
    )
    return replace(comparison, answered=lines)


def run_whatif(
    trial: Trial,
    request: ChangeRequest,
    base_plan: str | Plan | None = None,
    runs: int = 1000,
    seed: int = 0,
    with_responses: bool = False,
) -> Comparison:
    """Measure the requested changes, applied to another plan if one is given."""
    base = trial.plan if base_plan is None else resolve_plan(base_plan)
    changes = build_changes(request, trial, base, seed)
    changed = replace(plan_changes.apply_changes(base, changes), name=f"{base.name}, changed")
    base_words = "" if base_plan is None else describe_difference(trial.plan, base)
    parts = [base_words] if base_words else []
    parts += [describe_changes(base, changes)] if changes else []
    words = "; ".join(parts) or "no change"
    return compare_plans(trial, changed, words, runs, seed, changes, with_responses, base_words)


def build_changes(request: ChangeRequest, trial: Trial, base: Plan, seed: int) -> list[PlanChange]:
    """Return the requested changes: shares first, then a policy built for the resulting plan."""
    changes = request.share_changes()
    requested = request.requested_policy()
    if requested is not None:
        name, where = requested
        changed = plan_changes.apply_changes(base, changes)
        policy = find_policy(name, lambda: Opposition(trial), changed, seed, where)
        changes += [policy] if policy is not None else []
    return changes


def _call_shares(sample: Sample) -> list[float]:
    counts = [sample.statistic(f"{play.replace('-', '_')}_calls") for play in PLAYS]
    return [count / (sum(counts) or 1) for count in counts]


# --- Descriptions --------------------------------------------------------------------------


def describe_changes(plan: Plan, changes: Sequence[PlanChange]) -> str:
    """Describe changes; if a single call is cut, name the call that gains most."""
    share_changes = [change for change in changes if isinstance(change, plan_changes.ShareChange)]
    descriptions = [
        change.words() for change in changes if not isinstance(change, plan_changes.ShareChange)
    ]
    if share_changes:
        text = ", ".join(change.words() for change in share_changes)
        gainer = _gaining_call(plan, share_changes[0]) if len(share_changes) == 1 else None
        descriptions.insert(0, f"{text}, mostly for {pluralize(gainer)}" if gainer else text)
    return " and ".join(descriptions) if len(descriptions) < 3 else ", ".join(descriptions)


def _gaining_call(plan: Plan, change: plan_changes.ShareChange) -> str | None:
    """Return the call that takes most of the share another one loses."""
    if change.section not in ("play", "formation") or change.amount.kind == "level":
        return None
    if change.amount.value > (0 if change.amount.kind == "points" else 1):
        return None
    moment = _typical_situation(change.situation)
    old, new = (
        plan_changes.call_mix(version, change.section, moment)
        for version in (plan, change.apply(plan))
    )
    if old is None or new is None:
        return None
    gains = [after - before for before, after in zip(old, new, strict=True)]
    best = max(range(len(gains)), key=lambda index: gains[index])
    return SECTIONS[change.section][best] if gains[best] > 0 else None


def _typical_situation(situation: plan_changes.SituationFilter) -> GameSituation:
    return typical_situations(situation.bounds())[0]


def describe_difference(old: Plan, new: Plan, max_differences: int = MAX_DIFFERENCES) -> str:
    """Describe how one plan differs from another, the largest differences first."""
    differences: list[tuple[float, str]] = []
    for section in ("play", "formation"):
        for where, moment in COMPARED_SITUATIONS.items():
            shares = [plan_changes.call_mix(plan, section, moment) for plan in (old, new)]
            if shares[0] is None or shares[1] is None:
                continue
            text, size = _describe_moves(SECTIONS[section], shares[0], shares[1])
            if text:
                differences.append((size, f"{text} {where}"))
    if old.rows != new.rows and not differences:
        return "the same calls in the usual situations, different ones elsewhere"
    differences.sort(key=lambda difference: -difference[0])
    return "; ".join(words for _, words in differences[:max_differences]) or "no change"


def _describe_moves(
    calls: Sequence[str], old: Sequence[float], new: Sequence[float]
) -> tuple[str, float]:
    """Describe the largest loss and gain of share; also return the total of all moves.

    `line plunges 17 to 9 %, screens 5 to 13 %`.
    """
    moves = [after - before for before, after in zip(old, new, strict=True)]
    size = sum(abs(move) for move in moves) / 2
    descriptions = []
    order = sorted(range(len(moves)), key=moves.__getitem__)
    for index in (order[0], order[-1]):
        if abs(moves[index]) >= MIN_SHARE_CHANGE:
            descriptions.append(
                f"{pluralize(calls[index])} {100 * old[index]:.0f} to {percent(new[index])}"
            )
    return ", ".join(descriptions), size
