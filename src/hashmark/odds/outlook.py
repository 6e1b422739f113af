"""What a call can lead to: every next position with its exact chance, and a summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hashmark.odds import plain
from hashmark.table.errors import HashmarkError, TooManyOutcomes, UnknownName
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL, RuleSet

ENGINES = ("auto", "compiled", "plain")
FIRST_ROOM = 4096
MOST_OUTCOMES = 1 << 18  # more positions are not listed one by one
PLAIN_LEAVES = 3_000  # what `auto` tries in plain Python, a tenth of a second, before it compiles


@dataclass(frozen=True)
class Outcome:
    """One next position and its chance."""

    chance: float
    position: Any

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
    patience: int = PLAIN_LEAVES,
) -> Outlook:
    """The exact outlook of a call in a position, given by its name or its code.

    `call` is NO_CALL where nobody is asked and only dice are wanted.

    `auto` enumerates in plain Python, which needs no compilation, as long as that is quick:
    no more than `patience` ways. With `through`, windows that open take their defaults, up to
    a call that must be made: the odds of a whole play in a game that asks in the middle of one.
    """
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    if isinstance(call, str):
        call = rules.read_call(m, g, call)
    elif (call == NO_CALL) == bool(rules.questions[rules.question(m, g)].calls):
        raise HashmarkError("a call is wanted exactly where somebody is asked")
    limit = {"auto": patience, "compiled": 0, "plain": None}[engine]
    found = _plain(rules, m, g, call, through, limit) or _compiled(rules, m, g, call, through)
    outcomes, means, some = found
    outcomes.sort(key=lambda outcome: -outcome.chance)
    team = NO_CALL if call == NO_CALL else rules.asked(m, g)
    return Outlook(rules, g.copy(), team, call, outcomes, means, some)


Found = tuple[list[Outcome], list[list[float]], list[list[float]]]


def _plain(
    rules: RuleSet, m: Any, g: Any, call: int, through: bool, limit: int | None
) -> Found | None:
    """By plain enumeration; None if there are more leaves than the limit."""
    merged: dict[tuple[int, ...], list[Any]] = {}
    means = [[0.0] * len(rules.statistics.names) for _ in TEAMS]
    some = [[0.0] * len(rules.statistics.names) for _ in TEAMS]
    leaves = plain.leaves(rules, m, g, call, through)
    for number, (chance, after, counts) in enumerate(leaves):
        if number == limit:
            return None
        entry = merged.setdefault(tuple(after.flat()), [0, after])
        entry[0] += chance
        for team in range(2):
            for k, value in enumerate(counts[team]):
                if value:
                    means[team][k] += float(chance * value)
                    some[team][k] += float(chance) * (value > 0)
    return [Outcome(float(p), after) for p, after in merged.values()], means, some


def _compiled(rules: RuleSet, m: Any, g: Any, call: int, through: bool) -> Found:
    import numpy as np

    from hashmark.odds import kernel
    from hashmark.table import compiled

    match = compiled.match_array(rules, m)
    start = compiled.position_array(rules, g, compiled.enumerating_fields(rules))
    run = compiled.ready(kernel.enumerate_step, rules)
    room = FIRST_ROOM
    while True:
        found = np.zeros(room, rules.position.dtype())
        chances = np.zeros(room)
        slots = np.full(4 * room, -1, np.int64)
        means, some = np.zeros((2, 2, len(rules.statistics.names)))
        count = run(rules, match, start, call, through, found, chances, slots, means, some)
        if count != kernel.FULL:
            break
        room *= 4
        if room > MOST_OUTCOMES:
            raise TooManyOutcomes(f"these dice lead to more than {room // 4:,} positions")
    positions = [rules.position.from_array(row) for row in found[:count]]
    chances_found = chances[:count].tolist()
    outcomes = [Outcome(p, after) for p, after in zip(chances_found, positions, strict=True)]
    return outcomes, means.tolist(), some.tolist()


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
