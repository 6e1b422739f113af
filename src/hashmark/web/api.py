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

from hashmark.pages import environment as pages
from hashmark.sheet import render, sheet_of
from hashmark.table import registry
from hashmark.table.errors import HashmarkError
from hashmark.table.fairness import Verified, verify_bytes
from hashmark.table.game import Game
from hashmark.table.record import TEAMS
from hashmark.table.wanted import CallWanted
from hashmark.web import forms, games, streams, tokens, views
from hashmark.web.guards import IMPORT, caller_of
from hashmark.web.hall import NEVER, Hall, Wish
from hashmark.web.looks import Look
from hashmark.web.store import OVER, PLAYING
from hashmark.web.tables import NotYours, Stale, Table, Viewer

COOKIE = "hashmark"
STREAM = "/stream"  # path suffix of the event stream
FOREVER = 400 * 24 * 3600  # seconds that a browser keeps its token


class Refusal(BaseModel):
    """Why something was not done, in one sentence."""

    detail: str


WRONG: dict[int | str, dict[str, Any]] = {
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
router = APIRouter(prefix="/api", responses=WRONG, default_response_class=JSONResponse)
Json = dict[str, Any]


async def hall_of(request: Request) -> Hall:
    app_state: Hall = request.app.state.hall
    return app_state


def token_of(request: Request) -> str:
    """Return the token in the header or the cookie; empty if there is none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else request.cookies.get(COOKIE, "")


def token_or_new(request: Request) -> tuple[str, str]:
    """Return the requester's token, and a second copy if it has just been created."""
    token = token_of(request)
    if tokens.digest(token):
        return token, ""
    fresh = tokens.new_token()
    return fresh, fresh


async def holder_of(request: Request) -> str:
    """Return the digest of the requester's token; empty if there is none."""
    return tokens.digest(token_of(request))


def caller(request: Request) -> str:
    """Return a digest of the client's network address."""
    return tokens.caller_digest(caller_of(request.scope))


async def calling(request: Request) -> str:
    return caller(request)


InHall = Annotated[Hall, Depends(hall_of)]
Holder = Annotated[str, Depends(holder_of)]
Caller = Annotated[str, Depends(calling)]


async def table_of(key: str, request: Request) -> Table:
    """Return the table that the URL names."""
    return await (await hall_of(request)).find(key)


At = Annotated[Table, Depends(table_of)]


async def here_of(key: str, request: Request) -> tuple[Table, Viewer]:
    """Return the table that the URL names, and the requester's role there."""
    table = await table_of(key, request)  # called directly: a nested dependency would cost time
    viewer = table.viewer(await holder_of(request))
    table.go_on()
    return table, viewer


Here = Annotated[tuple[Table, Viewer], Depends(here_of)]  # both in one dependency


async def viewer_of(key: str, request: Request) -> Viewer:
    """Return the requester's role at this table."""
    return (await here_of(key, request))[1]


As = Annotated[Viewer, Depends(viewer_of)]


async def shown(table: Table, viewer: Viewer) -> Json:
    """Return the table's state, once everything that happened has been persisted."""
    async with table.settled():
        return views.state(table, viewer)


async def said(table: Table, viewer: Viewer) -> Response:
    """Return the table's state as a JSON response, bypassing FastAPI's serialization."""
    return JSONResponse(await shown(table, viewer))


# --- The most frequent requests: routes are matched in order, so these come first ---------------


@router.post("/tables/{key}/answers", summary="Answer the question of a moment")
async def answer(form: forms.Answer, here: Here) -> Response:
    table, viewer = here
    await table.answer(viewer, form.moment, form.call)
    return await said(table, viewer)


Wait = Annotated[
    float,
    Query(ge=0, le=30, description="Seconds to wait until you are asked, or the game is over."),
]


@router.get("/tables/{key}", summary="A table as you may see it")
async def one_table(here: Here, request: Request, wait: Wait = 0.0) -> Response:
    (table, viewer), app_state = here, await hall_of(request)
    if not wait or table.asks(viewer):
        return await said(table, viewer)
    with app_state.streams.one_more(caller(request)), table.listening() as happened:
        until = time.monotonic() + wait
        while not table.asks(viewer) and not app_state.closing.is_set():
            happened.clear()
            try:
                await asyncio.wait_for(happened.wait(), max(0.0, until - time.monotonic()))
            except TimeoutError:
                break
    return await said(table, viewer)


# --- Games and tables --------------------------------------------------------------------------


@router.get("/games", summary="All games, with options, presets and coaches")
def list_games() -> list[Json]:
    return [games.described(rules) for rules in games.all_games()]


@router.get("/games/{rules}", summary="One game")
def one_game(rules: str) -> Json:
    return games.described(registry.load(rules))


@router.get("/games/{rules}/picks", summary="What can be picked for an option, such as a team")
def picks(rules: str, app_state: InHall, request: Request) -> list[Json]:
    with app_state.looking_for_files(request.query_params):
        return games.picks(registry.load(rules), dict(request.query_params))


@router.get("/tables", summary="Games in progress, finished games, and those that are yours")
def list_tables(app_state: InHall, holder: Holder) -> Json:
    def rows(stages: tuple[str, ...], whose: str = "") -> list[Json]:
        return [games.listed(one) for one in app_state.store.listed(stages, whose)]

    return {
        "playing": rows((PLAYING,)),
        "over": rows((OVER,)),
        "yours": rows(("laid", PLAYING, OVER), holder) if holder else [],
    }


@router.post("/tables", status_code=201, summary="Lay a new table")
async def new_table(form: forms.NewTable, app_state: InHall, request: Request) -> Json:
    token, fresh = token_or_new(request)
    table_request = Wish(**form.model_dump())
    table = await app_state.lay(table_request, tokens.digest(token), caller(request))
    viewer = table.viewer(tokens.digest(token))
    state = await shown(table, viewer)
    links = {}
    for team in table.open_seats():
        links[TEAMS[team]] = await app_state.invite(table, viewer, team) if viewer.teams else ""
    return {**state, "token": fresh or None, "invitations": links}


@router.delete("/tables/{key}", status_code=204, summary="Give a game up for good")
async def close_table(table: At, viewer: As) -> Response:
    await table.close(viewer)
    return Response(status_code=204)


@router.post("/tables/{key}/ready", summary="Say your word for the dice; the game begins after all")
async def ready(form: forms.Word, table: At, viewer: As) -> Response:
    await table.say_word(viewer, form.word)
    return await said(table, viewer)


@router.post("/tables/{key}/invitations", status_code=201, summary="A link to an open seat")
async def invite(form: forms.Which, table: At, viewer: As, app_state: InHall) -> Json:
    return {"invitation": await app_state.invite(table, viewer, TEAMS.index(form.team))}


@router.post("/invitations", summary="What an invitation is for")
async def look_at_invitation(form: forms.Invitation, app_state: InHall) -> Json:
    table, team = await app_state.invitation(form.invitation)
    async with table.settled():
        return {**views.about(table, Viewer()), "team": TEAMS[team]}


@router.post("/seats", status_code=201, summary="Take the seat of an invitation")
async def take_seat(form: forms.Invitation, app_state: InHall, request: Request) -> Json:
    token, fresh = token_or_new(request)
    table, team = await app_state.take_seat(form.invitation, tokens.digest(token))
    state = await shown(table, table.viewer(tokens.digest(token)))
    return {**state, "token": fresh or None, "team": TEAMS[team]}


# --- Playing -----------------------------------------------------------------------------------


@router.post("/tables/{key}/rolls", summary="Type in a real die")
async def roll(form: forms.Face, table: At, viewer: As) -> Response:
    await table.roll(viewer, form.moment, form.at, form.face)
    return await said(table, viewer)


@router.post("/tables/{key}/undo", summary="Take your last call back")
async def undo(form: forms.Moment, table: At, viewer: As) -> Response:
    await table.take_back(viewer, form.moment)
    return await said(table, viewer)


@router.get("/tables/{key}/orders", summary="Your standing orders for windows")
async def list_orders(table: At, viewer: As) -> list[Json]:
    async with table.settled():
        return [dict(one) for one in views.orders(table, viewer)]


@router.post("/tables/{key}/orders", summary="Give a standing order")
async def give_order(form: forms.Order, table: At, viewer: As) -> list[Json]:
    await table.order(viewer, form.when, form.window)
    return [dict(one) for one in views.orders(table, viewer)]


@router.post("/tables/{key}/seats", summary="Hand a seat to a coach, or sit down again")
async def hand_over(form: forms.NewSeat, table: At, viewer: As) -> Response:
    await table.hand_over(viewer, TEAMS.index(form.team), form.who)
    return await said(table, viewer)


@router.post("/tables/{key}/rematch", status_code=201, summary="The same again")
async def rematch(table: At, viewer: As, app_state: InHall, where: Caller) -> Json:
    other = await app_state.rematch(table, viewer, where)
    return await shown(other, viewer)


# --- Reading -----------------------------------------------------------------------------------


After = Annotated[int, Query(ge=0, le=forms.MOST_NUMBER)]


@router.get("/tables/{key}/events", summary="All that has happened after a number")
async def events(table: At, viewer: As, after: After = 0) -> list[Json]:
    async with table.settled():
        return table.since(after, viewer)


@router.get(
    f"/tables/{{key}}{STREAM}",
    summary="The same as server-sent events, and whatever comes",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def stream(
    table: At, viewer: As, holder: Holder, app_state: InHall, request: Request, after: After = 0
) -> StreamingResponse:
    last = request.headers.get("last-event-id", "")
    if last.isascii() and last.isdigit():
        after = min(int(last[:16]), forms.MOST_NUMBER)
    where = caller(request)
    app_state.streams.check(where)
    return StreamingResponse(
        streams.told(table, viewer, holder, after, app_state.closing, where),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


async def seen_by(viewer: Viewer, table: Table) -> Game:
    """Return the game as a viewer may see it; it must have begun."""
    table.begun()
    async with table.settled():
        return table.seen(viewer)


@router.get("/tables/{key}/history", summary="Every turn, box score, drives and scores")
async def history(table: At, viewer: As) -> Json:
    return await asyncio.to_thread(views.history, await seen_by(viewer, table))


@router.get("/tables/{key}/figures", summary="Box score, drives and scores as tables for people")
async def figures(table: At, viewer: As) -> Json:
    return await asyncio.to_thread(views.figures, await seen_by(viewer, table))


@router.get("/tables/{key}/odds", summary="The odds of your answers, and the best where known")
async def odds(table: At, viewer: As, app_state: InHall) -> Json:
    return (await look(table, viewer, app_state)).to_json()


async def look(table: Table, viewer: Viewer, app_state: Hall) -> Look:
    """Return the odds for the team that is asked, if the table allows hints."""
    table.begun()
    if table.kept.settings["hints"] == NEVER:
        raise NotYours("at this table nobody looks at odds")
    async with table.settled():
        session = table.sitting
        pending = session.wanted() if session is not None else None
        if session is None or not isinstance(pending, CallWanted):
            raise Stale("nobody is asked for a call now")
        if pending.team not in viewer.teams:
            raise NotYours("only who is asked may look at the odds")
        game = session.game
        copy = game.as_told(game.position.copy(), list(game.turns))
    return await app_state.glass.look(table.id, copy)


@router.get("/tables/{key}/check", summary="Make every roll of a finished game again")
async def check(table: At, viewer: As) -> Json:
    if not table.is_over:
        raise Stale("the dice can be checked when the game is over")
    raw = (await table.log(viewer)).encode(errors="surrogatepass")
    found = await asyncio.to_thread(_verify_log, table, raw)
    return {**found.to_json(), "sentence": found.sentence}


def _verify_log(table: Table, raw: bytes) -> Verified:
    with table.hall.looking_for_files(table.header.options):
        return verify_bytes(raw, f"table-{table.id}.log")


@router.get(
    "/tables/{key}/log",
    summary="The log: what you may know of it before the end, then the whole",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {}}}},
)
async def download_log(table: At, viewer: As) -> Response:
    async with table.lock:
        text = await table.log(viewer)
    name = f"{table.header.rules}-{table.id}.{'log' if table.is_over else 'part.log'}"
    return Response(
        text.encode(errors="surrogatepass"),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


MEDIA = {"pdf": "application/pdf", "html": "text/html", "text": "text/plain"}


@router.get(
    "/tables/{key}/sheet",
    summary="The score sheet",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in MEDIA.values()}}},
)
async def sheet(
    table: At,
    viewer: As,
    form: Literal["pdf", "html", "text"] = "html",
    paper: Literal["a4", "letter"] = "a4",
) -> Response:
    game = await seen_by(viewer, table)
    made = await asyncio.to_thread(lambda: render(sheet_of(game), form, paper))
    return document(made, MEDIA[form], f"{table.header.rules}-{table.id}.{form}")


