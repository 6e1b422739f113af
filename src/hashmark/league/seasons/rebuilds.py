"""Ratings of rebuilt charts as a file, `2008.rebuilds.json` (docs/formats.md).

Charts do not hold the games that they were made of, so how much a rating would be another if other
games had been played cannot be worked out from them. `hashmark charts resample` works it out from
play-by-play and keeps what comes out here, for everybody who has only the charts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.facts.schedule import TEAMS
from hashmark.league.seasons.season import REAL_PLANS, Recipe
from hashmark.table import places, writing
from hashmark.table.errors import HashmarkError
from hashmark.table.files import read_json
from hashmark.table.readable import shown

FORMAT = "hashmark-rebuilds/1"
SUFFIX = ".rebuilds.json"
DIGITS = 3  # of a rating in the file: thousandths of a point
FEWEST = 20  # rebuilds below which a spread is no spread
MOST_POINTS = 100.0


@dataclass(frozen=True)
class Rating:
    """All teams on some charts, in the order of `TEAMS`."""

    margins: list[float]  # points a game in a round robin on neutral ground
    dice: list[float]  # their standard errors, of the dice alone
    titles: list[int]  # titles in the seasons that were played

    def to_json(self) -> dict[str, Any]:
        return {
            "margins": [round(one, DIGITS) for one in self.margins],
            "dice": [round(one, DIGITS) for one in self.dice],
            "titles": self.titles,
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Rating:
        numbers = [[float(one) for one in said[name]] for name in ("margins", "dice")]
        titles = [int(one) for one in said["titles"]]
        every: list[list[float]] = [*numbers, [float(one) for one in titles]]
        for row in every:
            if len(row) != len(TEAMS):
                raise ValueError(f"{len(row)} teams, not {len(TEAMS)}")
            if not all(abs(one) < MOST_POINTS for one in row):
                raise ValueError("a number that no rating has")
        if min(numbers[1]) < 0 or min(titles) < 0:
            raise ValueError("a number below zero")
        return cls(numbers[0], numbers[1], titles)


@dataclass
class Rebuilds:
    """The ratings of a season's charts, and of those rebuilt from games drawn again."""

    season: int
    charts: str  # digest of the charts and plans that these are rebuilds of
    seed: int
    games: int  # of each team in the round robins of a rebuild
    real_games: int  # and in those of the charts as they are
    seasons: int  # played on each
    real: Rating
    ratings: list[Rating] = field(default_factory=list)

    def add(self, rating: Rating) -> None:
        self.ratings.append(rating)

    def going_on_with(self, earlier: Rebuilds) -> Rebuilds:
        """These with the rebuilds of an earlier run, which must be of the same."""
        if replace(earlier, ratings=[]).to_json() != self.to_json():
            raise HashmarkError(
                "the rebuilds that are there are of other charts, plans, rules or another seed; "
                "begin anew with --fresh"
            )
        return replace(self, ratings=list(earlier.ratings))

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "season": self.season,
            "charts": self.charts,
            "seed": self.seed,
            "games": self.games,
            "real_games": self.real_games,
            "seasons": self.seasons,
            "teams": list(TEAMS),
            "real": self.real.to_json(),
            "rebuilds": [one.to_json() for one in self.ratings],
        }

    def text(self) -> str:
        """The file: a line for each rebuild."""
        said = self.to_json()
        lines = [json.dumps(one) for one in said.pop("rebuilds")]
        head = json.dumps(said, indent=1).removesuffix("\n}")
        return head + ',\n "rebuilds": [\n' + ",\n".join(lines) + "\n]}\n"

    def write(self, path: Path) -> None:
        """Replace the file; a crash leaves the old one."""
        writing.put(path, self.text())


def read(path: Path) -> Rebuilds:
    """A file of rebuilds; whatever is wrong with it is said in one sentence."""
    said = read_json(path)
    try:
        if said["format"] != FORMAT:
            raise HashmarkError(f"{path}: format {shown(said['format'])} is not {FORMAT!r}")
        if said["teams"] != list(TEAMS):
            raise ValueError("other teams")
        whole = {
            name: _whole(said[name])
            for name in ("season", "seed", "games", "real_games", "seasons")
        }
        real = Rating.from_json(said["real"])
        ratings = [Rating.from_json(one) for one in said["rebuilds"]]
        return Rebuilds(charts=str(said["charts"]), real=real, ratings=ratings, **whole)
    except (KeyError, TypeError, ValueError, OverflowError) as fault:
        raise HashmarkError(f"{path} is not a file of rebuilds ({fault})") from None


def _whole(given: Any) -> int:
    if type(given) is not int or given < 0:
        raise ValueError(f"{shown(given)} is not a count")
    return given


def find(season: int) -> Path | None:
    """The file of a season, wherever charts are looked for; None if there is none."""
    try:
        return places.find("rebuilds", str(season), SUFFIX, charts.SHIPPED)
    except HashmarkError:
        return None


def digest_of(text: str, called: Mapping[str, Plan]) -> str:
    """A digest of a chart file's text and of the plans of all teams."""
    seen = hashlib.blake2b(text.replace("\r\n", "\n").encode(), digest_size=8)
    for team in TEAMS:
        one = called[team]
        seen.update(repr((one.rows, one.starts, one.numbers)).encode())
    return seen.hexdigest()


def digest_here(file: str, season: int) -> str | None:
    """The digest of a chart file and of the season's plans as they are found here."""
    try:
        text = charts.find(file).read_text(encoding="utf-8")
        return digest_of(text, {team: plans.load(f"{season}:{team}") for team in TEAMS})
    except (HashmarkError, OSError, UnicodeDecodeError):
        return None


def fitting(recipe: Recipe, given: Path | None = None) -> tuple[Rebuilds | None, str]:
    """The rebuilds of a recipe's charts and plans, or None and why there are none.

    A file that the user gives must fit.
    """
    path = given or find(recipe.season)
    if path is None:
        return (
            None,
            f"there is no file {recipe.season}{SUFFIX}; `hashmark charts resample` makes it",
        )
    made = read(path)
    reason = _unfit(made, recipe)
    if reason and given is not None:
        raise HashmarkError(f"{given} does not fit: {reason}")
    return (None, reason) if reason else (made, "")


def _unfit(made: Rebuilds, recipe: Recipe) -> str:
    if recipe.options:
        return "the rebuilds were played without options"
    if recipe.plan != REAL_PLANS:
        return "the rebuilds were played with the real plans"
    if made.season != recipe.season:
        return f"the rebuilds are of {made.season}"
    if made.charts != digest_here(recipe.file, recipe.season):
        return "the rebuilds are of other charts or plans than those that are found here"
    if len(made.ratings) < FEWEST:
        return f"{len(made.ratings)} rebuilds are too few, {FEWEST} the least"
    return ""
