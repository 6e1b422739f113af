"""Game between any two teams of any seasons: players, plans and ground.

    Meeting.from_form({"home-season": "2008", "home-team": "ARI", "away-season": "2007", ...})

A meeting provides the options, seats and names that the page and the API need to create a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven.plans.plan import PACKED_PREFIX
from hashmark.games.data_driven.setup import PRESETS
from hashmark.league.data import teams
from hashmark.league.seasons import game_options
from hashmark.league.seasons.real_teams import check_different, team_options
from hashmark.web.seasons.season_view import SeasonView, parse_season, parse_team

GAME = "data-driven"
ME, FRIEND, COACH = PLAYERS = ("me", "friend", "coach")
PLAYER_LABELS = {ME: "you", FRIEND: "a friend (send a link)", COACH: "a coach"}
REAL, BOOK, BOLD, SAVED = PLANS = ("real", "book", "bold", "kept")
PLAN_LABELS = {
    REAL: "real play-calling",
    BOOK: "by the book",
    BOLD: "bold",
    SAVED: "a saved plan",
}
AT_HOME, NEUTRAL = GROUNDS = ("home", "neutral")
SEASON_RULES, RECOMMENDED_RULES, PLAIN_RULES = RULE_CHOICES = ("season", "recommended", "rulebook")
RULE_LABELS = {
    SEASON_RULES: "season rules: full penalties and timing, the home season's overtime",
    RECOMMENDED_RULES: "the rulebook's simulation settings",
    PLAIN_RULES: "basic rulebook: basic penalties and timing",
}


@dataclass(frozen=True)
class MeetingSide:
    """Team of a season, the player who calls for it, and the plan of its coach."""

    season: int
    team: str
    who: str = COACH
    plan: str = REAL  # or book, bold, or a whole packed plan

    @property
    def plan_option(self) -> str:
        return f"{self.season}:{self.team}" if self.plan == REAL else self.plan

    @property
    def city(self) -> str:
        name = teams.full_name(self.team, self.season)
        return name.removesuffix(" Football Team").rpartition(" ")[0] or name


@dataclass(frozen=True)
class Meeting:
    """Game between two teams."""

    home: MeetingSide
    away: MeetingSide
    ground: str = AT_HOME
    rules: str = SEASON_RULES

    @classmethod
    def from_form(
        cls, sent: Mapping[str, str], load_packed_plan: Callable[[str], str] | None = None
    ) -> Meeting:
        """Parse a submitted form; `packed` returns the packed plan saved under a key."""
        home, away = (_parse_side(sent, name, load_packed_plan) for name in TEAMS)
        check_different((home.season, home.team), (away.season, away.team))
        return cls(
            home,
            away,
            _require_choice("ground", sent.get("ground", "") or AT_HOME, GROUNDS),
            _require_choice("kind of rules", sent.get("options", "") or SEASON_RULES, RULE_CHOICES),
        )

    def options(self) -> dict[str, Any]:
        """Return the game's options; what both teams share comes from the home team's season."""
        home, away = self.home, self.away
        plans = {"home_plan": home.plan_option, "away_plan": away.plan_option}
        options = team_options((home.season, home.team), (away.season, away.team), plans)
        if self.ground == NEUTRAL:
            options["neutral"] = True
        if self.rules == SEASON_RULES:
            return {**game_options.season_options(home.season), **options}
        return {**(PRESETS["recommended"] if self.rules == RECOMMENDED_RULES else {}), **options}

    def seats(self) -> dict[str, str]:
        """Return the seats, as in a request for a table."""
        return {
            name: "coach:plan" if side.who == COACH else side.who
            for name, side in zip(TEAMS, (self.home, self.away), strict=True)
        }

    def names(self) -> dict[str, str]:
        """Return team names with seasons if city names are ambiguous; otherwise nothing."""
        home, away = self.home, self.away
        if home.season == away.season and home.city != away.city:
            return {}
        return {
            name: f"{side.season} {teams.full_name(side.team, side.season)}"[:40].strip()
            for name, side in zip(TEAMS, (home, away), strict=True)
        }


def _parse_side(
    sent: Mapping[str, str], name: str, packed: Callable[[str], str] | None
) -> MeetingSide:
    season = parse_season(sent.get(f"{name}-season", ""))
    team = parse_team(sent.get(f"{name}-team", ""))
    who = _require_choice("player", sent.get(f"{name}-who", "") or COACH, PLAYERS)
    plan = _require_choice("plan", sent.get(f"{name}-plan", "") or REAL, PLANS)
    if plan == SAVED:
        key = sent.get(f"{name}-key", "").strip().rstrip("/").rpartition("/")[2]
        if not key:
            raise HashmarkError(f"{name}: enter the link or key of a saved plan")
        if packed is None:
            raise HashmarkError(f"{name}: this server has no saved plans")
        plan = packed(key)
        assert plan.startswith(PACKED_PREFIX)
    return MeetingSide(season, team, who, plan)


def _require_choice(label: str, given: str, allowed: tuple[str, ...]) -> str:
    if given not in allowed:
        raise UnknownName(label, given, allowed)
    return given


def default_opponent(season: SeasonView, team: str) -> str:
    """Return a team's default opponent: its last one of the season, playoffs included."""
    return season.games_of(team)[-1].other(team)
