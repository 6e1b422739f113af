"""What a call can lead to: every next position with its exact chance, and figures for a coach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from hashmark.odds import plain
from hashmark.table import extras
from hashmark.table.errors import HashmarkError, TooManyOutcomes, UnknownName
from hashmark.table.figures import Figure
from hashmark.table.record import TEAMS, Record
from hashmark.table.rules import NO_CALL, RuleSet

ENGINES = ("auto", "compiled", "plain")
QUICK = "quick"  # plain Python as far as that is quick, and no further
NONE = Fraction(0)
PLAIN_LEAVES = 3_000  # what `auto` tries in plain Python, a tenth of a second, before it compiles
UNCOMPILED_LEAVES = 10_000  # what it tries where nothing can be compiled: seconds
MOST_PLAIN = 1 << 16  # positions that plain Python lists
MOST_LEAVES = 1 << 21  # ways that plain Python follows before it gives up: minutes


TOO_SMALL = 5e-4  # a chance that is shown as 0.0 %

Key = tuple[int, ...]  # all integers of a position, in order
Counts = list[list[float]]  # of each team, for each statistic


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


class Ends(Protocol):
    """Where a call leads: chances and positions, however they are kept."""

    def listed(self) -> list[tuple[float, Key]]:
        """Every position with its chance, in no order."""


@dataclass(frozen=True)
class Listed:
    """Positions that plain Python found."""

    chances: dict[Key, Fraction]

    def listed(self) -> list[tuple[float, Key]]:
        return [(float(chance), key) for key, chance in self.chances.items()]


@dataclass(frozen=True)
class Found:
    """What enumeration knows of a call: where it leads, statistics, and the sums of figures."""

    ends: Ends
    statistics: tuple[str, ...]  # those that were counted
    means: Counts
    some: Counts
    sums: list[list[float]]  # of each measured figure: what it says, and what is in it


@dataclass(frozen=True)
class Outlook:
    """The distribution over next positions for one call: a view on what was enumerated."""

    rules: RuleSet
    m: Any
    before: Any
    team: int  # whose call it is; NOBODY where only dice are wanted
    call: int
    found: Found

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """Every next position, the likeliest first; made when somebody looks at them."""
        made = [Outcome(p, key, self.rules.position) for p, key in self.found.ends.listed()]
        made.sort(key=lambda outcome: -outcome.chance)
        return made

    @property
    def name(self) -> str | None:
        return None if self.call == NO_CALL else self.rules.calls[self.call]

    @property
    def us(self) -> int:
        """The team whose figures these are."""
        return max(self.team, 0)

    @property
    def means(self) -> Counts:
        """The expectation of each statistic, by team."""
        return self.found.means

    @property
    def some(self) -> Counts:
        """The chance that it is above zero."""
        return self.found.some

    def mean(self, statistic: str, team: int) -> float:
        return self.means[team][self.found.statistics.index(statistic)]

    def chance(self, statistic: str, team: int) -> float:
        return self.some[team][self.found.statistics.index(statistic)]

    @cached_property
    def figures(self) -> dict[str, float | None]:
        """What the game's figures say of the call, by name."""
        means, some = (
            dict(zip(self.found.statistics, part[self.us], strict=True))
            for part in (self.means, self.some)
        )
        told = {one.name: one for one in (*self.rules.measured, *self.rules.figures)}
        return {
            name: one.value(self._sums.get(name, ()), means, some) for name, one in told.items()
        }

    @cached_property
    def _sums(self) -> dict[str, list[float]]:
        return dict(zip((one.name for one in self.rules.measured), self.found.sums, strict=True))

    def has(self, figure: Figure) -> bool:
        """Whether a figure says something that is likely enough to be shown."""
        sums = self._sums.get(figure.name)
        return sums is None or sums[1] >= TOO_SMALL

    def summary(self) -> dict[str, float]:
        """For the team that calls: points, the ball and yards."""
        us = self.us
        return {
            "points_chance": self.chance("points", us),
            "points_against_chance": self.chance("points", 1 - us),
            "turnover_chance": self.chance("turnovers", us),
            "ball_lost_chance": self.figures["loses_ball_chance"] or 0.0,
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
    code = rules.read_call(m, g, call) if isinstance(call, str) else call
    found, many = outlooks(rules, m, g, [code], engine, through)
    if many:
        raise many[code]
    return found[0]


def can_compile(engine: str) -> bool:
    """Whether this engine enumerates in compiled code; asked for without Numba, it is refused."""
    if engine not in (*ENGINES, QUICK):
        raise UnknownName("engine", engine, ENGINES)
    if engine == "compiled":
        extras.need("the compiled engine", "numba")
    return engine == QUICK or (engine != "plain" and extras.has("numba"))


def outlooks(
    rules: RuleSet,
    m: Any,
    g: Any,
    calls: Sequence[int],
    engine: str = "auto",
    through: bool = False,
) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
    """The outlooks of these calls, and those whose outcomes are too many to be listed."""
    compiles = can_compile(engine)
    asked = bool(rules.questions[rules.question(m, g)].calls)
    if any((call == NO_CALL) == asked for call in calls):
        raise HashmarkError("a call is wanted exactly where somebody is asked")
    team = rules.asked(m, g) if asked else NO_CALL
    many: dict[int, TooManyOutcomes] = {}
    made = None
    if engine != "compiled":
        limit = (
            PLAIN_LEAVES if compiles else MOST_LEAVES if engine == "plain" else UNCOMPILED_LEAVES
        )
        made = _by_plain(rules, m, g, calls, team, through, limit, compiles, many)
    if made is None and engine == QUICK:
        raise TooManyOutcomes(f"these dice can fall in more than {PLAIN_LEAVES:,} ways")
    if made is None:
        made = _by_batch(rules, m, g, calls, team, through, many)
    return [Outlook(rules, m, g.copy(), team, call, found) for call, found in made.items()], many


def _by_plain(
    rules: RuleSet,
    m: Any,
    g: Any,
    calls: Sequence[int],
    team: int,
    through: bool,
    limit: int,
    compiles: bool,
    many: dict[int, TooManyOutcomes],
) -> dict[int, Found] | None:
    """By plain enumeration; None where that takes too long and compiled code is at hand.

    What is compiled is quick for all calls at once, so they share the limit then.
    """
    made: dict[int, Found] = {}
    left = limit
    for call in calls:
        try:
            leaves = plain.leaves(rules, m, g, call, through)
            made[call], ways = gather(rules, m, g, max(team, 0), leaves, left, limit)
        except TooManyOutcomes as fault:
            if compiles:
                return None
            many[call] = with_hint(fault, limit)
            continue
        left -= ways if compiles else 0
    return made


def with_hint(fault: TooManyOutcomes, limit: int) -> TooManyOutcomes:
    """The complaint of plain Python, and what would list more unless plain Python was wanted."""
    if limit == MOST_LEAVES:
        return fault
    return TooManyOutcomes(f"{fault} ({extras.how_to_get('numba')} lists more)")


def gather(
    rules: RuleSet, m: Any, before: Any, us: int, leaves: Any, left: int, limit: int
) -> tuple[Found, int]:
    """Merge the leaves of plain enumeration; what was found, and how many ways there were.

    There may be as many as are left of a limit, which is the number that a complaint names.
    """
    merged: dict[Key, Fraction] = {}
    figures = rules.measured
    sums = [[NONE, NONE] for _ in figures]
    means, some = ([[0.0] * len(rules.statistics.names) for _ in TEAMS] for _ in range(2))
    number = 0
    for number, (chance, after, counts) in enumerate(leaves, 1):
        if number > left:
            raise TooManyOutcomes(f"these dice can fall in more than {limit:,} ways")
        key = tuple(after.flat())
        if len(merged) == MOST_PLAIN and key not in merged:
            raise TooManyOutcomes(f"these dice lead to more than {MOST_PLAIN:,} positions")
        merged[key] = merged.get(key, NONE) + chance
        _count(counts, float(chance), means, some)
    for key, chance in merged.items():
        said = rules.measure(m, before, rules.position.from_flat(key), us)
        for total, (value, counts_in) in zip(sums, said, strict=True):
            if value:
                total[0] += chance * value
            if counts_in:
                total[1] += chance
    rounded = [[float(one) for one in pair] for pair in sums]
    return Found(Listed(merged), rules.statistics.names, means, some, rounded), number


def _count(counts: list[list[int]], chance: float, means: Counts, some: Counts) -> None:
    """Add the statistics of one way."""
    for team in range(len(TEAMS)):
        for k, value in enumerate(counts[team]):
            if value:
                means[team][k] += chance * value
                some[team][k] += chance * (value > 0)


def _by_batch(
    rules: RuleSet,
    m: Any,
    g: Any,
    calls: Sequence[int],
    team: int,
    through: bool,
    many: dict[int, TooManyOutcomes],
) -> dict[int, Found]:
    """All calls in one run of the compiled enumeration."""
    from hashmark.odds.batch import Batch

    batch = Batch(rules, m, before=g, us=max(team, 0))
    rows = batch.run(batch.positions([g] * len(calls)), calls, through=through)
    many |= {calls[at]: fault for at, fault in rows.many.items()}
    return {call: batch.found_by(rows, at) for at, call in enumerate(calls) if at not in rows.many}
