"""Search for the best plan against the opponents' own plans.

The search moves each entry of the plan toward the calls that are worth most against the opponents'
own mix (`Opposition.call_gains`). How far is searched separately for each part of the game: the
schedule is played, and a step that scores more is kept. The result is then measured with
independent luck, also against opponents that respond.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans.plan import SECTIONS, Plan
from hashmark.league.data.arrays import Floats
from hashmark.league.whatifs import opponent_response, plan_changes
from hashmark.league.whatifs.fourth_down_policy import FourthDownPolicy, predefined_policy
from hashmark.league.whatifs.fourth_down_search import best_policy
from hashmark.league.whatifs.opponent_response import ResponseResults, replace_shares
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.plan_changes import FIRST_SHARE, KEY_NAMES, PlanEntry, section_rows
from hashmark.league.whatifs.trial import Lineup, Sample, Trial, mean_estimate, paired_difference
from hashmark.league.whatifs.whatif import describe_difference, report_header, unchanged_plan_name
from hashmark.sanitize import quote, shorten
from hashmark.sim.results import Estimate

TILT_STRENGTHS = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # strengths of the tilt, per expected point
UNUSED_CALL_SHARE = 0.01  # initial share of a call that the plan does not use
SEARCH_RUNS = 150
DEFAULT_BUDGET = "120"
# Maximum change of a share: charts know a play only as often as it was called.
DEFAULT_MAX_SHARE_CHANGE = 0.1
PLAN_POLICY = "as the plan has it"  # no fourth-down policy
CAUTION_POINTS = (0.0, 0.3)  # of fourth-down policies, see fourth_down_search.py
TWEAK_SHARE = 0.05  # step of a share that the search tries regardless of expected points
SEARCH_SEED, FINAL_SEED = 0xBE57, 0xF17A1
SPOT_INDEX = 2 * KEY_NAMES.index("spot")
NEAR_GOAL_SPOT = 80  # entries from here on form their own group


# --- Budgets -----------------------------------------------------------------------------


@dataclass
class Budget:
    """Number of plans to try, or time; a search with a number of plans is repeatable."""

    plans: float = math.inf
    seconds: float = math.inf
    tried: int = 0
    began: float = field(default_factory=time.perf_counter)

    def has_remaining(self) -> bool:
        has_time = time.perf_counter() - self.began < self.seconds
        return self.tried < self.plans and has_time


MAX_BUDGET_PLANS = 10**6
MAX_BUDGET_SECONDS = 10**7  # some months


def parse_budget(text: str) -> Budget:
    """Parse `200` plans, `90s` or `5m`."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|m|h)?", text.strip())
    if not match or float(match[1]) <= 0 or (not match[2] and "." in match[1]):
        raise HashmarkError(
            f"--budget {quote(text)}: expected a number of plans such as 120, or a time such as "
            "90s or 5m"
        )
    if not match[2]:
        if int(match[1]) > MAX_BUDGET_PLANS:
            raise HashmarkError(f"--budget {text}: at most {MAX_BUDGET_PLANS:,} plans can be tried")
        return Budget(plans=int(match[1]))
    seconds = float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2]]
    if seconds > MAX_BUDGET_SECONDS:
        raise HashmarkError(f"--budget {text}: at most {MAX_BUDGET_SECONDS:,} seconds are allowed")
    return Budget(seconds=seconds)


def parse_within(text: str) -> float:
    """Parse the maximum change of a share: `10%`."""
    amount = plan_changes.parse_amount("--within", text)
    if amount.kind != "level" or amount.value == 0:
        raise HashmarkError(
            f"--within {shorten(text)}: expected a number of percentage points, e.g. 10%"
        )
    return amount.value


# --- Plans from parameters ------------------------------------------------------------------


Tweak = tuple[str, int, int]  # group, call, steps of share


@dataclass(frozen=True)
class PlanParameters:
    """How far each part of the plan is moved, and what it does on fourth down."""

    strengths: tuple[int, ...]  # indices into TILT_STRENGTHS, by group
    policy: str = PLAN_POLICY
    tweaks: tuple[Tweak, ...] = ()


