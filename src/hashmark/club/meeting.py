"""Game between any two teams of any seasons: players, plans and ground.

    Meeting.from_form({"home-season": "2008", "home-team": "ARI", "away-season": "2007", ...})

A meeting provides the options, seats and names that the page and the API need to create a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.club.season_view import SeasonView, team_of, year_of
from hashmark.games.data_driven.plans.plan import PACKED
from hashmark.games.data_driven.setup import PRESETS
from hashmark.league.facts import teams
from hashmark.league.seasons import preset
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.record import TEAMS

GAME = "data-driven"
ME, FRIEND, COACH = WHO = ("me", "friend", "coach")
WHO_WORDS = {ME: "me", FRIEND: "a friend, by a link", COACH: "a coach"}
REAL, BOOK, BOLD, KEPT = PLANS = ("real", "book", "bold", "kept")
PLAN_WORDS = {
    REAL: "as the team really called",
    BOOK: "by the book",
    BOLD: "boldly",
    KEPT: "by a plan that is kept here",
}
AT_HOME, NEUTRAL = GROUNDS = ("home", "neutral")
OF_SEASON, RECOMMENDED, RULEBOOK = OPTIONS = ("season", "recommended", "rulebook")
OPTION_WORDS = {
    OF_SEASON: "as in a season's game: full penalties and timing, overtime of the home season",
    RECOMMENDED: "as the rulebook recommends for simulation",
    RULEBOOK: "the plain rulebook: basic penalties and timing",
}


@dataclass(frozen=True)
class Side:
    """Team of a season, the player who calls for it, and the plan of its coach."""

    season: int
    team: str
    who: str = COACH
    plan: str = REAL  # or book, bold, or a whole packed plan

    @property
    def plan_option(self) -> str:
        return f"{self.season}:{self.team}" if self.plan == REAL else self.plan

    @property
    def town(self) -> str:
        name = teams.name(self.team, self.season)
        return name.removesuffix(" Football Team").rpartition(" ")[0] or name


@dataclass(frozen=True)
class Meeting:
    """Game between two teams."""

    home: Side
    away: Side
    ground: str = AT_HOME
    rules: str = OF_SEASON

    @classmethod
    def read(cls, sent: Mapping[str, str], packed: Callable[[str], str] | None = None) -> Meeting:
        """Parse a submitted form; `packed` returns the packed plan saved under a key."""
        home, away = (_parse_side(sent, name, packed) for name in TEAMS)
        if (home.season, home.team) == (away.season, away.team):
            raise HashmarkError("a team cannot play itself: choose another team or season")
        return cls(
            home,
            away,
            _require_choice("ground", sent.get("ground", "") or AT_HOME, GROUNDS),
            _require_choice("kind of rules", sent.get("options", "") or OF_SEASON, OPTIONS),
        )

    def options(self) -> dict[str, Any]:
        """Return the game's options; what both teams share comes from the home team's season."""
        season = self.home.season
        away = self.away.team
        options: dict[str, Any] = {
            "charts": str(season),
            "home_team": self.home.team,
            "away_team": away if self.away.season == season else f"{self.away.season}:{away}",
            "home_plan": self.home.plan_option,
            "away_plan": self.away.plan_option,
        }
        if self.ground == NEUTRAL:
            options["neutral"] = True
        if self.rules == OF_SEASON:
            return {**preset.options(season), **options}
        return {**(PRESETS["recommended"] if self.rules == RECOMMENDED else {}), **options}

    def seats(self) -> dict[str, str]:
        """Return the seats, as in a request for a table."""
        return {
            name: "coach:plan" if side.who == COACH else side.who
            for name, side in zip(TEAMS, (self.home, self.away), strict=True)
        }

    def names(self) -> dict[str, str]:
        """Return team names with seasons if city names are ambiguous; otherwise nothing."""
        home, away = self.home, self.away
        if home.season == away.season and home.town != away.town:
            return {}
        return {
            name: f"{teams.name(side.team, side.season)} {side.season}"[:40].strip()
            for name, side in zip(TEAMS, (home, away), strict=True)
        }


def _parse_side(sent: Mapping[str, str], name: str, packed: Callable[[str], str] | None) -> Side:
    season = year_of(sent.get(f"{name}-season", ""))
    team = team_of(sent.get(f"{name}-team", ""))
    who = _require_choice("player", sent.get(f"{name}-who", "") or COACH, WHO)
    plan = _require_choice("plan", sent.get(f"{name}-plan", "") or REAL, PLANS)
    if plan == KEPT:
        key = sent.get(f"{name}-key", "").strip().rstrip("/").rpartition("/")[2]
        if not key:
            raise HashmarkError(f"{name}: which plan? write its address or its key")
        if packed is None:
            raise HashmarkError(f"{name}: no plans are kept here")
        plan = packed(key)
        assert plan.startswith(PACKED)
    return Side(season, team, who, plan)


def _require_choice(label: str, given: str, allowed: tuple[str, ...]) -> str:
    if given not in allowed:
        raise UnknownName(label, given, allowed)
    return given


def usual_opponent(season: SeasonView, team: str) -> str:
    """Return a team's default opponent: its last one of the season, playoffs included."""
    return season.games_of(team)[-1].other(team)
