"""Many single changes of a plan, ranked by what each would bring.

All are tried with few runs; the best, and the worst, are then measured with more runs and other
luck, so that what was chosen because it was lucky does not stay lucky. An interval covers its
own change; whether a change can be told apart from zero is judged for all that were tried
together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from hashmark.games.data_driven.tables import FORMATIONS, PASSES, PLAYS
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs import fourth
from hashmark.league.whatifs.changes import Amount, AnyChange, Situation
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.trial import Lineup, Sample, Trial, difference
from hashmark.league.whatifs.whatif import change_words, head
from hashmark.sim.results import Estimate
from hashmark.table.errors import HashmarkError

STEP = 0.05  # points of share, up and down
PASS_STEP = 0.10
TEMPO_STEP = 0.20
SCREENING = 5  # the first round has a fifth of the runs
LEAST_RUNS = 40
BEST, WORST = 12, 4  # that go on to the second round
SECOND_SEED = 0x5CA9  # other luck in the second round


@dataclass(frozen=True)
class Finding:
    """One change and what it would bring."""

    words: str
    wins: Estimate
    points: Estimate  # of a season's point difference
    runs: int
    confirmed: bool  # measured in the second round
    certain: bool  # zero can be ruled out, all changes of the round taken together

    def to_json(self) -> dict[str, Any]:
        return {
            "change": self.words,
            "wins": self.wins.interval(),
            "points": self.points.interval(),
            "runs": self.runs,
            "confirmed": self.confirmed,
            "certain": self.certain,
        }


@dataclass(frozen=True)
class Scan:
    """All findings, the best first."""

    trial: Trial
    findings: list[Finding]
    tried: int  # changes that would change the plan
    runs: int
    seed: int

    @property
    def measured(self) -> bool:
        """Whether anything was measured before the user interrupted."""
        return bool(self.findings)

    @property
    def plan(self) -> None:
        """A scan tries many plans, and has none to write."""

    def verdict(self) -> str:
        """One sentence on what can be told apart."""
        sure = [one for one in self.findings if one.certain]
        helps = sum(one.wins.mean > 0 for one in sure)
        best = next((one for one in self.findings if one.certain and one.wins.mean > 0), None)
        said = (
            f"Of {len(self.findings)} single changes {helps} bring wins beyond chance, "
            f"{len(sure) - helps} cost wins beyond chance, and {len(self.findings) - len(sure)} "
            "cannot be told apart from no change."
        )
        if best is not None:
            said += f" The best: {best.words}: {best.wins:.2f}.".replace(" (", " wins (")
        return said

    def to_json(self) -> dict[str, Any]:
        return {
            **head(self.trial),
            "runs": self.runs,
            "seed": self.seed,
            "interrupted": self.trial.interrupted,
            "tried": self.tried,
            "verdict": self.verdict(),
            "findings": [one.to_json() for one in self.findings],
        }


def single_changes(
    opposition: Callable[[], Opposition], trial: Trial, seed: int
) -> list[AnyChange]:
    """Each play up and down, overall and by down; pass rate, formations, fourth downs, tempo."""
    found: list[AnyChange] = []
    downs = [Situation((("down", (down, down)),)) for down in (1, 2, 3)]
    for where in (ch.ANYWHERE, *downs):
        for sign in (1, -1):
            amount = Amount("points", sign * PASS_STEP)
            found.append(ch.Change("play", PASSES, amount, where, "passes"))
            for play in PLAYS:
                found.append(ch.Change("play", (play,), Amount("points", sign * STEP), where))
    for formation in FORMATIONS:
        for sign in (1, -1):
            found.append(ch.Change("formation", (formation,), Amount("points", sign * STEP)))
    for sign in (1, -1):
        found.append(ch.Change("tempo", ("hurry-up",), Amount("points", sign * TEMPO_STEP)))
    for name in fourth.POLICIES:
        policy = fourth.policy(name, opposition, trial.plan, seed)
        if policy is not None:
            found.append(policy)
    return found


def scan(
    trial: Trial, runs: int, seed: int = 0, changes: Sequence[AnyChange] | None = None
) -> Scan:
    """Try all changes with few runs, then the best and the worst with all of them."""
    trial.check_work(runs, seed)
    if changes is None:
        changes = single_changes(lambda: Opposition(trial), trial, seed)
    plans = {change: change.apply(trial.plan) for change in changes}
    real = [change for change in changes if plans[change].rows != trial.plan.rows]
    if not real:
        raise HashmarkError("none of the changes would change the plan")
    if trial.interrupted:
        return Scan(trial, [], len(real), runs, seed)
    few = min(runs, max(LEAST_RUNS, runs // SCREENING))
    first = _round(trial, real, plans, few, seed, confirmed=False)
    order = sorted(first, key=lambda change: -first[change].points.mean)
    chosen = order[:BEST] + order[BEST:][-WORST:]
    found = dict(first)
    if not trial.interrupted and runs > few:
        found.update(_round(trial, chosen, plans, runs, seed ^ SECOND_SEED, confirmed=True))
    findings = sorted(found.values(), key=lambda one: -one.wins.mean)
    return Scan(trial, findings, len(real), runs, seed)


def _round(
    trial: Trial,
    changes: Sequence[AnyChange],
    plans: dict[AnyChange, Any],
    runs: int,
    seed: int,
    confirmed: bool,
) -> dict[AnyChange, Finding]:
    """Measure some changes; those that an interruption left out are not in the result."""
    lineups = [Lineup(trial.plan), *(Lineup(plans[change]) for change in changes)]
    base, *samples = trial.play(lineups, runs, seed)
    strict = NormalDist().inv_cdf(1 - 0.025 / len(changes))
    found = {}
    for change, sample in zip(changes, samples, strict=True):
        done = min(sample.runs, base.runs)
        if done < 2:
            continue
        wins, points = difference(sample.wins, base.wins), _point_change(sample, base)
        certain = abs(wins.mean) > strict * wins.error
        words = change_words(trial.plan, [change])
        found[change] = Finding(words, wins, points, done, confirmed, certain)
    return found


def _point_change(sample: Sample, base: Sample) -> Estimate:
    """The change of a season's point difference: the same signal with less noise."""
    return difference(sample.margins.sum(0), base.margins.sum(0))
