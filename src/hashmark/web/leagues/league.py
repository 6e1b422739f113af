"""League: teams and the friends who hold them, rounds of games, and due dates.

An immutable value without a server: every change returns a new `League`, or raises an error that
says why it is not possible. Other modules store leagues and run their games.

    league = League.create(key, "Sunday league", Terms("fourth-down"), names, ...)
    league = league.start(now)                # start the first round
    league = league.with_results({3: (21, 14)})
    league = league.advance(now, table_ids)   # assign overdue games to coaches, start rounds
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hashmark import extras
from hashmark.engine import registry
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.team_names import check_name
from hashmark.errors import HashmarkError, UnknownName
from hashmark.league.data import teams
from hashmark.league.data.schedule import DIVISIONS, REGULAR, STAGES, TEAMS
from hashmark.league.seasons import season
from hashmark.league.seasons.game_options import season_options
from hashmark.sanitize import quote
from hashmark.session.game_session import parse_seat
from hashmark.session.opponents import default_opponent
from hashmark.text.phrases import team_clause
from hashmark.web.leagues import fixtures
from hashmark.web.leagues.fixtures import Fixture
from hashmark.web.leagues.standings import (
    GameResult,
    SeasonStandings,
    StandingsRow,
    rank_league,
    rank_real_season,
)
from hashmark.web.seasons.season_view import STAGE_NAMES

OPEN, PLAYING, OVER, CLOSED = "open", "playing", "over", "closed"
REAL_TEAMS_GAME = "data-driven"  # the game with real teams that have their own plans
PLAN_COACH = "coach:plan"
MIN_TEAMS, MAX_TEAMS = 2, 16  # of a league that is not a real season
MAX_LEGS = 2
MIN_ROUND_DAYS, MAX_ROUND_DAYS = 1 / 24, 60.0  # limits for the days of a round
MAX_POSTPONEMENT_DAYS = 366.0  # days ahead to which a round can be postponed
MAX_TITLE_LENGTH = 80
HINTS = ("demand", "never")
DAY_SECONDS = 24 * 3600.0
NOBODY = ""


class WrongStage(HashmarkError):
    """Error for a change that the current stage of the league does not allow."""


@dataclass(frozen=True)
class Terms:
    """Settings fixed when a league is created."""

    rules: str
    season: int | None = None  # the season of the real teams
    real: bool = False  # follows the real schedule of that season, with playoffs
    legs: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    days: float | None = None  # for a round; without it the commissioner sets due dates
    hints: str = HINTS[0]

    def validated(self) -> Terms:
        """Return these terms if they are valid, or raise HashmarkError."""
        rules = self.load_game()
        if self.real and self.season is None:
            raise HashmarkError("choose a season to play game by game")
        if self.season is not None and rules.name != REAL_TEAMS_GAME:
            raise HashmarkError(f"season {self.season}: only {REAL_TEAMS_GAME} has real teams")
        if self.season is not None and self.season not in season.playable_seasons():
            playable = ", ".join(map(str, season.playable_seasons()))
            raise HashmarkError(f"season {quote(self.season)}: expected one of {playable}")
        if rules.name == REAL_TEAMS_GAME and self.season is None:
            raise HashmarkError(f"{REAL_TEAMS_GAME}: choose the season of the teams")
        if self.real:
            extras.require("the playoffs of a season", "numpy")
        if self.legs not in range(1, MAX_LEGS + 1):
            raise HashmarkError(f"legs {quote(self.legs)}: expected 1 or 2 games between teams")
        if self.hints not in HINTS:
            raise UnknownName("kind of hints", self.hints, HINTS)
        if self.days is not None:
            check_days(self.days)
        return self

    def load_game(self) -> RuleSet:
        """Load the game, which must be for two teams."""
        rules = registry.load(self.rules)
        if rules.is_solo(rules.new_match()):
            raise HashmarkError(f"{rules.title} is a solo game and has no leagues")
        return rules

    @property
    def default_title(self) -> str:
        """The title of a league that was given none."""
        if self.season is not None:
            return f"{self.season} season" if self.real else f"{self.season} league"
        return f"{registry.load(self.rules).title} league"

    @property
    def default_coach(self) -> str:
        """The coach of a team that no friend holds."""
        return PLAN_COACH if self.season is not None else default_opponent(self.rules)


def check_days(days: object, max_days: float = MAX_ROUND_DAYS) -> float:
    """Validate the days of a round: between one hour and `max_days` days."""
    if not isinstance(days, int | float) or not MIN_ROUND_DAYS <= days <= max_days:
        raise HashmarkError(f"days {quote(days)}: expected 1/24 (an hour) to {max_days:g}")
    return float(days)


def check_title(title: object) -> str:
    """Validate and strip a league title."""
    if not isinstance(title, str) or not 1 <= len(title.strip()) <= MAX_TITLE_LENGTH:
        raise HashmarkError(f"title {quote(title)}: expected 1 to {MAX_TITLE_LENGTH} characters")
    if not title.isprintable():
        raise HashmarkError(f"title {quote(title)}: it contains unprintable characters")
    return title.strip()


@dataclass(frozen=True)
class Entrant:
    """Team of a league, and the friend who holds it, identified by the digest of their token."""

    number: int
    name: str
    code: str = ""  # of a real team
    coach: str = PLAN_COACH
    holder: str = NOBODY
    friend: str = ""  # the holder's display name

    @property
    def is_held(self) -> bool:
        return self.holder != NOBODY


@dataclass(frozen=True)
class LeagueGame:
    """Game of a league; its table ID is fixed before the table exists."""

    number: int
    round: int
    stage: str
    home: int
    away: int
    neutral: bool
    table: str
    score: tuple[int, int] | None = None
    ready: bool = False  # coaches may start or finish it

    @property
    def is_done(self) -> bool:
        return self.score is not None

    @property
    def winner(self) -> int | None:
        if self.score is None or self.score[0] == self.score[1]:
            return None
        return self.home if self.score[0] > self.score[1] else self.away

    def side_of(self, team: int) -> int:
        """Return 0 if this team is at home, 1 if it is the visitor."""
        return 0 if self.home == team else 1


@dataclass(frozen=True)
class LeagueRound:
    """Games of a league that are played at the same time."""

    number: int
    stage: str
    games: tuple[LeagueGame, ...]
    title: str

    @property
    def is_done(self) -> bool:
        return all(game.is_done for game in self.games)


@dataclass(frozen=True)
class League:
    """Complete state of a league."""

    id: str
    title: str
    terms: Terms
    commissioner: str
    entrants: tuple[Entrant, ...]
    games: tuple[LeagueGame, ...]
    made: float
    stage: str = OPEN
    listed: bool = False
    round: int = 0  # the current one; 0 before the first
    began: float = 0.0  # start of the current round, or end of the league
    due: float | None = None  # when unfinished games go to coaches
    ahead: int = 0  # all games up to this round go to coaches
    version: int = 0

    # --- Creation ----------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        league_id: str,
        title: str,
        terms: Terms,
        names: Sequence[str],
        commissioner: str,
        table_ids: Iterable[str],
        now: float,
        listed: bool = False,
    ) -> League:
        """Create a league with its whole schedule; `tables` supplies a table ID for each game."""
        terms = terms.validated()
        if terms.real and names:
            raise HashmarkError("a real season includes all teams: name only the ones you play")
        entrants = _real_entrants(terms) if terms.real else _named_entrants(terms, names)
        league = cls(
            league_id,
            check_title(title or terms.default_title),
            terms,
            commissioner,
            tuple(entrants),
            (),
            now,
            listed=listed,
        )
        new_fixtures = (
            fixtures.real_fixtures(int(terms.season or 0))
            if terms.real
            else fixtures.round_robin_fixtures(len(entrants), terms.legs)
        )
        return league._with_games(new_fixtures, table_ids)

    def _with_games(self, new_fixtures: Iterable[Fixture], tables: Iterable[str]) -> League:
        """Append games for these fixtures."""
        first = len(self.games) + 1
        new_games = tuple(
            LeagueGame(
                number,
                fixture.round,
                fixture.stage,
                fixture.home,
                fixture.away,
                fixture.neutral,
                table,
            )
            for number, (fixture, table) in enumerate(
                zip(new_fixtures, tables, strict=False), first
            )
        )
        return replace(self, games=self.games + new_games)

    # --- Queries -----------------------------------------------------------------------------

    @property
    def last_round(self) -> int:
        """The number of the last round, including playoffs still to come."""
        last = self.games[-1]
        return last.round + (len(STAGES) - 1 - STAGES.index(last.stage) if self.terms.real else 0)

    def entrant(self, number: int) -> Entrant:
        if number not in range(len(self.entrants)):
            raise HashmarkError(f"team {quote(number)}: expected 0 to {len(self.entrants) - 1}")
        return self.entrants[number]

    def game(self, number: int) -> LeagueGame:
        if number not in range(1, len(self.games) + 1):
            raise HashmarkError(f"game {quote(number)}: expected 1 to {len(self.games)}")
        return self.games[number - 1]

    def teams_of(self, holder: str) -> tuple[int, ...]:
        """Return the teams that this holder has."""
        return tuple(
            entrant.number for entrant in self.entrants if holder and entrant.holder == holder
        )

    def games_in_round(self, number: int | None = None) -> tuple[LeagueGame, ...]:
        """Return the games of a round, by default of the current one."""
        round_number = self.round if number is None else number
        return tuple(game for game in self.games if game.round == round_number)

    def rounds(self) -> list[LeagueRound]:
        """Return all rounds known so far, in order."""
        games_by_round: dict[int, list[LeagueGame]] = {}
        for game in self.games:
            games_by_round.setdefault(game.round, []).append(game)
        return [
            LeagueRound(
                number, games[0].stage, tuple(games), self.round_title(number, games[0].stage)
            )
            for number, games in sorted(games_by_round.items())
        ]

    def round_title(self, number: int, stage: str = REGULAR) -> str:
        if stage != REGULAR:
            return STAGE_NAMES[stage]
        return f"Week {number}" if self.terms.real else f"Round {number}"

    def holders(self, game: LeagueGame) -> tuple[str, str]:
        """Return the holders of both teams, home and away; NOBODY if a coach plays."""
        return self.entrants[game.home].holder, self.entrants[game.away].holder

    def next_game_for(self, holder: str) -> LeagueGame | None:
        """Return the holder's next unfinished game in the current round."""
        if self.stage != PLAYING or not holder:
            return None
        own_games = (game for game in self.games_in_round() if holder in self.holders(game))
        return next((game for game in own_games if not game.is_done and not game.ready), None)

    def results(self, stage: str = REGULAR) -> tuple[GameResult, ...]:
        """Return the results of a stage."""
        return tuple(
            (game.home, game.away, *game.score)
            for game in self.games
            if game.score is not None and game.stage == stage
        )

    def season_standings(self) -> SeasonStandings:
        """Return the divisions and seeds of a real season."""
        return rank_real_season(self.id, int(self.terms.season or 0), self.results())

    def standings(self) -> tuple[StandingsRow, ...]:
        """Return the standings of a league among friends; for a real season, by record only."""
        if not self.terms.real:
            return rank_league(self.id, len(self.entrants), self.results())
        all_rows = [row for _, rows in self.season_standings().divisions for row in rows]
        return tuple(sorted(all_rows, key=lambda row: (-row.won - row.tied / 2, row.lost)))

    @property
    def champion(self) -> int | None:
        """The winner, once the league is over."""
        if self.stage != OVER:
            return None
        if self.terms.real:
            return self.games[-1].winner
        return self.standings()[0].team

    # --- Table of a game -----------------------------------------------------------------------

    def game_options(self, game: LeagueGame) -> dict[str, Any]:
        """Return the options of a game; for a real season with both teams' charts and plans."""
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
            **season_options(year, game.stage != REGULAR, terms.options),
        }

    def team_names(self, game: LeagueGame) -> tuple[str, str]:
        """Return the names of both teams, home and away."""
        return self.entrants[game.home].name, self.entrants[game.away].name

    # --- Changes -------------------------------------------------------------------------------

    def _must_be(self, *stages: str) -> None:
        """Raise WrongStage unless the league is in one of these stages."""
        if self.stage not in stages:
            reasons = {
                OPEN: "the league has not started yet",
                PLAYING: "the league has already started",
                OVER: "the league is over",
                CLOSED: "the league is closed",
            }
            raise WrongStage(reasons[self.stage])

    def require_active(self) -> None:
        """Raise WrongStage if the league is over or closed."""
        self._must_be(OPEN, PLAYING)

    def start(self, now: float) -> League:
        """Start the first round."""
        self._must_be(OPEN)
        return self._in_round(1, now)

    def _in_round(self, number: int, now: float) -> League:
        """Start this round."""
        due = None if self.terms.days is None else now + self.terms.days * DAY_SECONDS
        league = replace(self, stage=PLAYING, round=number, began=now, due=due)
        return league.leave_to_coaches() if number <= self.ahead else league._with_coaches_ready()

    def _with_coaches_ready(self) -> League:
        """Give the games of the round that no friend plays to coaches."""
        return self._mark_ready(lambda game: not any(self.holders(game)))

    def _mark_ready(self, matches: Callable[[LeagueGame], bool]) -> League:
        """Give the unfinished games of the round that match to coaches."""
        games = tuple(
            replace(game, ready=True)
            if game.round == self.round and not game.is_done and not game.ready and matches(game)
            else game
            for game in self.games
        )
        return replace(self, games=games)

    def leave_to_coaches(self, up_to_round: int = 0) -> League:
        """Give the rest of the round to coaches, and all rounds up to `up_to_round` as well."""
        self._must_be(PLAYING)
        return replace(self, ahead=max(up_to_round, self.ahead))._mark_ready(lambda game: True)

    def with_results(self, scores: Mapping[int, tuple[int, int]]) -> League:
        """Enter the scores of finished games."""
        games = tuple(
            replace(game, score=scores[game.number], ready=False)
            if game.number in scores and not game.is_done
            else game
            for game in self.games
        )
        return replace(self, games=games)

    def advance(self, now: float, table_ids: Iterable[str]) -> League:
        """Apply what is due: games to coaches, the next round, or the end of the league."""
        if self.stage != PLAYING:
            return self
        if not all(game.is_done for game in self.games_in_round()):
            is_overdue = self.due is not None and self.due <= now
            return self._mark_ready(lambda game: True) if is_overdue else self._with_coaches_ready()
        if any(game.round > self.round for game in self.games):
            return self._in_round(self.round + 1, now)
        stage = self._next_stage()
        if stage is None:
            return replace(self, stage=OVER, began=now, due=None)
        new_fixtures = fixtures.playoff_fixtures(
            int(self.terms.season or 0),
            self.season_standings().seeds,
            self._winners(),
            stage,
            self.round + 1,
        )
        return self._with_games(new_fixtures, table_ids)._in_round(self.round + 1, now)

    def _next_stage(self) -> str | None:
        """Return the next playoff stage, or None if nothing is left to play."""
        index = STAGES.index(self.games[-1].stage) + 1
        return STAGES[index] if self.terms.real and index < len(STAGES) else None

    def _winners(self) -> dict[str, list[int]]:
        """Return the winners of playoff games by stage, in game order."""
        winners: dict[str, list[int]] = {}
        for game in self.games:
            if game.stage != REGULAR and game.winner is not None:
                winners.setdefault(game.stage, []).append(game.winner)
        return winners

    def postpone(self, until: float, now: float) -> League:
        """Change the due date of the current round."""
        self._must_be(PLAYING)
        if not now < until <= now + MAX_POSTPONEMENT_DAYS * DAY_SECONDS:
            raise HashmarkError(
                f"the deadline must be in the future, within {MAX_POSTPONEMENT_DAYS:g} days"
            )
        return replace(self, due=until)

    def give_team(
        self, team: int, holder: str, friend: str = "", present_holder: str = NOBODY
    ) -> League:
        """Give a team to a holder; `present_holder` hands it over."""
        self.require_active()
        entrant = self.entrant(team)
        if entrant.holder != present_holder:
            raise WrongStage(team_clause(entrant.name, "already [has] a player"))
        if friend:
            check_name(friend, "a friend")
        return self._with_entrant(replace(entrant, holder=holder, friend=friend.strip()))

    def release_team(self, team: int) -> League:
        """Release a team from its holder; its coach plays."""
        self.require_active()
        entrant = self.entrant(team)
        if not entrant.is_held:
            raise WrongStage(team_clause(entrant.name, "[has] no player"))
        league = self._with_entrant(replace(entrant, holder=NOBODY, friend=""))
        return league._with_coaches_ready() if self.stage == PLAYING else league

    def _with_entrant(self, entrant: Entrant) -> League:
        index = entrant.number
        return replace(
            self, entrants=(*self.entrants[:index], entrant, *self.entrants[index + 1 :])
        )

    def close(self) -> League:
        """Close the league; coaches stop playing its games."""
        self.require_active()
        games = tuple(replace(game, ready=False) for game in self.games)
        return replace(self, stage=CLOSED, due=None, games=games)


