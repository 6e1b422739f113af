"""HTML pages of leagues: the list, a new league, a league's rounds, invitations, and feeds.

Every button is a form that works without JavaScript; the script only refreshes while coaches play.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from hashmark.club import league_state, season_view
from hashmark.club import leagues as league_module
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
QUARTERS = (15, 10, 5, 2)  # minutes, the default first


def to_league(key: str) -> Response:
    return RedirectResponse(f"/leagues/{key}", 303)


# --- All leagues, and new ones -------------------------------------------------------------------


@router.get("/leagues")
async def all_leagues(app_state: InHall, holder: Holder) -> Response:
    return HTMLResponse(await asyncio.to_thread(_all_leagues, app_state, holder))


def _all_leagues(app_state: Hall, holder: str) -> str:
    rows = app_state.leagues.rows
    with app_state.looking_for_files():
        seasons = league_module.seasons()
    return rendering.page(
        "leagues.html",
        title="Leagues",
        yours=[league_state.row(item) for item in rows.listed(holder)] if holder else [],
        listed=[league_state.row(item) for item in rows.listed()],
        seasons=seasons,
        games=[item for item in games.all_games() if not item.alone(item.new_match())],
        has_feed=bool(holder) and app_state.feeds.has(holder),
        known=bool(holder),
    )


@router.get("/leagues/new")
async def new_league(app_state: InHall, request: Request) -> Response:
    return HTMLResponse(await asyncio.to_thread(_new_league, app_state, dict(request.query_params)))


def _new_league(app_state: Hall, query: Mapping[str, str]) -> str:
    rules = Terms(query.get("rules", league_module.REAL_TEAMS)).game()
    with app_state.looking_for_files():
        seasons = league_module.seasons() if rules.name == league_module.REAL_TEAMS else []
        requested = whole_number(query.get("season", ""))
        season = (requested if requested in seasons else seasons[-1]) if seasons else None
        divisions = league_module.divisions(season) if season is not None else []
    return rendering.page(
        "league_new.html",
        title="A season, game by game" if query.get("kind") == "season" else "A new league",
        real=query.get("kind") == "season" and season is not None,
        rules=rules,
        season=season,
        seasons=seasons,
        divisions=divisions,
        quarters=QUARTERS if season is not None else (),
        most=league_module.MOST_TEAMS,
        chosen=_preselected_team(query.get("team", "")),
    )


def _preselected_team(team: str) -> str:
    """Return the code of the team that the URL preselects; empty if there is none."""
    with suppress(HashmarkError):
        return season_view.team_of(team)
    return ""


@router.post("/leagues")
async def make_league(request: Request, app_state: InHall, where: Caller) -> Response:
    sent = await fields(request)
    token, _ = token_or_new(request)
    league_request = await asyncio.to_thread(wish_of, app_state, sent)
    league = await app_state.leagues.make(league_request, tokens.digest(token), where)
    answer = to_league(league.id)
    remember(request, answer, token)
    return answer


def wish_of(app_state: Hall, sent: Fields) -> LeagueWish:
    """Parse the form for a new league."""
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
        hints=sent.get("hints", league_module.HINTS[0]),
    )
    with app_state.looking_for_files():
        own = [league_module.number_of(code) for code in codes] if real else []
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
    """Parse a number of days; None if the field is empty."""
    if not text.strip():
        return None
    try:
        return league_module.check_days(float(text))
    except (ValueError, OverflowError):
        raise HashmarkError("days: expected a number, such as 3") from None


# --- Joining a league ----------------------------------------------------------------------------


@router.get("/leagues/join")
def join_page() -> Response:
    return page("league_join.html", title="An invitation to a league")


@router.post("/leagues/join")
async def join(request: Request, app_state: InHall) -> Response:
    sent = await fields(request)
    token, _ = token_or_new(request)
    team = number(sent, "team") if sent.get("team") else None
    invitation, name = sent.get("invitation", ""), sent.get("name", "")
    league = await app_state.leagues.join(invitation, tokens.digest(token), team, name)
    answer = to_league(league.id)
    remember(request, answer, token)
    return answer


# --- One league ----------------------------------------------------------------------------------


@router.get("/leagues/{league}")
async def league_page(league: str, app_state: InHall, holder: Holder) -> Response:
    found = await app_state.leagues.find(league)
    state = await shown(app_state, found, holder)
    return HTMLResponse(await asyncio.to_thread(_league_page, found, state, bool(holder)))


def _league_page(league: League, state: Mapping[str, Any], known: bool) -> str:
    return rendering.page(
        "league.html",
        title=league.title,
        league=state,
        teams=state["teams"],
        free=[team for team in state["teams"] if not team["held"]],
        held=[team for team in state["teams"] if team["held"]],
        busy=league_state.waits_for_coaches(state),
        reviews=Reviews.possible(),
        known=known,
        last_round=league.last_round,
    )


@router.post("/leagues/{league}/begin")
async def begin(league: str, app_state: InHall, holder: Holder) -> Response:
    await app_state.leagues.begin(league, holder)
    return to_league(league)


@router.post("/leagues/{league}/coaches")
async def let_play(league: str, request: Request, app_state: InHall, holder: Holder) -> Response:
    sent = await fields(request)
    await app_state.leagues.let_play(
        league, holder, number(sent, "upto") if sent.get("upto") else 0
    )
    return to_league(league)


@router.post("/leagues/{league}/date")
async def put_off(league: str, request: Request, app_state: InHall, holder: Holder) -> Response:
    sent = await fields(request)
    until = league_state.moment(sent["until"]) if sent.get("until") else None
    await app_state.leagues.put_off(league, holder, days(sent.get("days", "")), until)
    return to_league(league)


@router.post("/leagues/{league}/team")
async def take_team(league: str, request: Request, app_state: InHall, holder: Holder) -> Response:
    sent = await fields(request)
    await app_state.leagues.take(league, known(holder), number(sent, "team"), sent.get("name", ""))
    return to_league(league)


@router.post("/leagues/{league}/leave")
async def leave(league: str, request: Request, app_state: InHall, holder: Holder) -> Response:
    await app_state.leagues.leave(league, known(holder), number(await fields(request), "team"))
    return to_league(league)


@router.post("/leagues/{league}/close")
async def close(league: str, app_state: InHall, holder: Holder) -> Response:
    await app_state.leagues.shut(league, holder)
    return to_league(league)


@router.post("/leagues/{league}/next")
async def next_game(league: str, app_state: InHall, holder: Holder, where: Caller) -> Response:
    table = await app_state.leagues.next_game(league, holder, where)
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/leagues/{league}/game")
async def open_game(
    league: str, request: Request, app_state: InHall, holder: Holder, where: Caller
) -> Response:
    sent = await fields(request)
    table = await app_state.leagues.open_game(league, number(sent, "game"), holder, where)
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/leagues/{league}/invite")
async def invite(league: str, request: Request, app_state: InHall, holder: Holder) -> Response:
    sent = await fields(request)
    team = number(sent, "team") if sent.get("team") else GROUP
    token = await app_state.leagues.invite(league, holder, team)
    link = str(request.url.replace(path="/leagues/join", query="", fragment=token))
    found = await app_state.leagues.find(league)
    return page(
        "league_invited.html",
        title=found.title,
        league=league,
        link=link,
        team=None if team == GROUP else found.entrant(team),
    )


# --- Feeds ---------------------------------------------------------------------------------------


@router.get("/feed")
async def feed_page(app_state: InHall, holder: Holder) -> Response:
    news = (
        await asyncio.to_thread(app_state.feeds.news, holder, app_state.leagues.now())
        if holder
        else []
    )
    has = bool(holder) and await asyncio.to_thread(app_state.feeds.has, holder)
    return _feed_page(news, has, known=bool(holder))


def _feed_page(news: list[Any], has_feed: bool, address: str = "", known: bool = True) -> Response:
    entries = [entry.to_json() for entry in news]
    return page(
        "feed.html",
        title="What is new for you",
        news=entries,
        has=has_feed,
        address=address,
        known=known,
    )


@router.post("/feed")
async def new_feed(request: Request, app_state: InHall, holder: Holder) -> Response:
    """A new address, which is shown this once; or none any more."""
    if (await fields(request)).get("void"):
        await asyncio.to_thread(app_state.feeds.void, known(holder))
        return RedirectResponse("/feed", 303)
    secret = await asyncio.to_thread(app_state.feeds.new, known(holder))
    news = await asyncio.to_thread(app_state.feeds.news, holder, app_state.leagues.now())
    return _feed_page(news, True, feed_address(request, secret))
