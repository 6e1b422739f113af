"""Season replays: the real schedule and its playoffs, played many times.

Simulated season r of a seed is the same for any number of threads, machines or requested seasons:
every game rolls the dice of its own number, which is made of its slot in the schedule (or in the
bracket) and of r.

After each season every team plays two more games: two rounds of a round robin on neutral ground.
They only serve to tell which team is best, since in the round robin all teams face the same
opponents.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hashmark.compiler import cache_dir
from hashmark.engine.generator import MASK, check_seed
from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.data import schedule
from hashmark.league.data.schedule import FINAL, STAGES, TEAMS, Schedule, ScheduledGame
from hashmark.league.seasons import game_options, playoffs, standings, tally
from hashmark.league.seasons.pairings import GAME_NUMBER_STRIDE, Pairing, PairingBatch, resolve_plan
from hashmark.league.seasons.standings import TEAM_COUNT
from hashmark.league.seasons.tally import Tally
from hashmark.sanitize import quote
from hashmark.storage import search_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hashmark.league.data.arrays import Integers


REAL_PLANS = "real"
DEFAULT_PLAN = "book"  # plan of all teams if the season has no plan file
PLAYOFF_SLOT_BASE = 1000  # number of a playoff game: this + 100 per stage + slot
ROBIN_SLOT_BASE = 2000
ROBIN_ROUNDS = TEAM_COUNT - 1
ROBIN_ROUNDS_PER_SEASON = 2  # rounds played after each season


@dataclass(frozen=True)
class Recipe:
    """Inputs of a simulated season: schedule, charts, plans and options."""

    season: int
    charts: str | None = None  # chart file; default: the season's own
    plan: str = REAL_PLANS  # plan of every team, or `real`: each team's own
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def chart_file(self) -> str:
        return self.charts or str(self.season)

    def validate(self) -> None:
        """Raise an error unless the schedule and the charts of the season are available."""
        if self.charts is not None or self.season in playable_seasons():
            return
        missing = "charts" if self.season in schedule.available_seasons() else "schedule"
        known = ", ".join(map(str, playable_seasons())) or "none"
        raise HashmarkError(
            f"no {missing} for the {quote(self.season)} season; available seasons: {known}"
        )

    def team_plan(self, team: str) -> str:
        return f"{self.season}:{team}" if self.plan == REAL_PLANS else self.plan


def playable_seasons() -> list[int]:
    """Return the seasons for which both schedule and charts are available."""
    chart_names = set(search_path.available_names(charts.SUFFIX, charts.SHIPPED))
    return [season for season in schedule.available_seasons() if str(season) in chart_names]


@dataclass(frozen=True)
class Roster:
    """Teams of a recipe: the key of each in the chart file, and its plan."""

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
        """Return a roster of the given teams; each must have charts and a plan.

        `plans` replaces the plans of the recipe. The key of a team in the chart file is ARI-2008
        or, if there is no such key, ARI.
        """
        file = charts.load(recipe.chart_file)
        keys: dict[str, str] = {}
        team_plans: dict[str, str | Plan] = {}
        for team in teams:
            key = f"{team}-{recipe.season}"
            keys[team] = team if key not in file.teams and team in file.teams else key
            file.team(keys[team])
            team_plans[team] = recipe.team_plan(team) if plans is None else plans[team]
            resolve_plan(team_plans[team])
        return cls(recipe, keys, team_plans)

    def pairing(
        self,
        home: str,
        away: str,
        neutral: bool = False,
        playoff: bool = False,
        number: int | None = None,
    ) -> Pairing:
        """Return the pairing of two of the teams."""
        return Pairing(
            self.keys[home],
            self.keys[away],
            self.plans[home],
            self.plans[away],
            game_options.season_options(self.recipe.season, playoff, self.recipe.options),
            number,
            neutral,
        )


def round_robin(count: int = TEAM_COUNT) -> list[list[tuple[int, int]]]:
    """Return the rounds in which every team meets every other once (the circle method)."""
    circle = list(range(1, count))
    rounds = []
    for _ in range(count - 1):
        order = [0, *circle]
        rounds.append([(order[index], order[-1 - index]) for index in range(count // 2)])
        circle = circle[1:] + circle[:1]
    return rounds


class Replay:
    """Season ready to play: all games of the schedule and all possible playoff games.

    It can be sent to another machine, which does not need the files it was made from.
    """

    def __init__(self, recipe: Recipe, plans: Mapping[str, Plan] | None = None) -> None:
        """Prepare the season; `plans` replaces the plans of the recipe."""
        import numpy as np

        recipe.validate()
        self.recipe = recipe
        self.schedule: Schedule = schedule.load(recipe.season)
        self.seeds_per_conference = schedule.playoff_seeds(recipe.season)
        self.final_home = schedule.final_home_conference(recipe.season)
        roster = Roster.of(recipe, plans=plans)
        self.made_from = partial_sources(recipe.chart_file, roster.plans.values())
        self.games_per_team = np.zeros(TEAM_COUNT, np.int64)
        for game in self.schedule.regular:
            self.games_per_team[[TEAMS.index(game.home), TEAMS.index(game.away)]] += 1
        pairings = [roster.pairing(game.home, game.away, game.neutral) for game in self.games]
        # Playoff games, by home and away.
        self.hosted_pairings, self.neutral_pairings = np.full((2, TEAM_COUNT, TEAM_COUNT), -1)
        for home in range(TEAM_COUNT):
            for away in range(TEAM_COUNT):
                self._add_playoff(pairings, roster, home, away)
        self.batch = PairingBatch(recipe.chart_file, pairings)
        self.robin_rounds = np.array(round_robin(), np.int64)
        is_in_order = (
            self.neutral_pairings[self.robin_rounds[..., 0], self.robin_rounds[..., 1]] >= 0
        )
        self.robin_rounds = np.where(
            is_in_order[..., None], self.robin_rounds, self.robin_rounds[..., ::-1]
        )

    @property
    def games(self) -> tuple[ScheduledGame, ...]:
        return self.schedule.regular

    @property
    def games_per_season(self) -> int:
        """Games in one simulated season: schedule, playoffs and two round-robin rounds."""
        playoff = 2 * (self.seeds_per_conference - 1) + 1
        return len(self.games) + playoff + ROBIN_ROUNDS_PER_SEASON * TEAM_COUNT // 2

    def _add_playoff(self, pairings: list[Pairing], roster: Roster, home: int, away: int) -> None:
        """Add the hosted and the neutral playoff game of two teams, if they can occur."""
        home_conference, away_conference = (
            team // standings.CONFERENCE_SIZE for team in (home, away)
        )
        names = (TEAMS[home], TEAMS[away])
        if home_conference == away_conference and home != away:
            self.hosted_pairings[home, away] = len(pairings)
            pairings.append(roster.pairing(*names, playoff=True))
        if (
            (home_conference == self.final_home != away_conference)
            if home_conference != away_conference
            else home < away
        ):
            self.neutral_pairings[home, away] = len(pairings)
            pairings.append(roster.pairing(*names, neutral=True, playoff=True))

    def prepare(self) -> None:
        """Compile the loop, or load it from the cache."""
        self.play_block(0, 0, 0)

    def identity(self, seed: int) -> str:
        """Return a digest of everything the result depends on."""
        digest = hashlib.blake2b(digest_size=8)
        for part in self.batch.content():
            digest.update(part.encode())
        digest.update(repr((check_seed(seed), self.schedule, cache_dir.program_digest())).encode())
        return digest.hexdigest()

    # --- Playing ----------------------------------------------------------------------------

    def play_block(self, seed: int, first: int, count: int) -> Tally:
        """Play simulated seasons `first` to `first + count - 1` and return their totals."""
        import numpy as np

        runs = np.arange(first, first + count, dtype=np.uint64)
        regular = np.repeat(np.arange(len(self.games)), count)
        numbers = _game_numbers(range(len(self.games)), runs)
        played = self.batch.play(regular, numbers, seed)
        points = played.points.reshape(len(self.games), count, 2)
        toss = standings.coin_tosses(seed, runs)
        ranked = standings.rank_seasons(self.games, points, toss, self.seeds_per_conference)
        digests = [played.digest]

        def decide(stage: str, slot: int, home: Integers, away: Integers) -> Integers:
            pairs = self.neutral_pairings if stage == FINAL else self.hosted_pairings
            number = PLAYOFF_SLOT_BASE + 100 * STAGES.index(stage) + slot
            block = self.batch.play(pairs[home, away], _game_numbers([number], runs), seed)
            digests.append(block.digest)
            return np.where(block.points[:, 0] > block.points[:, 1], home, away)

        reached = playoffs.play_bracket(ranked.seeds, self.final_home, decide)
        totals = tally.count_seasons(ranked, reached, self.games_per_team)
        totals.points = self._points(points)
        totals.robin, digest = self._robin(seed, runs)
        totals.digest = sum([*digests, digest]) & MASK
        return totals

    def _points(self, points: NDArray[np.int16]) -> Integers:
        """Return the points for and against of each team in the regular season."""
        import numpy as np

        scored = points.sum(axis=1, dtype=np.int64)
        totals = np.zeros((TEAM_COUNT, 2), np.int64)
        for game, (home, away) in zip(self.games, scored, strict=True):
            totals[TEAMS.index(game.home)] += (home, away)
            totals[TEAMS.index(game.away)] += (away, home)
        return totals

    def play_round_robin(self, seed: int, first: int, count: int) -> Integers:
        """Play the round robin of seasons `first` to `first + count - 1`, without the seasons."""
        import numpy as np

        return self._robin(seed, np.arange(first, first + count, dtype=np.uint64))[0]

    def _robin(self, seed: int, runs: NDArray[np.uint64]) -> tuple[Integers, int]:
        """Play the round-robin rounds that belong to these seasons."""
        import numpy as np

        rounds = np.add.outer(
            np.arange(ROBIN_ROUNDS_PER_SEASON), ROBIN_ROUNDS_PER_SEASON * runs.astype(np.int64)
        )
        pairs = self.robin_rounds[rounds % ROBIN_ROUNDS]  # round, season, game, team
        pairs = pairs.transpose(0, 2, 1, 3).reshape(-1, 2)  # by slot, then by season
        slots = [
            ROBIN_SLOT_BASE + slot for slot in range(ROBIN_ROUNDS_PER_SEASON * TEAM_COUNT // 2)
        ]
        pairings = self.neutral_pairings[pairs[:, 0], pairs[:, 1]]
        block = self.batch.play(pairings, _game_numbers(slots, runs), seed)
        return tally.count_round_robin(pairs, block.points), block.digest


def _game_numbers(slots: Sequence[int] | range, runs: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the game numbers of every slot in every season, slot by slot."""
    import numpy as np

    bases = np.array(slots, np.uint64) * np.uint64(GAME_NUMBER_STRIDE)
    numbers: NDArray[np.uint64] = np.add.outer(bases, runs)
    return numbers.reshape(-1)


