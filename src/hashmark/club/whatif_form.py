"""A what-if as a form sends it: sliders and rules, read into the quick changes of `Wanted`.

Every field may be left out or be zero: then nothing is changed by it. What cannot be is refused in
a sentence that names the field as the page does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hashmark.club.play_view import INVENTED
from hashmark.club.season_view import team_of, year_of
from hashmark.club.whatif_work import LISTS
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.games.data_driven.tables import FORMATIONS, PASSES, PLAYS
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs import fourth
from hashmark.league.whatifs.changes import BadChange
from hashmark.league.whatifs.wanted import Wanted
from hashmark.table import places
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.readable import shown

MOST_POINTS = 60  # of a hundred calls, more or less
RULES = 3  # rows of rules in the form
RUNS = (200, 500, 1000, 2000, 5000)
USUAL_RUNS = 1000
AS_IT_IS = "real"
# What a rule may change, beside the plays and formations.
RATES = {"pass_rate": "passes", "blitz_rate": "blitzes", "tempo": "hurry-ups"}
RULE_KEYS = ("down", "to-go", "spot", "lead", "time", "period")
DOWNS = ("1", "2", "3", "4")
FOURTH = {
    AS_IT_IS: "as it really was",
    "go": "always go for it",
    "bold": "bold: short distances, and where kicks gain little",
    "cautious": "cautious: always kick",
    "best": "the best by simulation (takes longer)",
}


@dataclass(frozen=True)
class WhatIf:
    """A question about one team's plan."""

    season: int
    team: str
    wanted: Wanted
    runs: int = USUAL_RUNS
    seed: int = 0
    answered: bool = False
    plan: str = ""  # the text of a whole plan that is tried instead of the team's own
    name: str = field(default="", compare=False)

    def settings(self) -> dict[str, Any]:
        """What the work of this question is asked with."""
        wanted = self.wanted
        made: dict[str, Any] = {
            "season": self.season,
            "team": self.team,
            "runs": self.runs,
            "seed": self.seed,
            **{name: list(getattr(wanted, name)) for name in LISTS if getattr(wanted, name)},
            "answered": self.answered,
        }
        if wanted.fourth_down is not None:
            made["fourth_down"] = wanted.fourth_down
        if self.plan:
            made["plan"] = self.plan
        return made

    @property
    def base(self) -> Plan:
        """The plan that is changed."""
        if self.plan:
            return plans.read(self.plan, "the plan")
        with places.only_shipped():
            return plans.load(f"{self.season}:{self.team}")

    def words(self) -> str:
        """What is changed, in a row; nothing if nothing is."""
        return self.wanted.words()

    @property
    def by_simulation(self) -> bool:
        """Whether a simulation has to find out first what is changed."""
        policy = self.wanted.policy()
        return policy is not None and policy[0] == "best"

    def changed(self) -> Plan:
        """The plan with all changes; those that only a simulation can make are refused."""
        if self.by_simulation:
            raise BadChange(
                "the best fourth downs are found by simulation: ask what they would bring, or "
                "choose another rule to keep"
            )
        made: list[ch.AnyChange] = [*self.wanted.shares()]
        policy = self.wanted.policy()
        if policy is not None:
            made.append(fourth.policy_of(*policy))
        return ch.apply(self.base, made, self.name or None)


def read(sent: Mapping[str, str], plan: str = "") -> WhatIf:
    """The question of a form; `plan` is the text of a kept plan that it begins from."""
    season, team = year_of(sent.get("season", "")), team_of(sent.get("team", ""))
    found: dict[str, list[str]] = {
        "pass_rate": _points(sent, "pass_rate", "passes"),
        "blitz_rate": _points(sent, "blitz_rate", "blitzes"),
        "tempo": _points(sent, "tempo", "hurry-ups"),
        "play": _each(sent, "play", PLAYS),
        "formation": _each(sent, "formation", FORMATIONS),
    }
    for number in range(1, RULES + 1):
        _rule(sent, number, found)
    wanted = Wanted(
        found["pass_rate"],
        found["play"],
        found["blitz_rate"],
        found["formation"],
        found["tempo"],
        _fourth(sent),
    )
    wanted.check()
    runs = sent.get("runs", "") or str(USUAL_RUNS)
    if runs not in map(str, RUNS):
        raise UnknownName("number of seasons", runs, [str(one) for one in RUNS])
    asked = WhatIf(
        season,
        team,
        wanted,
        int(runs),
        answered=sent.get("answered") == "on",
        plan=plan,
        name=_name(sent.get("name", "")),
    )
    if not asked.by_simulation:
        asked.changed()  # or it is refused: too many entries
    return asked


