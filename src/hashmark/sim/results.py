"""Results of a simulation: counts, means and their standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from hashmark.engine.generator import MASK
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import RuleSet
from hashmark.number_text import interval_text, percent
from hashmark.sanitize import PLUS_MINUS

NORMAL_95 = 1.959964  # standard errors of a 95 % confidence interval


@dataclass
class Totals:
    """Sums over games; all integers, so that the order of addition does not matter."""

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
        for mine, theirs in ((self.sums, other.sums), (self.squares, other.squares)):
            for team in range(2):
                mine[team] = [a + b for a, b in zip(mine[team], theirs[team], strict=True)]


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error, which is NaN for fewer than two games."""

    mean: float
    error: float

    @classmethod
    def of(cls, total: int, squares: int, games: int) -> Estimate:
        """Compute the estimate from a sum and a sum of squares over independent games."""
        mean = total / games
        if games < 2:
            return cls(mean, math.nan)
        variance = max(0.0, (squares - total * mean) / (games - 1))
        return cls(mean, math.sqrt(variance / games))

    def __truediv__(self, parts: float) -> Estimate:
        """Return the mean of one of `parts` equal parts."""
        return Estimate(self.mean / parts, self.error / parts)

    @property
    def margin(self) -> float:
        """Half the width of the 95 % confidence interval; infinite if the error is unknown."""
        return math.inf if math.isnan(self.error) else NORMAL_95 * self.error

    @property
    def is_significant(self) -> bool:
        """Whether zero lies outside the 95 % confidence interval."""
        return abs(self.mean) > self.margin

    def to_json(self) -> dict[str, float | None]:
        """Return mean and standard error, null if unknown."""
        return {"mean": self.mean, "error": None if math.isnan(self.error) else self.error}

    def interval(self) -> dict[str, float | None]:
        """Return the mean and the 95 % confidence interval as JSON; null if unknown."""
        numbers = (self.mean, self.mean - self.margin, self.mean + self.margin)
        known = (number if math.isfinite(number) else None for number in numbers)
        return dict(zip(("mean", "low", "high"), known, strict=True))

    def __format__(self, spec: str) -> str:
        """Format a change as `+0.23 (±0.09)`, with half the 95 % confidence interval."""
        text = f"{self.mean:+{spec}}"
        if not text.strip("+-0."):
            text = text.replace("-", "+")  # no minus zero
        margin = (
            f"{PLUS_MINUS}{self.margin:{spec}}" if math.isfinite(self.margin) else "no interval"
        )
        return f"{text} ({margin})"

    def ci_text(self, decimals: int) -> str:
        """Format the 95 % confidence interval with signs: `95 % CI -0.74 to +0.38`."""
        return interval_text(self.mean - self.margin, self.mean + self.margin, decimals, "+")


@dataclass(frozen=True)
class Share(Estimate):
    """A share of games, with Wilson's 95 % score interval.

    It stays between 0 and 1 and is wide for few games: for 200 wins in 200 games it does not claim
    100 %, but at least 98 %.
    """

    low: float
    high: float

    @classmethod
    def from_count(cls, count: int, of: int) -> Share:
        """Compute the share from `count` of `of` games; NaN if none were played."""
        if of == 0:
            return cls(math.nan, math.nan, math.nan, math.nan)
        estimate, square = Estimate.of(count, count, of), NORMAL_95**2
        center = (count + square / 2) / (of + square)
        spread = math.sqrt(count * (of - count) / of + square / 4) * NORMAL_95 / (of + square)
        low = 0.0 if count == 0 else center - spread
        high = 1.0 if count == of else center + spread
        return cls(estimate.mean, estimate.error, low, high)

    def format_interval(self, digits: int) -> str:
        """Format the 95 % confidence interval in percent, without the sign: `98.1 to 100.0`."""
        return f"{100 * self.low:.{digits}f} to {100 * self.high:.{digits}f}"

    def format_with_interval(self, digits: int = 1) -> str:
        """Format the share with its interval: `52.9 % (95 % CI 52.2 to 53.6)`."""
        return f"{percent(self.mean, digits)} (95 % CI {self.format_interval(digits)})"

    def to_json(self) -> dict[str, float | None]:
        """Return mean, standard error and the 95 % confidence interval."""
        ends = {"low": self.low, "high": self.high}
        known = {name: None if math.isnan(end) else end for name, end in ends.items()}
        return {**super().to_json(), **known}


@dataclass(frozen=True, repr=False)
class Result:
    """A finished (or interrupted) simulation."""

    rules: RuleSet
    totals: Totals
    requested_games: int
    seconds: float
    compile_seconds: float  # seconds spent compiling or loading compiled code
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
        return self.games < self.requested_games

    @property
    def digest(self) -> str:
        """Digest of all final positions; the same for every engine and number of threads."""
        return f"{self.totals.digest:016x}"

    def __repr__(self) -> str:
        """Summarize the run in one line: games, wins and digest."""
        home, away = self.coaches
        wins = f"{self.totals.wins[0]:,} won by {home}, {self.totals.wins[1]:,} by {away}"
        played = (
            f"{self.games:,} of {self.requested_games:,} games, {wins}, {self.totals.ties:,} ties"
        )
        return f"<Result of {self.rules.name}: {played}, seed {self.seed}, digest {self.digest}>"

    def share(self, count: int) -> Share:
        """Return the share of games that `count` is."""
        return Share.from_count(count, self.games)

    def points(self, team: int) -> Estimate:
        """Return the final points, including those of the start position."""
        scored = self.statistic("points", team)
        return Estimate(self.start_score[team] + scored.mean, scored.error)

    def margin(self) -> Estimate:
        """Return home's points minus away's points."""
        return Estimate.of(self.totals.margin, self.totals.margin_squares, self.games)

    def statistic(self, name: str, team: int) -> Estimate:
        """Return a box score statistic per game."""
        index = self.rules.statistics.names.index(name)
        return Estimate.of(
            self.totals.sums[team][index], self.totals.squares[team][index], self.games
        )

    def to_json(self) -> dict[str, Any]:
        totals, done = self.totals, self.games > 0
        data: dict[str, Any] = {
            "rules": self.rules.name,
            "games": totals.games,
            "asked": self.requested_games,
            "interrupted": self.interrupted,
            "seconds": self.seconds,
            "preparing_seconds": self.compile_seconds,
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
            data["shares"] = {
                "home_wins": self.share(totals.wins[0]).to_json(),
                "away_wins": self.share(totals.wins[1]).to_json(),
                "ties": self.share(totals.ties).to_json(),
            }
            data["margin"] = self.margin().to_json()
            data["statistics"] = {
                team: {
                    name: self.statistic(name, index).to_json()
                    for name in self.rules.statistics.names
                }
                for index, team in enumerate(TEAMS)
            }
        return data