def choose_plan(season: int, plan: str | None) -> str:
    """Return the requested plan; by default the real plans if the season has a plan file."""
    if plan is not None:
        return plan
    try:
        plans.find_season(str(season))
    except HashmarkError:
        return DEFAULT_PLAN
    return REAL_PLANS


def partial_sources(file: str, team_plans: Iterable[str | Plan]) -> dict[str, MadeFrom]:
    """Return which of the charts and plans were made from only part of a season."""
    plan_sources = (resolve_plan(plan).made_from for plan in team_plans)
    sources = {
        "charts": charts.load(file).made_from,
        "plans": next((part for part in plan_sources if part is not None), None),
    }
    return {what: part for what, part in sources.items() if part is not None}


def partial_source_notes(parts: Mapping[str, MadeFrom]) -> list[str]:
    """Return one sentence for each partial source."""
    return [f"The {what} cover only part of the season: {part}." for what, part in parts.items()]


def partial_sources_json(parts: Mapping[str, MadeFrom]) -> dict[str, Any]:
    return {what: part.to_json() for what, part in parts.items()}


def plan_note(plan: str) -> str:
    """Return a note about the plans; empty if they are the real ones."""
    return "" if plan == REAL_PLANS else f"Every team follows the plan {plan!r} instead of its own."
