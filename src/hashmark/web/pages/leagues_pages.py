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

from hashmark.engine.options import parse_int
from hashmark.errors import HashmarkError
from hashmark.web import game_menu, tokens
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import (
    AppStateDep,
    CallerDep,
    HolderDep,
    feed_url,
    get_or_create_token,
    require_token,
)
from hashmark.web.leagues import league_state
from hashmark.web.leagues.league import (
    HINTS,
    MAX_TEAMS,
    REAL_TEAMS_GAME,
    League,
    Terms,
    check_days,
    playable_seasons,
    team_number,
    teams_by_division,
)
from hashmark.web.leagues.league_store import ANY_FREE_TEAM
from hashmark.web.leagues.leagues import LeagueRequest
from hashmark.web.pages import rendering
from hashmark.web.pages.form_data import FormFields, parse_form, parse_number
from hashmark.web.pages.table_pages import html_response, redirect_with_token
from hashmark.web.seasons import season_view
from hashmark.web.tables.review_queue import ReviewQueue

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
QUARTER_MINUTES = (15, 10, 5, 2)  # minutes, the default first


def redirect_to_league(key: str) -> Response:
    return RedirectResponse(f"/leagues/{key}", 303)


# --- All leagues, and new ones -------------------------------------------------------------------


@router.get("/leagues")
async def all_leagues(app_state: AppStateDep, holder: HolderDep) -> Response:
    return HTMLResponse(await asyncio.to_thread(_all_leagues, app_state, holder))


def _all_leagues(app_state: AppState, holder: str) -> str:
    rows = app_state.leagues.store
    with app_state.files.allowed():
        seasons = playable_seasons()
    return rendering.render_page(
        "leagues.html",
        title="Leagues",
        yours=[league_state.league_row_to_dict(item) for item in rows.list_leagues(holder)]
        if holder
        else [],
        listed=[league_state.league_row_to_dict(item) for item in rows.list_leagues()],
        seasons=seasons,
        games=[item for item in game_menu.all_games() if not item.is_solo(item.new_match())],
        has_feed=bool(holder) and app_state.feeds.has_feed(holder),
        known=bool(holder),
    )


@router.get("/leagues/new")
async def new_league(app_state: AppStateDep, request: Request) -> Response:
    return HTMLResponse(await asyncio.to_thread(_new_league, app_state, dict(request.query_params)))


def _new_league(app_state: AppState, query: Mapping[str, str]) -> str:
    rules = Terms(query.get("rules", REAL_TEAMS_GAME)).load_game()
    with app_state.files.allowed():
        seasons = playable_seasons() if rules.name == REAL_TEAMS_GAME else []
        requested = parse_int(query.get("season", ""))
        season = (requested if requested in seasons else seasons[-1]) if seasons else None
        divisions = teams_by_division(season) if season is not None else []
    return rendering.render_page(
        "league_new.html",
        title="Play a season" if query.get("kind") == "season" else "New league",
        real=query.get("kind") == "season" and season is not None,
        rules=rules,
        season=season,
        seasons=seasons,
        divisions=divisions,
        quarters=QUARTER_MINUTES if season is not None else (),
        most=MAX_TEAMS,
        chosen=_preselected_team(query.get("team", "")),
    )


def _preselected_team(team: str) -> str:
    """Return the code of the team that the URL preselects; empty if there is none."""
    with suppress(HashmarkError):
        return season_view.parse_team(team)
    return ""


@router.post("/leagues")
async def create_league(request: Request, app_state: AppStateDep, caller: CallerDep) -> Response:
    fields = await parse_form(request)
    token, _ = get_or_create_token(request)
    league_request = await asyncio.to_thread(parse_league_request, app_state, fields)
    league = await app_state.leagues.create(league_request, tokens.digest(token), caller)
    return redirect_with_token(request, f"/leagues/{league.id}", token)


def parse_league_request(app_state: AppState, fields: FormFields) -> LeagueRequest:
    """Parse the form for a new league."""
    real, season = fields.get("real") == "on", None
    if fields.get("season"):
        season = parse_number(fields, "season")
    codes = [name.removeprefix("team-") for name in fields if name.startswith("team-")]
    typed = [line.strip() for line in fields.get("teams", "").splitlines() if line.strip()]
    options = {}
    if fields.get("quarter") and parse_number(fields, "quarter") != QUARTER_MINUTES[0]:
        options["quarter_seconds"] = 60 * parse_number(fields, "quarter")
    terms = Terms(
        rules=fields.get("rules", ""),
        season=season,
        real=real,
        legs=parse_number(fields, "legs") if fields.get("legs") else 1,
        options=options,
        days=parse_days(fields.get("days", "")),
        hints=fields.get("hints", HINTS[0]),
    )
    with app_state.files.allowed():
        own = [team_number(code) for code in codes] if real else []
    return LeagueRequest(
        title=fields.get("title", "").strip(),
        terms=terms,
        teams=[] if real else codes or typed,
        own=own,
        friend=fields.get("name", "").strip(),
        listed=fields.get("listed") == "on",
        begin=fields.get("begin") == "on",
    )


def parse_days(text: str) -> float | None:
    """Parse a number of days; None if the field is empty."""
    if not text.strip():
        return None
    try:
        return check_days(float(text))
    except (ValueError, OverflowError):
        raise HashmarkError("days: expected a number, such as 3") from None


# --- Joining a league ----------------------------------------------------------------------------


@router.get("/leagues/join")
def join_page() -> Response:
    return html_response("league_join.html", title="League invitation")