def situation_group(name: str, row: PlanEntry) -> str:
    """Return the part of the game that an entry belongs to."""
    low, high = row[0], row[1]
    if row[SPOT_INDEX] >= NEAR_GOAL_SPOT:
        return f"{name} near the goal"
    if low == high == 1:
        return f"{name} on first down"
    if low == high == 2:
        return f"{name} on second down"
    return f"{name} on third and fourth down" if low >= 3 else f"{name} elsewhere"


class PlanBuilder:
    """Builds plans from parameters; no share moves more than `within` from the team's plan."""

    def __init__(self, opposition: Opposition, within: float = DEFAULT_MAX_SHARE_CHANGE) -> None:
        self.opposition = opposition
        self.within = within
        self.plan = opposition.trial.plan
        self.gains: dict[str, list[Floats]] = {}
        self.groups: list[str] = []
        for name in ("play", "formation"):
            rows = section_rows(self.plan, name)
            self.gains[name] = [opposition.call_gains(name, row) for row in rows]
            self.groups += sorted({situation_group(name, row) for row in rows})

    def build(self, parameters: PlanParameters) -> Plan:
        """Return the team's plan, tilted and tweaked, with a fourth-down policy."""
        strength = dict(zip(self.groups, parameters.strengths, strict=True))
        plan = self.plan
        for name, gains in self.gains.items():
            rows = []
            for row, gain in zip(section_rows(self.plan, name), gains, strict=True):
                group = situation_group(name, row)
                wanted = tilt_shares(entry_shares(name, row), gain, TILT_STRENGTHS[strength[group]])
                for tweaked_group, call, steps in parameters.tweaks:
                    if tweaked_group == group and math.isfinite(gain[call]):
                        wanted[call] = max(0.0, wanted[call] + steps * TWEAK_SHARE)
                usable = [math.isfinite(value) for value in gain]
                near = clip_shares(wanted, entry_shares(name, row), self.within, usable)
                rows.append(
                    row if (near == entry_shares(name, row)).all() else replace_shares(row, near)
                )
            plan = plan_changes.replace_section(plan, name, rows)
        policy = self.policies[parameters.policy]
        return plan if policy is None else policy.apply(plan)

    @cached_property
    def policies(self) -> dict[str, FourthDownPolicy | None]:
        """Fourth-down policies by name."""
        policies: dict[str, FourthDownPolicy | None] = {
            PLAN_POLICY: None,
            "bold": predefined_policy("bold"),
        }
        for caution in CAUTION_POINTS:
            name = f"best, {caution:g} points" if caution else "best"
            policies[name] = best_policy(self.opposition, self.plan, caution)
        return policies

    def equilibrium_plan(self) -> Plan:
        """Return the plan in which every entry is the equilibrium of plays against formations."""
        plan = replace(self.plan, name=f"{self.plan.name}, equilibrium")
        for name in ("play", "formation"):
            rows = []
            for row in section_rows(self.plan, name):
                shares = self.opposition.equilibrium_mix(name, row)
                rows.append(replace_shares(row, shares))
            plan = plan_changes.replace_section(plan, name, rows)
        return plan


def entry_shares(name: str, row: PlanEntry) -> Floats:
    """Return the shares of an entry, normalized to a sum of one."""
    shares = np.array(row[FIRST_SHARE : FIRST_SHARE + len(SECTIONS[name])], float)
    return np.asarray(shares / shares.sum())


def tilt_shares(shares: Floats, gains: Floats, strength: float) -> Floats:
    """Multiply every share by exp(strength times the gain of the call)."""
    if strength == 0:
        return shares.copy()
    usable = np.isfinite(gains)
    exponents = np.where(usable, gains - gains[usable].max(), 0) * strength
    weights = np.where(usable, (shares + UNUSED_CALL_SHARE) * np.exp(exponents), 0)
    return np.asarray(weights / weights.sum())


