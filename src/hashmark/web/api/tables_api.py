"""HTTP API of tables: calls, dice, event streams, sheets and logs; all that the pages can do.

An answer names the moment that it is for. A late or repeated answer gets 409 and changes nothing.
Every other error gets another 4xx with a sentence that explains it.
"""

from __future__ import annotations

import asyncio
import gzip
from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from hashmark.engine import registry
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.reports import rendering
from hashmark.session.fairness import VerifiedLog, verify_bytes
from hashmark.sheets import render, sheet_of
from hashmark.web import game_menu, tokens, views
from hashmark.web.api import forms
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import (
    ERROR_RESPONSES,
    STREAM_SUFFIX,
    AppStateDep,
    CallerDep,
    HolderDep,
    Json,
    Refusal,
    TableAndViewerDep,
    TableDep,
    ViewerDep,
    get_app_state,
    get_caller,
    get_or_create_token,
    raw_body,
)
from hashmark.web.guards import LOGS_PATH
from hashmark.web.request_limits import JsonRoute
from hashmark.web.tables import event_stream
from hashmark.web.tables.event_stream import FollowedTable
from hashmark.web.tables.table import NotFound, StaleRequest, Table, Viewer
from hashmark.web.tables.table_request import TableRequest
from hashmark.web.tables.table_store import NOT_STARTED, OVER, PLAYING, TableGone

MIN_COMPRESSED_BYTES = 100_000  # a shorter body is compressed on the event loop

router = APIRouter(
    prefix="/api",
    responses=ERROR_RESPONSES,
    default_response_class=JSONResponse,
    route_class=JsonRoute,
)


async def table_state(table: Table, viewer: Viewer) -> Json:
    """Return the table's state, once everything that happened has been persisted."""
    async with table.consistent_read():
        return views.table_to_dict(table, viewer)


async def state_response(table: Table, viewer: Viewer) -> Response:
    """Return the table's state as a JSON response, bypassing FastAPI's serialization."""
    return JSONResponse(await table_state(table, viewer))


# --- The most frequent requests: routes are matched in order, so these come first ---------------


@router.post("/tables/{key}/answers", summary="Make the call for a moment")
async def answer(form: forms.Answer, table_and_viewer: TableAndViewerDep) -> Response:
    table, viewer = table_and_viewer
    await table.answer(viewer, form.moment, form.call)
    return await state_response(table, viewer)


WaitSeconds = Annotated[
    float,
    Query(ge=0, le=30, description="Seconds to wait until it is your turn or the game is over."),
]


@router.get("/tables/{key}", summary="A table, as you may see it")
async def read_table(
    table_and_viewer: TableAndViewerDep, request: Request, wait: WaitSeconds = 0.0
) -> Response:
    (table, viewer), app_state = table_and_viewer, await get_app_state(request)
    if not wait or table.is_waiting_for(viewer):
        return await state_response(table, viewer)
    with app_state.stream_limiter.open_stream(get_caller(request)), table.subscribe() as changed:
        clock = app_state.clock
        until = clock.monotonic() + wait
        while not table.is_waiting_for(viewer) and not app_state.closing.is_set():
            changed.clear()
            try:
                await clock.wait_for(changed.wait(), max(0.0, until - clock.monotonic()))
            except TimeoutError:
                break
    return await state_response(table, viewer)


# --- Games and tables --------------------------------------------------------------------------


@router.get("/games", summary="All games, with options, presets and coaches")
def list_games() -> list[Json]:
    return [game_menu.game_to_dict(rules) for rules in game_menu.all_games()]


@router.get("/games/{rules}", summary="One game")
def read_game(rules: str) -> Json:
    return game_menu.game_to_dict(registry.load(rules))


@router.get("/games/{rules}/picks", summary="Choices for an option, such as a team")
def picks(rules: str, app_state: AppStateDep, request: Request) -> list[Json]:
    with app_state.files.allowed(request.query_params):
        return game_menu.list_picks(registry.load(rules), dict(request.query_params))


