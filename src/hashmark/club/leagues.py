"""A league: teams, the friends who hold them, rounds of games, dates, and what follows from them.

A value without a server: every change is a new `League`, made of the old one by a method that says
why not in a sentence. `web` keeps them, and lets games be played.

    league = League.planned(key, "Sunday league", Terms("fourth-down"), names, ...)
    league = league.begun(now)                # the first round is on
    league = league.with_results({3: (21, 14)})
    league = league.moved_on(now, tables)     # due games are left to coaches, rounds follow
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hashmark.club import league_schedule, league_table
from hashmark.club.league_schedule import Fixture
from hashmark.club.league_table import Places, Played, Row
from hashmark.club.season_view import STAGE_NAMES
from hashmark.league.facts import teams
from hashmark.league.facts.schedule import DIVISIONS, REGULAR, STAGES, TEAMS
from hashmark.league.seasons import preset, season
from hashmark.table import extras, registry
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.names import check_name
from hashmark.table.opponents import default_opponent
from hashmark.table.readable import shown
from hashmark.table.rules import RuleSet
from hashmark.table.sitting import read_seat

OPEN, PLAYING, OVER, CLOSED = "open", "playing", "over", "closed"
REAL_TEAMS = "data-driven"  # the game whose teams are real, with plans of their own
PLAN = "coach:plan"
LEAST_TEAMS, MOST_TEAMS = 2, 16  # of a league that is no real season
MOST_LEGS = 2
SHORTEST, LONGEST = 1 / 24, 60.0  # days for a round
LATEST = 366.0  # days to which a date may be put off
LONGEST_TITLE = 80
HINTS = ("demand", "never")
DAY = 24 * 3600.0
NOBODY = ""


class NotNow(HashmarkError):
    """This cannot be done with a league as it stands."""


@dataclass(frozen=True)
class Terms:
    """What was agreed on when a league was made."""

    rules: str
    season: int | None = None  # whose real teams play
    real: bool = False  # by that season's own schedule, with its playoffs
    legs: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    days: float | None = None  # for a round; without them the commissioner says when
    hints: str = HINTS[0]

    def checked(self) -> Terms:
        """The same, if a league can be made of them."""
        rules = self.game()
        if self.real and self.season is None:
            raise HashmarkError("a season to be played game by game must be named")
        if self.season is not None and rules.name != REAL_TEAMS:
            raise HashmarkError(f"season {self.season}: only {REAL_TEAMS} has real teams")
        if self.season is not None and self.season not in season.playable():
            known = ", ".join(map(str, season.playable()))
            raise HashmarkError(f"season {shown(self.season)}: seasons that can be played: {known}")
        if rules.name == REAL_TEAMS and self.season is None:
            raise HashmarkError(f"{REAL_TEAMS}: name the season whose teams play")
        if self.real:
            extras.need("the playoffs of a season", "numpy")
        if self.legs not in range(1, MOST_LEGS + 1):
            raise HashmarkError(f"legs {shown(self.legs)}: each meets each once or twice (1 or 2)")
        if self.hints not in HINTS:
            raise UnknownName("kind of hints", self.hints, HINTS)
        if self.days is not None:
            check_days(self.days)
        return self

    def game(self) -> RuleSet:
        """The game, which must have two sides."""
        rules = registry.load(self.rules)
        if rules.alone(rules.new_match()):
            raise HashmarkError(f"{rules.title} is played alone: there is no league of it")
        return rules

    @property
    def usual_title(self) -> str:
        """What a league is called that was given no name."""
        if self.season is not None:
            return f"The season of {self.season}" if self.real else f"A league of {self.season}"
        return f"A league of {registry.load(self.rules).title}"

    @property
    def coach(self) -> str:
        """Who plays for a team that nobody holds."""
        return PLAN if self.season is not None else default_opponent(self.rules)


def check_days(days: Any, most: float = LONGEST) -> float:
    """The days of a round: an hour to two months."""
    if not isinstance(days, int | float) or not SHORTEST <= days <= most:
        raise HashmarkError(f"days {shown(days)}: expected 1/24 (an hour) to {most:g}")
    return float(days)


def check_title(title: Any) -> str:
    """What a league is called."""
    if not isinstance(title, str) or not 1 <= len(title.strip()) <= LONGEST_TITLE:
        raise HashmarkError(f"title {shown(title)}: expected 1 to {LONGEST_TITLE} letters")
    if not title.isprintable():
        raise HashmarkError(f"title {shown(title)}: it cannot be printed")
    return title.strip()


@dataclass(frozen=True)
class Entrant:
    """A team of a league, and the friend who holds it, by the digest of his token."""

    number: int
    name: str
    code: str = ""  # of a real team
    coach: str = PLAN
    holder: str = NOBODY
    friend: str = ""  # what he is called

    @property
    def is_held(self) -> bool:
        return self.holder != NOBODY


@dataclass(frozen=True)
class Game:
    """A game of a league; its table has an address before it is laid."""

    number: int
    round: int
    stage: str
    home: int
    away: int
    neutral: bool
    table: str
    score: tuple[int, int] | None = None
    ready: bool = False  # coaches may play it, or play it on

    @property
    def is_done(self) -> bool:
        return self.score is not None

    @property
    def winner(self) -> int | None:
        if self.score is None or self.score[0] == self.score[1]:
            return None
        return self.home if self.score[0] > self.score[1] else self.away

    def side_of(self, team: int) -> int:
        """0 where this team is at home, 1 where it visits."""
        return 0 if self.home == team else 1


@dataclass(frozen=True)
class Round:
    """The games that are played at one time."""

    number: int
    stage: str
    games: tuple[Game, ...]
    title: str

    @property
    def is_done(self) -> bool:
        return all(game.is_done for game in self.games)


@dataclass(frozen=True)
class League:
    """All of a league."""

    id: str
    title: str
    terms: Terms
    commissioner: str
    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...]
    made: float
    stage: str = OPEN
    listed: bool = False
    round: int = 0  # the one that is on; 0 before the first
    began: float = 0.0  # when that was, or when the league was over
    due: float | None = None  # when its games are left to coaches
    ahead: int = 0  # the round up to which all games are left to them
    version: int = 0

    # --- Making one --------------------------------------------------------------------------

    @classmethod
    def planned(
        cls,
        key: str,
        title: str,
        terms: Terms,
        names: Sequence[str],
        commissioner: str,
        tables: Iterable[str],
        now: float,
        listed: bool = False,
    ) -> League:
        """A league with its whole schedule; `tables` gives each game the address of its table."""
        terms = terms.checked()
        if terms.real and names:
            raise HashmarkError("a whole season has all its teams: say only which of them you hold")
        entrants = _real(terms) if terms.real else _chosen(terms, names)
        made = cls(
            key,
            check_title(title or terms.usual_title),
            terms,
            commissioner,
            tuple(entrants),
            (),
            now,
            listed=listed,
        )
        fixtures = (
            league_schedule.real(int(terms.season or 0))
            if terms.real
            else league_schedule.robin(len(entrants), terms.legs)
        )
        return made._with_games(fixtures, tables)

    def _with_games(self, fixtures: Iterable[Fixture], tables: Iterable[str]) -> League:
        first = len(self.games) + 1
        more = tuple(
            Game(number, one.round, one.stage, one.home, one.away, one.neutral, table)
            for number, (one, table) in enumerate(zip(fixtures, tables, strict=False), first)
        )
        return replace(self, games=self.games + more)

    # --- What it is --------------------------------------------------------------------------

    @property
    def last_round(self) -> int:
        """The number of the last round that there will be."""
        last = self.games[-1]
        return last.round + (len(STAGES) - 1 - STAGES.index(last.stage) if self.terms.real else 0)

    def entrant(self, number: int) -> Entrant:
        if number not in range(len(self.entrants)):
            raise HashmarkError(f"team {shown(number)}: there are 0 to {len(self.entrants) - 1}")
        return self.entrants[number]

    def game(self, number: int) -> Game:
        if number not in range(1, len(self.games) + 1):
            raise HashmarkError(f"game {shown(number)}: there are 1 to {len(self.games)}")
        return self.games[number - 1]

    def teams_of(self, holder: str) -> tuple[int, ...]:
        """The teams that somebody holds."""
        return tuple(one.number for one in self.entrants if holder and one.holder == holder)

    def in_round(self, number: int | None = None) -> tuple[Game, ...]:
        """The games of a round, of the one that is on if none is named."""
        wanted = self.round if number is None else number
        return tuple(game for game in self.games if game.round == wanted)

    def rounds(self) -> list[Round]:
        """All rounds that are known, in order."""
        found: dict[int, list[Game]] = {}
        for game in self.games:
            found.setdefault(game.round, []).append(game)
        return [
            Round(number, games[0].stage, tuple(games), self.round_title(number, games[0].stage))
            for number, games in sorted(found.items())
        ]

    def round_title(self, number: int, stage: str = REGULAR) -> str:
        if stage != REGULAR:
            return STAGE_NAMES[stage]
        return f"Week {number}" if self.terms.real else f"Round {number}"

    def holders(self, game: Game) -> tuple[str, str]:
        """Who plays a game, home and away; nobody: a coach does."""
        return self.entrants[game.home].holder, self.entrants[game.away].holder

    def next_for(self, holder: str) -> Game | None:
        """The next game that somebody is to play in the round that is on."""
        if self.stage != PLAYING or not holder:
            return None
        mine = (game for game in self.in_round() if holder in self.holders(game))
        return next((game for game in mine if not game.is_done and not game.ready), None)

    def played(self, stage: str = REGULAR) -> tuple[Played, ...]:
        """The results of a stage."""
        return tuple(
            (game.home, game.away, *game.score)
            for game in self.games
            if game.score is not None and game.stage == stage
        )

    def places(self) -> Places:
        """The divisions and seeds of a real season."""
        return league_table.of_season(self.id, int(self.terms.season or 0), self.played())

    def standings(self) -> tuple[Row, ...]:
        """The order of a league among friends; of a season the order of record alone."""
        if not self.terms.real:
            return league_table.among_friends(self.id, len(self.entrants), self.played())
        lines = [row for _, rows in self.places().divisions for row in rows]
        return tuple(sorted(lines, key=lambda row: (-row.won - row.tied / 2, row.lost)))

    @property
    def champion(self) -> int | None:
        """Who has won it, once it is over."""
        if self.stage != OVER:
            return None
        if self.terms.real:
            return self.games[-1].winner
        return self.standings()[0].team

    # --- The game of two teams -----------------------------------------------------------------

    def options(self, game: Game) -> dict[str, Any]:
        """The options of a game: of a season its own, with both teams' charts and plans."""
        year, terms = self.terms.season, self.terms
        if year is None:
            return dict(terms.options)
        home, away = (self.entrants[team].code for team in (game.home, game.away))
        return {
            "charts": str(year),
            "home_team": f"{home}-{year}",
            "away_team": f"{away}-{year}",
            "home_plan": f"{year}:{home}",
            "away_plan": f"{year}:{away}",
            "neutral": game.neutral,
            **preset.options(year, game.stage != REGULAR, terms.options),
        }

    def names(self, game: Game) -> tuple[str, str]:
        """What the two are called at their table."""
        return self.entrants[game.home].name, self.entrants[game.away].name

    # --- What changes it -----------------------------------------------------------------------

    def _must_be(self, *stages: str) -> None:
        if self.stage not in stages:
            said = {
                OPEN: "the league has not begun yet",
                PLAYING: "the league has begun already",
                OVER: "the league is over",
                CLOSED: "the league was closed",
            }
            raise NotNow(said[self.stage])

    def must_go_on(self) -> None:
        """Refuse what has no sense in a league that is over or closed."""
        self._must_be(OPEN, PLAYING)

    def begun(self, now: float) -> League:
        """The first round is on."""
        self._must_be(OPEN)
        return self._in_round(1, now)

    def _in_round(self, number: int, now: float) -> League:
        due = None if self.terms.days is None else now + self.terms.days * DAY
        changed = replace(self, stage=PLAYING, round=number, began=now, due=due)
        return changed.let_play() if number <= self.ahead else changed._with_coaches_ready()

    def _with_coaches_ready(self) -> League:
        """Games of the round that nobody plays may be played by coaches."""
        return self._ready(lambda game: not any(self.holders(game)))

    def _ready(self, which: Any) -> League:
        games = tuple(
            replace(game, ready=True)
            if game.round == self.round and not game.is_done and not game.ready and which(game)
            else game
            for game in self.games
        )
        return replace(self, games=games)

    def let_play(self, upto: int = 0) -> League:
        """What is left of the round goes to the coaches, and so do all rounds up to a number."""
        self._must_be(PLAYING)
        return replace(self, ahead=max(upto, self.ahead))._ready(lambda game: True)

    def with_results(self, scores: Mapping[int, tuple[int, int]]) -> League:
        """Games have ended."""
        games = tuple(
            replace(game, score=scores[game.number], ready=False)
            if game.number in scores and not game.is_done
            else game
            for game in self.games
        )
        return replace(self, games=games)

    def moved_on(self, now: float, tables: Iterable[str]) -> League:
        """What time and results bring: games left to coaches, the next round, the end."""
        if self.stage != PLAYING:
            return self
        if not all(game.is_done for game in self.in_round()):
            late = self.due is not None and self.due <= now
            return self._ready(lambda game: True) if late else self._with_coaches_ready()
        if any(game.round > self.round for game in self.games):
            return self._in_round(self.round + 1, now)
        stage = self._next_stage()
        if stage is None:
            return replace(self, stage=OVER, began=now, due=None)
        fixtures = league_schedule.playoff_games(
            int(self.terms.season or 0), self.places().seeds, self._winners(), stage, self.round + 1
        )
        return self._with_games(fixtures, tables)._in_round(self.round + 1, now)

    def _next_stage(self) -> str | None:
        """The stage of the playoffs that follows; None: there is no more to play."""
        at = STAGES.index(self.games[-1].stage) + 1
        return STAGES[at] if self.terms.real and at < len(STAGES) else None

    def _winners(self) -> dict[str, list[int]]:
        """Who has won the games of the playoffs, in their order."""
        found: dict[str, list[int]] = {}
        for game in self.games:
            if game.stage != REGULAR and game.winner is not None:
                found.setdefault(game.stage, []).append(game.winner)
        return found

    def put_off(self, until: float, now: float) -> League:
        """Another date for the round that is on."""
        self._must_be(PLAYING)
        if not now < until <= now + LATEST * DAY:
            raise HashmarkError(f"a date must be in the future, and within {LATEST:g} days")
        return replace(self, due=until)

    def taken(self, team: int, holder: str, friend: str = "", by: str = NOBODY) -> League:
        """Somebody holds a team from now on: one that is free, or by the word of who held it."""
        self.must_go_on()
        entrant = self.entrant(team)
        if entrant.holder != by:
            raise NotNow(f"{entrant.name} has a friend already")
        if friend:
            check_name(friend, "a friend")
        return self._entered(replace(entrant, holder=holder, friend=friend.strip()))

    def freed(self, team: int) -> League:
        """Nobody holds a team any more: its coach plays."""
        self.must_go_on()
        entrant = self.entrant(team)
        if not entrant.is_held:
            raise NotNow(f"nobody holds {entrant.name}")
        changed = self._entered(replace(entrant, holder=NOBODY, friend=""))
        return changed._with_coaches_ready() if self.stage == PLAYING else changed

    def _entered(self, entrant: Entrant) -> League:
        at = entrant.number
        return replace(self, entrants=(*self.entrants[:at], entrant, *self.entrants[at + 1 :]))

    def closed(self) -> League:
        """It is not gone on with, and no coach is waited for."""
        self.must_go_on()
        games = tuple(replace(game, ready=False) for game in self.games)
        return replace(self, stage=CLOSED, due=None, games=games)


