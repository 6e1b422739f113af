"""Reference implementation of the tiebreakers: literal, with sets and fractions.

Only tests use it. It shares nothing with the compiled standings except the alignment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from hashmark.league.data.schedule import DIVISIONS

Result = tuple[str, str, int, int]  # home, away and their points
Value = Callable[[str, frozenset[str]], Fraction | None]

DIVISION_OF = {team: name for name, teams in DIVISIONS.items() for team in teams}
CONFERENCE_OF = {team: name[:3] for team, name in DIVISION_OF.items()}


class ReferenceSeason:
    """Results of one season and the order they give."""

    def __init__(self, results: Iterable[Result], coins: dict[str, int]) -> None:
        self.coins = coins
        self.games: dict[str, list[tuple[str, int, int]]] = {team: [] for team in DIVISION_OF}
        for home, away, scored, allowed in results:
            self.games[home].append((away, scored, allowed))
            self.games[away].append((home, allowed, scored))

    def share(self, team: str, others: Iterable[str]) -> Fraction | None:
        """Return the share won of the games against some teams."""
        opponents = set(others)
        scores = [(own, theirs) for other, own, theirs in self.games[team] if other in opponents]
        if not scores:
            return None
        halves = sum(2 * (own > theirs) + (own == theirs) for own, theirs in scores)
        return Fraction(halves, 2 * len(scores))

    def record(self, team: str) -> Fraction:
        return self.share(team, DIVISION_OF) or Fraction(0)

    def met(self, team: str) -> set[str]:
        return {other for other, _, _ in self.games[team]}

    def common(self, tied: frozenset[str]) -> set[str]:
        return set.intersection(*(self.met(team) for team in tied))

    def combined(self, others: list[str]) -> Fraction:
        """Return the combined record of some teams."""
        won = sum(self.record(other) * len(self.games[other]) for other in others)
        played = sum(len(self.games[other]) for other in others)
        return Fraction(won) / played if played else Fraction(0)

    def points(self, team: str, others: Iterable[str]) -> tuple[int, int]:
        opponents = set(others)
        scores = [(own, theirs) for other, own, theirs in self.games[team] if other in opponents]
        return sum(own for own, _ in scores), sum(theirs for _, theirs in scores)

    def ranking(self, team: str, among: list[str]) -> Fraction:
        scored = {other: self.points(other, DIVISION_OF)[0] for other in among}
        allowed = {other: self.points(other, DIVISION_OF)[1] for other in among}
        better = sum(scored[other] > scored[team] for other in among)
        return Fraction(-better - sum(allowed[other] < allowed[team] for other in among))

    # --- Steps --------------------------------------------------------------------------

    def head_to_head(self, team: str, tied: frozenset[str]) -> Fraction | None:
        return self.share(team, tied - {team})

    def sweep(self, team: str, tied: frozenset[str]) -> Fraction | None:
        if len(tied) == 2:
            return self.head_to_head(team, tied)
        shares = [self.share(team, [other]) for other in tied - {team}]
        if all(share == 1 for share in shares):
            return Fraction(1)
        return Fraction(-1) if all(share == 0 for share in shares) else Fraction(0)

    def in_common(self, team: str, tied: frozenset[str]) -> Fraction | None:
        return self.share(team, self.common(tied))

    def enough_in_common(self, team: str, tied: frozenset[str]) -> Fraction | None:
        common = self.common(tied)
        counts = [sum(other in common for other, _, _ in self.games[member]) for member in tied]
        return self.share(team, common) if min(counts) >= 4 else None

    def of_conference(self, team: str) -> list[str]:
        return [other for other in CONFERENCE_OF if CONFERENCE_OF[other] == CONFERENCE_OF[team]]

    def steps(self, within: bool) -> list[Value]:
        """Return all tiebreaker steps in order."""
        division: Value = lambda t, s: self.share(t, DIVISIONS[DIVISION_OF[t]])  # noqa: E731
        conference: Value = lambda t, s: self.share(t, self.of_conference(t))  # noqa: E731
        beaten: Value = lambda t, s: self.combined(  # noqa: E731
            [other for other, own, theirs in self.games[t] if own > theirs]
        )
        schedule: Value = lambda t, s: self.combined(  # noqa: E731
            [other for other, _, _ in self.games[t]]
        )
        rank_here: Value = lambda t, s: self.ranking(t, self.of_conference(t))  # noqa: E731
        rank_all: Value = lambda t, s: self.ranking(t, list(DIVISION_OF))  # noqa: E731
        net_common: Value = lambda t, s: self.net(t, self.common(s))  # noqa: E731
        net_here: Value = lambda t, s: self.net(t, self.of_conference(t))  # noqa: E731
        net: Value = lambda t, s: self.net(t, DIVISION_OF)  # noqa: E731
        coin: Value = lambda t, s: Fraction(self.coins[t])  # noqa: E731
        if within:
            first = [self.head_to_head, division, self.in_common, conference]
            return [*first, beaten, schedule, rank_here, rank_all, net_common, net, coin]
        first = [self.sweep, conference, self.enough_in_common]
        return [*first, beaten, schedule, rank_here, rank_all, net_here, net, coin]

    def net(self, team: str, others: Iterable[str]) -> Fraction:
        scored, allowed = self.points(team, others)
        return Fraction(scored - allowed)

    def break_tie(self, tied: frozenset[str], within: bool) -> str:
        """Return the winner of a tie; a smaller tie restarts from the first step."""
        if len(tied) == 1:
            return next(iter(tied))
        for step in self.steps(within):
            values = {team: step(team, tied) for team in tied}
            known = [value for value in values.values() if value is not None]
            if len(known) < len(tied):
                continue
            left = frozenset(team for team in tied if values[team] == max(known))
            if len(left) < len(tied):
                return self.break_tie(left, within)
        raise AssertionError("two coins show the same")

    def best(self, teams: Iterable[str], within: bool) -> str:
        pool = list(teams)
        top = max(self.record(team) for team in pool)
        return self.break_tie(frozenset(t for t in pool if self.record(t) == top), within)

    def division(self, name: str) -> list[str]:
        """Return the teams of a division in order."""
        left, order = list(DIVISIONS[name]), []
        while left:
            order.append(self.best(left, True))
            left.remove(order[-1])
        return order

    def seeds(self, conference: str, places: int) -> list[str]:
        """Return the seeds of a conference."""
        orders = [self.division(name) for name in DIVISIONS if name.startswith(conference)]
        winners, seeded = [order[0] for order in orders], []
        while winners:
            seeded.append(self.best(winners, False))
            winners.remove(seeded[-1])
        waiting = [order[1:] for order in orders]
        while len(seeded) < places:
            seeded.append(self._wild_card(waiting))
            waiting = [[team for team in order if team != seeded[-1]] for order in waiting]
        return seeded

    def _wild_card(self, waiting: list[list[str]]) -> str:
        """Return the best waiting team; only the highest of each division is compared."""
        top = max(self.record(team) for order in waiting for team in order)
        tied = [[team for team in order if self.record(team) == top] for order in waiting]
        return self.break_tie(frozenset(order[0] for order in tied if order), False)
