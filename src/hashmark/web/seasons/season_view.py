"""A real season: standings with their tiebreakers, playoffs, and games by week.

    SeasonView.of(2008).to_json()

Everything comes from the shipped schedule; nothing is simulated. The standings use the rules of
`league/seasons/standings.py` uncompiled, so that a page needs no compiler.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.team_colors import colors_of_code
from hashmark.league.data import schedule, teams
from hashmark.league.data.schedule import (
    CONFERENCES,
    DIVISIONS,
    FINAL,
    REGULAR,
    STAGES,
    TEAMS,
    Schedule,
    ScheduledGame,
    format_record,
)
from hashmark.league.seasons import season as seasons
from hashmark.league.seasons import standings as st
from hashmark.league.seasons.tiebreak_explanations import find_broken_ties
from hashmark.sanitize import quote
from hashmark.storage import search_path

STAGE_NAMES = dict(
    zip(
        STAGES,
        (
            "Regular season",
            "Wild-card round",
            "Divisional round",
            "Conference championships",
            "Super Bowl",
        ),
        strict=True,
    )
)
PLAYOFF_EXITS = {
    "WC": "wild-card round",
    "DIV": "divisional round",
    "CON": "conference championship",
}


class UnknownSeason(HashmarkError):
    """Error for a season, or a team in it, that does not exist."""


@cache
def available_seasons() -> tuple[int, ...]:
    """Return the seasons that ship with schedule, charts and plans, the newest first."""
    with search_path.shipped_only():
        with_plans = set(search_path.available_names(plans.SEASON_SUFFIX, SHIPPED))
        years = (year for year in seasons.playable_seasons() if str(year) in with_plans)
        return tuple(sorted(years, reverse=True))


def parse_season(text: str) -> int:
    """Parse the season in a URL or a form."""
    year = int(text) if text.isascii() and text.isdigit() and len(text) == 4 else 0
    if year not in available_seasons():
        listed = ", ".join(map(str, sorted(available_seasons())))
        raise UnknownSeason(f"no season {quote(text)}: available seasons are {listed}")
    return year


def parse_team(text: str) -> str:
    """Parse the team in a URL or a form, in any notation, and return its code."""
    try:
        return teams.parse_team(text)
    except HashmarkError as error:
        raise UnknownSeason(str(error)) from None


@dataclass(frozen=True)
class Tie:
    """Broken tie: the winner, the other teams, and the tiebreaker."""

    winner: str
    over: tuple[str, ...]
    by: str
    for_seed: bool = False

    @property
    def words(self) -> str:
        verb = "seeded" if self.for_seed else "ranked"
        return f"{self.winner} {verb} over {' and '.join(self.over)} by {self.by}"


@dataclass(frozen=True)
class TeamStanding:
    """A team's line in its division."""

    team: str
    name: str
    won: int
    lost: int
    tied: int
    points: int
    allowed: int
    division: str  # record within the division
    conference: str
    seed: int  # in its conference; 0 if it missed the playoffs
    reached: str  # how far it came in the playoffs
    colors: tuple[str, str]

    @property
    def record(self) -> str:
        return format_record(self.won, self.lost, self.tied)

    @property
    def share(self) -> float:
        games = self.won + self.lost + self.tied
        return (self.won + self.tied / 2) / games if games else 0.0

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "record": self.record, "share": round(self.share, 4)}


@dataclass(frozen=True)
class SeasonGame(ScheduledGame):
    """Scheduled game as a page shows it."""

    @classmethod
    def from_schedule(cls, game: ScheduledGame) -> SeasonGame:
        return cls(**vars(game))

    def other(self, team: str) -> str:
        return self.away if team == self.home else self.home

    def result(self, team: str) -> str:
        """Return `won 31-17` or the like, from one team's point of view."""
        if self.score is None:
            return "not played"
        own, other = self.score if team == self.home else self.score[::-1]
        verb = "won" if own > other else "lost" if own < other else "tied"
        return f"{verb} {own}-{other}"

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "winner": self.winner}


@dataclass(frozen=True)
class Week:
    """Games of a week or of a playoff round."""

    title: str
    games: tuple[SeasonGame, ...]


@dataclass(frozen=True)
class SeasonView:
    """Everything that a season's page shows about the real season."""

    year: int
    divisions: dict[str, tuple[TeamStanding, ...]]
    ties: tuple[Tie, ...]
    weeks: tuple[Week, ...]
    rounds: tuple[Week, ...]
    champion: str
    seeds: dict[str, tuple[str, ...]]

    @staticmethod
    def of(year: int) -> SeasonView:
        """Return the view of a shipped season; built once."""
        with search_path.shipped_only():
            return _build(year)

    @property
    def conferences(self) -> dict[str, list[str]]:
        """Divisions of each conference."""
        return {
            conference: [name for name in DIVISIONS if name.startswith(conference)]
            for conference in CONFERENCES
        }

    @property
    def standings(self) -> dict[str, TeamStanding]:
        """Every team's line, by team code."""
        return {
            standing.team: standing for division in self.divisions.values() for standing in division
        }

    def division_of(self, team: str) -> str:
        return next(name for name, members in DIVISIONS.items() if team in members)

    def name(self, team: str) -> str:
        return self.standings[team].name

    def games_of(self, team: str) -> list[SeasonGame]:
        """Return a team's games in order, playoffs last."""
        return [
            game
            for week in (*self.weeks, *self.rounds)
            for game in week.games
            if team in (game.home, game.away)
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "season": self.year,
            "champion": self.champion or None,
            "divisions": {
                name: [one.to_json() for one in each] for name, each in self.divisions.items()
            },
            "seeds": {name: list(each) for name, each in self.seeds.items()},
            "ties": [{**asdict(one), "over": list(one.over)} for one in self.ties],
            "weeks": [_week_json(one) for one in self.weeks],
            "playoffs": [_week_json(one) for one in self.rounds],
        }


