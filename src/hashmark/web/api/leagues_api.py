"""HTTP API of leagues, with all that their pages can do, and the feed of a player."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from hashmark.web import tokens
from hashmark.web.api import league_forms
from hashmark.web.api.tables_api import state_response
from hashmark.web.dependencies import (
    ERROR_RESPONSES,
    AppStateDep,
    CallerDep,
    HolderDep,
    Json,
    feed_url,
    get_or_create_token,
    require_token,
)
from hashmark.web.leagues import league_state
from hashmark.web.leagues.feeds import render_atom
from hashmark.web.leagues.league import Terms
from hashmark.web.leagues.league_store import ANY_FREE_TEAM
from hashmark.web.leagues.leagues import LeagueRequest
from hashmark.web.request_limits import JsonRoute
from hashmark.web.tables.table import NotFound

ATOM_TYPE = "application/atom+xml"
router = APIRouter(
    prefix="/api",
    responses=ERROR_RESPONSES,
    default_response_class=JSONResponse,
    route_class=JsonRoute,
)
feed_router = APIRouter(include_in_schema=False)


@router.get("/leagues", summary="Your leagues and public leagues")
def list_leagues(app_state: AppStateDep, holder: HolderDep) -> Json:
    store = app_state.leagues.store
    return {
        "yours": [league_state.league_row_to_dict(row) for row in store.list_leagues(holder)]
        if holder
        else [],
        "listed": [league_state.league_row_to_dict(row) for row in store.list_leagues()],
    }


@router.post("/leagues", status_code=201, summary="Create a league; you become its commissioner")
async def new_league(
    form: league_forms.NewLeague, app_state: AppStateDep, request: Request, caller: CallerDep
) -> Json:
    token, new_token = get_or_create_token(request)
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
    league = await app_state.leagues.create(league_request, holder, caller)
    return {**await app_state.leagues.describe(league, holder), "token": new_token or None}


@router.get("/leagues/{league}", summary="A league: standings, rounds and your next game")
async def read_league(league: str, app_state: AppStateDep, holder: HolderDep) -> Json:
    return await app_state.leagues.describe(await app_state.leagues.find(league), holder)


@router.delete("/leagues/{league}", status_code=204, summary="Close a league permanently")
async def close_league(league: str, app_state: AppStateDep, holder: HolderDep) -> Response:
    await app_state.leagues.close_league(league, holder)
    return Response(status_code=204)


@router.post("/leagues/{league}/begin", summary="Start the first round")
async def start_league(league: str, app_state: AppStateDep, holder: HolderDep) -> Json:
    return await app_state.leagues.describe(await app_state.leagues.start(league, holder), holder)


@router.post("/leagues/{league}/coaches", summary="Let coaches finish a round")
async def leave_to_coaches(
    league: str, form: league_forms.CoachedRounds, app_state: AppStateDep, holder: HolderDep
) -> Json:
    return await app_state.leagues.describe(
        await app_state.leagues.leave_to_coaches(league, holder, form.upto), holder
    )


@router.post("/leagues/{league}/date", summary="Change the deadline of the current round")
async def postpone_round(
    league: str, form: league_forms.Postponement, app_state: AppStateDep, holder: HolderDep
) -> Json:
    until = None if form.until is None else league_state.parse_date(form.until)
    new_state = await app_state.leagues.postpone(league, holder, form.days, until)
    return await app_state.leagues.describe(new_state, holder)


@router.post("/leagues/{league}/invitations", status_code=201, summary="Create a team invitation")
async def invite(
    league: str, form: league_forms.TeamInvitation, app_state: AppStateDep, holder: HolderDep
) -> Json:
    team = ANY_FREE_TEAM if form.team is None else form.team
    return {"invitation": await app_state.leagues.invite(league, holder, team)}


@router.post("/leagues/{league}/teams", summary="Take a free team")
async def take_team(
    league: str, form: league_forms.TeamClaim, app_state: AppStateDep, holder: HolderDep
) -> Json:
    new_state = await app_state.leagues.take_team(
        league, require_token(holder), form.team, form.name
    )
    return await app_state.leagues.describe(new_state, holder)


@router.post("/leagues/{league}/leave", summary="Hand a team over to its coach")
async def leave_team(
    league: str, form: league_forms.LeagueTeam, app_state: AppStateDep, holder: HolderDep
) -> Json:
    new_state = await app_state.leagues.leave_team(league, require_token(holder), form.team)
    return await app_state.leagues.describe(new_state, holder)


@router.post("/leagues/{league}/next", summary="Open the table of your next game")
async def next_game(
    league: str, app_state: AppStateDep, holder: HolderDep, caller: CallerDep
) -> Response:
    table = await app_state.leagues.next_game(league, require_token(holder), caller)
    return await state_response(table, table.viewer(holder))


@router.post("/leagues/{league}/games/{number}", summary="Open the table of a game")
async def open_game(
    league: str, number: int, app_state: AppStateDep, holder: HolderDep, caller: CallerDep
) -> Response:
    table = await app_state.leagues.open_game(league, number, holder, caller)
    return await state_response(table, table.viewer(holder))


@router.post("/league-invitations", summary="Look up an invitation to a league")
async def describe_invitation(form: league_forms.JoinRequest, app_state: AppStateDep) -> Json:
    return league_state.invitation_to_dict(*await app_state.leagues.invitation(form.invitation))


@router.post("/league-seats", status_code=201, summary="Accept an invitation and take a team")
async def join(form: league_forms.JoinRequest, app_state: AppStateDep, request: Request) -> Json:
    token, new_token = get_or_create_token(request)
    holder = tokens.digest(token)
    league = await app_state.leagues.join(form.invitation, holder, form.team, form.name)
    return {**await app_state.leagues.describe(league, holder), "token": new_token or None}


# --- Feeds -------------------------------------------------------------------------------------


@router.get("/news", summary="Your news: turns, results, rounds and deadlines")
async def news(app_state: AppStateDep, holder: HolderDep) -> list[Json]:
    if not holder:
        return []
    entries = await asyncio.to_thread(app_state.feeds.entries, holder, app_state.leagues.now())
    return [entry.to_json() for entry in entries]


@router.post("/feeds", status_code=201, summary="Create a feed link and disable the old one")
async def new_feed(app_state: AppStateDep, holder: HolderDep, request: Request) -> Json:
    secret = await asyncio.to_thread(app_state.feeds.create, require_token(holder))
    return {"feed": feed_url(request, secret)}


@router.delete("/feeds", status_code=204, summary="Disable your feed link")
async def delete_feed(app_state: AppStateDep, holder: HolderDep) -> Response:
    await asyncio.to_thread(app_state.feeds.delete, require_token(holder))
    return Response(status_code=204)


@feed_router.get("/feeds/{secret}", response_class=Response)
async def feed(secret: str, app_state: AppStateDep, request: Request) -> Response:
    """The feed of whoever the secret belongs to, as Atom."""
    holder = await asyncio.to_thread(app_state.feeds.holder_of, secret)
    if holder is None:
        raise NotFound("no such feed, or its link has changed")
    entries = await asyncio.to_thread(app_state.feeds.entries, holder, app_state.leagues.now())
    site = str(request.url.replace(path="", query="", fragment=""))
    return Response(render_atom(entries, site, feed_url(request, secret)), media_type=ATOM_TYPE)
