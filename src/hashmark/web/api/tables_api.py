"""HTTP API of tables: calls, dice, event streams, sheets and logs; all that the pages can do.

An answer names the moment that it is for. A late or repeated answer gets 409 and changes nothing.
Every other error gets another 4xx with a sentence that explains it.
"""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel

from hashmark.engine import registry
from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.reports import rendering as pages
from hashmark.session.fairness import VerifiedLog, verify_bytes
from hashmark.session.pending import PendingCall
from hashmark.sheets import render, sheet_of
from hashmark.web import tokens
from hashmark.web.api import forms
from hashmark.web.app_state import AppState
from hashmark.web.guards import LOGS_PATH, client_address
from hashmark.web.pages import game_menu, views
from hashmark.web.tables import event_stream
from hashmark.web.tables.odds_panel import OddsPanel
from hashmark.web.tables.table import Forbidden, StaleRequest, Table, Viewer
from hashmark.web.tables.table_request import HINTS_NEVER, TableRequest
from hashmark.web.tables.table_store import OVER, PLAYING

COOKIE_NAME = "hashmark"
STREAM_SUFFIX = "/stream"  # path suffix of the event stream
COOKIE_SECONDS = 400 * 24 * 3600  # seconds that a browser keeps its token


class Refusal(BaseModel):
    """Why something was not done, in one sentence."""

    detail: str


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": Refusal, "description": "Something that was given is wrong."},
    403: {"model": Refusal, "description": "Only somebody else may do this."},
    404: {"model": Refusal, "description": "There is no such table."},
    409: {"model": Refusal, "description": "The moment has passed; nothing has happened."},
    413: {"model": Refusal, "description": "Too large."},
    421: {"model": Refusal, "description": "Called by a foreign name."},
    422: {"model": Refusal, "description": "What was sent cannot be read."},
    429: {"model": Refusal, "description": "Too much, or too often."},
    503: {"model": Refusal, "description": "The database does not answer; nothing has happened."},
}
router = APIRouter(prefix="/api", responses=ERROR_RESPONSES, default_response_class=JSONResponse)
Json = dict[str, Any]


async def get_app_state(request: Request) -> AppState:
    app_state: AppState = request.app.state.hall
    return app_state


def read_token(request: Request) -> str:
    """Return the token in the header or the cookie; empty if there is none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else request.cookies.get(COOKIE_NAME, "")


def get_or_create_token(request: Request) -> tuple[str, str]:
    """Return the requester's token, and a second copy if it has just been created."""
    token = read_token(request)
    if tokens.digest(token):
        return token, ""
    fresh = tokens.new_token()
    return fresh, fresh


async def get_holder(request: Request) -> str:
    """Return the digest of the requester's token; empty if there is none."""
    return tokens.digest(read_token(request))


def get_caller(request: Request) -> str:
    """Return a digest of the client's network address."""
    return tokens.caller_digest(client_address(request.scope))


async def caller_dependency(request: Request) -> str:
    return get_caller(request)


AppStateDep = Annotated[AppState, Depends(get_app_state)]
HolderDep = Annotated[str, Depends(get_holder)]
CallerDep = Annotated[str, Depends(caller_dependency)]


async def get_table(key: str, request: Request) -> Table:
    """Return the table that the URL names."""
    return await (await get_app_state(request)).tables.find(key)


TableDep = Annotated[Table, Depends(get_table)]


async def get_viewer(table: TableDep, request: Request) -> Viewer:
    """Return the requester's role at this table, which is looked up once per request."""
    viewer = table.viewer(await get_holder(request))
    table.resume_autoplay()
    return viewer


ViewerDep = Annotated[Viewer, Depends(get_viewer)]


async def get_table_and_viewer(key: str, request: Request) -> tuple[Table, Viewer]:
    """Return the table that the URL names, and the requester's role there."""
    table = await get_table(key, request)  # called directly: a nested dependency would cost time
    return table, await get_viewer(table, request)


TableAndViewerDep = Annotated[
    tuple[Table, Viewer], Depends(get_table_and_viewer)
]  # both in one dependency


async def table_state(table: Table, viewer: Viewer) -> Json:
    """Return the table's state, once everything that happened has been persisted."""
    async with table.consistent_read():
        return views.table_to_dict(table, viewer)


