"""What a call can lead to: every next position with its exact chance, and a summary."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from hashmark.odds import plain
from hashmark.table import extras
from hashmark.table.errors import HashmarkError, TooManyOutcomes, UnknownName
from hashmark.table.record import TEAMS, Record
from hashmark.table.rules import NO_CALL, RuleSet

ENGINES = ("auto", "compiled", "plain")
NONE = Fraction(0)
FIRST_ROOM = 4096
MOST_OUTCOMES = 1 << 18  # more positions are not listed one by one
PLAIN_LEAVES = 3_000  # what `auto` tries in plain Python, a tenth of a second, before it compiles
UNCOMPILED_LEAVES = 10_000  # what it tries where nothing can be compiled: seconds
MOST_PLAIN = 1 << 16  # positions that plain Python lists
ANY_NUMBER = 1 << 62
MOST_LEAVES = 1 << 21  # ways that plain Python follows before it gives up: minutes


Key = tuple[int, ...]  # all integers of a position, in order


@dataclass
class Outcome:
    """One next position and its chance; the position is made when somebody looks at it."""

    chance: float
    key: Key
    kind: type[Record]

    @cached_property
    def position(self) -> Any:
        return self.kind.from_flat(self.key)

    def to_json(self) -> dict[str, Any]:
        return {"p": self.chance, "position": self.position.to_json()}


@dataclass(frozen=True)
class Outlook:
    """The distribution over next positions for one call, the likeliest first."""

    rules: RuleSet
    before: Any
    team: int  # whose call it is; NOBODY where only dice are wanted
    call: int
    outcomes: list[Outcome]
    means: list[list[float]]  # the expectation of each statistic, by team
    some: list[list[float]]  # the chance that it is above zero

    @property
    def name(self) -> str | None:
        return None if self.call == NO_CALL else self.rules.calls[self.call]

    def mean(self, statistic: str, team: int) -> float:
        return self.means[team][self.rules.statistics.names.index(statistic)]

    def chance(self, statistic: str, team: int) -> float:
        return self.some[team][self.rules.statistics.names.index(statistic)]

    def ball_lost(self, us: int, score: int) -> float:
        """The chance that the opponents have the ball, in the same period and without points."""
        return sum(
            one.chance
            for one in self.outcomes
            if one.position.possession == 1 - us
            and one.position.score[us] == score
            and one.position.period == self.before.period
        )

    def summary(self) -> dict[str, float]:
        """For the team that calls: points, the ball and yards."""
        us = max(self.team, 0)
        return {
            "points_chance": self.chance("points", us),
            "points_against_chance": self.chance("points", 1 - us),
            "turnover_chance": self.chance("turnovers", us),
            "ball_lost_chance": self.ball_lost(us, self.before.score[us]),
            "expected_points": self.mean("points", us) - self.mean("points", 1 - us),
            "expected_yards": self.mean("yards", us),
        }

    def to_json(self) -> dict[str, Any]:
        return {
            "rules": self.rules.name,
            "team": TEAMS[self.team] if self.team >= 0 else None,
            "call": self.name,
            "summary": self.summary(),
            "outcomes": [outcome.to_json() for outcome in self.outcomes],
        }


def outlook(
    rules: RuleSet,
    m: Any,
    g: Any,
    call: int | str,
    engine: str = "auto",
    *,
    through: bool = False,
) -> Outlook:
    """The exact outlook of a call in a position, given by its name or its code.

    `call` is NO_CALL where nobody is asked and only dice are wanted.

    `auto` enumerates in plain Python, which needs no compilation, as long as that is quick: no
    more than PLAIN_LEAVES ways, or UNCOMPILED_LEAVES where Numba is not installed. With `through`,
    windows that open take their defaults, up to a call that must be made: the odds of a whole play
    in a game that asks in the middle of one.
    """
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    if isinstance(call, str):
        call = rules.read_call(m, g, call)
    elif (call == NO_CALL) == bool(rules.questions[rules.question(m, g)].calls):
        raise HashmarkError("a call is wanted exactly where somebody is asked")
    compiles = can_compile(engine)
    limit = {"auto": PLAIN_LEAVES, "compiled": 0, "plain": MOST_LEAVES}[engine]
    if engine == "auto" and not compiles:
        limit = UNCOMPILED_LEAVES
    found = _plain(rules, m, g, call, through, limit)
    if found is None and not compiles:
        hint = "" if engine == "plain" else f" ({extras.how_to_get('numba')} lists more)"
        raise TooManyOutcomes(f"these dice can fall in more than {limit:,} ways{hint}")
    return outlook_of(rules, m, g, call, found or Enumerator(rules, m).enumerate(g, call, through))


def can_compile(engine: str) -> bool:
    """Whether this engine enumerates in compiled code; asked for without Numba, it is refused."""
    if engine == "compiled":
        extras.need("the compiled engine", "numba")
    return engine != "plain" and extras.has("numba")


def outlooks(
    rules: RuleSet, m: Any, g: Any, calls: list[int], engine: str = "auto", through: bool = False
) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
    """The outlooks of these calls, and those whose outcomes are too many to be listed."""
    found: list[Outlook] = []
    many: dict[int, TooManyOutcomes] = {}
    for call in calls:
        try:
            found.append(outlook(rules, m, g, call, engine, through=through))
        except TooManyOutcomes as fault:
            many[call] = fault
    return found, many


def outlook_of(rules: RuleSet, m: Any, g: Any, call: int, found: Found) -> Outlook:
    """The outlook of a call from what was enumerated."""
    outcomes, means, some = found
    outcomes.sort(key=lambda outcome: -outcome.chance)
    team = NO_CALL if call == NO_CALL else rules.asked(m, g)
    return Outlook(rules, g.copy(), team, call, outcomes, means, some)


Found = tuple[list[Outcome], list[list[float]], list[list[float]]]


def _plain(rules: RuleSet, m: Any, g: Any, call: int, through: bool, limit: int) -> Found | None:
    """By plain enumeration; None if there are more leaves than the limit."""
    merged: dict[Key, Fraction] = {}
    means = [[0.0] * len(rules.statistics.names) for _ in TEAMS]
    some = [[0.0] * len(rules.statistics.names) for _ in TEAMS]
    leaves = plain.leaves(rules, m, g, call, through)
    for number, (chance, after, counts) in enumerate(leaves):
        if number == limit:
            return None
        key = tuple(after.flat())
        if len(merged) == MOST_PLAIN and key not in merged:
            raise TooManyOutcomes(f"these dice lead to more than {MOST_PLAIN:,} positions")
        merged[key] = merged.get(key, NONE) + chance
        for team in range(2):
            for k, value in enumerate(counts[team]):
                if value:
                    means[team][k] += float(chance * value)
                    some[team][k] += float(chance) * (value > 0)
    outcomes = [Outcome(float(p), key, rules.position) for key, p in merged.items()]
    return outcomes, means, some


class Enumerator:
    """Enumerates steps of one match compiled; keeps its room for the next step."""

    def __init__(self, rules: RuleSet, m: Any) -> None:
        from hashmark.odds import kernel
        from hashmark.table import compiled, compiling

        self.rules = rules
        self.match = compiled.match_array(rules, m)
        self.fields = compiled.enumerating_fields(rules)
        self.run = compiling.ready(kernel.enumerate_step, rules, "odds")
        self._make_room(FIRST_ROOM)

    def _make_room(self, room: int) -> None:
        import numpy as np

        self.found = np.zeros(room, self.rules.position.dtype())
        self.chances = np.zeros(room)
        self.slots = np.full(4 * room, -1, np.int64)

    def has_few_ways(self, g: Any, call: int, most: int) -> bool:
        """Whether the dice can fall in no more ways than `most`."""
        return self._run(g, call, False, most)[0] >= 0

    def enumerate(self, g: Any, call: int, through: bool) -> Found:
        """Every outcome, the expectation of each statistic and the chance that it is not 0."""
        import numpy as np
        from numpy.lib.recfunctions import structured_to_unstructured

        count, means, some = self._run(g, call, through, ANY_NUMBER)
        keys = map(tuple, structured_to_unstructured(self.found[:count], np.int64).tolist())
        outcomes = [
            Outcome(p, key, self.rules.position)
            for p, key in zip(self.chances[:count].tolist(), keys, strict=True)
        ]
        return outcomes, means.tolist(), some.tolist()

    def _run(self, g: Any, call: int, through: bool, most: int) -> tuple[int, Any, Any]:
        """Enumerate into the room, which grows where it is too small: how many were found."""
        import numpy as np

        from hashmark.odds import kernel
        from hashmark.table import compiled

        start = compiled.position_array(self.rules, g, self.fields)
        while True:
            self.chances[:] = 0
            self.slots[:] = -1
            means, some = np.zeros((2, 2, len(self.rules.statistics.names)))
            room = (self.found, self.chances, self.slots)
            tables = (*room, means, some)
            count = self.run(self.rules, self.match, start, call, through, *tables, most)
            if count != kernel.FULL:
                return int(count), means, some
            if 4 * len(self.found) > MOST_OUTCOMES:
                raise TooManyOutcomes(f"these dice lead to more than {len(self.found):,} positions")
            self._make_room(4 * len(self.found))


COMPARED = (
    "call",
    "points",
    "points against",
    "turnover",
    "ball lost",
    "exp. points",
    "exp. yards",
)


def comparison(outlooks: list[Outlook]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Calls side by side for people: headings, and a line for each call."""
    rows: list[tuple[str, ...]] = []
    for one in outlooks:
        s = one.summary()
        rows.append(
            (
                one.name or "(dice)",
                f"{s['points_chance']:.2%}",
                f"{s['points_against_chance']:.2%}",
                f"{s['turnover_chance']:.2%}",
                f"{s['ball_lost_chance']:.2%}",
                f"{s['expected_points']:+.3f}",
                f"{s['expected_yards']:+.2f}",
            )
        )
    return COMPARED, rows
