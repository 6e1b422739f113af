"""What a simulation adds up to: counts, means and their standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from hashmark.table.generator import MASK
from hashmark.table.readable import PLUS_MINUS
from hashmark.table.record import TEAMS
from hashmark.table.rules import RuleSet

NORMAL_95 = 1.959964  # standard errors: 95 of 100 means are no farther off


@dataclass
class Totals:
    """Sums over games; all integers, so that adding in any order gives the same."""

    statistics: int
    games: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    ties: int = 0
    steps: int = 0
    digest: int = 0
    margin: int = 0
    margin_squares: int = 0
    sums: list[list[int]] = field(default_factory=list)
    squares: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for table in (self.sums, self.squares):
            if not table:
                table.extend([0] * self.statistics for _ in TEAMS)

    def add(self, other: Totals) -> None:
        """Add another batch of games."""
        self.games += other.games
        self.wins = [a + b for a, b in zip(self.wins, other.wins, strict=True)]
        self.ties += other.ties
        self.steps += other.steps
        self.digest = (self.digest + other.digest) & MASK
        self.margin += other.margin
        self.margin_squares += other.margin_squares
        for mine, its in ((self.sums, other.sums), (self.squares, other.squares)):
            for team in range(2):
                mine[team] = [a + b for a, b in zip(mine[team], its[team], strict=True)]


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error, which is not a number where too little was played."""

    mean: float
    error: float

    @classmethod
    def of(cls, total: int, squares: int, games: int) -> Estimate:
        """From a sum and a sum of squares over independent games."""
        mean = total / games
        if games < 2:
            return cls(mean, math.nan)
        variance = max(0.0, (squares - total * mean) / (games - 1))
        return cls(mean, math.sqrt(variance / games))

    def __truediv__(self, parts: float) -> Estimate:
        """The mean of one of so many equal parts."""
        return Estimate(self.mean / parts, self.error / parts)

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval; infinite where too little was played."""
        return math.inf if math.isnan(self.error) else NORMAL_95 * self.error

    @property
    def certain(self) -> bool:
        """Whether zero lies outside the 95% interval."""
        return abs(self.mean) > self.margin

    def to_json(self) -> dict[str, float | None]:
        """Mean and standard error, null where it is not known."""
        return {"mean": self.mean, "error": None if math.isnan(self.error) else self.error}

    def interval(self) -> dict[str, float | None]:
        """For JSON: the mean and the 95% interval; null where too little was played to say."""
        found = (self.mean, self.mean - self.margin, self.mean + self.margin)
        known = (one if math.isfinite(one) else None for one in found)
        return dict(zip(("mean", "low", "high"), known, strict=True))

    def __format__(self, spec: str) -> str:
        """Of a change: `+0.23 (±0.09)`, with half of the 95% interval."""
        said = f"{self.mean:+{spec}}"
        if not said.strip("+-0."):
            said = said.replace("-", "+")  # no minus zero
        return f"{said} ({PLUS_MINUS}{self.margin:{spec}})"


@dataclass(frozen=True)
class Share(Estimate):
    """A share of games, with the 95% interval of Wilson's score.

    It stays between none and all, and is wide where few were played: of 200 games won, all
    200, it does not say 100 % and no more about it, but that at least 98 % would be.
    """

    low: float
    high: float

    @classmethod
    def counted(cls, count: int, of: int) -> Share:
        """From how many of how many; not a number where none was played."""
        if of == 0:
            return cls(math.nan, math.nan, math.nan, math.nan)
        found, square = Estimate.of(count, count, of), NORMAL_95**2
        centre = (count + square / 2) / (of + square)
        spread = math.sqrt(count * (of - count) / of + square / 4) * NORMAL_95 / (of + square)
        low = 0.0 if count == 0 else centre - spread
        high = 1.0 if count == of else centre + spread
        return cls(found.mean, found.error, low, high)

    def between(self, digits: int) -> str:
        """The interval in percent: `98.1 to 100.0%`."""
        return f"{100 * self.low:.{digits}f} to {self.high:.{digits}%}"

    def to_json(self) -> dict[str, float | None]:
        """Mean and standard error, and the 95% interval."""
        ends = {"low": self.low, "high": self.high}
        known = {name: None if math.isnan(end) else end for name, end in ends.items()}
        return {**super().to_json(), **known}


@dataclass(frozen=True, repr=False)
class Result:
    """A finished (or interrupted) simulation."""

    rules: RuleSet
    totals: Totals
    asked: int
    seconds: float
    preparing: float  # seconds of compiling, or of loading what was compiled before
    coaches: tuple[str, str]
    seed: int
    engine: str
    threads: int
    start_score: tuple[int, int] = (0, 0)
    cluster: str | None = None

    @property
    def games(self) -> int:
        return self.totals.games

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    @property
    def digest(self) -> str:
        """Of all final positions; the same for every engine and number of threads."""
        return f"{self.totals.digest:016x}"

    def __repr__(self) -> str:
        """In one line: what was played, how it came out, and the digest."""
        home, away = self.coaches
        wins = f"{self.totals.wins[0]:,} won by {home}, {self.totals.wins[1]:,} by {away}"
        played = f"{self.games:,} of {self.asked:,} games, {wins}, {self.totals.ties:,} ties"
        return f"<Result of {self.rules.name}: {played}, seed {self.seed}, digest {self.digest}>"

    def share(self, count: int) -> Share:
        """The share of games that a count is of."""
        return Share.counted(count, self.games)

    def points(self, team: int) -> Estimate:
        """Points at the end, those of the position it began from included."""
        scored = self.statistic("points", team)
        return Estimate(self.start_score[team] + scored.mean, scored.error)

    def margin(self) -> Estimate:
        """Home points less away points."""
        return Estimate.of(self.totals.margin, self.totals.margin_squares, self.games)

    def statistic(self, name: str, team: int) -> Estimate:
        """A statistic of the box score per game."""
        at = self.rules.statistics.names.index(name)
        return Estimate.of(self.totals.sums[team][at], self.totals.squares[team][at], self.games)

    def to_json(self) -> dict[str, Any]:
        totals, done = self.totals, self.games > 0
        said: dict[str, Any] = {
            "rules": self.rules.name,
            "games": totals.games,
            "asked": self.asked,
            "interrupted": self.interrupted,
            "seconds": self.seconds,
            "preparing_seconds": self.preparing,
            "seed": self.seed,
            "engine": self.engine,
            "threads": self.threads if self.cluster is None else None,
            "cluster": self.cluster,
            "coaches": dict(zip(TEAMS, self.coaches, strict=True)),
            "home_wins": totals.wins[0],
            "away_wins": totals.wins[1],
            "ties": totals.ties,
            "home_points": self.points(0).mean if done else None,
            "away_points": self.points(1).mean if done else None,
            "digest": self.digest,
        }
        if done:
            said["shares"] = {
                "home_wins": self.share(totals.wins[0]).to_json(),
                "away_wins": self.share(totals.wins[1]).to_json(),
                "ties": self.share(totals.ties).to_json(),
            }
            said["margin"] = self.margin().to_json()
            said["statistics"] = {
                team: {
                    name: self.statistic(name, at).to_json() for name in self.rules.statistics.names
                }
                for at, team in enumerate(TEAMS)
            }
        return said
