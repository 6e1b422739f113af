"""Outlook of a call, that is what it leads to: positions with exact chances, and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from hashmark import extras
from hashmark.engine.figures import Figure
from hashmark.engine.record import TEAMS, MatchRecord, PositionRecord, Record
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.errors import HashmarkError, TooManyOutcomes, UnknownName
from hashmark.odds import enumeration

ENGINES = ("auto", "compiled", "plain")
QUICK_ENGINE = "quick"  # plain Python while it is quick, then give up
ZERO = Fraction(0)
# Leaves, that is ways in which the dice can fall, that plain Python follows before it gives up.
MAX_QUICK_LEAVES = 3_000  # where code can be compiled instead: 0.1 s
MAX_UNCOMPILED_LEAVES = 10_000  # without a compiler: seconds
MAX_PLAIN_LEAVES = 1 << 21  # with the engine `plain`: minutes
MAX_PLAIN_POSITIONS = 1 << 16  # maximum positions listed by plain Python
MIN_SHOWN_CHANCE = 5e-4  # smaller chances are shown as 0.0 %

PositionKey = tuple[int, ...]  # the flat integers of a position
StatisticsByTeam = list[list[float]]  # by team and statistic


@dataclass
class Outcome:
    """A next position and its chance; the position is created on demand."""

    chance: float
    key: PositionKey
    record_type: type[Record]

    @cached_property
    def position(self) -> Any:
        return self.record_type.from_flat(self.key)

    def to_json(self) -> dict[str, Any]:
        return {"p": self.chance, "position": self.position.to_json()}


class OutcomeSet(Protocol):
    """Distribution over next positions, in any representation."""

    def to_list(self) -> list[tuple[float, PositionKey]]:
        """Return every position with its chance, in no particular order."""


@dataclass(frozen=True)
class ListedOutcomes:
    """Positions found by plain Python."""

    chances: Mapping[PositionKey, float]

    def to_list(self) -> list[tuple[float, PositionKey]]:
        return [(chance, key) for key, chance in self.chances.items()]


@dataclass(frozen=True)
class CallDistribution:
    """Enumerated outcomes of a call: next positions, statistics, and sums of figures."""

    outcomes: OutcomeSet
    statistics: tuple[str, ...]  # the statistics that were counted
    means: StatisticsByTeam
    positive_chances: StatisticsByTeam
    sums: list[list[float]]  # of each measured figure: its weighted value, and its weight


@dataclass(frozen=True)
class Outlook:
    """What a call leads to: every next position with its chance, and the figures of the call."""

    rules: RuleSet
    m: MatchRecord
    before: PositionRecord
    team: int  # the team that calls; NOBODY where only dice are rolled
    call: int
    distribution: CallDistribution

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """Every next position, the likeliest first; created on demand."""
        outcomes = self.distribution.outcomes.to_list()
        made = (Outcome(chance, key, self.rules.position) for chance, key in outcomes)
        return sorted(made, key=lambda outcome: -outcome.chance)

    @property
    def name(self) -> str | None:
        return None if self.call == NO_CALL else self.rules.calls[self.call]

    @property
    def us(self) -> int:
        """The team whose figures these are."""
        return max(self.team, 0)

    def mean(self, statistic: str, team: int) -> float:
        """Return the expectation of a statistic of a team."""
        return self.distribution.means[team][self.distribution.statistics.index(statistic)]

    def chance(self, statistic: str, team: int) -> float:
        """Return the chance that a statistic of a team is above zero."""
        number = self.distribution.statistics.index(statistic)
        return self.distribution.positive_chances[team][number]

    @cached_property
    def figures(self) -> dict[str, float | None]:
        """The game's figures for the call, by name."""
        means, some = (
            dict(zip(self.distribution.statistics, part[self.us], strict=True))
            for part in (self.distribution.means, self.distribution.positive_chances)
        )
        return {
            figure.name: figure.value(self._sums.get(figure.name, ()), means, some)
            for figure in (*self.rules.rule_figures, *self.rules.figures)
        }

    @cached_property
    def _sums(self) -> dict[str, list[float]]:
        names = (figure.name for figure in self.rules.rule_figures)
        return dict(zip(names, self.distribution.sums, strict=True))

    def shows(self, figure: Figure) -> bool:
        """Return whether a figure applies with a chance large enough to be shown."""
        sums = self._sums.get(figure.name)
        return sums is None or sums[1] >= MIN_SHOWN_CHANCE

    def summary(self) -> dict[str, float]:
        """Return points, possession and yards for the team that calls."""
        us = self.us
        mean_points = self.mean("points", us) - self.mean("points", 1 - us)  # on this play, not EP
        return {
            "points_chance": self.chance("points", us),
            "points_against_chance": self.chance("points", 1 - us),
            "turnover_chance": self.chance("turnovers", us),
            "ball_lost_chance": self.figures["loses_ball_chance"] or 0.0,
            "mean_points": mean_points,
            "expected_points": mean_points,  # old name, kept for one release
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
    m: MatchRecord,
    g: PositionRecord,
    call: int | str,
    engine: str = "auto",
    *,
    through: bool = False,
) -> Outlook:
    """Return the exact outlook of a call, given by name or code.

    `call` is NO_CALL where no team is to call and only dice are rolled.

    `auto` enumerates in plain Python, which needs no compilation, as long as that is quick (see
    `leaf_limit`). With `through`, windows take their defaults up to the next call that must be
    made: the odds of a whole play in a game that asks questions in the middle of one.
    """
    code = rules.parse_call(m, g, call) if isinstance(call, str) else call
    found, many = outlooks(rules, m, g, [code], engine, through)
    if many:
        raise many[code]
    return found[0]


