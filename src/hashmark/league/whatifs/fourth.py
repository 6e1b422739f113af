"""Fourth-down policies: what a plan does on fourth down while the game is open.

A policy replaces a plan's fourth-down entries that name no score and no time, everywhere or in
a situation. What the plan says about the end of a half or a game stays.
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
OPEN = ("lead", "time", "period")  # keys that an entry for the open game does not name
DISTANCES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 10), (11, 99))
BANDS = tuple((low, min(99, low + 3)) for low in range(1, 100, 4))
KICKS = ("punt", "pooch-5", "pooch-10", "pooch-15", "field-goal")
LEAST_STRETCH = 10  # yards of field that words speak of
CAUTIONS = (0.0, 0.15, 0.3, 0.5, 0.8)  # expected points
TUNING_RUNS = 300
TUNING_SEED = 0x4D1D0FF  # other luck than that of the measurement
Rule = tuple[tuple[int, int], tuple[int, int], str]  # to go, spots, call

# In words: bold goes for it when it is short or kicks gain little, cautious never does, go always.
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
    """What to do on fourth down while the game is open, by distance and place."""

    name: str
    rules: tuple[Rule, ...]  # the last of them fits everywhere
    situation: Situation = ANYWHERE

    def apply(self, plan: Plan) -> Plan:
        """The policy's entries before the plan's own, which stay where they reach farther."""
        rows = section(plan, "instead")
        first = next((at for at, row in enumerate(rows) if is_open_fourth(row)), None)
        if first is None:
            first = _first_reaching(rows)
        together = [*rows[:first], *self._rows(), *rows[first:]]
        return with_section(plan, "instead", prune(together))

    def _rows(self) -> list[Row]:
        """The rules as entries, as far as the situation goes."""
        limits, found = self.situation.bounds(), []
        for row in map(_row, self.rules):
            common = intersection(row, limits)
            if common is not None:
                found.append((*common, *row[SHARES:]))
        return found

    def words(self) -> str:
        where = replace(self.situation, ranges=self._elsewhere()).words()
        return f"{WORDS[self.name]} {where}".rstrip()

    def _elsewhere(self) -> tuple[tuple[str, tuple[int, int]], ...]:
        """The ranges but that of the down, which the words name already."""
        return tuple(one for one in self.situation.ranges if one[0] != "down")

    def where(self) -> str:
        """Where it goes for it, the small stretches left out: `4th and 1 from the own 32 on`."""
        said = [
            f"4th and {_distance(*to_go)} {_spots(*spots)}"
            for to_go, spots, call in map(_read_row, self._rows())
            if call == "play" and spots[1] - spots[0] >= LEAST_STRETCH
        ]
        return f"went for it on {', '.join(said)}" if said else "never went for it"


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
    """`the own 32`, `midfield`, `the opponents' 8`."""
    if spot == 50:
        return "midfield"
    return f"the own {spot}" if spot < 50 else f"the opponents' {100 - spot}"


def is_open_fourth(row: Row) -> bool:
    """An entry for fourth down only that names neither score nor time."""
    for at, (key, widest) in enumerate(KEYS.items()):
        limits = (row[2 * at], row[2 * at + 1])
        if key == "down" and limits != (4, 4):
            return False
        if key in OPEN and limits != widest:
            return False
    return True


def _first_reaching(rows: Sequence[Row]) -> int:
    """The first entry that names no score and no time and may be met on fourth down."""
    for at, row in enumerate(rows):
        free = all(
            (row[2 * NAMES.index(key)], row[2 * NAMES.index(key) + 1]) == KEYS[key] for key in OPEN
        )
        if free and row[1] >= 4:
            return at
    return len(rows)


def _row(rule: Rule) -> Row:
    """A rule as an entry of the section `instead`."""
    to_go, spots, call = rule
    limits = {**KEYS, "down": (4, 4)}
    for key, given in (("to-go", to_go), ("spot", spots)):
        limits[key] = KEYS[key] if given == (1, 99) else given
    bounds = [limit for key in KEYS for limit in limits[key]]
    shares = [int(name == call) for name in INSTEAD]
    return (*bounds, *shares, *([0] * (MOST_SHARES - len(shares))))


def _read_row(row: Row) -> Rule:
    """An entry as a rule again: distances and spots that can be, and its call."""
    ranges = []
    for key in ("to-go", "spot"):
        at = 2 * NAMES.index(key)
        ranges.append((max(1, row[at]), row[at + 1]))
    return ranges[0], ranges[1], INSTEAD[row[SHARES:].index(1)]


def check_policy(name: str, situation: Situation = ANYWHERE) -> None:
    """Refuse the name of a policy that there is none of, or one where there is no fourth down."""
    if name not in POLICIES:
        raise UnknownName("fourth-down policy", name, POLICIES)
    if intersection(situation.bounds(), _row(ELSE)) is None:
        raise BadChange(
            f"--fourth-down {name}: its situation has no fourth down; a situation of one change "
            f"alone follows after an @, e.g. --play deep=+5%@down=1 or {name}@spot=50+"
        )


def read_policy(text: str, situation: Situation = ANYWHERE) -> tuple[str, Situation]:
    """`bold`, `best@spot=50+`: the name of a policy, and the situation that it is for."""
    name, at, where = text.partition("@")
    if at:
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
    """The policy of this name; None for `real`, which changes nothing."""
    check_policy(name, situation)
    if name == "real":
        return None
    if name == "best":
        return tuned(opposition(), plan, seed, situation)
    return policy_of(name, situation)


def policy_of(name: str, situation: Situation = ANYWHERE) -> Policy:
    """One of the written policies."""
    return Policy(name, (*WRITTEN[name], *USUAL_KICKS), situation)


# --- The best by expected points ----------------------------------------------------------


def best(opposition: Opposition, plan: Plan, caution: float = 0.0) -> Policy:
    """Where going for it with the plan's plays is worth more than the best kick.

    `caution` is how much more, in expected points.
    """
    kicks = {band: best_kick(opposition, _middle(band)) for band in BANDS}
    rules: list[Rule] = []
    for distance in DISTANCES:
        goes = []
        for band in BANDS:
            spot = _middle(band)
            to_go = min(_middle(distance) if distance[1] < 99 else 13, 100 - spot)
            value = going(opposition, plan, Spot(4, to_go, spot))
            goes.append(value > kicks[band][1] + caution)
        rules += [(distance, spots, "play") for spots in _runs(goes, [True] * len(goes))]
    names = [kicks[band][0] for band in BANDS]
    for call in KICKS:
        rules += [((1, 99), spots, call) for spots in _runs(names, [call] * len(names))]
    return Policy("best", (*_merged(rules), ELSE))


def tuned(
    opposition: Opposition, plan: Plan, seed: int = 0, situation: Situation = ANYWHERE
) -> Policy:
    """The best of several cautions and of the bold policy, by simulation.

    Expected points know neither score nor clock, and going for it is worth less than they say
    where a failure is dear: so how much more it must be worth is measured.
    """
    trial = opposition.trial
    tried = [best(opposition, plan, caution) for caution in CAUTIONS]
    tried.append(replace(policy_of("bold"), name="best"))
    tried = [replace(one, situation=situation) for one in tried]
    lineups = [Lineup(one.apply(plan)) for one in tried]
    samples = trial.play(lineups, TUNING_RUNS, seed ^ TUNING_SEED)
    means = [float(one.margins.mean()) if one.runs else -math.inf for one in samples]
    return tried[means.index(max(means))]


def _middle(limits: tuple[int, int]) -> int:
    return (limits[0] + limits[1]) // 2


def _runs(found: Sequence[object], wanted: Sequence[object]) -> list[tuple[int, int]]:
    """The stretches of bands in which something is as wanted, as spots."""
    runs: list[tuple[int, int]] = []
    for band, one, want in zip(BANDS, found, wanted, strict=True):
        if one != want:
            continue
        if runs and runs[-1][1] == band[0] - 1:
            runs[-1] = (runs[-1][0], band[1])
        else:
            runs.append(band)
    return runs


def _merged(rules: Sequence[Rule]) -> list[Rule]:
    """Neighbouring distances with the same spots as one rule."""
    merged: list[Rule] = []
    for (low, high), spots, call in rules:
        for at, ((first, last), there, said) in enumerate(merged):
            if there == spots and said == call and last == low - 1:
                merged[at] = ((first, high), spots, call)
                break
        else:
            merged.append(((low, high), spots, call))
    return merged


def going(opposition: Opposition, plan: Plan, at: Spot) -> float:
    """What the plan's own fourth-down plays are worth against the opponents' formations."""
    import numpy as np

    moment = Moment(4, at.to_go, at.spot)
    plays = allowed(at.spot)
    found = mix(plan, "play", moment)
    shares = np.array(found)[plays] if found is not None else np.ones(len(plays))
    matrix = opposition.our_offence.matrix(at)[plays]
    return float(shares / shares.sum() @ matrix @ opposition.mean_mix("formation", moment))


def best_kick(opposition: Opposition, spot: int) -> tuple[str, float]:
    """The best kick from a spot, and what it is worth."""
    value, met = opposition.worth, opposition.met
    some, us = next(iter(opposition.games.values()))
    found: dict[str, float] = {}
    for name in KICKS:
        if name == "field-goal":
            goal = duels.field_goal(value, some, us, spot)
            if goal is not None:
                found[name] = goal
            continue
        shorter = int(name.removeprefix("pooch-")) if name != "punt" else 0
        found[name] = (
            sum(
                met[code] * duels.punt(value, m, own, spot, shorter)
                for code, (m, own) in opposition.games.items()
            )
            / met.total()
        )
    best_name = max(found, key=lambda name: found[name])
    return best_name, found[best_name]