async def state_response(table: Table, viewer: Viewer) -> Response:
    """Return the table's state as a JSON response, bypassing FastAPI's serialization."""
    return JSONResponse(await table_state(table, viewer))


# --- The most frequent requests: routes are matched in order, so these come first ---------------


@router.post("/tables/{key}/answers", summary="Answer the question of a moment")
async def answer(form: forms.Answer, here: TableAndViewerDep) -> Response:
    table, viewer = here
    await table.answer(viewer, form.moment, form.call)
    return await state_response(table, viewer)


WaitSeconds = Annotated[
    float,
    Query(ge=0, le=30, description="Seconds to wait until you are asked, or the game is over."),
]


@router.get("/tables/{key}", summary="A table as you may see it")
async def one_table(here: TableAndViewerDep, request: Request, wait: WaitSeconds = 0.0) -> Response:
    (table, viewer), app_state = here, await get_app_state(request)
    if not wait or table.is_waiting_for(viewer):
        return await state_response(table, viewer)
    with app_state.stream_limiter.open_stream(get_caller(request)), table.subscribe() as happened:
        until = time.monotonic() + wait
        while not table.is_waiting_for(viewer) and not app_state.closing.is_set():
            happened.clear()
            try:
                await asyncio.wait_for(happened.wait(), max(0.0, until - time.monotonic()))
            except TimeoutError:
                break
    return await state_response(table, viewer)


# --- Games and tables --------------------------------------------------------------------------


@router.get("/games", summary="All games, with options, presets and coaches")
def list_games() -> list[Json]:
    return [game_menu.game_to_dict(rules) for rules in game_menu.all_games()]


@router.get("/games/{rules}", summary="One game")
def one_game(rules: str) -> Json:
    return game_menu.game_to_dict(registry.load(rules))


@router.get("/games/{rules}/picks", summary="What can be picked for an option, such as a team")
def picks(rules: str, app_state: AppStateDep, request: Request) -> list[Json]:
    with app_state.files.allowed(request.query_params):
        return game_menu.list_picks(registry.load(rules), dict(request.query_params))


@router.get("/tables", summary="Games in progress, finished games, and those that are yours")
def list_tables(app_state: AppStateDep, holder: HolderDep) -> Json:
    def rows(stages: tuple[str, ...], whose: str = "") -> list[Json]:
        return [
            game_menu.table_row_to_dict(one) for one in app_state.store.list_tables(stages, whose)
        ]

    return {
        "playing": rows((PLAYING,)),
        "over": rows((OVER,)),
        "yours": rows(("laid", PLAYING, OVER), holder) if holder else [],
    }


@router.post("/tables", status_code=201, summary="Lay a new table")
async def new_table(form: forms.NewTable, app_state: AppStateDep, request: Request) -> Json:
    token, fresh = get_or_create_token(request)
    table_request = TableRequest(**form.model_dump())
    table = await app_state.tables.create(table_request, tokens.digest(token), get_caller(request))
    viewer = table.viewer(tokens.digest(token))
    state = await table_state(table, viewer)
    links = {}
    for team in table.open_seats():
        links[TEAMS[team]] = (
            await app_state.tables.invite(table, viewer, team) if viewer.teams else ""
        )
    return {**state, "token": fresh or None, "invitations": links}


@router.delete("/tables/{key}", status_code=204, summary="Give a game up for good")
async def close_table(table: TableDep, viewer: ViewerDep, app_state: AppStateDep) -> Response:
    await app_state.tables.close_table(table, viewer)
    return Response(status_code=204)


@router.post("/tables/{key}/ready", summary="Say your word for the dice; the game begins after all")
async def ready(form: forms.Word, table: TableDep, viewer: ViewerDep) -> Response:
    await table.set_client_seed(viewer, form.word)
    return await state_response(table, viewer)


@router.post("/tables/{key}/invitations", status_code=201, summary="A link to an open seat")
async def invite(
    form: forms.Which, table: TableDep, viewer: ViewerDep, app_state: AppStateDep
) -> Json:
    return {"invitation": await app_state.tables.invite(table, viewer, TEAMS.index(form.team))}


@router.post("/invitations", summary="What an invitation is for")
async def look_at_invitation(form: forms.Invitation, app_state: AppStateDep) -> Json:
    table, team = await app_state.tables.find_invitation(form.invitation)
    async with table.consistent_read():
        return {**views.table_summary(table, Viewer()), "team": TEAMS[team]}


