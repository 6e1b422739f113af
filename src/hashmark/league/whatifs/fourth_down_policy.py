"""Fourth-down policies: what a plan does on fourth down while the game is open.

A policy replaces a plan's fourth-down entries that name neither score nor time, everywhere or in
some situations. The plan's entries for the end of a half or a game are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hashmark.errors import UnknownName
from hashmark.games.data_driven.plans.plan import (
    INSTEAD_CALLS,
    SHARES_WIDTH,
    SITUATION_RANGES,
    Plan,
)
from hashmark.league.whatifs.plan_changes import (
    ANYWHERE,
    FIRST_SHARE,
    BadChange,
    PlanEntry,
    SituationFilter,
    describe_spots,
    drop_unreachable,
    entry_limits,
    intersection,
    parse_situation,
    replace_section,
    section_rows,
)

POLICIES = ("real", "best", "bold", "cautious", "go")
SCORE_AND_CLOCK_KEYS = ("lead", "time", "period")  # an entry for the open game names none of them
DOWN_LOW, DOWN_HIGH = 0, 1  # indices in an entry
MIN_STRETCH_YARDS = 10  # yards; shorter stretches are not described
PolicyRule = tuple[tuple[int, int], tuple[int, int], str]  # to go, spots, call

# bold goes for it on short distances and where kicks gain little, cautious never, go always.
BOLD_RULES: tuple[PolicyRule, ...] = (
    ((1, 2), (30, 99), "play"),
    ((3, 5), (50, 66), "play"),
    ((3, 4), (93, 99), "play"),
    ((6, 8), (58, 63), "play"),
)
CAUTIOUS_RULES: tuple[PolicyRule, ...] = ()
GO_RULES: tuple[PolicyRule, ...] = (((1, 99), (1, 99), "play"),)
PREDEFINED_RULES = {"bold": BOLD_RULES, "cautious": CAUTIOUS_RULES, "go": GO_RULES}
POLICY_WORDS = {
    "best": "going for it on fourth down wherever that is worth more",
    "bold": "bold fourth-down calls",
    "cautious": "always kicking on fourth down",
    "go": "always going for it on fourth down",
}
DEFAULT_KICK_RULES: tuple[PolicyRule, ...] = (
    ((1, 99), (66, 99), "field-goal"),
    ((1, 99), (56, 65), "pooch-15"),
    ((1, 99), (50, 55), "pooch-10"),
    ((1, 99), (1, 99), "punt"),
)
FALLBACK_RULE: PolicyRule = DEFAULT_KICK_RULES[-1]


@dataclass(frozen=True)
class FourthDownPolicy:
    """Fourth-down decisions while the game is open, by distance and spot."""

    name: str
    rules: tuple[PolicyRule, ...]  # the last one matches everywhere
    situation: SituationFilter = ANYWHERE

    def apply(self, plan: Plan) -> Plan:
        """Insert the policy's entries before the plan's own, which still apply beyond them."""
        rows = section_rows(plan, "instead")
        open_rows = [
            index for index, row in enumerate(rows) if _is_open_game(row) and row[DOWN_HIGH] >= 4
        ]
        only_fourth_down = [index for index in open_rows if rows[index][DOWN_LOW] == 4]
        first = next(iter([*only_fourth_down, *open_rows]), len(rows))
        rows_with_policy = [*rows[:first], *self._rows(), *rows[first:]]
        return replace_section(plan, "instead", drop_unreachable(rows_with_policy))

    def _rows(self) -> list[PlanEntry]:
        """Return the rules as plan entries, cut to the situation."""
        limits, entries = self.situation.bounds(), []
        for row in map(_rule_to_row, self.rules):
            common = intersection(row, limits)
            if common is not None:
                entries.append((*common, *row[FIRST_SHARE:]))
        return entries

    def words(self) -> str:
        where = replace(self.situation, ranges=self._ranges_without_down()).words()
        return f"{POLICY_WORDS[self.name]} {where}".rstrip()

    def label(self) -> str:
        """Describe the policy in a few words for a table."""
        where = replace(self.situation, ranges=self._ranges_without_down()).words()
        return f"fourth down: {self.name} {where}".rstrip()

    def _ranges_without_down(self) -> tuple[tuple[str, tuple[int, int]], ...]:
        """Return the ranges except that of the down, which the text names already."""
        return tuple(named for named in self.situation.ranges if named[0] != "down")

    def describe_go_for_it(self) -> str:
        """Describe where it goes for it: `4th & 1 from their own 32 on`; omit small stretches."""
        places = [
            f"4th & {_distance(*to_go)} {_spots(*spots)}"
            for to_go, spots, call in map(_row_to_rule, self._rows())
            if call == "play" and spots[1] - spots[0] >= MIN_STRETCH_YARDS
        ]
        return f"going for it on {', '.join(places)}" if places else "never going for it"


def _distance(low: int, high: int) -> str:
    if high >= 99:
        return f"{low} or more"
    return str(low) if low == high else f"{low} to {high}"


def _spots(low: int, high: int) -> str:
    if (low, high) == (1, 99):
        return "anywhere"
    return describe_spots(low, high)


def _is_open_game(row: PlanEntry) -> bool:
    """Return whether an entry names neither score nor time."""
    limits = entry_limits(row)
    return all(limits[key] == SITUATION_RANGES[key] for key in SCORE_AND_CLOCK_KEYS)


def _rule_to_row(rule: PolicyRule) -> PlanEntry:
    """Convert a rule to an entry of the section `instead`."""
    to_go, spots, call = rule
    limits = {**SITUATION_RANGES, "down": (4, 4)}
    for key, span in (("to-go", to_go), ("spot", spots)):
        limits[key] = SITUATION_RANGES[key] if span == (1, 99) else span
    bounds = [limit for key in SITUATION_RANGES for limit in limits[key]]
    shares = [int(name == call) for name in INSTEAD_CALLS]
    return (*bounds, *shares, *([0] * (SHARES_WIDTH - len(shares))))


def _row_to_rule(row: PlanEntry) -> PolicyRule:
    """Convert an entry back to a rule: possible distances and spots, and its call."""
    limits = entry_limits(row)
    to_go, spots = ((max(1, limits[key][0]), limits[key][1]) for key in ("to-go", "spot"))
    return to_go, spots, INSTEAD_CALLS[row[FIRST_SHARE:].index(1)]


def check_policy(name: str, situation: SituationFilter = ANYWHERE) -> None:
    """Raise an error for an unknown policy or a situation without a fourth down."""
    if name not in POLICIES:
        raise UnknownName("fourth-down policy", name, POLICIES)
    if intersection(situation.bounds(), _rule_to_row(FALLBACK_RULE)) is None:
        raise BadChange(
            f"--fourth-down {name}: its situation excludes fourth down; give a change its own "
            f"situation after an @, e.g. --play deep=+5%@down=1 or {name}@spot=50+"
        )


def parse_policy(text: str, situation: SituationFilter = ANYWHERE) -> tuple[str, SituationFilter]:
    """Parse `bold`, `best@spot=50+`: the name of a policy and its situation."""
    name, separator, where = text.partition("@")
    if separator:
        situation = parse_situation(where)
    check_policy(name, situation)
    return name, situation


def predefined_policy(name: str, situation: SituationFilter = ANYWHERE) -> FourthDownPolicy:
    """Return one of the predefined policies."""
    return FourthDownPolicy(name, (*PREDEFINED_RULES[name], *DEFAULT_KICK_RULES), situation)