@router.get("/tables", summary="Live games, finished games and your games")
def list_tables(app_state: AppStateDep, holder: HolderDep) -> Json:
    def rows(stages: tuple[str, ...], whose: str = "") -> list[Json]:
        return [
            game_menu.table_row_to_dict(row) for row in app_state.store.list_tables(stages, whose)
        ]

    return {
        "playing": rows((PLAYING,)),
        "over": rows((OVER,)),
        "yours": rows((NOT_STARTED, PLAYING, OVER), holder) if holder else [],
    }


@router.post("/tables", status_code=201, summary="Create a table")
async def new_table(form: forms.NewTable, app_state: AppStateDep, request: Request) -> Json:
    token, new_token = get_or_create_token(request)
    table_request = TableRequest(**form.model_dump())
    table = await app_state.tables.create(table_request, tokens.digest(token), get_caller(request))
    viewer = table.viewer(tokens.digest(token))
    state = await table_state(table, viewer)
    invitations = {}
    for team in table.open_seats():
        invitations[TEAMS[team]] = (
            await app_state.tables.invite(table, viewer, team) if viewer.teams else ""
        )
    return {**state, "token": new_token or None, "invitations": invitations}


@router.delete("/tables/{key}", status_code=204, summary="Abandon a game permanently")
async def close_table(table: TableDep, viewer: ViewerDep, app_state: AppStateDep) -> Response:
    await app_state.tables.close_table(table, viewer)
    return Response(status_code=204)


@router.post(
    "/tables/{key}/ready",
    summary="Submit your word for the dice, ready to start",
)
async def ready(form: forms.ClientSeed, table: TableDep, viewer: ViewerDep) -> Response:
    await table.set_client_seed(viewer, form.word)
    return await state_response(table, viewer)


@router.post("/tables/{key}/invitations", status_code=201, summary="Create a seat invitation")
async def invite(
    form: forms.SeatTeam, table: TableDep, viewer: ViewerDep, app_state: AppStateDep
) -> Json:
    return {"invitation": await app_state.tables.invite(table, viewer, TEAMS.index(form.team))}


@router.post("/invitations", summary="Look up an invitation")
async def describe_invitation(form: forms.Invitation, app_state: AppStateDep) -> Json:
    table, team = await app_state.tables.find_invitation(form.invitation)
    async with table.consistent_read():
        return {**views.table_summary(table, Viewer()), "team": TEAMS[team]}


@router.post("/seats", status_code=201, summary="Accept an invitation and take the seat")
async def take_seat(form: forms.Invitation, app_state: AppStateDep, request: Request) -> Json:
    token, new_token = get_or_create_token(request)
    table, team = await app_state.tables.take_seat(form.invitation, tokens.digest(token))
    state = await table_state(table, table.viewer(tokens.digest(token)))
    return {**state, "token": new_token or None, "team": TEAMS[team]}


# --- Playing -----------------------------------------------------------------------------------


@router.post("/tables/{key}/rolls", summary="Enter the roll of a real die")
async def roll(form: forms.TypedDie, table: TableDep, viewer: ViewerDep) -> Response:
    await table.roll(viewer, form.moment, form.at, form.face)
    return await state_response(table, viewer)


@router.post("/tables/{key}/undo", summary="Undo your last call")
async def undo(form: forms.UndoRequest, table: TableDep, viewer: ViewerDep) -> Response:
    await table.undo(viewer, form.moment)
    return await state_response(table, viewer)


@router.post("/tables/{key}/messages", summary="Write to the other player")
async def say(form: forms.Message, table: TableDep, viewer: ViewerDep) -> Response:
    await table.talk.say(viewer, form.text)
    return await state_response(table, viewer)


@router.post("/tables/{key}/quiet", summary="Turn the chat of this table off or on again")
async def quiet(form: forms.Quiet, table: TableDep, viewer: ViewerDep) -> Response:
    await table.talk.set_quiet(viewer, form.quiet)
    return await state_response(table, viewer)