def clip_shares(
    wanted: Floats,
    own: Floats,
    within: float,
    usable: Sequence[bool],
) -> Floats:
    """Return the wanted shares, clipped to `within` of the plan's own, with a sum of one.

    A call that is not allowed there gets no more than it had.
    """
    low, high = np.maximum(own - within, 0), np.minimum(own + within, 1)
    high = np.where(usable, high, own)
    shares = np.clip(wanted, low, high)
    for _ in range(100):
        excess = shares.sum() - 1
        if abs(excess) < 1e-12:
            break
        room = shares - low if excess > 0 else high - shares
        if room.sum() < 1e-12:
            break
        shares = np.clip(shares - excess * room / room.sum(), low, high)
    return np.asarray(shares)


# --- The search ------------------------------------------------------------------------------


def search(
    trial: Trial,
    builder: PlanBuilder,
    budget: Budget,
    seed: int,
) -> PlanParameters:
    """Search coordinate by coordinate, with new luck each time; keep only clear gains."""
    zero = PlanParameters((0,) * len(builder.groups))
    best = zero
    trials = 0

    def improve(others: Sequence[PlanParameters]) -> PlanParameters:
        nonlocal trials
        trials += 1
        fresh = [candidate for candidate in dict.fromkeys(others) if candidate != best]
        remaining = budget.plans - budget.tried
        fresh = fresh[: int(remaining)] if math.isfinite(remaining) else fresh
        if not fresh or not budget.has_remaining() or trial.interrupted:
            return best
        budget.tried += len(fresh)
        lineups = [Lineup(builder.build(candidate)) for candidate in (best, *fresh)]
        base, *samples = trial.play(lineups, SEARCH_RUNS, seed ^ SEARCH_SEED ^ trials << 20)
        return _clearly_better(best, base, fresh, samples)

    uniform = [
        replace(zero, strengths=(index,) * len(zero.strengths))
        for index in range(len(TILT_STRENGTHS))
    ]
    best = improve(uniform)
    best = improve([replace(best, policy=name) for name in builder.policies])
    while budget.has_remaining() and not trial.interrupted:
        before = best
        for group in range(len(builder.groups)):
            best = improve([_stepped(best, group, step) for step in (-2, -1, 1, 2)])
        best = improve([replace(best, policy=name) for name in builder.policies])
        for name in builder.groups:
            best = improve(_tweaked(best, name))
        if best == before:
            break
    return best


def _tweaked(parameters: PlanParameters, group: str) -> list[PlanParameters]:
    """Return variants with one call of a part of the game a step up or down."""
    calls = SECTIONS[group.partition(" ")[0]]
    return [
        replace(parameters, tweaks=(*parameters.tweaks, (group, call, step)))
        for call in range(len(calls))
        for step in (1, -1)
    ]


def _stepped(parameters: PlanParameters, group: int, step: int) -> PlanParameters:
    strengths = list(parameters.strengths)
    strengths[group] = max(0, min(len(TILT_STRENGTHS) - 1, strengths[group] + step))
    return replace(parameters, strengths=tuple(strengths))


def _clearly_better(
    best: PlanParameters, base: Sample, others: Sequence[PlanParameters], samples: Sequence[Sample]
) -> PlanParameters:
    """Return the candidate that scores most if it beats `best` by more than its noise."""
    winner, highest = best, 0.0
    for parameters, sample in zip(others, samples, strict=True):
        if min(sample.runs, base.runs) < 2:
            continue
        gain = paired_difference(sample.margins.sum(0), base.margins.sum(0))
        if gain.mean > max(highest, gain.margin / 2):
            winner, highest = parameters, gain.mean
    return winner


# --- The report ------------------------------------------------------------------------------


