"""What-if form: sliders and rules, parsed into the quick changes of a `ChangeRequest`.

Every field can be left out or be zero; it then changes nothing. Errors name the field as the page
does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.games.data_driven.tables import FORMATIONS, PASSES, PLAYS
from hashmark.league.whatifs import fourth_down_policy
from hashmark.league.whatifs import plan_changes as ch
from hashmark.league.whatifs.change_request import ChangeRequest
from hashmark.league.whatifs.plan_changes import BadChange
from hashmark.sanitize import quote
from hashmark.storage import search_path
from hashmark.web.jobs.job_types import DEFAULT_RUNS
from hashmark.web.jobs.whatif_job import LIST_SETTINGS
from hashmark.web.seasons.play_view import FORMATIONS_NOTE
from hashmark.web.seasons.season_view import parse_season, parse_team

MAX_POINTS = 60  # percentage points of calls, up or down
RULE_ROWS = 3  # rows of rules in the form
RUN_CHOICES = (200, 500, 1000, 2000, 5000)
UNCHANGED = "real"
# What a rule can change, besides plays and formations.
RATES = {"pass_rate": "passes", "blitz_rate": "blitzes", "tempo": "hurry-ups"}
RULE_KEYS = ("down", "to-go", "spot", "lead", "time", "period")
FOURTH_DOWN_CHOICES = {
    UNCHANGED: "real plan",
    "go": "always go for it",
    "bold": "bold: go for it on short yardage and where kicks gain little",
    "cautious": "cautious: always kick",
    "best": "best calls by simulation (takes longer)",
}


@dataclass(frozen=True)
class WhatIfQuestion:
    """What-if question about one team's plan."""

    season: int
    team: str
    change_request: ChangeRequest
    runs: int = DEFAULT_RUNS
    seed: int = 0
    with_answers: bool = False
    plan: str = ""  # text of a plan to use instead of the team's own
    name: str = field(default="", compare=False)

    def settings(self) -> dict[str, Any]:
        """Return the settings of the job that answers this question."""
        request = self.change_request
        settings: dict[str, Any] = {
            "season": self.season,
            "team": self.team,
            "runs": self.runs,
            "seed": self.seed,
            **{
                name: list(getattr(request, name))
                for name in LIST_SETTINGS
                if getattr(request, name)
            },
            "answered": self.with_answers,
        }
        if request.fourth_down is not None:
            settings["fourth_down"] = request.fourth_down
        if self.plan:
            settings["plan"] = self.plan
        return settings

    @property
    def base_plan(self) -> Plan:
        """The plan to be changed."""
        if self.plan:
            return plans.parse_text(self.plan, "the plan")
        with search_path.shipped_only():
            return plans.load(f"{self.season}:{self.team}")

    def describe(self) -> str:
        """Return a description of the changes; empty if there are none."""
        return self.change_request.words()

    @property
    def needs_simulation(self) -> bool:
        """Whether the change itself has to be found by simulation."""
        policy = self.change_request.requested_policy()
        return policy is not None and policy[0] == "best"

    def changed_plan(self) -> Plan:
        """Return the changed plan; raise BadChange if the change needs a simulation."""
        if self.needs_simulation:
            raise BadChange(
                "the best fourth downs are found by simulation: ask what they would bring, or "
                "choose another rule to keep"
            )
        changes: list[ch.PlanChange] = [*self.change_request.share_changes()]
        policy = self.change_request.requested_policy()
        if policy is not None:
            changes.append(fourth_down_policy.predefined_policy(*policy))
        return ch.apply_changes(self.base_plan, changes, self.name or None)


def parse_form(fields: Mapping[str, str], plan: str = "") -> WhatIfQuestion:
    """Parse a submitted form; `plan` is the text of the saved plan that it starts from."""
    season, team = parse_season(fields.get("season", "")), parse_team(fields.get("team", ""))
    changes: dict[str, list[str]] = {
        "pass_rate": _slider_change(fields, "pass_rate", "passes"),
        "blitz_rate": _slider_change(fields, "blitz_rate", "blitzes"),
        "tempo": _slider_change(fields, "tempo", "hurry-ups"),
        "play": _section_changes(fields, "play", PLAYS),
        "formation": _section_changes(fields, "formation", FORMATIONS),
    }
    for number in range(1, RULE_ROWS + 1):
        _add_rule(fields, number, changes)
    request = ChangeRequest(
        changes["pass_rate"],
        changes["play"],
        changes["blitz_rate"],
        changes["formation"],
        changes["tempo"],
        _fourth_down_rule(fields),
    )
    request.validate()
    runs = fields.get("runs", "") or str(DEFAULT_RUNS)
    if runs not in map(str, RUN_CHOICES):
        raise UnknownName("number of seasons", runs, [str(choice) for choice in RUN_CHOICES])
    question = WhatIfQuestion(
        season,
        team,
        request,
        int(runs),
        with_answers=fields.get("answered") == "on",
        plan=plan,
        name=_check_name(fields.get("name", "")),
    )
    if not question.needs_simulation:
        question.changed_plan()  # raises HashmarkError if there are too many entries
    return question


