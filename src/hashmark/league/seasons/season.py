"""A season played again many times: the real schedule, its playoffs, and who wins them.

Simulated season r of a seed is the same whatever the number of threads or machines and however
many seasons are asked for: every game rolls the dice of its own number, which is made of its
place in the schedule (or in the bracket) and of r.

After each season every team plays two more games, those of two rounds of a round robin on
neutral ground. They count for nothing but the question which team is best: there, everybody
has the same opponents.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.facts import schedule
from hashmark.league.facts.schedule import FINAL, STAGES, TEAMS, Game, Schedule
from hashmark.league.seasons import playoffs, preset, standings, tally
from hashmark.league.seasons.games import MOST_RUNS, Pairing, Slate, read_plan
from hashmark.league.seasons.tally import Tally
from hashmark.table import cache, places
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import MASK, check_seed
from hashmark.table.readable import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

COUNT = len(TEAMS)
REAL_PLANS = "real"
WITHOUT_PLANS = "book"  # what all teams play where there is no file of the season's plans
FIRST_SLOT = 1000  # numbers of playoff games: this, 100 for each stage, and the slot
ROBIN_SLOT = 2000
ROBIN_ROUNDS = COUNT - 1
ROBIN_A_SEASON = 2  # rounds that are played after each season


@dataclass(frozen=True)
class Recipe:
    """What a simulated season is made of."""

    season: int
    charts: str | None = None  # the chart file; the season's own if left out
    plan: str = REAL_PLANS  # the plan of every team, or `real`: each its own
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> str:
        return self.charts or str(self.season)

    def check(self) -> None:
        """A season needs its schedule and, if no other file is named, its charts."""
        if self.charts is not None or self.season in playable():
            return
        lacks = "charts" if self.season in schedule.seasons() else "schedule"
        known = ", ".join(map(str, playable())) or "none"
        raise HashmarkError(
            f"no {lacks} of the season {shown(self.season)}; seasons that can be played: {known}"
        )

    def team_plan(self, team: str) -> str:
        return f"{self.season}:{team}" if self.plan == REAL_PLANS else self.plan


def playable() -> list[int]:
    """The seasons whose schedule and charts can both be found."""
    named = set(places.names(charts.SUFFIX, charts.SHIPPED))
    return [season for season in schedule.seasons() if str(season) in named]


@dataclass(frozen=True)
class Roster:
    """The teams of a recipe: where each is in the chart file, and how it calls."""

    recipe: Recipe
    keys: Mapping[str, str]
    plans: Mapping[str, str | Plan]

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        teams: Iterable[str] = TEAMS,
        plans: Mapping[str, str | Plan] | None = None,
    ) -> Roster:
        """Teams by their codes, with the recipe's plans or others; all must have charts and plan.

        A team's key in the file is ARI-2008, or ARI where there is no such.
        """
        file = charts.load(recipe.file)
        keys: dict[str, str] = {}
        called: dict[str, str | Plan] = {}
        for team in teams:
            key = f"{team}-{recipe.season}"
            keys[team] = team if key not in file.teams and team in file.teams else key
            file.team(keys[team])
            called[team] = recipe.team_plan(team) if plans is None else plans[team]
            read_plan(called[team])
        return cls(recipe, keys, called)

    def pairing(
        self,
        home: str,
        away: str,
        neutral: bool = False,
        playoff: bool = False,
        number: int | None = None,
    ) -> Pairing:
        """A game of two of the teams."""
        return Pairing(
            self.keys[home],
            self.keys[away],
            self.plans[home],
            self.plans[away],
            preset.options(self.recipe.season, playoff, self.recipe.options),
            number,
            neutral,
        )


def round_robin(count: int = COUNT) -> list[list[tuple[int, int]]]:
    """Rounds in which all teams play and in the end each has met each (the circle method)."""
    circle = list(range(1, count))
    rounds = []
    for _ in range(count - 1):
        order = [0, *circle]
        rounds.append([(order[at], order[-1 - at]) for at in range(count // 2)])
        circle = circle[1:] + circle[:1]
    return rounds


class Replay:
    """A season made ready: all games of the schedule and all that the playoffs may bring.

    It can be sent to another machine; the files it was made from are not needed there.
    """

    def __init__(self, recipe: Recipe, plans: Mapping[str, Plan] | None = None) -> None:
        """With `plans` teams call by these, and not as the recipe says."""
        import numpy as np

        recipe.check()
        self.recipe = recipe
        self.schedule: Schedule = schedule.load(recipe.season)
        self.places = schedule.seeds(recipe.season)
        self.final_home = schedule.final_home(recipe.season)
        roster = Roster.of(recipe, plans=plans)
        self.made_from = made_from(recipe.file, roster.plans.values())
        self.played = np.zeros(COUNT, np.int64)
        for game in self.schedule.regular:
            self.played[[TEAMS.index(game.home), TEAMS.index(game.away)]] += 1
        pairings = [roster.pairing(game.home, game.away, game.neutral) for game in self.games]
        self.hosted = np.full((COUNT, COUNT), -1, np.int64)  # playoff games, by home and away
        self.neutral = np.full((COUNT, COUNT), -1, np.int64)
        for home in range(COUNT):
            for away in range(COUNT):
                self._add_playoff(pairings, roster, home, away)
        self.slate = Slate(recipe.file, pairings)
        self.rounds = np.array(round_robin(), np.int64)
        straight = self.neutral[self.rounds[..., 0], self.rounds[..., 1]] >= 0
        self.rounds = np.where(straight[..., None], self.rounds, self.rounds[..., ::-1])

    @property
    def games(self) -> tuple[Game, ...]:
        return self.schedule.regular

    @property
    def games_a_season(self) -> int:
        """Regular season, playoffs and the two rounds of the round robin."""
        playoff = 2 * (self.places - 1) + 1
        return len(self.games) + playoff + ROBIN_A_SEASON * COUNT // 2

    def _add_playoff(self, pairings: list[Pairing], roster: Roster, home: int, away: int) -> None:
        """The playoff game of two teams, where there can be one, and the neutral one."""
        mine, its = (team // standings.IN_CONFERENCE for team in (home, away))
        names = (TEAMS[home], TEAMS[away])
        if mine == its and home != away:
            self.hosted[home, away] = len(pairings)
            pairings.append(roster.pairing(*names, playoff=True))
        if (mine == self.final_home != its) if mine != its else home < away:
            self.neutral[home, away] = len(pairings)
            pairings.append(roster.pairing(*names, neutral=True, playoff=True))

    def prepare(self) -> None:
        """Compile, or load what was compiled before."""
        self.block(0, 0, 0)

    def identity(self, seed: int) -> str:
        """A digest of all that the result depends on."""
        seen = hashlib.blake2b(digest_size=8)
        for part in self.slate.content():
            seen.update(part.encode())
        seen.update(repr((check_seed(seed), self.schedule, cache.program())).encode())
        return seen.hexdigest()

    # --- Some seasons ---------------------------------------------------------------------

    def block(self, seed: int, first: int, count: int) -> Tally:
        """Simulated seasons number `first` to `first + count - 1`, added up."""
        import numpy as np

        runs = np.arange(first, first + count, dtype=np.uint64)
        regular = np.repeat(np.arange(len(self.games)), count)
        numbers = _game_numbers(range(len(self.games)), runs)
        played = self.slate.play(regular, numbers, seed)
        points = played.points.reshape(len(self.games), count, 2)
        toss = standings.tosses(seed, runs)
        table = standings.rank(self.games, points, toss, self.places)
        digests = [played.digest]

        def decide(stage: str, slot: int, home: Numbers, away: Numbers) -> Numbers:
            pairs = self.neutral if stage == FINAL else self.hosted
            number = FIRST_SLOT + 100 * STAGES.index(stage) + slot
            block = self.slate.play(pairs[home, away], _game_numbers([number], runs), seed)
            digests.append(block.digest)
            return np.where(block.points[:, 0] > block.points[:, 1], home, away)

        reached = playoffs.bracket(table.seeds, self.final_home, decide)
        made = tally.count_seasons(table, reached, self.played)
        made.points = self._points(points)
        made.robin, digest = self._robin(seed, runs)
        made.digest = sum([*digests, digest]) & MASK
        return made

    def _points(self, points: NDArray[np.int16]) -> Numbers:
        """Points for and against of each team in the regular season."""
        import numpy as np

        scored = points.sum(axis=1, dtype=np.int64)
        made = np.zeros((COUNT, 2), np.int64)
        for game, (home, away) in zip(self.games, scored, strict=True):
            made[TEAMS.index(game.home)] += (home, away)
            made[TEAMS.index(game.away)] += (away, home)
        return made

    def robin(self, seed: int, first: int, count: int) -> Numbers:
        """The round robin of seasons number `first` to `first + count - 1`, without the seasons."""
        import numpy as np

        return self._robin(seed, np.arange(first, first + count, dtype=np.uint64))[0]

    def _robin(self, seed: int, runs: NDArray[np.uint64]) -> tuple[Numbers, int]:
        """The rounds of the round robin that belong to these seasons."""
        import numpy as np

        at = np.add.outer(np.arange(ROBIN_A_SEASON), ROBIN_A_SEASON * runs.astype(np.int64))
        pairs = self.rounds[at % ROBIN_ROUNDS]  # round, season, game, side
        pairs = pairs.transpose(0, 2, 1, 3).reshape(-1, 2)  # by slot, then by season
        slots = [ROBIN_SLOT + slot for slot in range(ROBIN_A_SEASON * COUNT // 2)]
        which = self.neutral[pairs[:, 0], pairs[:, 1]]
        block = self.slate.play(which, _game_numbers(slots, runs), seed)
        return tally.count_robin(pairs, block.points), block.digest


def _game_numbers(slots: Sequence[int] | range, runs: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The game numbers of every slot in every season, slot by slot."""
    import numpy as np

    first = np.array(slots, np.uint64) * np.uint64(MOST_RUNS)
    numbers: NDArray[np.uint64] = np.add.outer(first, runs)
    return numbers.reshape(-1)


def choose_plan(season: int, plan: str | None) -> str:
    """The plan that was asked for; else the real ones where there is a file of them."""
    if plan is not None:
        return plan
    try:
        plans.find_season(str(season))
    except HashmarkError:
        return WITHOUT_PLANS
    return REAL_PLANS


def made_from(file: str, called: Iterable[str | Plan]) -> dict[str, MadeFrom]:
    """What of a chart file and of these plans was made from a part of a season."""
    own = (read_plan(plan).made_from for plan in called)
    found = {
        "charts": charts.load(file).made_from,
        "plans": next((part for part in own if part is not None), None),
    }
    return {what: part for what, part in found.items() if part is not None}


def part_notes(parts: Mapping[str, MadeFrom]) -> list[str]:
    """What a reader should know of them: a sentence for each."""
    return [f"The {what} are {part}, not from a whole season." for what, part in parts.items()]


def parts_json(parts: Mapping[str, MadeFrom]) -> dict[str, Any]:
    return {what: part.to_json() for what, part in parts.items()}


def plan_note(plan: str) -> str:
    """What a reader should know of the plans; nothing if they are the real ones."""
    return "" if plan == REAL_PLANS else f"Every team follows the plan {plan!r}, not its real one."
