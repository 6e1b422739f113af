"""Fourth-down policies: what a plan does on fourth down while the game is open.

A policy replaces a plan's fourth-down entries that name neither score nor time, everywhere or in
some situations. The plan's entries for the end of a half or a game are kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hashmark.games.data_driven.plans.plan import INSTEAD, KEYS, MOST_SHARES, Plan
from hashmark.league.whatifs import duels
from hashmark.league.whatifs.changes import (
    ANYWHERE,
    NAMES,
    SHARES,
    BadChange,
    Moment,
    Row,
    Situation,
    intersection,
    mix,
    prune,
    read_situation,
    section,
    with_section,
)
from hashmark.league.whatifs.duels import Spot, allowed
from hashmark.league.whatifs.trial import Lineup
from hashmark.table.errors import UnknownName

if TYPE_CHECKING:
    from hashmark.league.whatifs.opposition import Opposition

POLICIES = ("real", "best", "bold", "cautious", "go")
OPEN = ("lead", "time", "period")  # keys that an entry for the open game must not name
DISTANCES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 10), (11, 99))
BANDS = tuple((low, min(99, low + 3)) for low in range(1, 100, 4))
KICKS = ("punt", "pooch-5", "pooch-10", "pooch-15", "field-goal")
LEAST_STRETCH = 10  # yards; shorter stretches are not described
CAUTIONS = (0.0, 0.15, 0.3, 0.5, 0.8)  # expected points
TUNING_RUNS = 300
TUNING_SEED = 0x4D1D0FF  # independent of the seed of the measurement
Rule = tuple[tuple[int, int], tuple[int, int], str]  # to go, spots, call

# bold goes for it on short distances and where kicks gain little, cautious never, go always.
BOLD: tuple[Rule, ...] = (
    ((1, 2), (30, 99), "play"),
    ((3, 5), (50, 66), "play"),
    ((3, 4), (93, 99), "play"),
    ((6, 8), (58, 63), "play"),
)
CAUTIOUS: tuple[Rule, ...] = ()
GO: tuple[Rule, ...] = (((1, 99), (1, 99), "play"),)
WRITTEN = {"bold": BOLD, "cautious": CAUTIOUS, "go": GO}
WORDS = {
    "best": "went for it on fourth down where that is worth more",
    "bold": "was bold on fourth down",
    "cautious": "always kicked on fourth down",
    "go": "always went for it on fourth down",
}
USUAL_KICKS: tuple[Rule, ...] = (
    ((1, 99), (66, 99), "field-goal"),
    ((1, 99), (56, 65), "pooch-15"),
    ((1, 99), (50, 55), "pooch-10"),
    ((1, 99), (1, 99), "punt"),
)
ELSE: Rule = USUAL_KICKS[-1]


@dataclass(frozen=True)
class Policy:
    """Fourth-down decisions while the game is open, by distance and spot."""

    name: str
    rules: tuple[Rule, ...]  # the last one matches everywhere
    situation: Situation = ANYWHERE

    def apply(self, plan: Plan) -> Plan:
        """Insert the policy's entries before the plan's own, which still apply beyond them."""
        rows = section(plan, "instead")
        first = next((index for index, row in enumerate(rows) if is_open_fourth(row)), None)
        if first is None:
            first = _first_open_row(rows)
        rows_with_policy = [*rows[:first], *self._rows(), *rows[first:]]
        return with_section(plan, "instead", prune(rows_with_policy))

    def _rows(self) -> list[Row]:
        """Return the rules as plan entries, cut to the situation."""
        limits, entries = self.situation.bounds(), []
        for row in map(_rule_to_row, self.rules):
            common = intersection(row, limits)
            if common is not None:
                entries.append((*common, *row[SHARES:]))
        return entries

    def words(self) -> str:
        where = replace(self.situation, ranges=self._ranges_without_down()).words()
        return f"{WORDS[self.name]} {where}".rstrip()

    def _ranges_without_down(self) -> tuple[tuple[str, tuple[int, int]], ...]:
        """Return the ranges except that of the down, which the text names already."""
        return tuple(named for named in self.situation.ranges if named[0] != "down")

    def where(self) -> str:
        """Describe where it goes for it: `4th and 1 from the own 32 on`; omit small stretches."""
        places = [
            f"4th and {_distance(*to_go)} {_spots(*spots)}"
            for to_go, spots, call in map(_row_to_rule, self._rows())
            if call == "play" and spots[1] - spots[0] >= LEAST_STRETCH
        ]
        return f"went for it on {', '.join(places)}" if places else "never went for it"


def _distance(low: int, high: int) -> str:
    if high >= 99:
        return f"{low} or more"
    return str(low) if low == high else f"{low} to {high}"


def _spots(low: int, high: int) -> str:
    if (low, high) == (1, 99):
        return "anywhere"
    if high >= 99:
        return f"from {yard_line(low)} on"
    return f"from {yard_line(low)} to {yard_line(high)}"


def yard_line(spot: int) -> str:
    """Format a spot: `the own 32`, `midfield`, `the opponents' 8`."""
    if spot == 50:
        return "midfield"
    return f"the own {spot}" if spot < 50 else f"the opponents' {100 - spot}"


def is_open_fourth(row: Row) -> bool:
    """Return whether an entry is for fourth down only and names neither score nor time."""
    for index, (key, widest) in enumerate(KEYS.items()):
        limits = (row[2 * index], row[2 * index + 1])
        if key == "down" and limits != (4, 4):
            return False
        if key in OPEN and limits != widest:
            return False
    return True


def _first_open_row(rows: Sequence[Row]) -> int:
    """Return the first entry that names neither score nor time and may apply on fourth down."""
    for index, row in enumerate(rows):
        is_open = all(
            (row[2 * NAMES.index(key)], row[2 * NAMES.index(key) + 1]) == KEYS[key] for key in OPEN
        )
        if is_open and row[1] >= 4:
            return index
    return len(rows)


def _rule_to_row(rule: Rule) -> Row:
    """Convert a rule to an entry of the section `instead`."""
    to_go, spots, call = rule
    limits = {**KEYS, "down": (4, 4)}
    for key, span in (("to-go", to_go), ("spot", spots)):
        limits[key] = KEYS[key] if span == (1, 99) else span
    bounds = [limit for key in KEYS for limit in limits[key]]
    shares = [int(name == call) for name in INSTEAD]
    return (*bounds, *shares, *([0] * (MOST_SHARES - len(shares))))


def _row_to_rule(row: Row) -> Rule:
    """Convert an entry back to a rule: possible distances and spots, and its call."""
    ranges = []
    for key in ("to-go", "spot"):
        index = 2 * NAMES.index(key)
        ranges.append((max(1, row[index]), row[index + 1]))
    return ranges[0], ranges[1], INSTEAD[row[SHARES:].index(1)]


def check_policy(name: str, situation: Situation = ANYWHERE) -> None:
    """Raise an error for an unknown policy or a situation without a fourth down."""
    if name not in POLICIES:
        raise UnknownName("fourth-down policy", name, POLICIES)
    if intersection(situation.bounds(), _rule_to_row(ELSE)) is None:
        raise BadChange(
            f"--fourth-down {name}: its situation has no fourth down; a situation of one change "
            f"alone follows after an @, e.g. --play deep=+5%@down=1 or {name}@spot=50+"
        )


def read_policy(text: str, situation: Situation = ANYWHERE) -> tuple[str, Situation]:
    """Parse `bold`, `best@spot=50+`: the name of a policy and its situation."""
    name, separator, where = text.partition("@")
    if separator:
        situation = read_situation(where)
    check_policy(name, situation)
    return name, situation


def policy(
    name: str,
    opposition: Callable[[], Opposition],
    plan: Plan,
    seed: int = 0,
    situation: Situation = ANYWHERE,
) -> Policy | None:
    """Return the policy of this name; None for `real`, which changes nothing."""
    check_policy(name, situation)
    if name == "real":
        return None
    if name == "best":
        return tuned(opposition(), plan, seed, situation)
    return policy_of(name, situation)


def policy_of(name: str, situation: Situation = ANYWHERE) -> Policy:
    """Return one of the predefined policies."""
    return Policy(name, (*WRITTEN[name], *USUAL_KICKS), situation)


# --- The best policy by expected points ----------------------------------------------------


def best(opposition: Opposition, plan: Plan, caution: float = 0.0) -> Policy:
    """Return the policy that goes for it where the plan's plays are worth more than the best kick.

    `caution` is how much more, in expected points.
    """
    kicks = {band: best_kick(opposition, _middle(band)) for band in BANDS}
    rules: list[Rule] = []
    for distance in DISTANCES:
        goes_for_it = []
        for band in BANDS:
            spot = _middle(band)
            to_go = min(_middle(distance) if distance[1] < 99 else 13, 100 - spot)
            value = going(opposition, plan, Spot(4, to_go, spot))
            goes_for_it.append(value > kicks[band][1] + caution)
        rules += [
            (distance, spots, "play")
            for spots in _stretches(goes_for_it, [True] * len(goes_for_it))
        ]
    names = [kicks[band][0] for band in BANDS]
    for call in KICKS:
        rules += [((1, 99), spots, call) for spots in _stretches(names, [call] * len(names))]
    return Policy("best", (*_merge_distances(rules), ELSE))


def tuned(
    opposition: Opposition, plan: Plan, seed: int = 0, situation: Situation = ANYWHERE
) -> Policy:
    """Return the best of several cautions and of the bold policy, by simulation.

    Expected points ignore score and clock, and going for it is worth less than they say where
    failure is costly. The required margin is therefore tuned by simulation.
    """
    trial = opposition.trial
    candidates = [best(opposition, plan, caution) for caution in CAUTIONS]
    candidates.append(replace(policy_of("bold"), name="best"))
    candidates = [replace(candidate, situation=situation) for candidate in candidates]
    lineups = [Lineup(candidate.apply(plan)) for candidate in candidates]
    samples = trial.play(lineups, TUNING_RUNS, seed ^ TUNING_SEED)
    means = [
        float(candidate.margins.mean()) if candidate.runs else -math.inf for candidate in samples
    ]
    return candidates[means.index(max(means))]


def _middle(limits: tuple[int, int]) -> int:
    return (limits[0] + limits[1]) // 2


def _stretches(values: Sequence[object], wanted: Sequence[object]) -> list[tuple[int, int]]:
    """Return the stretches of spots whose bands have the wanted value."""
    runs: list[tuple[int, int]] = []
    for band, value, wanted_value in zip(BANDS, values, wanted, strict=True):
        if value != wanted_value:
            continue
        if runs and runs[-1][1] == band[0] - 1:
            runs[-1] = (runs[-1][0], band[1])
        else:
            runs.append(band)
    return runs


def _merge_distances(rules: Sequence[Rule]) -> list[Rule]:
    """Merge rules for adjacent distances with the same spots."""
    merged: list[Rule] = []
    for (low, high), spots, call in rules:
        for index, ((first, last), other_spots, other_call) in enumerate(merged):
            if other_spots == spots and other_call == call and last == low - 1:
                merged[index] = ((first, high), spots, call)
                break
        else:
            merged.append(((low, high), spots, call))
    return merged


def going(opposition: Opposition, plan: Plan, at: Spot) -> float:
    """Return the value of the plan's own fourth-down plays against the opponents' formations."""
    import numpy as np

    moment = Moment(4, at.to_go, at.spot)
    plays = allowed(at.spot)
    mix_shares = mix(plan, "play", moment)
    shares = np.array(mix_shares)[plays] if mix_shares is not None else np.ones(len(plays))
    matrix = opposition.our_offence.matrix(at)[plays]
    return float(shares / shares.sum() @ matrix @ opposition.mean_mix("formation", moment))


def best_kick(opposition: Opposition, spot: int) -> tuple[str, float]:
    """Return the best kick from a spot and its value."""
    expected, met = opposition.worth, opposition.met
    match, our_seat = next(iter(opposition.games.values()))
    values: dict[str, float] = {}
    for name in KICKS:
        if name == "field-goal":
            kick_value = duels.field_goal(expected, match, our_seat, spot)
            if kick_value is not None:
                values[name] = kick_value
            continue
        shorter = int(name.removeprefix("pooch-")) if name != "punt" else 0
        values[name] = (
            sum(
                met[code] * duels.punt(expected, m, seat, spot, shorter)
                for code, (m, seat) in opposition.games.items()
            )
            / met.total()
        )
    best_name = max(values, key=lambda name: values[name])
    return best_name, values[best_name]