def _week_json(week: Week) -> dict[str, Any]:
    return {"title": week.title, "games": [game.to_json() for game in week.games]}


@lru_cache(maxsize=32)
def _build(year: int) -> SeasonView:
    season_schedule = schedule.load(year)
    table = _SeasonTable(season_schedule)
    weeks = tuple(_weeks(season_schedule.regular, "Week {}"))
    rounds = tuple(
        Week(
            STAGE_NAMES[stage],
            tuple(
                SeasonGame.from_schedule(game)
                for game in season_schedule.playoffs
                if game.stage == stage
            ),
        )
        for stage in STAGES
        if stage != REGULAR and any(game.stage == stage for game in season_schedule.playoffs)
    )
    return SeasonView(
        year,
        table.divisions(),
        tuple(table.ties()),
        weeks,
        rounds,
        season_schedule.champion or "",
        table.seeded(),
    )


def _weeks(games: Sequence[ScheduledGame], title: str) -> Iterator[Week]:
    for number, each in groupby(games, key=lambda game: game.week):
        yield Week(title.format(number), tuple(SeasonGame.from_schedule(game) for game in each))


class _SeasonTable:
    """Results of a season, ranked by the rules of the standings."""

    def __init__(self, played: Schedule) -> None:
        self.played, self.year = played, played.season
        number = {team: index for index, team in enumerate(TEAMS)}
        counters: list[defaultdict[Any, int]] = [defaultdict(int) for _ in range(7)]
        games, won, beaten, net, total, tied, ranks = counters
        toss = {
            index: -index for index in range(st.TEAM_COUNT)
        }  # no real tie came to a coin toss; a test checks that
        self.r = st.Results(games, won, beaten, net, total, toss, tied, defaultdict(float), ranks)
        for game in played.regular:
            if game.score is not None:
                st.add_game(self.r, number[game.home], number[game.away], *game.score)
        self.places = schedule.playoff_seeds(self.year)
        self.seeds: defaultdict[tuple[int, int], int] = defaultdict(int)
        st.rank_all(self.r, defaultdict(int), self.seeds, self.places)

    def seeded(self) -> dict[str, tuple[str, ...]]:
        return {
            name: tuple(TEAMS[self.seeds[conference, place]] for place in range(self.places))
            for conference, name in enumerate(CONFERENCES)
        }

    def divisions(self) -> dict[str, tuple[TeamStanding, ...]]:
        ordered = {}
        for index, (name, members) in enumerate(DIVISIONS.items()):
            first = index * st.DIVISION_SIZE
            order = sorted(range(first, first + len(members)), key=lambda team: self.r.ranks[team])
            ordered[name] = tuple(self._standing(team, name) for team in order)
        return ordered

    def _standing(self, team: int, division: str) -> TeamStanding:
        r, code = self.r, TEAMS[team]
        in_division = team // st.DIVISION_SIZE * st.DIVISION_SIZE
        in_conference = team // st.CONFERENCE_SIZE * st.CONFERENCE_SIZE
        won, lost, tied = self._against(team, range(st.TEAM_COUNT))
        conference = division.partition(" ")[0]
        seeds = self.seeded()[conference]
        return TeamStanding(
            code,
            teams.full_name(code, self.year),
            won,
            lost,
            tied,
            int(r.total[team, st.POINTS_FOR]),
            int(r.total[team, st.POINTS_AGAINST]),
            format_record(*self._against(team, range(in_division, in_division + st.DIVISION_SIZE))),
            format_record(
                *self._against(team, range(in_conference, in_conference + st.CONFERENCE_SIZE))
            ),
            1 + seeds.index(code) if code in seeds else 0,
            self._reached(code),
            colors_of_code(code),
        )

    def _against(self, team: int, others: range) -> tuple[int, int, int]:
        """Return wins, losses and ties against some teams."""
        r = self.r
        won = sum(r.beaten[team, other] for other in others)
        lost = sum(r.beaten[other, team] for other in others)
        return won, lost, sum(r.games[team, other] for other in others) - won - lost

    def _reached(self, code: str) -> str:
        """Return how far a team came in the playoffs, or nothing if it missed them."""
        games = [game for game in self.played.playoffs if code in (game.home, game.away)]
        if not games:
            return ""
        if games[-1].stage == FINAL:
            return "champion" if games[-1].winner == code else "lost the Super Bowl"
        return f"lost in the {PLAYOFF_EXITS[games[-1].stage]}"

    def ties(self) -> Iterator[Tie]:
        """Yield every broken tie."""
        for tie in find_broken_ties(self.r, self.seeds, self.places):
            over = tuple(TEAMS[team] for team in tie.over)
            yield Tie(TEAMS[tie.winner], over, tie.by, tie.for_seed)
