"""Round robin: every coach of a game against every other one, from both sides.

A game that is played alone has no pairings: there each coach plays by itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

from hashmark.engine import registry
from hashmark.engine.generator import MASK
from hashmark.engine.record import MatchRecord
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.errors import HashmarkError
from hashmark.sim.results import Estimate, Result
from hashmark.sim.run import simulate

Pairing = tuple[str, str]


def score_of(first: Result, swapped: Result | None = None) -> Estimate:
    """Return the mean score of the coach who is home in the first result and away in the other.

    A tie scores half a point. The results are independent: they have different dice.
    """
    won, tied, games = first.totals.wins[0], first.totals.ties, first.games
    if swapped is not None:
        won += swapped.totals.wins[1]
        tied += swapped.totals.ties
        games += swapped.games
    mean = (won + tied / 2) / games
    variance = (won + tied / 4) / games - mean * mean
    return Estimate(mean, math.sqrt(max(0.0, variance) / (games - 1)))


@dataclass
class RoundRobin:
    """Scores of the coaches of a game against each other, the weakest coach first."""

    rules: RuleSet
    coaches: tuple[Coach, ...]
    seed: int
    games: int  # of each pairing
    is_solo: bool
    scores: dict[Pairing, Estimate] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def pairings(self) -> list[Pairing]:
        """The pairings to be played; a coach that plays alone is paired with itself."""
        names = [coach.name for coach in self.coaches]
        return [(name, name) for name in names] if self.is_solo else [*combinations(names, 2)]

    def score(self, coach: str, opponent: str) -> Estimate | None:
        """Return the mean score of a coach against another one, or None if it is unknown."""
        if (coach, opponent) in self.scores:
            return self.scores[coach, opponent]
        reverse = self.scores.get((opponent, coach))
        return None if reverse is None else Estimate(1 - reverse.mean, reverse.error)

    def average(self, coach: str) -> Estimate | None:
        """Return a coach's mean score against all others; None while a pairing is missing."""
        opponents = [other.name for other in self.coaches if other.name != coach]
        scores = [self.score(coach, other) for other in ([coach] if self.is_solo else opponents)]
        known = [score for score in scores if score is not None]
        if not known or len(known) < len(scores):
            return None
        error = math.hypot(*(score.error for score in known)) / len(known)
        return Estimate(sum(score.mean for score in known) / len(known), error)

    def to_json(self) -> dict[str, Any]:
        """Return coaches and scores as JSON."""
        return {
            "rules": self.rules.name,
            "games": self.games,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "coaches": [{"name": item.name, "level": item.level} for item in self.coaches],
            "scores": [
                {"coach": coach, "opponent": None if self.is_solo else other, **score.to_json()}
                for (coach, other), score in self.scores.items()
            ],
        }


@dataclass(frozen=True)
class Leg:
    """Games of a pairing from one side; the legs of a pairing have different dice."""

    pairing: Pairing
    home: str
    away: str
    seed: int
    games: int


def play_round_robin(
    rules: str | RuleSet,
    games: int,
    *,
    seed: int = 0,
    coaches: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> RoundRobin:
    """Let every pair of coaches play this many games, half of them from each side.

    Without `coaches` all that can play with these options take part. `progress` receives the
    number of finished games and of all games; `settings` are those of `simulate`. Ctrl-C ends the
    run early: the result then has the pairings that were finished.
    """
    loaded = registry.load(rules) if isinstance(rules, str) else rules
    match = loaded.new_match(options)
    chosen = _participants(loaded, match, coaches)
    robin = RoundRobin(loaded, chosen, seed, games, loaded.is_solo(match))
    legs = list_legs(robin)
    if not legs or games < 2:
        raise HashmarkError(f"{loaded.name}: a round robin needs two coaches and two games")
    total = sum(leg.games for leg in legs)
    results: dict[Pairing, list[Result]] = {}
    done = 0
    for leg in legs:
        played = partial(_report, progress, done, total)
        result = simulate(
            loaded,
            leg.games,
            seed=leg.seed,
            home=leg.home,
            away=leg.away,
            options=options,
            progress=played,
            **settings,
        )
        if result.interrupted:
            robin.interrupted = True
            break
        done += leg.games
        results.setdefault(leg.pairing, []).append(result)
    legs_of = Counter(leg.pairing for leg in legs)
    for pairing, played_legs in results.items():
        if len(played_legs) == legs_of[pairing]:
            robin.scores[pairing] = score_of(*played_legs)
    return robin


def _participants(
    rules: RuleSet, match: MatchRecord, names: Sequence[str] | None
) -> tuple[Coach, ...]:
    """Return the coaches that take part, the weakest first."""
    if names is None:
        return tuple(coach for coach in rules.coaches_by_strength() if coach.can_play(match))
    chosen = {rules.coach(name).name for name in names}
    return tuple(coach for coach in rules.coaches_by_strength() if coach.name in chosen)


def list_legs(robin: RoundRobin) -> list[Leg]:
    """Return the legs of all pairings; a coach that plays alone has one leg."""
    legs = []
    for first, second in robin.pairings:
        pairing, half = (first, second), robin.games // 2
        if robin.is_solo:
            legs.append(Leg(pairing, first, second, robin.seed, robin.games))
            continue
        legs.append(Leg(pairing, first, second, robin.seed, robin.games - half))
        legs.append(Leg(pairing, second, first, (robin.seed + 1) & MASK, half))
    return legs


def _report(progress: Callable[[int, int], None] | None, base: int, total: int, done: int) -> None:
    """Report the games of all legs."""
    if progress is not None:
        progress(base + done, total)
