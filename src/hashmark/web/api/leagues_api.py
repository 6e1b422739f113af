"""HTTP API of leagues, with all that their pages can do, and the feed of a player."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from hashmark.web import tokens
from hashmark.web.api import league_forms as forms
from hashmark.web.api.tables_api import (
    ERROR_RESPONSES,
    AppStateDep,
    CallerDep,
    HolderDep,
    Json,
    get_or_create_token,
    state_response,
)
from hashmark.web.app_state import AppState
from hashmark.web.leagues import league_state as views
from hashmark.web.leagues.feeds import render_atom
from hashmark.web.leagues.league import League, Terms
from hashmark.web.leagues.league_store import ANY_FREE_TEAM
from hashmark.web.leagues.leagues import LeagueRequest
from hashmark.web.tables.table import Forbidden, NotFound

ATOM_TYPE = "application/atom+xml"
router = APIRouter(prefix="/api", responses=ERROR_RESPONSES, default_response_class=JSONResponse)
feed_router = APIRouter(include_in_schema=False)


async def league_data(app_state: AppState, league: League, holder: str) -> Json:
    """Return a league as data for the requester."""

    def load() -> Json:
        with app_state.files.allowed():
            return views.league_to_dict(
                league, holder, app_state.leagues.store.table_statuses(league.id)
            )

    return await asyncio.to_thread(load)


def require_token(holder: str) -> str:
    """Return the holder, or raise Forbidden if the requester has no token."""
    if not holder:
        raise Forbidden("who wants this must have a token: make a league, or come by a link")
    return holder


@router.get("/leagues", summary="Your leagues, and those that are listed")
def list_leagues(app_state: AppStateDep, holder: HolderDep) -> Json:
    rows = app_state.leagues.store
    return {
        "yours": [views.league_row_to_dict(one) for one in rows.list_leagues(holder)]
        if holder
        else [],
        "listed": [views.league_row_to_dict(one) for one in rows.list_leagues()],
    }


@router.post("/leagues", status_code=201, summary="A new league; you are its commissioner")
async def new_league(
    form: forms.NewLeague, app_state: AppStateDep, request: Request, where: CallerDep
) -> Json:
    token, fresh = get_or_create_token(request)
    terms = Terms(
        rules=form.rules,
        season=form.season,
        real=form.real,
        legs=form.legs,
        options=form.options,
        days=form.days,
        hints=form.hints,
    )
    league_request = LeagueRequest(
        form.title, terms, form.teams, form.own, form.name, form.listed, form.begin
    )
    holder = tokens.digest(token)
    league = await app_state.leagues.create(league_request, holder, where)
    return {**await league_data(app_state, league, holder), "token": fresh or None}


@router.get("/leagues/{league}", summary="A league: standings, rounds, what is next for you")
async def one_league(league: str, app_state: AppStateDep, holder: HolderDep) -> Json:
    return await league_data(app_state, await app_state.leagues.find(league), holder)


@router.delete("/leagues/{league}", status_code=204, summary="Close a league for good")
async def close_league(league: str, app_state: AppStateDep, holder: HolderDep) -> Response:
    await app_state.leagues.close_league(league, holder)
    return Response(status_code=204)


@router.post("/leagues/{league}/begin", summary="The first round is on")
async def begin(league: str, app_state: AppStateDep, holder: HolderDep) -> Json:
    return await league_data(app_state, await app_state.leagues.start(league, holder), holder)


@router.post("/leagues/{league}/coaches", summary="Leave what is left of a round to the coaches")
async def let_play(
    league: str, form: forms.LetPlay, app_state: AppStateDep, holder: HolderDep
) -> Json:
    return await league_data(
        app_state, await app_state.leagues.leave_to_coaches(league, holder, form.upto), holder
    )


@router.post("/leagues/{league}/date", summary="Another date for the round that is on")
async def put_off(
    league: str, form: forms.PutOff, app_state: AppStateDep, holder: HolderDep
) -> Json:
    until = None if form.until is None else views.parse_date(form.until)
    changed = await app_state.leagues.postpone(league, holder, form.days, until)
    return await league_data(app_state, changed, holder)


@router.post("/leagues/{league}/invitations", status_code=201, summary="A link to a team")
async def invite(
    league: str, form: forms.Invite, app_state: AppStateDep, holder: HolderDep
) -> Json:
    team = ANY_FREE_TEAM if form.team is None else form.team
    return {"invitation": await app_state.leagues.invite(league, holder, team)}


@router.post("/leagues/{league}/teams", summary="Take a free team for yourself")
async def take_team(
    league: str, form: forms.TakeTeam, app_state: AppStateDep, holder: HolderDep
) -> Json:
    taken = await app_state.leagues.take_team(league, require_token(holder), form.team, form.name)
    return await league_data(app_state, taken, holder)


@router.post("/leagues/{league}/leave", summary="Give a team up, or take it back: its coach plays")
async def leave(
    league: str, form: forms.WhichTeam, app_state: AppStateDep, holder: HolderDep
) -> Json:
    left = await app_state.leagues.leave_team(league, require_token(holder), form.team)
    return await league_data(app_state, left, holder)


@router.post("/leagues/{league}/next", summary="The table of your next game")
async def next_game(
    league: str, app_state: AppStateDep, holder: HolderDep, where: CallerDep
) -> Response:
    table = await app_state.leagues.next_game(league, require_token(holder), where)
    return await state_response(table, table.viewer(holder))


@router.post("/leagues/{league}/games/{number}", summary="The table of a game")
async def open_game(
    league: str, number: int, app_state: AppStateDep, holder: HolderDep, where: CallerDep
) -> Response:
    table = await app_state.leagues.open_game(league, number, holder, where)
    return await state_response(table, table.viewer(holder))


@router.post("/league-invitations", summary="What an invitation to a league is for")
async def look_at_invitation(form: forms.Join, app_state: AppStateDep) -> Json:
    return views.invitation_to_dict(*await app_state.leagues.invitation(form.invitation))


@router.post("/league-seats", status_code=201, summary="Take a team by an invitation")
async def join(form: forms.Join, app_state: AppStateDep, request: Request) -> Json:
    token, fresh = get_or_create_token(request)
    holder = tokens.digest(token)
    league = await app_state.leagues.join(form.invitation, holder, form.team, form.name)
    return {**await league_data(app_state, league, holder), "token": fresh or None}


# --- Feeds -------------------------------------------------------------------------------------


@router.get("/news", summary="What you should know: turns, results, rounds, dates")
async def news(app_state: AppStateDep, holder: HolderDep) -> list[Json]:
    if not holder:
        return []
    found = await asyncio.to_thread(app_state.feeds.entries, holder, app_state.leagues.now())
    return [one.to_json() for one in found]


@router.post("/feeds", status_code=201, summary="An address for your feed; the one before is void")
async def new_feed(app_state: AppStateDep, holder: HolderDep, request: Request) -> Json:
    secret = await asyncio.to_thread(app_state.feeds.create, require_token(holder))
    return {"feed": feed_url(request, secret)}


@router.delete("/feeds", status_code=204, summary="Nobody may read your feed any more")
async def void_feed(app_state: AppStateDep, holder: HolderDep) -> Response:
    await asyncio.to_thread(app_state.feeds.delete, require_token(holder))
    return Response(status_code=204)


def feed_url(request: Request, secret: str) -> str:
    return str(request.url.replace(path=f"/feeds/{secret}", query="", fragment=""))


@feed_router.get("/feeds/{secret}", response_class=Response)
async def feed(secret: str, app_state: AppStateDep, request: Request) -> Response:
    """The feed of whoever the secret belongs to, as Atom."""
    holder = await asyncio.to_thread(app_state.feeds.holder_of, secret)
    if holder is None:
        raise NotFound("there is no such feed, or its address was changed")
    found = await asyncio.to_thread(app_state.feeds.entries, holder, app_state.leagues.now())
    site = str(request.url.replace(path="", query="", fragment=""))
    return Response(render_atom(found, site, feed_url(request, secret)), media_type=ATOM_TYPE)