# --- Real teams ---------------------------------------------------------------------------------


def playable_seasons() -> list[int]:
    """Return the seasons whose teams can play."""
    return season.playable_seasons()


def teams_by_division(year: int) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the codes and names of a season's teams, by division."""
    return [
        (name, [(code, teams.full_name(code, year)) for code in codes])
        for name, codes in DIVISIONS.items()
    ]


def team_number(team: str) -> int:
    """Return the index of a real team, given in any notation, among all teams."""
    return TEAMS.index(teams.parse_team(team))


# --- Entrants ----------------------------------------------------------------------------------


def _real_entrants(terms: Terms) -> list[Entrant]:
    """Return all teams of a season as entrants."""
    return [
        Entrant(number, teams.full_name(code, terms.season), code, PLAN_COACH)
        for number, code in enumerate(TEAMS)
    ]


def _named_entrants(terms: Terms, names: Sequence[str]) -> list[Entrant]:
    """Return entrants by name; real teams in any notation."""
    if not MIN_TEAMS <= len(names) <= MAX_TEAMS:
        raise HashmarkError(f"a league has {MIN_TEAMS} to {MAX_TEAMS} teams, not {len(names)}")
    codes = [teams.parse_team(name) if terms.season is not None else "" for name in names]
    full_names = [
        teams.full_name(code, terms.season) if code else check_name(name).strip()
        for code, name in zip(codes, names, strict=True)
    ]
    duplicates = {
        name
        for name in full_names
        if [other.casefold() for other in full_names].count(name.casefold()) > 1
    }
    if duplicates:
        raise HashmarkError(f"team {quote(sorted(duplicates)[0])}: it is listed twice")
    coach = terms.default_coach
    parse_seat(terms.load_game(), coach)
    return [
        Entrant(number, name, code, coach)
        for number, (name, code) in enumerate(zip(full_names, codes, strict=True))
    ]
