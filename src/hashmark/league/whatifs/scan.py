"""Scan: many single changes of a plan, ranked by the wins each would bring.

All changes are tried with few runs; the best and the worst are then measured with more runs and
independent luck, to remove the selection bias. A confidence interval covers a single change;
significance is judged for all tried changes together (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.tables import FORMATIONS, PASSES, PLAYS
from hashmark.league.whatifs import fourth_down_search, plan_changes
from hashmark.league.whatifs.fourth_down_policy import POLICIES
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.plan_changes import Amount, PlanChange, SituationFilter
from hashmark.league.whatifs.trial import Lineup, Sample, Trial, paired_difference
from hashmark.league.whatifs.whatif import describe_changes, report_header
from hashmark.sim.results import Estimate

SHARE_STEP = 0.05  # change of a share, up and down
PASS_STEP = 0.10
TEMPO_STEP = 0.20
SCREENING_DIVISOR = 5  # divisor of the runs in the first round
MIN_SCREENING_RUNS = 40
CONFIRMED_BEST, CONFIRMED_WORST = 12, 4  # findings that enter the second round
CONFIRMATION_SEED = 0x5CA9  # independent luck in the second round


@dataclass(frozen=True)
class Finding:
    """One change and its effect."""

    words: str
    label: str  # the same in a few words, for tables
    wins: Estimate
    points: Estimate  # change of a season's point difference
    runs: int
    is_confirmed: bool  # measured in the second round
    is_significant: bool  # significant, corrected for all changes of the round

    def to_json(self) -> dict[str, Any]:
        return {
            "change": self.words,
            "wins": self.wins.interval(),
            "points": self.points.interval(),
            "runs": self.runs,
            "confirmed": self.is_confirmed,
            "certain": self.is_significant,
        }


@dataclass(frozen=True)
class Scan:
    """All findings, the best first."""

    trial: Trial
    findings: list[Finding]
    tried: int  # changes that have an effect on the plan
    runs: int
    seed: int

    @property
    def is_measured(self) -> bool:
        """Whether anything was measured before an interruption."""
        return bool(self.findings)

    @property
    def plan(self) -> None:
        """Always None: a scan tries many plans and has none to save."""

    def verdict(self) -> str:
        """Describe in one sentence which changes are significant."""
        clear = [finding for finding in self.findings if finding.is_significant]
        helps = sum(finding.wins.mean > 0 for finding in clear)
        best = next(
            (
                finding
                for finding in self.findings
                if finding.is_significant and finding.wins.mean > 0
            ),
            None,
        )
        text = (
            f"of {len(self.findings)} single changes, {helps} add wins, {len(clear) - helps} cost "
            f"wins, and {len(self.findings) - len(clear)} have no measurable effect (95 % CIs, "
            "corrected for the number of changes)."
        )
        if best is not None:
            gain = f"{best.wins.mean:+.2f} wins a season ({best.wins.ci_text(2)})"
            text += f" Best: {best.words}, {gain}."
        return text

    def to_json(self) -> dict[str, Any]:
        return {
            **report_header(self.trial, self.runs, self.seed),
            "tried": self.tried,
            "verdict": self.verdict(),
            "findings": [finding.to_json() for finding in self.findings],
        }


def single_changes(
    opposition: Callable[[], Opposition], trial: Trial, seed: int
) -> list[PlanChange]:
    """Return the changes to try, each up and down.

    They are each play and the pass rate, overall and by down; formations; tempo; and the
    fourth-down policies.
    """
    changes: list[PlanChange] = []
    downs = [SituationFilter((("down", (down, down)),)) for down in (1, 2, 3)]
    for where in (plan_changes.ANYWHERE, *downs):
        for sign in (1, -1):
            amount = Amount("points", sign * PASS_STEP)
            changes.append(plan_changes.ShareChange("play", PASSES, amount, where, "passes"))
            for play in PLAYS:
                changes.append(
                    plan_changes.ShareChange(
                        "play", (play,), Amount("points", sign * SHARE_STEP), where
                    )
                )
    for formation in FORMATIONS:
        for sign in (1, -1):
            changes.append(
                plan_changes.ShareChange(
                    "formation", (formation,), Amount("points", sign * SHARE_STEP)
                )
            )
    for sign in (1, -1):
        changes.append(
            plan_changes.ShareChange("tempo", ("hurry-up",), Amount("points", sign * TEMPO_STEP))
        )
    for name in POLICIES:
        policy = fourth_down_search.find_policy(name, opposition, trial.plan, seed)
        if policy is not None:
            changes.append(policy)
    return changes


def scan_changes(
    trial: Trial, runs: int, seed: int = 0, changes: Sequence[PlanChange] | None = None
) -> Scan:
    """Try all changes with few runs, then the best and the worst with all runs."""
    trial.validate_run(runs, seed)
    if changes is None:
        changes = single_changes(lambda: Opposition(trial), trial, seed)
    plans = {change: change.apply(trial.plan) for change in changes}
    effective = [change for change in changes if plans[change].rows != trial.plan.rows]
    if not effective:
        raise HashmarkError("none of these changes affects the plan")
    if trial.interrupted:
        return Scan(trial, [], len(effective), runs, seed)
    screening_runs = min(runs, max(MIN_SCREENING_RUNS, runs // SCREENING_DIVISOR))
    first = _measure_round(trial, effective, plans, screening_runs, seed, confirmed=False)
    order = sorted(first, key=lambda change: -first[change].points.mean)
    chosen = order[:CONFIRMED_BEST] + order[CONFIRMED_BEST:][-CONFIRMED_WORST:]
    findings_by_change = dict(first)
    if not trial.interrupted and runs > screening_runs:
        findings_by_change.update(
            _measure_round(trial, chosen, plans, runs, seed ^ CONFIRMATION_SEED, confirmed=True)
        )
    findings = sorted(findings_by_change.values(), key=lambda finding: -finding.wins.mean)
    return Scan(trial, findings, len(effective), runs, seed)


def _measure_round(
    trial: Trial,
    changes: Sequence[PlanChange],
    plans: dict[PlanChange, Any],
    runs: int,
    seed: int,
    confirmed: bool,
) -> dict[PlanChange, Finding]:
    """Measure some changes; those that an interruption prevented are not in the result."""
    lineups = [Lineup(trial.plan), *(Lineup(plans[change]) for change in changes)]
    base, *samples = trial.play(lineups, runs, seed)
    critical_value = NormalDist().inv_cdf(1 - 0.025 / len(changes))
    findings = {}
    for change, sample in zip(changes, samples, strict=True):
        done = min(sample.runs, base.runs)
        if done < 2:
            continue
        wins, points = paired_difference(sample.wins, base.wins), _point_change(sample, base)
        certain = abs(wins.mean) > critical_value * wins.error
        words = describe_changes(trial.plan, [change])
        findings[change] = Finding(words, change.label(), wins, points, done, confirmed, certain)
    return findings


def _point_change(sample: Sample, base: Sample) -> Estimate:
    """Return the change of a season's point difference: the same signal with less noise."""
    return paired_difference(sample.margins.sum(0), base.margins.sum(0))