def can_compile(engine: str) -> bool:
    """Return whether this engine may compile; raise an error if it needs Numba and lacks it."""
    if engine not in (*ENGINES, QUICK_ENGINE):
        raise UnknownName("engine", engine, ENGINES)
    if engine == "compiled":
        extras.require("the compiled engine", "numba")
    return engine == QUICK_ENGINE or (engine != "plain" and extras.has("numba"))


def leaf_limit(engine: str) -> int:
    """Return how many leaves plain Python follows with this engine."""
    if engine == "plain":
        return MAX_PLAIN_LEAVES
    return MAX_QUICK_LEAVES if can_compile(engine) else MAX_UNCOMPILED_LEAVES


def outlooks(
    rules: RuleSet,
    m: MatchRecord,
    g: PositionRecord,
    calls: Sequence[int],
    engine: str = "auto",
    through: bool = False,
) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
    """Return the outlooks of these calls, and the calls with too many outcomes to list."""
    compiles = can_compile(engine)
    has_calls = bool(rules.questions[rules.question(m, g)].calls)
    if any((call == NO_CALL) == has_calls for call in calls):
        raise HashmarkError("this position needs a call if a team is to act, and none otherwise")
    team = rules.team_to_act(m, g) if has_calls else NO_CALL
    many: dict[int, TooManyOutcomes] = {}
    distributions = None
    if engine != "compiled":
        limit = leaf_limit(engine)
        distributions = _enumerate_plain(rules, m, g, calls, team, through, limit, compiles, many)
    if distributions is None and engine == QUICK_ENGINE:
        raise TooManyOutcomes(f"the dice have more than {MAX_QUICK_LEAVES:,} outcomes")
    if distributions is None:
        distributions = _enumerate_compiled(rules, m, g, calls, team, through, many)
    return [
        Outlook(rules, m, g.copy(), team, call, distribution)
        for call, distribution in distributions.items()
    ], many


