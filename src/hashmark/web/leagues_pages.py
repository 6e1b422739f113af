"""The pages of leagues: all of them, a new one, one with its rounds, invitations, and feeds.

Every button is a form that works without a script; the script only looks again while coaches play.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from hashmark.club import league_state, leagues, season_view
from hashmark.club.leagues import League, Terms
from hashmark.table.errors import HashmarkError
from hashmark.table.rules import whole_number
from hashmark.web import games, rendering, tokens
from hashmark.web.api import Caller, Holder, InHall, token_or_new
from hashmark.web.hall import Hall
from hashmark.web.league_store import GROUP
from hashmark.web.leagues import LeagueWish
from hashmark.web.leagues_api import feed_address, known, shown
from hashmark.web.pages import Fields, fields, number, page, remember
from hashmark.web.reviews import Reviews

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
QUARTERS = (15, 10, 5, 2)  # minutes, the usual first


def to_league(key: str) -> Response:
    return RedirectResponse(f"/leagues/{key}", 303)


# --- All leagues, and new ones -------------------------------------------------------------------


@router.get("/leagues")
async def all_leagues(hall: InHall, holder: Holder) -> Response:
    return HTMLResponse(await asyncio.to_thread(_all_leagues, hall, holder))


def _all_leagues(hall: Hall, holder: str) -> str:
    rows = hall.leagues.rows
    with hall.looking_for_files():
        seasons = leagues.seasons()
    return rendering.page(
        "leagues.html",
        title="Leagues",
        yours=[league_state.row(one) for one in rows.listed(holder)] if holder else [],
        listed=[league_state.row(one) for one in rows.listed()],
        seasons=seasons,
        games=[one for one in games.all_games() if not one.alone(one.new_match())],
        has_feed=bool(holder) and hall.feeds.has(holder),
        known=bool(holder),
    )


@router.get("/leagues/new")
async def new_league(hall: InHall, request: Request) -> Response:
    return HTMLResponse(await asyncio.to_thread(_new_league, hall, dict(request.query_params)))


def _new_league(hall: Hall, asked: Mapping[str, str]) -> str:
    rules = Terms(asked.get("rules", leagues.REAL_TEAMS)).game()
    with hall.looking_for_files():
        seasons = leagues.seasons() if rules.name == leagues.REAL_TEAMS else []
        wanted = whole_number(asked.get("season", ""))
        season = (wanted if wanted in seasons else seasons[-1]) if seasons else None
        divisions = leagues.divisions(season) if season is not None else []
    return rendering.page(
        "league_new.html",
        title="A season, game by game" if asked.get("kind") == "season" else "A new league",
        real=asked.get("kind") == "season" and season is not None,
        rules=rules,
        season=season,
        seasons=seasons,
        divisions=divisions,
        quarters=QUARTERS if season is not None else (),
        most=leagues.MOST_TEAMS,
        chosen=_chosen(asked.get("team", "")),
    )


def _chosen(team: str) -> str:
    """The code of a team that an address has chosen already, if there is such a one."""
    with suppress(HashmarkError):
        return season_view.team_of(team)
    return ""


@router.post("/leagues")
async def make_league(request: Request, hall: InHall, where: Caller) -> Response:
    sent = await fields(request)
    token, _ = token_or_new(request)
    wish = await asyncio.to_thread(wish_of, hall, sent)
    league = await hall.leagues.make(wish, tokens.digest(token), where)
    answer = to_league(league.id)
    remember(request, answer, token)
    return answer


def wish_of(hall: Hall, sent: Fields) -> LeagueWish:
    """A league as the form asks for it."""
    real, season = sent.get("real") == "on", None
    if sent.get("season"):
        season = number(sent, "season")
    codes = [name.removeprefix("team-") for name in sent if name.startswith("team-")]
    typed = [line.strip() for line in sent.get("teams", "").splitlines() if line.strip()]
    options = {}
    if sent.get("quarter") and number(sent, "quarter") != QUARTERS[0]:
        options["quarter_seconds"] = 60 * number(sent, "quarter")
    terms = Terms(
        rules=sent.get("rules", ""),
        season=season,
        real=real,
        legs=number(sent, "legs") if sent.get("legs") else 1,
        options=options,
        days=days(sent.get("days", "")),
        hints=sent.get("hints", leagues.HINTS[0]),
    )
    with hall.looking_for_files():
        own = [leagues.number_of(code) for code in codes] if real else []
    return LeagueWish(
        title=sent.get("title", "").strip(),
        terms=terms,
        teams=[] if real else codes or typed,
        own=own,
        friend=sent.get("name", "").strip(),
        listed=sent.get("listed") == "on",
        begin=sent.get("begin") == "on",
    )


def days(text: str) -> float | None:
    """A number of days, or none."""
    if not text.strip():
        return None
    try:
        return leagues.check_days(float(text))
    except (ValueError, OverflowError):
        raise HashmarkError("days: expected a number, such as 3") from None


# --- Coming to one -------------------------------------------------------------------------------


@router.get("/leagues/join")
def join_page() -> Response:
    return page("league_join.html", title="An invitation to a league")


@router.post("/leagues/join")
async def join(request: Request, hall: InHall) -> Response:
    sent = await fields(request)
    token, _ = token_or_new(request)
    team = number(sent, "team") if sent.get("team") else None
    invitation, name = sent.get("invitation", ""), sent.get("name", "")
    league = await hall.leagues.join(invitation, tokens.digest(token), team, name)
    answer = to_league(league.id)
    remember(request, answer, token)
    return answer


# --- One league ----------------------------------------------------------------------------------


@router.get("/leagues/{league}")
async def league_page(league: str, hall: InHall, holder: Holder) -> Response:
    found = await hall.leagues.find(league)
    state = await shown(hall, found, holder)
    return HTMLResponse(await asyncio.to_thread(_league_page, found, state, bool(holder)))


def _league_page(found: League, state: Mapping[str, Any], known: bool) -> str:
    return rendering.page(
        "league.html",
        title=found.title,
        league=state,
        teams=state["teams"],
        free=[one for one in state["teams"] if not one["held"]],
        held=[one for one in state["teams"] if one["held"]],
        busy=league_state.waits_for_coaches(state),
        reviews=Reviews.possible(),
        known=known,
        last_round=found.last_round,
    )


@router.post("/leagues/{league}/begin")
async def begin(league: str, hall: InHall, holder: Holder) -> Response:
    await hall.leagues.begin(league, holder)
    return to_league(league)


@router.post("/leagues/{league}/coaches")
async def let_play(league: str, request: Request, hall: InHall, holder: Holder) -> Response:
    sent = await fields(request)
    await hall.leagues.let_play(league, holder, number(sent, "upto") if sent.get("upto") else 0)
    return to_league(league)


@router.post("/leagues/{league}/date")
async def put_off(league: str, request: Request, hall: InHall, holder: Holder) -> Response:
    sent = await fields(request)
    until = league_state.moment(sent["until"]) if sent.get("until") else None
    await hall.leagues.put_off(league, holder, days(sent.get("days", "")), until)
    return to_league(league)


@router.post("/leagues/{league}/team")
async def take_team(league: str, request: Request, hall: InHall, holder: Holder) -> Response:
    sent = await fields(request)
    await hall.leagues.take(league, known(holder), number(sent, "team"), sent.get("name", ""))
    return to_league(league)


@router.post("/leagues/{league}/leave")
async def leave(league: str, request: Request, hall: InHall, holder: Holder) -> Response:
    await hall.leagues.leave(league, known(holder), number(await fields(request), "team"))
    return to_league(league)


@router.post("/leagues/{league}/close")
async def close(league: str, hall: InHall, holder: Holder) -> Response:
    await hall.leagues.shut(league, holder)
    return to_league(league)


@router.post("/leagues/{league}/next")
async def next_game(league: str, hall: InHall, holder: Holder, where: Caller) -> Response:
    table = await hall.leagues.next_game(league, holder, where)
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/leagues/{league}/game")
async def open_game(
    league: str, request: Request, hall: InHall, holder: Holder, where: Caller
) -> Response:
    sent = await fields(request)
    table = await hall.leagues.open_game(league, number(sent, "game"), holder, where)
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/leagues/{league}/invite")
async def invite(league: str, request: Request, hall: InHall, holder: Holder) -> Response:
    sent = await fields(request)
    team = number(sent, "team") if sent.get("team") else GROUP
    token = await hall.leagues.invite(league, holder, team)
    link = str(request.url.replace(path="/leagues/join", query="", fragment=token))
    found = await hall.leagues.find(league)
    return page(
        "league_invited.html",
        title=found.title,
        league=league,
        link=link,
        team=None if team == GROUP else found.entrant(team),
    )


# --- Feeds ---------------------------------------------------------------------------------------


@router.get("/feed")
async def feed_page(hall: InHall, holder: Holder) -> Response:
    news = await asyncio.to_thread(hall.feeds.news, holder, hall.leagues.now()) if holder else []
    has = bool(holder) and await asyncio.to_thread(hall.feeds.has, holder)
    return _feed_page(news, has, known=bool(holder))


def _feed_page(news: list[Any], has: bool, address: str = "", known: bool = True) -> Response:
    told = [one.to_json() for one in news]
    return page(
        "feed.html", title="What is new for you", news=told, has=has, address=address, known=known
    )


@router.post("/feed")
async def new_feed(request: Request, hall: InHall, holder: Holder) -> Response:
    """A new address, which is shown this once; or none any more."""
    if (await fields(request)).get("void"):
        await asyncio.to_thread(hall.feeds.void, known(holder))
        return RedirectResponse("/feed", 303)
    secret = await asyncio.to_thread(hall.feeds.new, known(holder))
    news = await asyncio.to_thread(hall.feeds.news, holder, hall.leagues.now())
    return _feed_page(news, True, feed_address(request, secret))