@router.post("/leagues/join")
async def join(request: Request, app_state: AppStateDep) -> Response:
    fields = await parse_form(request)
    token, _ = get_or_create_token(request)
    team = parse_number(fields, "team") if fields.get("team") else None
    invitation, name = fields.get("invitation", ""), fields.get("name", "")
    league = await app_state.leagues.join(invitation, tokens.digest(token), team, name)
    return redirect_with_token(request, f"/leagues/{league.id}", token)


# --- One league ----------------------------------------------------------------------------------


@router.get("/leagues/{league}")
async def league_page(league: str, app_state: AppStateDep, holder: HolderDep) -> Response:
    loaded = await app_state.leagues.find(league)
    state = await app_state.leagues.describe(loaded, holder)
    return HTMLResponse(await asyncio.to_thread(_league_page, loaded, state, bool(holder)))


def _league_page(league: League, state: Mapping[str, Any], known: bool) -> str:
    return rendering.render_page(
        "league.html",
        title=league.title,
        league=state,
        teams=state["teams"],
        free=[team for team in state["teams"] if not team["held"]],
        held=[team for team in state["teams"] if team["held"]],
        busy=league_state.is_waiting_for_coaches(state),
        reviews=ReviewQueue.is_available(),
        known=known,
        last_round=league.last_round,
    )


@router.post("/leagues/{league}/begin")
async def start_league(league: str, app_state: AppStateDep, holder: HolderDep) -> Response:
    await app_state.leagues.start(league, holder)
    return redirect_to_league(league)


@router.post("/leagues/{league}/coaches")
async def leave_to_coaches(
    league: str, request: Request, app_state: AppStateDep, holder: HolderDep
) -> Response:
    fields = await parse_form(request)
    await app_state.leagues.leave_to_coaches(
        league, holder, parse_number(fields, "upto") if fields.get("upto") else 0
    )
    return redirect_to_league(league)


@router.post("/leagues/{league}/date")
async def postpone_round(
    league: str, request: Request, app_state: AppStateDep, holder: HolderDep
) -> Response:
    fields = await parse_form(request)
    until = league_state.parse_date(fields["until"]) if fields.get("until") else None
    await app_state.leagues.postpone(league, holder, parse_days(fields.get("days", "")), until)
    return redirect_to_league(league)


@router.post("/leagues/{league}/team")
async def take_team(
    league: str, request: Request, app_state: AppStateDep, holder: HolderDep
) -> Response:
    fields = await parse_form(request)
    await app_state.leagues.take_team(
        league, require_token(holder), parse_number(fields, "team"), fields.get("name", "")
    )
    return redirect_to_league(league)


@router.post("/leagues/{league}/leave")
async def leave_team(
    league: str, request: Request, app_state: AppStateDep, holder: HolderDep
) -> Response:
    await app_state.leagues.leave_team(
        league, require_token(holder), parse_number(await parse_form(request), "team")
    )
    return redirect_to_league(league)


@router.post("/leagues/{league}/close")
async def close_league(league: str, app_state: AppStateDep, holder: HolderDep) -> Response:
    await app_state.leagues.close_league(league, holder)
    return redirect_to_league(league)


@router.post("/leagues/{league}/next")
async def next_game(
    league: str, app_state: AppStateDep, holder: HolderDep, caller: CallerDep
) -> Response:
    table = await app_state.leagues.next_game(league, holder, caller)
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/leagues/{league}/game")
async def open_game(
    league: str, request: Request, app_state: AppStateDep, holder: HolderDep, caller: CallerDep
) -> Response:
    fields = await parse_form(request)
    table = await app_state.leagues.open_game(league, parse_number(fields, "game"), holder, caller)
    return RedirectResponse(f"/table/{table.id}", 303)


@router.post("/leagues/{league}/invite")
async def invite(
    league: str, request: Request, app_state: AppStateDep, holder: HolderDep
) -> Response:
    fields = await parse_form(request)
    team = parse_number(fields, "team") if fields.get("team") else ANY_FREE_TEAM
    token = await app_state.leagues.invite(league, holder, team)
    link = str(request.url.replace(path="/leagues/join", query="", fragment=token))
    loaded = await app_state.leagues.find(league)
    return html_response(
        "league_invited.html",
        title=loaded.title,
        league=league,
        link=link,
        team=None if team == ANY_FREE_TEAM else loaded.entrant(team),
    )


# --- Feeds ---------------------------------------------------------------------------------------


@router.get("/feed")
async def feed_page(app_state: AppStateDep, holder: HolderDep) -> Response:
    news = (
        await asyncio.to_thread(app_state.feeds.entries, holder, app_state.leagues.now())
        if holder
        else []
    )
    has_feed = bool(holder) and await asyncio.to_thread(app_state.feeds.has_feed, holder)
    return _feed_page(news, has_feed, known=bool(holder))


def _feed_page(news: list[Any], has_feed: bool, address: str = "", known: bool = True) -> Response:
    entries = [entry.to_json() for entry in news]
    return html_response(
        "feed.html",
        title="What’s new",
        news=entries,
        has_feed=has_feed,
        address=address,
        known=known,
    )


@router.post("/feed")
async def new_feed(request: Request, app_state: AppStateDep, holder: HolderDep) -> Response:
    """A new address, which is shown this once; or none any more."""
    if (await parse_form(request)).get("void"):
        await asyncio.to_thread(app_state.feeds.delete, require_token(holder))
        return RedirectResponse("/feed", 303)
    secret = await asyncio.to_thread(app_state.feeds.create, require_token(holder))
    news = await asyncio.to_thread(app_state.feeds.entries, holder, app_state.leagues.now())
    return _feed_page(news, True, feed_url(request, secret))
