"""A season as it really was: standings with what broke their ties, playoffs, games by week.

    SeasonView.of(2008).to_json()

Everything comes from the schedule that ships; nothing here is simulated. The standings are ranked
by the rules of `league/seasons/standings.py`, run as they are, so that a page needs no compiler.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from hashmark.club.ties import broken
from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.team_colours import of_code
from hashmark.league.facts import schedule, teams
from hashmark.league.facts.schedule import (
    CONFERENCES,
    DIVISIONS,
    FINAL,
    REGULAR,
    STAGES,
    TEAMS,
    Game,
    Schedule,
)
from hashmark.league.seasons import season as seasons
from hashmark.league.seasons import standings as st
from hashmark.table import places
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown

STAGE_NAMES = dict(
    zip(
        STAGES,
        ("Regular season", "Wild cards", "Divisional round", "Conference finals", "Super Bowl"),
        strict=True,
    )
)
REACHED = {"WC": "wild cards", "DIV": "divisional round", "CON": "conference final"}


class NoSeason(HashmarkError):
    """A season, or a team in it, that there is none of."""


@cache
def known() -> tuple[int, ...]:
    """The seasons that ship with schedule, charts and plans, the newest first."""
    with places.only_shipped():
        named = set(places.names(plans.SEASON_SUFFIX, SHIPPED))
        found = (year for year in seasons.playable() if str(year) in named)
        return tuple(sorted(found, reverse=True))


def year_of(text: str) -> int:
    """The season of an address or a form."""
    found = int(text) if text.isascii() and text.isdigit() and len(text) == 4 else 0
    if found not in known():
        said = ", ".join(map(str, sorted(known())))
        raise NoSeason(f"no season {shown(text)}; there are {said}")
    return found


def team_of(text: str) -> str:
    """The code of a team in an address or a form, in whichever spelling."""
    try:
        return teams.read(text)
    except HashmarkError as fault:
        raise NoSeason(str(fault)) from None


@dataclass(frozen=True)
class Tie:
    """A tie that was broken: who won it, over whom, and by which step."""

    winner: str
    over: tuple[str, ...]
    by: str
    for_seed: bool = False

    @property
    def words(self) -> str:
        what = "seeded" if self.for_seed else "ranked"
        return f"{self.winner} {what} over {' and '.join(self.over)} by {self.by}"


@dataclass(frozen=True)
class Standing:
    """A team's line in its division."""

    team: str
    name: str
    won: int
    lost: int
    tied: int
    points: int
    allowed: int
    division: str  # its record there
    conference: str
    seed: int  # of its conference; 0 if it missed the playoffs
    reached: str  # how far it came
    colours: tuple[str, str]

    @property
    def record(self) -> str:
        return f"{self.won}-{self.lost}" + (f"-{self.tied}" if self.tied else "")

    @property
    def share(self) -> float:
        games = self.won + self.lost + self.tied
        return (self.won + self.tied / 2) / games if games else 0.0

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "record": self.record, "share": round(self.share, 4)}


@dataclass(frozen=True)
class Played(Game):
    """A game of the schedule as a page shows it."""

    @classmethod
    def of(cls, game: Game) -> Played:
        return cls(**vars(game))

    def other(self, team: str) -> str:
        return self.away if team == self.home else self.home

    def result(self, team: str) -> str:
        """`won 31-17`, from the side of one of the two."""
        if self.score is None:
            return "not played"
        own, other = self.score if team == self.home else self.score[::-1]
        said = "won" if own > other else "lost" if own < other else "tied"
        return f"{said} {own}-{other}"

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "winner": self.winner}


@dataclass(frozen=True)
class Week:
    """The games of a week, or of a round of the playoffs."""

    title: str
    games: tuple[Played, ...]