@router.post("/seats", status_code=201, summary="Take the seat of an invitation")
async def take_seat(form: forms.Invitation, app_state: AppStateDep, request: Request) -> Json:
    token, fresh = get_or_create_token(request)
    table, team = await app_state.tables.take_seat(form.invitation, tokens.digest(token))
    state = await table_state(table, table.viewer(tokens.digest(token)))
    return {**state, "token": fresh or None, "team": TEAMS[team]}


# --- Playing -----------------------------------------------------------------------------------


@router.post("/tables/{key}/rolls", summary="Type in a real die")
async def roll(form: forms.Face, table: TableDep, viewer: ViewerDep) -> Response:
    await table.roll(viewer, form.moment, form.at, form.face)
    return await state_response(table, viewer)


@router.post("/tables/{key}/undo", summary="Take your last call back")
async def undo(form: forms.Moment, table: TableDep, viewer: ViewerDep) -> Response:
    await table.undo(viewer, form.moment)
    return await state_response(table, viewer)


@router.get("/tables/{key}/orders", summary="Your standing orders for windows")
async def list_orders(table: TableDep, viewer: ViewerDep) -> list[Json]:
    async with table.consistent_read():
        return [dict(one) for one in views.standing_orders(table, viewer)]


@router.post("/tables/{key}/orders", summary="Give a standing order")
async def give_order(form: forms.Order, table: TableDep, viewer: ViewerDep) -> list[Json]:
    await table.set_standing_order(viewer, form.when, form.window)
    return [dict(one) for one in views.standing_orders(table, viewer)]


@router.post("/tables/{key}/seats", summary="Hand a seat to a coach, or sit down again")
async def hand_over(form: forms.NewSeat, table: TableDep, viewer: ViewerDep) -> Response:
    await table.assign_seat(viewer, TEAMS.index(form.team), form.who)
    return await state_response(table, viewer)


@router.post("/tables/{key}/rematch", status_code=201, summary="The same again")
async def rematch(
    table: TableDep, viewer: ViewerDep, app_state: AppStateDep, where: CallerDep
) -> Json:
    other = await app_state.tables.rematch(table, viewer, where)
    return await table_state(other, viewer)


# --- Reading -----------------------------------------------------------------------------------


AfterNumber = Annotated[int, Query(ge=0, le=forms.MAX_NUMBER)]


@router.get("/tables/{key}/events", summary="All that has happened after a number")
async def events(table: TableDep, viewer: ViewerDep, after: AfterNumber = 0) -> list[Json]:
    async with table.consistent_read():
        return table.events_since(after, viewer)