@dataclass(frozen=True)
class BestPlan:
    """Best plan found, measured with independent luck."""

    trial: Trial
    plan: Plan
    parameters: dict[str, Any]
    tried: int
    results: list[ResponseResults]  # unchanged plan, best plan, equilibrium mix
    fourth_down_text: str  # description of its fourth downs
    runs: int
    seed: int

    @property
    def is_measured(self) -> bool:
        """Whether all plans were played before an interruption."""
        return min(sample.runs for line in self.results for sample in line.samples()) > 1

    @property
    def wins(self) -> Estimate:
        """Change of wins while all opponents keep their plans."""
        return paired_difference(self.results[1].plans_kept.wins, self.results[0].plans_kept.wins)

    def change(self, line: int, column: int) -> Estimate:
        """Return the wins of a plan under some responses, minus those of the unchanged season."""
        return self.results[line].change(column, self.results[0])

    def words(self) -> str:
        text = describe_difference(self.trial.plan, self.plan)
        return f"{text}; {self.fourth_down_text}" if self.fourth_down_text else text

    def sentence(self) -> str:
        """Return the plan's difference and its gain, with uncertainty and method."""
        return (
            f"best plan found: {self.wins.mean:+.2f} wins a season ({self.wins.ci_text(2)}; "
            f"{self.results[0].plans_kept.runs:,} paired runs with new dice). Changes: "
            f"{self.words()}"
        )

    def remaining_gain(self) -> str:
        """Describe what remains of the gain when opponents respond."""
        equilibrium_wins = mean_estimate(self.results[2].defenses_respond.wins).mean
        return (
            f"{opponent_response.remaining_gain(self.results[0], self.results[1], self.wins)} The "
            f"equilibrium mix of plays and formations would win {equilibrium_wins:.1f}."
        )

    def to_json(self) -> dict[str, Any]:
        data = {
            **report_header(self.trial, self.runs, self.seed),
            "plans_tried": self.tried,
            "recipe": self.parameters,
            "words": self.words(),
        }
        if not self.is_measured:
            return data
        return {
            **data,
            "sentence": self.sentence(),
            "wins": self.wins.interval(),
            "remains": self.remaining_gain(),
            "plans": [
                {
                    "plan": line.name,
                    **line.to_json(self.results[0]),
                }
                for line in self.results
            ],
        }


def find_best(
    trial: Trial,
    budget: Budget,
    runs: int,
    seed: int = 0,
    within: float = DEFAULT_MAX_SHARE_CHANGE,
    notify: Callable[[str], None] | None = None,
) -> BestPlan:
    """Search, measure with independent luck, then let the opponents respond.

    Ctrl-C stops the search; the best plan so far is still measured. `notify` receives notices about
    it.
    """
    trial.validate_run(runs, seed)
    opposition = Opposition(trial)
    builder = PlanBuilder(opposition, within)
    parameters = search(trial, builder, budget, seed)
    plan = replace(builder.build(parameters), name=f"{trial.plan.name}, best found")
    named = {unchanged_plan_name(trial): trial.plan, "best found": plan}
    named["equilibrium mix"] = builder.equilibrium_plan()
    lineups = [
        lineup
        for candidate in named.values()
        for lineup in (
            Lineup(candidate),
            *opponent_response.response_lineups(opposition, candidate),
        )
    ]
    was_interrupted, trial.interrupted = trial.interrupted, False
    if was_interrupted and notify is not None:
        notify("interrupted: measuring the best plan found so far")
    samples = trial.play(lineups, runs, seed ^ FINAL_SEED)
    trial.interrupted = trial.interrupted or was_interrupted
    lines = [
        ResponseResults(name, *samples[3 * index : 3 * index + 3])
        for index, name in enumerate(named)
    ]
    policy = builder.policies[parameters.policy]
    strengths = [TILT_STRENGTHS[index] for index in parameters.strengths]
    steps = {
        f"{group}, {SECTIONS[group.split()[0]][call]}": n for group, call, n in parameters.tweaks
    }
    found = {**dict(zip(builder.groups, strengths, strict=True)), "fourth down": parameters.policy}
    policy_text = policy.describe_go_for_it() if policy is not None else ""
    return BestPlan(
        trial, plan, {**found, "steps": steps}, budget.tried, lines, policy_text, runs, seed
    )