def _enumerate_plain(
    rules: RuleSet,
    m: MatchRecord,
    g: PositionRecord,
    calls: Sequence[int],
    team: int,
    through: bool,
    limit: int,
    compiles: bool,
    many: dict[int, TooManyOutcomes],
) -> dict[int, CallDistribution] | None:
    """Enumerate in plain Python; None if that takes too long and code can be compiled.

    Compiled code is quick for all calls together, so they share the limit in that case.
    """
    distributions: dict[int, CallDistribution] = {}
    left = limit
    for call in calls:
        try:
            leaves = enumeration.enumerate_step(rules, m, g, call, through)
            distributions[call], count = merge_leaves(
                rules, m, g, max(team, 0), leaves, left, limit
            )
        except TooManyOutcomes as fault:
            if compiles:
                return None
            many[call] = with_hint(fault, limit)
            continue
        left -= count if compiles else 0
    return distributions


def with_hint(fault: TooManyOutcomes, limit: int) -> TooManyOutcomes:
    """Add how to list more outcomes to the error, unless plain Python was requested."""
    if limit == MAX_PLAIN_LEAVES:
        return fault
    return TooManyOutcomes(f"{fault} (`{extras.install_command('numba')}` lists more)")


def merge_leaves(
    rules: RuleSet,
    m: MatchRecord,
    before: PositionRecord,
    us: int,
    leaves: Iterable[enumeration.Leaf],
    left: int,
    limit: int,
) -> tuple[CallDistribution, int]:
    """Merge the leaves of plain enumeration; return the distribution and the number of leaves.

    At most `left` leaves are allowed; `limit` is the number that the error message names.
    """
    merged: dict[PositionKey, Fraction] = {}
    figures = rules.rule_figures
    sums = [[ZERO, ZERO] for _ in figures]
    means, some = ([[0.0] * len(rules.statistics.names) for _ in TEAMS] for _ in range(2))
    number = 0
    for number, (chance, after, counts) in enumerate(leaves, 1):
        if number > left:
            raise TooManyOutcomes(f"the dice have more than {limit:,} outcomes")
        key = tuple(after.flat())
        if len(merged) == MAX_PLAIN_POSITIONS and key not in merged:
            raise TooManyOutcomes(f"the dice lead to more than {MAX_PLAIN_POSITIONS:,} positions")
        merged[key] = merged.get(key, ZERO) + chance
        _add_statistics(counts, float(chance), means, some)
    for key, chance in merged.items():
        measured = rules.measure(m, before, rules.position.from_flat(key), us)
        for total, (value, counts_in) in zip(sums, measured, strict=True):
            if value:
                total[0] += chance * value
            if counts_in:
                total[1] += chance
    rounded = [[float(part) for part in pair] for pair in sums]
    outcomes = ListedOutcomes({key: float(chance) for key, chance in merged.items()})
    return CallDistribution(outcomes, rules.statistics.names, means, some, rounded), number


def _add_statistics(
    counts: list[list[int]], chance: float, means: StatisticsByTeam, some: StatisticsByTeam
) -> None:
    """Add the statistics of one leaf."""
    for team in range(len(TEAMS)):
        for k, value in enumerate(counts[team]):
            if value:
                means[team][k] += chance * value
                some[team][k] += chance * (value > 0)


def _enumerate_compiled(
    rules: RuleSet,
    m: MatchRecord,
    g: PositionRecord,
    calls: Sequence[int],
    team: int,
    through: bool,
    many: dict[int, TooManyOutcomes],
) -> dict[int, CallDistribution]:
    """Enumerate all calls in one run of the compiled kernel."""
    from hashmark.odds.batch import Batch

    batch = Batch(rules, m, before=g, us=max(team, 0))
    rows = batch.run(batch.positions([g] * len(calls)), calls, through=through)
    many |= {calls[index]: fault for index, fault in rows.abandoned.items()}
    return {
        call: batch.distribution_of_input(rows, index)
        for index, call in enumerate(calls)
        if index not in rows.abandoned
    }