@router.post("/tables/{key}/takeback", summary="Ask the opponent to let you undo your last call")
async def offer_takeback(form: forms.UndoRequest, table: TableDep, viewer: ViewerDep) -> Response:
    await table.talk.offer_takeback(viewer, form.moment)
    return await state_response(table, viewer)


@router.post("/tables/{key}/takeback/answer", summary="Accept or decline the opponent's question")
async def answer_takeback(
    form: forms.TakebackAnswer, table: TableDep, viewer: ViewerDep
) -> Response:
    await table.talk.answer_takeback(viewer, form.accept)
    return await state_response(table, viewer)


@router.get("/tables/{key}/orders", summary="Your settings for optional decisions")
async def list_orders(table: TableDep, viewer: ViewerDep) -> list[Json]:
    async with table.consistent_read():
        return [dict(order) for order in views.standing_orders(table, viewer)]


@router.post("/tables/{key}/orders", summary="Set when you are asked for an optional decision")
async def set_standing_order(
    form: forms.StandingOrder, table: TableDep, viewer: ViewerDep
) -> list[Json]:
    await table.set_standing_order(viewer, form.when, form.window)
    return [dict(order) for order in views.standing_orders(table, viewer)]


@router.post("/tables/{key}/seats", summary="Hand a seat to a coach, or take it back")
async def assign_seat(form: forms.SeatAssignment, table: TableDep, viewer: ViewerDep) -> Response:
    await table.assign_seat(viewer, TEAMS.index(form.team), form.who)
    return await state_response(table, viewer)


@router.post("/tables/{key}/rematch", status_code=201, summary="Start a rematch")
async def rematch(
    table: TableDep, viewer: ViewerDep, app_state: AppStateDep, caller: CallerDep
) -> Json:
    rematch_table = await app_state.tables.rematch(table, viewer, caller)
    return await table_state(rematch_table, viewer)


def _long_json_response(request: Request, content: object) -> Response:
    """Return a response that may be long, already compressed; called on a thread."""
    response = JSONResponse(content)
    body = bytes(response.body)
    if len(body) < MIN_COMPRESSED_BYTES or "gzip" not in request.headers.get("accept-encoding", ""):
        return response
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(gzip.compress(body, 6), media_type=response.media_type, headers=headers)


# --- Reading -----------------------------------------------------------------------------------


AfterNumber = Annotated[int, Query(ge=0, le=forms.MAX_NUMBER)]


@router.get(
    "/tables/{key}/events",
    summary="All events after a number",
    response_model=list[Json],
)
async def events(
    table: TableDep, viewer: ViewerDep, request: Request, after: AfterNumber = 0
) -> Response:
    async with table.consistent_read():
        content = await table.read_events(after, viewer)
    return await asyncio.to_thread(_long_json_response, request, content)