def document(made: bytes, media: str, name: str) -> Response:
    """Return a standalone document; HTML may use its own inline style and script only."""
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    if media == "text/html":
        headers["Content-Security-Policy"] = f"{pages.policy()}; frame-ancestors 'none'"
    return Response(made, media_type=media, headers=headers)


@router.get(
    "/tables/{key}/review",
    summary="A finished game as decisions and luck; 202 while it is worked out",
    response_class=Response,
    responses={200: {"content": {"text/html": {}}}, 202: {"model": Refusal}},
)
async def review(table: At, viewer: As, app_state: InHall) -> Response:
    if not table.is_over:
        raise Stale("a game is reviewed when it is over")
    beside = await asyncio.to_thread(app_state.library.folder, table.header.options)
    task = app_state.reviews.ask(table.id, await table.log(viewer), beside)
    if not task.done():
        return Response('{"detail": "the game is being reviewed"}', 202, media_type=JSON)
    return document(task.result(), "text/html", f"{table.header.rules}-{table.id}-review.html")


JSON = "application/json"


@router.post(
    IMPORT.removeprefix("/api"),
    status_code=201,
    summary="Bring a game log; the body is the file",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
)
async def bring_log(request: Request, app_state: InHall) -> Json:
    token, fresh = token_or_new(request)
    raw = await request.body()
    if not raw:
        raise HashmarkError("the body must be a game log")
    table = await app_state.bring(raw, tokens.digest(token), caller(request))
    return {**await shown(table, table.viewer(tokens.digest(token))), "token": fresh or None}