@router.get(
    f"/tables/{{key}}{STREAM_SUFFIX}",
    summary="The same as server-sent events, and whatever comes",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def stream(
    table: TableDep,
    viewer: ViewerDep,
    holder: HolderDep,
    app_state: AppStateDep,
    request: Request,
    after: AfterNumber = 0,
) -> StreamingResponse:
    last = request.headers.get("last-event-id", "")
    if last.isascii() and last.isdigit():
        after = min(int(last[:16]), forms.MAX_NUMBER)
    where = get_caller(request)
    app_state.stream_limiter.check(where)
    return StreamingResponse(
        event_stream.stream_events(
            table, viewer, holder, after, app_state.stream_limiter.open_stream(where)
        ),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


async def visible_game(viewer: Viewer, table: Table) -> Game:
    """Return the game as a viewer may see it; it must have begun."""
    table.require_session()
    async with table.consistent_read():
        return table.view_for(viewer)


@router.get("/tables/{key}/history", summary="Every turn, box score, drives and scores")
async def history(table: TableDep, viewer: ViewerDep) -> Json:
    return await asyncio.to_thread(views.game_history, await visible_game(viewer, table))


@router.get("/tables/{key}/figures", summary="Box score, drives and scores as tables for people")
async def figures(table: TableDep, viewer: ViewerDep) -> Json:
    return await asyncio.to_thread(views.stat_tables, await visible_game(viewer, table))


@router.get("/tables/{key}/odds", summary="The odds of your answers, and the best where known")
async def odds(table: TableDep, viewer: ViewerDep, app_state: AppStateDep) -> Json:
    return (await get_odds(table, viewer, app_state)).to_json()


async def get_odds(table: Table, viewer: Viewer, app_state: AppState) -> OddsPanel:
    """Return the odds for the team that is asked, if the table allows hints."""
    table.require_session()
    if table.row.settings["hints"] == HINTS_NEVER:
        raise Forbidden("at this table nobody looks at odds")
    async with table.consistent_read():
        session = table.session
        pending = session.pending_input() if session is not None else None
        if session is None or not isinstance(pending, PendingCall):
            raise StaleRequest("nobody is asked for a call now")
        if pending.team not in viewer.teams:
            raise Forbidden("only who is asked may look at the odds")
        game = session.game
        copy = game.read_only_copy(game.position.copy(), list(game.turns))
    return await app_state.tables.odds_service.compute(table.id, copy)


@router.get("/tables/{key}/check", summary="Make every roll of a finished game again")
async def check(table: TableDep, viewer: ViewerDep) -> Json:
    if not table.is_over:
        raise StaleRequest("the dice can be checked when the game is over")
    raw = (await table.log(viewer)).encode(errors="surrogatepass")
    found = await asyncio.to_thread(_verify_log, table, raw)
    return {**found.to_json(), "sentence": found.message}


def _verify_log(table: Table, raw: bytes) -> VerifiedLog:
    with table.services.files.allowed(table.header.options):
        return verify_bytes(raw, f"table-{table.id}.log")


@router.get(
    "/tables/{key}/log",
    summary="The log: what you may know of it before the end, then the whole",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {}}}},
)
async def download_log(table: TableDep, viewer: ViewerDep) -> Response:
    async with table.lock:
        text = await table.log(viewer)
    name = f"{table.header.rules}-{table.id}.{'log' if table.is_over else 'part.log'}"
    return Response(
        text.encode(errors="surrogatepass"),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


MEDIA_TYPES = {"pdf": "application/pdf", "html": "text/html", "text": "text/plain"}


@router.get(
    "/tables/{key}/sheet",
    summary="The score sheet",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in MEDIA_TYPES.values()}}},
)
async def sheet(
    table: TableDep,
    viewer: ViewerDep,
    form: Literal["pdf", "html", "text"] = "html",
    paper: Literal["a4", "letter"] = "a4",
) -> Response:
    game = await visible_game(viewer, table)
    made = await asyncio.to_thread(lambda: render(sheet_of(game), form, paper))
    return document_response(made, MEDIA_TYPES[form], f"{table.header.rules}-{table.id}.{form}")


def document_response(content: bytes, media: str, name: str) -> Response:
    """Return a standalone document; HTML may use its own inline style and script only."""
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    if media == "text/html":
        headers["Content-Security-Policy"] = (
            f"{pages.content_security_policy()}; frame-ancestors 'none'"
        )
    return Response(content, media_type=media, headers=headers)


@router.get(
    "/tables/{key}/review",
    summary="A finished game as decisions and luck; 202 while it is worked out",
    response_class=Response,
    responses={200: {"content": {"text/html": {}}}, 202: {"model": Refusal}},
)
async def review(table: TableDep, viewer: ViewerDep, app_state: AppStateDep) -> Response:
    if not table.is_over:
        raise StaleRequest("a game is reviewed when it is over")
    beside = await asyncio.to_thread(app_state.uploaded_charts.directory, table.header.options)
    task = app_state.reviews.request(table.id, await table.log(viewer), beside)
    if not task.done():
        return Response('{"detail": "the game is being reviewed"}', 202, media_type=JSON_TYPE)
    return document_response(
        task.result(), "text/html", f"{table.header.rules}-{table.id}-review.html"
    )


JSON_TYPE = "application/json"


@router.post(
    LOGS_PATH.removeprefix("/api"),
    status_code=201,
    summary="Bring a game log; the body is the file",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
)
async def bring_log(request: Request, app_state: AppStateDep) -> Json:
    token, fresh = get_or_create_token(request)
    raw = await request.body()
    if not raw:
        raise HashmarkError("the body must be a game log")
    table = await app_state.tables.import_log(raw, tokens.digest(token), get_caller(request))
    return {**await table_state(table, table.viewer(tokens.digest(token))), "token": fresh or None}
