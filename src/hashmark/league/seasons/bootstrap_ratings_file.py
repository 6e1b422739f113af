"""Bootstrap ratings of a season as a file, `2008.rebuilds.json` (docs/reference/formats.md).

Charts do not contain the games they were made from, so the sampling error of a rating cannot be
computed from them. `hashmark charts resample` computes it from play-by-play and stores the result
here, for users who have only the charts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.data.schedule import TEAMS
from hashmark.league.seasons.season import REAL_PLANS, Recipe
from hashmark.sanitize import quote
from hashmark.storage import atomic_write, search_path
from hashmark.storage.user_files import read_json

FORMAT = "hashmark-rebuilds/1"
SUFFIX = ".rebuilds.json"
RATING_DECIMALS = 3  # decimals of a rating in the file
MIN_REBUILDS = 20  # rebuilds needed to estimate a spread
MAX_RATING_POINTS = 100.0


@dataclass(frozen=True)
class LeagueRatings:
    """Ratings of all teams on one set of charts, in the order of `TEAMS`."""

    margins: list[float]  # points a game in a round robin on neutral ground
    dice_errors: list[float]  # standard errors by the dice alone
    titles: list[int]  # titles in the simulated seasons

    def to_json(self) -> dict[str, Any]:
        return {
            "margins": [round(value, RATING_DECIMALS) for value in self.margins],
            "dice": [round(value, RATING_DECIMALS) for value in self.dice_errors],
            "titles": self.titles,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LeagueRatings:
        numbers = [[float(value) for value in data[name]] for name in ("margins", "dice")]
        titles = [int(value) for value in data["titles"]]
        columns: list[list[float]] = [*numbers, [float(value) for value in titles]]
        for column in columns:
            if len(column) != len(TEAMS):
                raise ValueError(f"{len(column)} teams, not {len(TEAMS)}")
            if not all(abs(value) < MAX_RATING_POINTS for value in column):
                raise ValueError("a number out of range")
        if min(numbers[1]) < 0 or min(titles) < 0:
            raise ValueError("a negative number")
        return cls(numbers[0], numbers[1], titles)


@dataclass
class BootstrapRatings:
    """Ratings of a season's real charts and of charts rebuilt from resampled games."""

    season: int
    charts_digest: str  # digest of the real charts and plans
    seed: int
    games: int  # round-robin games of each team in a rebuild
    real_games: int  # round-robin games of each team on the real charts
    seasons: int  # seasons simulated for each
    real: LeagueRatings
    ratings: list[LeagueRatings] = field(default_factory=list)

    def add(self, rating: LeagueRatings) -> None:
        self.ratings.append(rating)

    def resume_from(self, earlier: BootstrapRatings) -> BootstrapRatings:
        """Return these ratings with the rebuilds of an earlier run of the same inputs."""
        if replace(earlier, ratings=[]).to_json() != self.to_json():
            raise HashmarkError(
                "the existing rebuilds were made with different charts, plans, rules or seed: "
                "start "
                "over with --fresh, or name another file with --out"
            )
        return replace(self, ratings=list(earlier.ratings))

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "season": self.season,
            "charts": self.charts_digest,
            "seed": self.seed,
            "games": self.games,
            "real_games": self.real_games,
            "seasons": self.seasons,
            "teams": list(TEAMS),
            "real": self.real.to_json(),
            "rebuilds": [rating.to_json() for rating in self.ratings],
        }

    def to_text(self) -> str:
        """Return the text of the file, one line for each rebuild."""
        data = self.to_json()
        lines = [json.dumps(rebuild) for rebuild in data.pop("rebuilds")]
        head = json.dumps(data, indent=1).removesuffix("\n}")
        return head + ',\n "rebuilds": [\n' + ",\n".join(lines) + "\n]}\n"

    def write(self, path: Path) -> None:
        """Replace the file atomically; after a crash the old file remains."""
        atomic_write.write_file(path, self.to_text())


def read(path: Path) -> BootstrapRatings:
    """Read a file of rebuilds; raise a one-sentence error if it is invalid."""
    data = read_json(path)
    try:
        if data["format"] != FORMAT:
            raise HashmarkError(f"{path}: format {quote(data['format'])} is not {FORMAT!r}")
        if data["teams"] != list(TEAMS):
            raise ValueError("other teams")
        counts = {
            name: _read_count(data[name])
            for name in ("season", "seed", "games", "real_games", "seasons")
        }
        real = LeagueRatings.from_json(data["real"])
        ratings = [LeagueRatings.from_json(rating) for rating in data["rebuilds"]]
        return BootstrapRatings(
            charts_digest=str(data["charts"]), real=real, ratings=ratings, **counts
        )
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        raise HashmarkError(f"{path} is not a bootstrap file ({fault})") from None


def _read_count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{quote(value)} is not a count")
    return value


def find_file(season: int) -> Path | None:
    """Return the file of a season on the search path of charts, or None."""
    try:
        return search_path.find_file("rebuilds", str(season), SUFFIX, charts.SHIPPED)
    except HashmarkError:
        return None


def compute_digest(text: str, team_plans: Mapping[str, Plan]) -> str:
    """Return the digest of the text of a chart file and of the plans of all teams."""
    digest = hashlib.blake2b(text.replace("\r\n", "\n").encode(), digest_size=8)
    for team in TEAMS:
        plan = team_plans[team]
        digest.update(repr((plan.rows, plan.starts, plan.numbers)).encode())
    return digest.hexdigest()


def digest_installed(file: str, season: int) -> str | None:
    """Return the digest of the installed chart file and plans of a season."""
    try:
        text = charts.find(file).read_text(encoding="utf-8")
        return compute_digest(text, {team: plans.load(f"{season}:{team}") for team in TEAMS})
    except (HashmarkError, OSError, UnicodeDecodeError):
        return None


def load_matching(
    recipe: Recipe, user_path: Path | None = None
) -> tuple[BootstrapRatings | None, str]:
    """Return the rebuilds that match a recipe, or None and the reason.

    A file given by the user must match.
    """
    path = user_path or find_file(recipe.season)
    if path is None:
        return (
            None,
            f"no file {recipe.season}{SUFFIX}; `hashmark charts resample {recipe.season}` makes it",
        )
    rebuilds = read(path)
    reason = _mismatch(rebuilds, recipe)
    if reason and user_path is not None:
        raise HashmarkError(f"{user_path} cannot be used: {reason}")
    return (None, reason) if reason else (rebuilds, "")


def _mismatch(rebuilds: BootstrapRatings, recipe: Recipe) -> str:
    if recipe.options:
        return "its bootstrap used the default options"
    if recipe.plan != REAL_PLANS:
        return "its bootstrap used the real plans"
    if rebuilds.season != recipe.season:
        return f"its bootstrap is of the {rebuilds.season} season"
    if rebuilds.charts_digest != digest_installed(recipe.chart_file, recipe.season):
        return "its bootstrap was made from different charts or plans"
    if len(rebuilds.ratings) < MIN_REBUILDS:
        return f"it has {len(rebuilds.ratings)} rebuilds, and at least {MIN_REBUILDS} are needed"
    return ""