# --- Real teams ---------------------------------------------------------------------------------


def seasons() -> list[int]:
    """The seasons whose teams can play."""
    return season.playable()


def divisions(year: int) -> list[tuple[str, list[tuple[str, str]]]]:
    """The teams of a season by division: their codes and names."""
    return [
        (name, [(code, teams.name(code, year)) for code in codes])
        for name, codes in DIVISIONS.items()
    ]


def number_of(team: str) -> int:
    """The number of a real team, given in any way, among all of a season."""
    return TEAMS.index(teams.read(team))


# --- Entrants ----------------------------------------------------------------------------------


def _real(terms: Terms) -> list[Entrant]:
    """All teams of a season."""
    return [
        Entrant(at, teams.name(code, terms.season), code, PLAN) for at, code in enumerate(TEAMS)
    ]


def _chosen(terms: Terms, names: Sequence[str]) -> list[Entrant]:
    """Teams by their names, or real ones in any way in which they may be given."""
    if not LEAST_TEAMS <= len(names) <= MOST_TEAMS:
        raise HashmarkError(
            f"a league has {LEAST_TEAMS} to {MOST_TEAMS} teams, these are {len(names)}"
        )
    codes = [teams.read(name) if terms.season is not None else "" for name in names]
    called = [
        teams.name(code, terms.season) if code else check_name(name).strip()
        for code, name in zip(codes, names, strict=True)
    ]
    doubled = {
        name for name in called if [one.casefold() for one in called].count(name.casefold()) > 1
    }
    if doubled:
        raise HashmarkError(f"team {shown(sorted(doubled)[0])}: it is there twice")
    coach = terms.coach
    read_seat(terms.game(), coach)
    return [
        Entrant(at, name, code, coach)
        for at, (name, code) in enumerate(zip(called, codes, strict=True))
    ]
