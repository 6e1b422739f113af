"""A league as plain data: for programs, and for the templates of its pages.

Who holds a team is told by the name he gave himself, and whether it is the one who asks; the
digests of tokens never come in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from hashmark.club import league_schedule, league_table
from hashmark.club.league_table import Row
from hashmark.club.leagues import PLAYING, Game, League
from hashmark.league.facts import schedule, teams
from hashmark.league.facts.schedule import REGULAR
from hashmark.table import registry
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown

DONE, LEFT, TO_PLAY, ON, LATER = "done", "left", "to play", "on", "later"


@dataclass(frozen=True)
class OnTable:
    """A game that is laid: whether it has begun, how it stands, and which side is asked."""

    begun: bool
    said: str
    asked: int


Laid = Mapping[str, OnTable]  # by the tables' addresses


def utc(when: float) -> str:
    """A moment as programs write it."""
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def spoken(when: float) -> str:
    """The same as people read it."""
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M UTC")


def state(league: League, holder: str, laid: Laid) -> dict[str, Any]:
    """All that may be known of a league; `laid` are the tables of games that are not done."""
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
        "began": utc(league.began) if league.round else None,
        "due": utc(league.due) if league.due is not None else None,
        "commissioner": bool(holder) and league.commissioner == holder,
        "yours": list(league.teams_of(holder)),
        "teams": [
            {
                "number": one.number,
                "name": one.name,
                "short": teams.nickname(one.code, terms.season) if one.code else one.name,
                "code": one.code or None,
                "coach": one.coach.removeprefix("coach:"),
                "held": one.is_held,
                "friend": one.friend or None,
                "yours": bool(holder) and one.holder == holder,
            }
            for one in league.entrants
        ],
        **_standings(league),
        "rounds": _rounds(league, holder, laid),
        "next": _next(league, holder, laid),
        "champion": league.champion,
    }


def _line(row: Row, place: int) -> dict[str, Any]:
    return {
        "place": place,
        "team": row.team,
        "won": row.won,
        "lost": row.lost,
        "tied": row.tied,
        "record": row.record,
        "scored": row.scored,
        "allowed": row.allowed,
        "by": row.by or None,
    }


def _standings(league: League) -> dict[str, Any]:
    """The order now; of a real season by division, with what it really was."""
    if not league.terms.real:
        rows = league.standings()
        return {
            "standings": [_line(row, place) for place, row in enumerate(rows, 1)],
            "divisions": None,
            "seeds": None,
            "broken": None,
            "ties": list(league_table.STEPS.values()),
        }
    places, really = league.places(), schedule.load(int(league.terms.season or 0))
    divisions = [
        {
            "name": name,
            "rows": [
                {**_line(row, place), "really": really.record(league.entrants[row.team].code)}
                for place, row in enumerate(rows, 1)
            ],
        }
        for name, rows in places.divisions
    ]
    seeds = dict(zip(schedule.CONFERENCES, map(list, places.seeds), strict=True))
    return {
        "standings": [_line(row, place) for place, row in enumerate(league.standings(), 1)],
        "divisions": divisions,
        "seeds": seeds if league.played() else None,  # before the first game only coins speak
        "broken": [{**asdict(tie), "over": list(tie.over)} for tie in places.ties],
        "ties": [league_table.IN_REAL_SEASONS],
    }


def _rounds(league: League, holder: str, laid: Laid) -> list[dict[str, Any]]:
    season = league.terms.season
    really = league_schedule.real_scores(season) if league.terms.real and season else {}
    return [
        {
            "number": one.number,
            "title": one.title,
            "stage": one.stage,
            "done": one.is_done,
            "on": league.stage == PLAYING and one.number == league.round,
            "games": [
                {
                    **_game(league, game, holder, laid),
                    "really": really.get((game.home, game.away)) if game.stage == REGULAR else None,
                }
                for game in one.games
            ],
        }
        for one in league.rounds()
    ]


def _game(league: League, game: Game, holder: str, laid: Laid) -> dict[str, Any]:
    """A game, and how far it is."""
    on_table = laid.get(game.table)
    said: dict[str, Any] = {
        "number": game.number,
        "home": game.home,
        "away": game.away,
        "neutral": game.neutral,
        "score": list(game.score) if game.score is not None else None,
        "winner": game.winner,
        "table": game.table if game.is_done or on_table is not None else None,
        "yours": bool(holder) and holder in league.holders(game),
        "state": _state(league, game, on_table),
        "said": on_table.said if on_table is not None else "",
        "begun": on_table is not None and on_table.begun,
        "asked": None,
    }
    if on_table is not None and on_table.begun and on_table.asked in (0, 1):
        said["asked"] = (game.home, game.away)[on_table.asked]
    return said


def _state(league: League, game: Game, on_table: OnTable | None) -> str:
    if game.is_done:
        return DONE
    if game.ready and league.stage == PLAYING:
        return LEFT
    if on_table is not None:
        return ON
    return TO_PLAY if league.stage == PLAYING and game.round == league.round else LATER


def _next(league: League, holder: str, laid: Laid) -> dict[str, Any] | None:
    game = league.next_for(holder)
    return None if game is None else _game(league, game, holder, laid)


def waits_for_coaches(said: Mapping[str, Any]) -> bool:
    """Whether games of a league, as it is told, are with the coaches now."""
    return any(game["state"] == LEFT for one in said["rounds"] for game in one["games"])


def row(kept: Mapping[str, Any]) -> dict[str, Any]:
    """A league in a list."""
    terms = json.loads(kept["terms"])
    return {
        "id": kept["id"],
        "title": kept["title"],
        "stage": kept["stage"],
        "rules": terms["rules"],
        "game": registry.load(terms["rules"]).title,
        "season": terms["season"],
        "real": terms["real"],
        "round": kept["round"],
        "due": utc(kept["due"]) if kept["due"] is not None else None,
    }


def about(league: League, team: int) -> dict[str, Any]:
    """What an invitation is for: enough to decide whether to come."""
    return {
        "id": league.id,
        "title": league.title,
        "game": registry.load(league.terms.rules).title,
        "season": league.terms.season,
        "team": team if team >= 0 else None,
        "teams": [
            {"number": one.number, "name": one.name}
            for one in league.entrants
            if (not one.is_held if team < 0 else one.number == team)
        ],
    }


def moment(text: str) -> float:
    """A moment that somebody has written down; UTC if it does not say."""
    try:
        read = datetime.fromisoformat(text.strip())
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise HashmarkError(
            f"date {shown(text)}: expected a moment such as 2026-12-24T18:00"
        ) from None