@dataclass(frozen=True)
class SeasonView:
    """Everything that a season's page shows of what really happened."""

    year: int
    divisions: dict[str, tuple[Standing, ...]]
    ties: tuple[Tie, ...]
    weeks: tuple[Week, ...]
    rounds: tuple[Week, ...]
    champion: str
    seeds: dict[str, tuple[str, ...]]

    @staticmethod
    def of(year: int) -> SeasonView:
        """The view of a season that ships; made once."""
        with places.only_shipped():
            return _made(year)

    @property
    def conferences(self) -> dict[str, list[str]]:
        """The divisions of each conference."""
        return {one: [name for name in DIVISIONS if name.startswith(one)] for one in CONFERENCES}

    @property
    def standings(self) -> dict[str, Standing]:
        """Every team's line, by its code."""
        return {one.team: one for each in self.divisions.values() for one in each}

    def division_of(self, team: str) -> str:
        return next(name for name, members in DIVISIONS.items() if team in members)

    def name(self, team: str) -> str:
        return self.standings[team].name

    def games_of(self, team: str) -> list[Played]:
        """A team's games in order, the playoffs at the end."""
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
def _made(year: int) -> SeasonView:
    played = schedule.load(year)
    table = _Table(played)
    weeks = tuple(_weeks(played.regular, "Week {}"))
    rounds = tuple(
        Week(
            STAGE_NAMES[stage],
            tuple(Played.of(game) for game in played.playoffs if game.stage == stage),
        )
        for stage in STAGES
        if stage != REGULAR and any(game.stage == stage for game in played.playoffs)
    )
    return SeasonView(
        year,
        table.divisions(),
        tuple(table.ties()),
        weeks,
        rounds,
        played.champion or "",
        table.seeded(),
    )


def _weeks(games: Sequence[Game], title: str) -> Iterator[Week]:
    for number, each in groupby(games, key=lambda game: game.week):
        yield Week(title.format(number), tuple(Played.of(game) for game in each))


class _Table:
    """The results of a season, ranked by the rules of the standings."""

    def __init__(self, played: Schedule) -> None:
        self.played, self.year = played, played.season
        number = {team: at for at, team in enumerate(TEAMS)}
        zeros: list[defaultdict[Any, int]] = [defaultdict(int) for _ in range(7)]
        games, won, beaten, net, total, tied, ranks = zeros
        toss = {at: -at for at in range(st.COUNT)}  # a coin was never needed; a test sees to it
        self.r = st.Results(games, won, beaten, net, total, toss, tied, defaultdict(float), ranks)
        for game in played.regular:
            if game.score is not None:
                st.add_game(self.r, number[game.home], number[game.away], *game.score)
        self.places = schedule.seeds(self.year)
        self.seeds: defaultdict[tuple[int, int], int] = defaultdict(int)
        st.rank_all(self.r, defaultdict(int), self.seeds, self.places)

    def seeded(self) -> dict[str, tuple[str, ...]]:
        return {
            name: tuple(TEAMS[self.seeds[at, place]] for place in range(self.places))
            for at, name in enumerate(CONFERENCES)
        }

    def divisions(self) -> dict[str, tuple[Standing, ...]]:
        made = {}
        for at, (name, members) in enumerate(DIVISIONS.items()):
            first = at * st.IN_DIVISION
            order = sorted(range(first, first + len(members)), key=lambda team: self.r.ranks[team])
            made[name] = tuple(self._standing(team, name) for team in order)
        return made

    def _standing(self, team: int, division: str) -> Standing:
        r, code = self.r, TEAMS[team]
        in_division = team // st.IN_DIVISION * st.IN_DIVISION
        in_conference = team // st.IN_CONFERENCE * st.IN_CONFERENCE
        won, lost, tied = self._against(team, range(st.COUNT))
        conference = division.partition(" ")[0]
        seeds = self.seeded()[conference]
        return Standing(
            code,
            teams.name(code, self.year),
            won,
            lost,
            tied,
            int(r.total[team, st.POINTS_FOR]),
            int(r.total[team, st.POINTS_AGAINST]),
            _spelled(self._against(team, range(in_division, in_division + st.IN_DIVISION))),
            _spelled(self._against(team, range(in_conference, in_conference + st.IN_CONFERENCE))),
            1 + seeds.index(code) if code in seeds else 0,
            self._reached(code),
            of_code(code),
        )

    def _against(self, team: int, others: range) -> tuple[int, int, int]:
        """Won, lost and tied against some teams."""
        r = self.r
        won = sum(r.beaten[team, other] for other in others)
        lost = sum(r.beaten[other, team] for other in others)
        return won, lost, sum(r.games[team, other] for other in others) - won - lost

    def _reached(self, code: str) -> str:
        last = [game for game in self.played.playoffs if code in (game.home, game.away)]
        if not last:
            return ""
        if last[-1].stage == FINAL:
            return "champion" if last[-1].winner == code else "lost the final"
        return f"out in the {REACHED[last[-1].stage]}"

    def ties(self) -> Iterator[Tie]:
        """Every tie that was broken."""
        for one in broken(self.r, self.seeds, self.places):
            over = tuple(TEAMS[team] for team in one.over)
            yield Tie(TEAMS[one.winner], over, one.by, one.for_seed)


def _spelled(record: tuple[int, int, int]) -> str:
    won, lost, tied = record
    return f"{won}-{lost}" + (f"-{tied}" if tied else "")