def must_change(asked: WhatIf) -> WhatIf:
    """Refuse a question in which nothing is changed."""
    if not asked.wanted.anything and not asked.plan:
        raise HashmarkError("nothing is changed yet: move a slider or write a rule")
    return asked


def _name(given: str) -> str:
    name = " ".join(given.split())
    if len(name) > 80 or not name.isprintable():
        raise HashmarkError("the plan's name: expected at most 80 letters on one line")
    return name


def _signed(text: str, what: str) -> float:
    """Points of a hundred calls, as a field has them."""
    given = text.strip()
    if not given:
        return 0.0
    if (
        not re.fullmatch(r"[+-]?[0-9]{1,3}(\.[0-9]{1,2})?", given)
        or abs(float(given)) > MOST_POINTS
    ):
        raise HashmarkError(
            f"{what}: {shown(given)} is not a number of points from -{MOST_POINTS} to {MOST_POINTS}"
        )
    return float(given)


def _points(sent: Mapping[str, str], key: str, what: str) -> list[str]:
    points = _signed(sent.get(key, ""), what)
    return [f"{points:+g}%"] if points else []


def _each(sent: Mapping[str, str], section: str, calls: tuple[str, ...]) -> list[str]:
    made = []
    for call in calls:
        points = _signed(sent.get(f"{section}-{call}", ""), call)
        made += [f"{call}={points:+g}%"] if points else []
    return made


def _situation(sent: Mapping[str, str], before: str, what: str) -> str:
    """`down=3 to-go=..2`, from the fields of a row."""
    parts = []
    for key in RULE_KEYS:
        low, high = (sent.get(f"{before}-{key}{end}", "").strip() for end in ("", "-most"))
        if low and not high and key in ("down", "period"):
            high = low
        if low or high:
            parts.append(f"{key}={low}..{high}")
    said = " ".join(parts)
    try:
        ch.read_situation(said)
    except HashmarkError as fault:
        raise BadChange(f"{what}: {fault}") from None
    return said


def _rule(sent: Mapping[str, str], number: int, found: dict[str, list[str]]) -> None:
    """A row of the form: where, what, and how many points more or less."""
    before = f"rule-{number}"
    points = _signed(sent.get(f"{before}-points", ""), f"rule {number}")
    what, where = sent.get(f"{before}-what", ""), _situation(sent, before, f"rule {number}")
    if not points:
        if where:
            raise BadChange(f"rule {number}: say how many points more or less, or leave it empty")
        return
    amount = f"{points:+g}%" + (f"@{where}" if where else "")
    if what in RATES:
        found[what].append(amount)
        return
    section, _, call = what.partition(":")
    known = {"play": PLAYS, "formation": FORMATIONS}.get(section, ())
    if call not in known:
        calls = [*RATES, *(f"play:{one}" for one in PLAYS)]
        calls += [f"formation:{one}" for one in FORMATIONS]
        raise UnknownName(f"call of rule {number}", what, calls)
    found[section].append(f"{call}={amount}")


def _fourth(sent: Mapping[str, str]) -> str | None:
    name = sent.get("fourth", "") or AS_IT_IS
    if name not in FOURTH:
        raise UnknownName("rule for fourth down", name, FOURTH)
    where = _situation(sent, "fourth", "fourth down")
    if name == AS_IT_IS:
        if where:
            raise BadChange(
                "fourth down: choose a rule, or leave its distance and yard lines empty"
            )
        return None
    return f"{name}@{where}" if where else name


def shares_now(plan: Plan) -> dict[str, dict[str, float]]:
    """What the sliders start from: the shares on 1st and 10, for the live text of the form."""
    moment = ch.Moment(down=1, to_go=10, spot=30, lead=0, time=900, period=1)
    made = {}
    for section, calls in (("play", PLAYS), ("formation", FORMATIONS)):
        found = ch.mix(plan, section, moment) or [0.0] * len(calls)
        made[section] = dict(zip(calls, found, strict=True))
    hurry = ch.mix(plan, "tempo", moment)
    made["tempo"] = {"hurry-up": hurry[1] if hurry else 0.0}
    made["rates"] = {"passes": sum(made["play"][play] for play in PASSES)}
    return made


def drawn_from(plan: Plan, season: int, team: str, key: str = "") -> dict[str, Any]:
    """All that a page needs to draw the form, for a team's own plan or one that is kept."""
    return {
        "season": season,
        "team": team,
        "key": key,
        "now": shares_now(plan),
        "fourth": FOURTH,
        "rules": range(1, RULES + 1),
        "rates": RATES,
        "plays": PLAYS,
        "formations": FORMATIONS,
        "runs": RUNS,
        "usual": USUAL_RUNS,
        "most": MOST_POINTS,
        "invented": INVENTED,
    }
