"""HTTP API of leagues, with all that their pages can do, and the feed of a player."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from hashmark.club import league_state as views
from hashmark.club.leagues import League, Terms
from hashmark.web import league_forms as forms
from hashmark.web import tokens
from hashmark.web.api import WRONG, Caller, Holder, InHall, Json, said, token_or_new
from hashmark.web.feeds import atom
from hashmark.web.hall import Hall
from hashmark.web.league_store import GROUP
from hashmark.web.leagues import LeagueWish
from hashmark.web.tables import NotThere, NotYours

FEED = "application/atom+xml"
router = APIRouter(prefix="/api", responses=WRONG, default_response_class=JSONResponse)
feeds = APIRouter(include_in_schema=False)


async def shown(app_state: Hall, league: League, holder: str) -> Json:
    """Return a league as data for the requester."""

    def load() -> Json:
        with app_state.looking_for_files():
            return views.state(league, holder, app_state.leagues.rows.laid(league.id))

    return await asyncio.to_thread(load)


def known(holder: str) -> str:
    """Return the holder, or raise NotYours if the requester has no token."""
    if not holder:
        raise NotYours("who wants this must have a token: make a league, or come by a link")
    return holder


@router.get("/leagues", summary="Your leagues, and those that are listed")
def list_leagues(app_state: InHall, holder: Holder) -> Json:
    rows = app_state.leagues.rows
    return {
        "yours": [views.row(one) for one in rows.listed(holder)] if holder else [],
        "listed": [views.row(one) for one in rows.listed()],
    }


@router.post("/leagues", status_code=201, summary="A new league; you are its commissioner")
async def new_league(
    form: forms.NewLeague, app_state: InHall, request: Request, where: Caller
) -> Json:
    token, fresh = token_or_new(request)
    terms = Terms(
        rules=form.rules,
        season=form.season,
        real=form.real,
        legs=form.legs,
        options=form.options,
        days=form.days,
        hints=form.hints,
    )
    league_request = LeagueWish(
        form.title, terms, form.teams, form.own, form.name, form.listed, form.begin
    )
    holder = tokens.digest(token)
    league = await app_state.leagues.make(league_request, holder, where)
    return {**await shown(app_state, league, holder), "token": fresh or None}


@router.get("/leagues/{league}", summary="A league: standings, rounds, what is next for you")
async def one_league(league: str, app_state: InHall, holder: Holder) -> Json:
    return await shown(app_state, await app_state.leagues.find(league), holder)


@router.delete("/leagues/{league}", status_code=204, summary="Close a league for good")
async def close_league(league: str, app_state: InHall, holder: Holder) -> Response:
    await app_state.leagues.shut(league, holder)
    return Response(status_code=204)


@router.post("/leagues/{league}/begin", summary="The first round is on")
async def begin(league: str, app_state: InHall, holder: Holder) -> Json:
    return await shown(app_state, await app_state.leagues.begin(league, holder), holder)


@router.post("/leagues/{league}/coaches", summary="Leave what is left of a round to the coaches")
async def let_play(league: str, form: forms.LetPlay, app_state: InHall, holder: Holder) -> Json:
    return await shown(
        app_state, await app_state.leagues.let_play(league, holder, form.upto), holder
    )


@router.post("/leagues/{league}/date", summary="Another date for the round that is on")
async def put_off(league: str, form: forms.PutOff, app_state: InHall, holder: Holder) -> Json:
    until = None if form.until is None else views.moment(form.until)
    changed = await app_state.leagues.put_off(league, holder, form.days, until)
    return await shown(app_state, changed, holder)


@router.post("/leagues/{league}/invitations", status_code=201, summary="A link to a team")
async def invite(league: str, form: forms.Invite, app_state: InHall, holder: Holder) -> Json:
    team = GROUP if form.team is None else form.team
    return {"invitation": await app_state.leagues.invite(league, holder, team)}


@router.post("/leagues/{league}/teams", summary="Take a free team for yourself")
async def take_team(league: str, form: forms.TakeTeam, app_state: InHall, holder: Holder) -> Json:
    taken = await app_state.leagues.take(league, known(holder), form.team, form.name)
    return await shown(app_state, taken, holder)


@router.post("/leagues/{league}/leave", summary="Give a team up, or take it back: its coach plays")
async def leave(league: str, form: forms.WhichTeam, app_state: InHall, holder: Holder) -> Json:
    left = await app_state.leagues.leave(league, known(holder), form.team)
    return await shown(app_state, left, holder)


@router.post("/leagues/{league}/next", summary="The table of your next game")
async def next_game(league: str, app_state: InHall, holder: Holder, where: Caller) -> Response:
    table = await app_state.leagues.next_game(league, known(holder), where)
    return await said(table, table.viewer(holder))


@router.post("/leagues/{league}/games/{number}", summary="The table of a game")
async def open_game(
    league: str, number: int, app_state: InHall, holder: Holder, where: Caller
) -> Response:
    table = await app_state.leagues.open_game(league, number, holder, where)
    return await said(table, table.viewer(holder))


@router.post("/league-invitations", summary="What an invitation to a league is for")
async def look_at_invitation(form: forms.Join, app_state: InHall) -> Json:
    return views.about(*await app_state.leagues.invitation(form.invitation))


@router.post("/league-seats", status_code=201, summary="Take a team by an invitation")
async def join(form: forms.Join, app_state: InHall, request: Request) -> Json:
    token, fresh = token_or_new(request)
    holder = tokens.digest(token)
    league = await app_state.leagues.join(form.invitation, holder, form.team, form.name)
    return {**await shown(app_state, league, holder), "token": fresh or None}


# --- Feeds -------------------------------------------------------------------------------------


@router.get("/news", summary="What you should know: turns, results, rounds, dates")
async def news(app_state: InHall, holder: Holder) -> list[Json]:
    if not holder:
        return []
    found = await asyncio.to_thread(app_state.feeds.news, holder, app_state.leagues.now())
    return [one.to_json() for one in found]


@router.post("/feeds", status_code=201, summary="An address for your feed; the one before is void")
async def new_feed(app_state: InHall, holder: Holder, request: Request) -> Json:
    secret = await asyncio.to_thread(app_state.feeds.new, known(holder))
    return {"feed": feed_address(request, secret)}


@router.delete("/feeds", status_code=204, summary="Nobody may read your feed any more")
async def void_feed(app_state: InHall, holder: Holder) -> Response:
    await asyncio.to_thread(app_state.feeds.void, known(holder))
    return Response(status_code=204)


def feed_address(request: Request, secret: str) -> str:
    return str(request.url.replace(path=f"/feeds/{secret}", query="", fragment=""))


@feeds.get("/feeds/{secret}", response_class=Response)
async def feed(secret: str, app_state: InHall, request: Request) -> Response:
    """The feed of whoever the secret belongs to, as Atom."""
    holder = await asyncio.to_thread(app_state.feeds.holder_of, secret)
    if holder is None:
        raise NotThere("there is no such feed, or its address was changed")
    found = await asyncio.to_thread(app_state.feeds.news, holder, app_state.leagues.now())
    site = str(request.url.replace(path="", query="", fragment=""))
    return Response(atom(found, site, feed_address(request, secret)), media_type=FEED)