@router.get(
    f"/tables/{{key}}{STREAM_SUFFIX}",
    summary="Past and future events, as server-sent events",
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
    return _stream_response([FollowedTable(table, after)], holder, app_state, request)


def _stream_response(
    followed: list[FollowedTable], holder: str, app_state: AppState, request: Request
) -> StreamingResponse:
    caller = get_caller(request)
    app_state.stream_limiter.check(caller)
    limited = app_state.stream_limiter.open_stream(caller)
    return StreamingResponse(
        event_stream.stream_events(followed, holder, limited),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


MAX_FOLLOWED_TABLES = 40
Followed = Annotated[
    list[Annotated[str, Query(pattern=r"^[\w-]{1,64}/\d{1,9}$")]],
    Query(
        alias="table",
        min_length=1,
        max_length=MAX_FOLLOWED_TABLES,
        description="A table's ID and the number of the last event that you know, as ID/NUMBER.",
    ),
]


@router.get(
    STREAM_SUFFIX,
    summary="Events of several tables in one stream; the ID of an event is TABLE/NUMBER",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def shared_stream(
    followed: Followed, holder: HolderDep, app_state: AppStateDep, request: Request
) -> StreamingResponse:
    tables = []
    for key, _, after in (item.partition("/") for item in followed):
        with suppress(NotFound, TableGone):  # the other tabs of the browser go on
            table = await app_state.tables.find(key)
            table.resume_autoplay()
            tables.append(FollowedTable(table, int(after), key))
    if not tables:
        raise NotFound("there is no such table")
    return _stream_response(tables, holder, app_state, request)


@router.get(
    "/tables/{key}/history",
    summary="Every turn, the box score, drives and scores",
    response_model=Json,
)
async def history(table: TableDep, viewer: ViewerDep, request: Request) -> Response:
    game = await table.visible_game(viewer)
    content = await asyncio.to_thread(views.game_history, game)
    return await asyncio.to_thread(_long_json_response, request, content)


@router.get("/tables/{key}/figures", summary="Box score, drives and scores, as formatted tables")
async def figures(table: TableDep, viewer: ViewerDep) -> Json:
    return await asyncio.to_thread(views.stat_tables, await table.visible_game(viewer))


@router.get("/tables/{key}/odds", summary="Odds of your calls, and the best call if known")
async def odds(table: TableDep, viewer: ViewerDep, app_state: AppStateDep) -> Json:
    return (await app_state.tables.odds(table, viewer)).to_json()


@router.get("/tables/{key}/check", summary="Check every roll of a finished game")
async def check(table: TableDep, viewer: ViewerDep) -> Json:
    if not table.is_over:
        raise StaleRequest("you can check the dice when the game is over")
    raw = (await table.log(viewer)).encode(errors="surrogatepass")
    async with table.services.replay_slot(raw.count(b"\n")):
        verified = await asyncio.to_thread(_verify_log, table, raw)
    return {**verified.to_json(), "sentence": verified.message}


def _verify_log(table: Table, raw: bytes) -> VerifiedLog:
    with table.services.files.allowed(table.header.options):
        return verify_bytes(raw, f"table-{table.id}.log")


@router.get(
    "/tables/{key}/log",
    summary="The log; what you may not see is left out until the game is over",
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
    game = await table.visible_game(viewer)
    document = await asyncio.to_thread(lambda: render(sheet_of(game), form, paper))
    return document_response(document, MEDIA_TYPES[form], f"{table.header.rules}-{table.id}.{form}")


def document_response(content: bytes, media: str, name: str) -> Response:
    """Return a standalone document; HTML may use its own inline style and script only."""
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    if media == "text/html":
        headers["Content-Security-Policy"] = (
            f"{rendering.content_security_policy()}; frame-ancestors 'none'"
        )
    return Response(content, media_type=media, headers=headers)


@router.get(
    "/tables/{key}/review",
    summary="Review of a finished game: decisions and luck; 202 while it is being made",
    response_class=Response,
    responses={200: {"content": {"text/html": {}}}, 202: {"model": Refusal}},
)
async def review(
    table: TableDep,
    viewer: ViewerDep,
    app_state: AppStateDep,
    form: Literal["html", "json"] = "html",
) -> Response:
    task = await app_state.request_review(table, viewer)
    if not task.done():
        done, total = app_state.reviews.progress(table.id)
        content = {"detail": "the game is being reviewed", "done": done, "total": total}
        return JSONResponse(content, 202)
    finished = task.result()
    if form == "json":
        return JSONResponse(finished.data)
    return document_response(
        finished.html, "text/html", f"{table.header.rules}-{table.id}-review.html"
    )


@router.post(
    LOGS_PATH.removeprefix("/api"),
    status_code=201,
    summary="Upload a game log; the body is the file",
    openapi_extra=raw_body("text/plain"),
)
async def upload_log(request: Request, app_state: AppStateDep) -> Json:
    token, new_token = get_or_create_token(request)
    raw = await request.body()
    if not raw:
        raise HashmarkError("the body must be a game log")
    table = await app_state.tables.import_log(raw, tokens.digest(token), get_caller(request))
    return {
        **await table_state(table, table.viewer(tokens.digest(token))),
        "token": new_token or None,
    }
