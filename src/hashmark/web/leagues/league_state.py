"""League as plain data, for the API and for the page templates.

The holder of a team appears under their chosen name, with a flag if it is the requester. Digests of
tokens are never included.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.league.data import schedule, teams
from hashmark.league.data.schedule import REGULAR
from hashmark.sanitize import quote
from hashmark.web.leagues import fixtures, standings
from hashmark.web.leagues.league import PLAYING, League, LeagueGame
from hashmark.web.leagues.standings import StandingsRow

MAX_DATE_LETTERS = 40
DONE, LEFT_TO_COACHES, TO_PLAY, IN_PROGRESS, LATER = "done", "left", "to play", "on", "later"


@dataclass(frozen=True)
class TableStatus:
    """Status of a game at its table: whether it has begun, its score, and which side is asked."""

    begun: bool
    score_text: str
    asked_side: int


TableStatuses = Mapping[str, TableStatus]  # by table ID


def format_utc(when: float) -> str:
    """Format a time in ISO 8601, for programs."""
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def format_for_people(when: float) -> str:
    """Format a time for people."""
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M UTC")


def league_to_dict(league: League, holder: str, tables: TableStatuses) -> dict[str, Any]:
    """Return everything public about a league; `tables` has the status of unfinished games."""
    terms = league.terms
    return {
        "id": league.id,
        "title": league.title,
        "stage": league.stage,
        "rules": terms.rules,
        "game": registry.load(terms.rules).title,
        "season": terms.season,
        "real": terms.real,
        "legs": terms.legs,
        "days": terms.days,
        "hints": terms.hints,
        "options": dict(terms.options),
        "listed": league.listed,
        "round": league.round,
        "began": format_utc(league.began) if league.round else None,
        "due": format_utc(league.due) if league.due is not None else None,
        "commissioner": bool(holder) and league.commissioner == holder,
        "yours": list(league.teams_of(holder)),
        "teams": [
            {
                "number": entrant.number,
                "name": entrant.name,
                "short": teams.nickname(entrant.code, terms.season)
                if entrant.code
                else entrant.name,
                "code": entrant.code or None,
                "coach": entrant.coach.removeprefix("coach:"),
                "held": entrant.is_held,
                "friend": entrant.friend or None,
                "yours": bool(holder) and entrant.holder == holder,
            }
            for entrant in league.entrants
        ],
        **_standings(league),
        "rounds": _rounds(league, holder, tables),
        "next": _next(league, holder, tables),
        "champion": league.champion,
    }


def _line(row: StandingsRow, place: int) -> dict[str, Any]:
    """Return one line of the standings as data."""
    return {
        "place": place,
        "team": row.team,
        "won": row.won,
        "lost": row.lost,
        "tied": row.tied,
        "record": row.record,
        "scored": row.scored,
        "allowed": row.allowed,
        "by": row.tiebreaker or None,
    }


def _standings(league: League) -> dict[str, Any]:
    """Return the current standings; for a real season by division, with the real records."""
    if not league.terms.real:
        rows = league.standings()
        return {
            "standings": [_line(row, place) for place, row in enumerate(rows, 1)],
            "divisions": None,
            "seeds": None,
            "broken": None,
            "ties": list(standings.TIEBREAKERS.values()),
        }
    places, real_schedule = league.season_standings(), schedule.load(int(league.terms.season or 0))
    divisions = [
        {
            "name": name,
            "rows": [
                {
                    **_line(row, place),
                    "really": real_schedule.record(league.entrants[row.team].code),
                }
                for place, row in enumerate(rows, 1)
            ],
        }
        for name, rows in places.divisions
    ]
    seeds = dict(zip(schedule.CONFERENCES, map(list, places.seeds), strict=True))
    return {
        "standings": [_line(row, place) for place, row in enumerate(league.standings(), 1)],
        "divisions": divisions,
        "seeds": seeds
        if league.results()
        else None,  # before the first game only coin tosses decide
        "broken": [{**asdict(tie), "over": list(tie.over)} for tie in places.ties],
        "ties": [standings.REAL_SEASON_TIEBREAKERS],
    }


def _rounds(league: League, holder: str, tables: TableStatuses) -> list[dict[str, Any]]:
    season = league.terms.season
    scores = fixtures.real_scores(season) if league.terms.real and season else {}
    return [
        {
            "number": league_round.number,
            "title": league_round.title,
            "stage": league_round.stage,
            "done": league_round.is_done,
            "on": league.stage == PLAYING and league_round.number == league.round,
            "games": [
                {
                    **_game(league, game, holder, tables),
                    "really": scores.get((game.home, game.away)) if game.stage == REGULAR else None,
                }
                for game in league_round.games
            ],
        }
        for league_round in league.rounds()
    ]


def _game(league: League, game: LeagueGame, holder: str, tables: TableStatuses) -> dict[str, Any]:
    """Return a game and its state as data."""
    on_table = tables.get(game.table)
    data: dict[str, Any] = {
        "number": game.number,
        "home": game.home,
        "away": game.away,
        "neutral": game.neutral,
        "score": list(game.score) if game.score is not None else None,
        "winner": game.winner,
        "table": game.table if game.is_done or on_table is not None else None,
        "yours": bool(holder) and holder in league.holders(game),
        "state": _state(league, game, on_table),
        "said": on_table.score_text if on_table is not None else "",
        "begun": on_table is not None and on_table.begun,
        "asked": None,
    }
    if on_table is not None and on_table.begun and on_table.asked_side in (0, 1):
        data["asked"] = (game.home, game.away)[on_table.asked_side]
    return data


def _state(league: League, game: LeagueGame, on_table: TableStatus | None) -> str:
    if game.is_done:
        return DONE
    if game.ready and league.stage == PLAYING:
        return LEFT_TO_COACHES
    if on_table is not None:
        return IN_PROGRESS
    return TO_PLAY if league.stage == PLAYING and game.round == league.round else LATER


def _next(league: League, holder: str, tables: TableStatuses) -> dict[str, Any] | None:
    game = league.next_game_for(holder)
    return None if game is None else _game(league, game, holder, tables)


def is_waiting_for_coaches(league: Mapping[str, Any]) -> bool:
    """Return whether coaches are still playing games of this league, given as data."""
    return any(
        game["state"] == LEFT_TO_COACHES
        for league_round in league["rounds"]
        for game in league_round["games"]
    )


def league_row_to_dict(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a league as an entry of a list."""
    terms = json.loads(stored["terms"])
    return {
        "id": stored["id"],
        "title": stored["title"],
        "stage": stored["stage"],
        "rules": terms["rules"],
        "game": registry.load(terms["rules"]).title,
        "season": terms["season"],
        "real": terms["real"],
        "round": stored["round"],
        "due": format_utc(stored["due"]) if stored["due"] is not None else None,
    }


def invitation_to_dict(league: League, team: int) -> dict[str, Any]:
    """Return what an invitation shows about the league."""
    return {
        "id": league.id,
        "title": league.title,
        "game": registry.load(league.terms.rules).title,
        "season": league.terms.season,
        "team": team if team >= 0 else None,
        "teams": [
            {"number": entrant.number, "name": entrant.name}
            for entrant in league.entrants
            if (not entrant.is_held if team < 0 else entrant.number == team)
        ],
    }


def parse_date(text: str) -> float:
    """Parse a time that a user entered; UTC if it names no time zone."""
    try:
        parsed = datetime.fromisoformat(text.strip() if len(text) <= MAX_DATE_LETTERS else "")
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise HashmarkError(
            f"date {quote(text)}: expected a date and time such as 2026-12-24T18:00"
        ) from None