def require_change(question: WhatIfQuestion) -> WhatIfQuestion:
    """Raise HashmarkError if the question changes nothing."""
    if not question.change_request.has_changes and not question.plan:
        raise HashmarkError("nothing has changed yet: move a slider or add a rule")
    return question


def _check_name(given: str) -> str:
    name = " ".join(given.split())
    if len(name) > 80 or not name.isprintable():
        raise HashmarkError("plan name: expected at most 80 characters on one line")
    return name


def _parse_points(text: str, what: str) -> float:
    """Parse a number of percentage points; an empty field is zero."""
    given = text.strip()
    if not given:
        return 0.0
    if not re.fullmatch(r"[+-]?[0-9]{1,3}(\.[0-9]{1,2})?", given) or abs(float(given)) > MAX_POINTS:
        raise HashmarkError(
            f"{what}: expected -{MAX_POINTS} to {MAX_POINTS} percentage points, not {quote(given)}"
        )
    return float(given)


def _slider_change(sent: Mapping[str, str], key: str, label: str) -> list[str]:
    """Return the change that one slider asks for, if any."""
    points = _parse_points(sent.get(key, ""), label)
    return [f"{points:+g}%"] if points else []


def _section_changes(sent: Mapping[str, str], section: str, calls: tuple[str, ...]) -> list[str]:
    """Return the changes that the sliders of a section ask for."""
    changes = []
    for call in calls:
        points = _parse_points(sent.get(f"{section}-{call}", ""), call)
        changes += [f"{call}={points:+g}%"] if points else []
    return changes


def _situation(sent: Mapping[str, str], prefix: str, label: str) -> str:
    """Build a condition such as `down=3 to-go=..2` from the fields of a row."""
    parts = []
    for key in RULE_KEYS:
        low, high = (sent.get(f"{prefix}-{key}{end}", "").strip() for end in ("", "-most"))
        if low and not high and key in ("down", "period"):
            high = low
        if low or high:
            parts.append(f"{key}={low}..{high}")
    condition = " ".join(parts)
    try:
        ch.parse_situation(condition)
    except HashmarkError as error:
        raise BadChange(f"{label}: {error}") from None
    return condition


def _add_rule(sent: Mapping[str, str], number: int, changes: dict[str, list[str]]) -> None:
    """Parse one rule row (condition, call and points) and add it to the changes."""
    prefix = f"rule-{number}"
    points = _parse_points(sent.get(f"{prefix}-points", ""), f"rule {number}")
    what, condition = sent.get(f"{prefix}-what", ""), _situation(sent, prefix, f"rule {number}")
    if not points:
        if condition:
            raise BadChange(f"rule {number}: enter its percentage points, or clear the rule")
        return
    amount = f"{points:+g}%" + (f"@{condition}" if condition else "")
    if what in RATES:
        changes[what].append(amount)
        return
    section, _, call = what.partition(":")
    known = {"play": PLAYS, "formation": FORMATIONS}.get(section, ())
    if call not in known:
        calls = [*RATES, *(f"play:{one}" for one in PLAYS)]
        calls += [f"formation:{one}" for one in FORMATIONS]
        raise UnknownName(f"call of rule {number}", what, calls)
    changes[section].append(f"{call}={amount}")


def _fourth_down_rule(sent: Mapping[str, str]) -> str | None:
    name = sent.get("fourth", "") or UNCHANGED
    if name not in FOURTH_DOWN_CHOICES:
        raise UnknownName("fourth-down rule", name, FOURTH_DOWN_CHOICES)
    condition = _situation(sent, "fourth", "fourth down")
    if name == UNCHANGED:
        if condition:
            raise BadChange("fourth down: choose a rule, or clear its distance and yard lines")
        return None
    return f"{name}@{condition}" if condition else name


def current_shares(plan: Plan) -> dict[str, dict[str, float]]:
    """Return the shares on 1st and 10 that the sliders start from."""
    moment = ch.GameSituation(down=1, to_go=10, spot=30, lead=0, time=900, period=1)
    shares = {}
    for section, calls in (("play", PLAYS), ("formation", FORMATIONS)):
        mix = ch.call_mix(plan, section, moment) or [0.0] * len(calls)
        shares[section] = dict(zip(calls, mix, strict=True))
    hurry = ch.call_mix(plan, "tempo", moment)
    shares["tempo"] = {"hurry-up": hurry[1] if hurry else 0.0}
    shares["rates"] = {"passes": sum(shares["play"][play] for play in PASSES)}
    return shares


def form_values(plan: Plan, season: int, team: str, key: str = "") -> dict[str, Any]:
    """Return the template variables of the form, for a team's own plan or a saved one."""
    return {
        "season": season,
        "team": team,
        "key": key,
        "now": current_shares(plan),
        "fourth": FOURTH_DOWN_CHOICES,
        "rules": range(1, RULE_ROWS + 1),
        "rates": RATES,
        "plays": PLAYS,
        "formations": FORMATIONS,
        "runs": RUN_CHOICES,
        "usual": DEFAULT_RUNS,
        "most": MAX_POINTS,
        "invented": FORMATIONS_NOTE,
    }
