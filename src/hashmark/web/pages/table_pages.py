"""HTML pages of the lobby and of tables, and the page table_parts.

Every button is a form that works without JavaScript. With it, the script sends the form in the
background (`X-Part`), and the response contains the rendered parts of the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool

from hashmark.engine import registry
from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError, UnknownName
from hashmark.storage.user_files import read_text
from hashmark.text.phrases import capitalize
from hashmark.web import game_menu, svg, tokens
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import (
    COOKIE_SECONDS,
    AppStateDep,
    HolderDep,
    TableDep,
    ViewerDep,
    get_caller,
    get_or_create_token,
)
from hashmark.web.guards import CONTENT_SECURITY_POLICY
from hashmark.web.leagues import league_state
from hashmark.web.pages import rendering, review_parts, table_parts
from hashmark.web.pages.form_data import parse_form, parse_number
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.tables.table import StaleRequest, Table, Viewer
from hashmark.web.tables.table_request import (
    CHAT_FREE,
    HINTS_NEVER,
    SEAT_FRIEND,
    SEAT_ME,
    TableRequest,
)
from hashmark.web.tables.table_store import NOT_STARTED, OVER, PLAYING
from hashmark.web.tables.win_probability import chance_points

STATIC_DIR = Path(__file__).parents[1] / "static"
MAX_TURN = 1_000_000  # the last one, of any game
FRAMED_POLICY = CONTENT_SECURITY_POLICY.replace(
    "frame-ancestors 'none'", "frame-ancestors *"
).replace("form-action 'self'", "form-action 'none'")
SEEN_TURNS_HEADER = "x-seen-turns"  # sent by a client that shows the plays one by one
REVALIDATE_HEADERS = {"Cache-Control": "no-cache"}  # the browser revalidates
router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


def html_response(template: str, **values: object) -> HTMLResponse:
    return HTMLResponse(rendering.render_page(template, **values))


class _RevalidatedFiles(StaticFiles):
    """Static files that the browser caches and revalidates."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers.update(REVALIDATE_HEADERS)
        return response


def static_files() -> StaticFiles:
    return _RevalidatedFiles(directory=STATIC_DIR)


@router.get("/drawn.css")
def drawn_css() -> Response:
    return Response(_drawn_css(), media_type="text/css", headers=REVALIDATE_HEADERS)


@cache
def _drawn_css() -> str:
    return svg.STYLE_SHEET.read_text(encoding="utf-8")


@router.get("/favicon.ico")
def favicon() -> Response:
    return Response((STATIC_DIR / "favicon.svg").read_bytes(), media_type="image/svg+xml")


# --- Lobby -------------------------------------------------------------------------------------


@router.get("/")
async def lobby(app_state: AppStateDep, holder: HolderDep) -> Response:
    return HTMLResponse(await run_in_threadpool(_lobby, app_state, holder))


def _lobby(app_state: AppState, holder: str) -> str:
    store = app_state.store
    yours = store.list_tables((NOT_STARTED, PLAYING), holder) if holder else []
    own_ids = {item.id for item in yours}
    playing = [item for item in store.list_tables((PLAYING,)) if item.id not in own_ids]
    return rendering.render_page(
        "lobby.html",
        title="Hashmark",
        games=[
            (game_menu.game_to_dict(item), _moment(item.name), svg.game_sentences(item))
            for item in game_menu.all_games()
        ],
        yours=[game_menu.table_row_to_dict(item) for item in yours],
        playing=[game_menu.table_row_to_dict(item) for item in playing[:6]],
        over=[game_menu.table_row_to_dict(item) for item in store.list_tables((OVER,))[:6]],
        leagues=[
            league_state.league_row_to_dict(item)
            for item in app_state.leagues.store.list_leagues(holder)[:6]
        ]
        if holder
        else [],
    )


@cache
def _moment(name: str) -> Any:
    return svg.draw_moment(registry.load(name)) or _picture(name)


@cache
def _picture(name: str) -> Any:
    return svg.draw_lobby_picture(registry.load(name))


@router.get("/new/{name}")
async def new_game(name: str, request: Request, app_state: AppStateDep) -> Response:
    chosen = dict(request.query_params)
    return HTMLResponse(await run_in_threadpool(_new_game, name, chosen, app_state))


def _new_game(name: str, given: Mapping[str, str], app_state: AppState, message: str = "") -> str:
    """Return the form for a new game as it was filled in, with what was wrong with it."""
    rules = registry.load(name)
    options = {key.removeprefix("option-"): value for key, value in given.items()}
    chosen = {**rules.setup.quick_start, **options}
    with app_state.files.allowed(chosen):
        picks = game_menu.list_picks(rules, chosen)
    return rendering.render_page(
        "new.html",
        title=f"New game: {rules.title}",
        page_summary=" ".join(svg.game_sentences(rules)),
        page_preview=rules.name,
        game=game_menu.game_to_dict(rules),
        picture=_picture(rules.name),
        sentences=svg.game_sentences(rules),
        picks=picks,
        chosen={**chosen, **given},
        message=message,
    )


@router.get("/new/{name}/picks")
def new_picks(name: str, request: Request, app_state: AppStateDep) -> Response:
    with app_state.files.allowed(request.query_params):
        picks = game_menu.list_picks(registry.load(name), dict(request.query_params))
    return html_response("picks.html", picks=picks)


@router.post("/tables")
async def make_table(request: Request, app_state: AppStateDep) -> Response:
    fields = await parse_form(request)
    token, _ = get_or_create_token(request)
    registry.load(fields.get("rules", ""))  # without a game there is no form to return to
    try:
        table = await app_state.tables.create(
            parse_table_request(fields), tokens.digest(token), get_caller(request)
        )
    except LimitExceeded:
        raise
    except HashmarkError as error:
        page = await run_in_threadpool(
            _new_game, fields["rules"], fields, app_state, message=str(error)
        )
        return HTMLResponse(page, 400)
    return redirect_to_table(request, table, token)


def parse_table_request(fields: Mapping[str, str]) -> TableRequest:
    """Parse the form for a new table; fields left at their defaults are omitted."""
    rules = registry.load(fields.get("rules", ""))
    seats = _parse_seats(rules, fields)
    options: dict[str, Any] = {
        declared.name: fields[f"option-{declared.name}"]
        for declared in rules.setup.options
        if fields.get(f"option-{declared.name}", "") != ""
    }
    if fields.get("quick"):
        options = {**rules.setup.quick_start, **options}
    if fields.get("preset"):
        options = rules.expand_preset({**options, "preset": fields["preset"]})
    names = {
        team: fields[f"name-{team}"] for team in TEAMS if fields.get(f"name-{team}", "").strip()
    }
    return TableRequest(
        rules=rules.name,
        options=options,
        seats=seats,
        dice=fields.get("dice", "computer"),
        names=names,
        hints=fields.get("hints", "demand"),
        listed=fields.get("listed") == "on",
        chat=fields.get("chat", CHAT_FREE),
    )


def _parse_seats(rules: RuleSet, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the seats: me against a coach or a friend, two players here, or coaches alone."""
    coach = f"coach:{fields['coach']}" if fields.get("coach") else ""
    other = f"coach:{fields['other']}" if fields.get("other") else coach
    kinds: dict[str, tuple[str, str]] = {
        "coach": (SEAT_ME, coach),
        "friend": (SEAT_ME, SEAT_FRIEND),
        "two": (SEAT_ME, SEAT_ME),
        "watch": (other, coach),
    }
    kind = fields.get("against", "coach")
    if kind not in kinds:
        raise UnknownName("way to play", kind, kinds)
    home, away = kinds[kind]
    if fields.get("side") == "away" and kind in ("coach", "friend"):
        home, away = away, home
    return {team: seat for team, seat in zip(TEAMS, (home, away), strict=True) if seat}


def redirect_to_table(request: Request, table: Table, token: str) -> Response:
    return redirect_with_token(request, f"/table/{table.id}", token)


def redirect_with_token(request: Request, path: str, token: str) -> Response:
    """Redirect, with the token in a cookie that scripts cannot read."""
    response = RedirectResponse(path, 303)
    set_token_cookie(request, response, token)
    return response


def set_token_cookie(request: Request, response: Response, token: str) -> None:
    """Store the token in a cookie that scripts cannot read."""
    response.set_cookie(
        tokens.COOKIE_NAME,
        token,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


@router.get("/join")
def join() -> Response:
    summary = "A friend has started a game of gridiron football with dice for you."
    return html_response("join.html", title="You’re invited to a game", page_summary=summary)


@router.post("/join")
async def take_seat(request: Request, app_state: AppStateDep) -> Response:
    fields = await parse_form(request)
    token, _ = get_or_create_token(request)
    invitation = fields.get("invitation", "").strip().rpartition("#")[2]  # of a whole link
    table, _ = await app_state.tables.take_seat(invitation, tokens.digest(token))
    return redirect_to_table(request, table, token)


@router.post("/bring")
async def upload_log(request: Request, app_state: AppStateDep) -> Response:
    """A log file that was chosen in the lobby."""
    token, _ = get_or_create_token(request)
    table = await app_state.tables.import_log(
        await request.body(), tokens.digest(token), get_caller(request)
    )
    response = JSONResponse({"id": table.id}, 201)
    set_token_cookie(request, response, token)
    return response


@router.get("/rules/{name}")
def rules_page(name: str) -> Response:
    rules = registry.load(name)
    if rules.presentation.rules_page is None:
        raise HashmarkError(f"{rules.title} has no rules page")
    text = rendering.markdown(read_text(rules.presentation.rules_page))
    return html_response(
        "rules.html",
        title=f"Rules: {rules.title}",
        page_summary=f"The rules of {rules.title}. {rules.summary}",
        page_preview=rules.name,
        game=rules,
        text=text,
    )


@router.get("/api")
def api_page(request: Request) -> Response:
    """The API in words, made from its description."""
    description = request.app.openapi()
    routes = [
        {"path": path, "method": method.upper(), **operation}
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    return html_response("api.html", title="API", routes=routes, described=description)


# --- The table ---------------------------------------------------------------------------------


@router.get("/table/{key}")
async def table_page(table: TableDep, viewer: ViewerDep) -> Response:
    return await _whole_page(table, viewer)


async def _whole_page(
    table: Table, viewer: Viewer, message: str = "", status: int = 200
) -> Response:
    async with table.consistent_read():
        parts = table_parts.render_parts(table, viewer)
        values = table_parts.base_values(table, viewer)
    page = rendering.render_page("table.html", parts=parts, message=message, **values)
    return HTMLResponse(page, status)


async def act(
    request: Request, table: Table, viewer: Viewer, action: Awaitable[object]
) -> Response:
    """Do what a player asks; if the moment for it has passed, show how the table stands now."""
    try:
        await action
    except StaleRequest as error:
        if request.headers.get("x-part"):
            raise  # the script shows the message and asks for the parts
        return await _whole_page(table, viewer, capitalize(f"{error}."), 409)
    return await parts_response(request, table, viewer)


async def parts_response(request: Request, table: Table, viewer: Viewer) -> Response:
    """Respond to an action with the current parts, or redirect to the whole page."""
    if not request.headers.get("x-part"):
        return RedirectResponse(f"/table/{table.id}", 303)
    return await current_parts(request, table, viewer)


@router.get("/table/{key}/parts")
async def current_parts(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    """Respond with all parts, and with the plays since the turn that the client has seen."""
    async with table.consistent_read():
        parts = table_parts.render_parts(table, viewer)
        version = table.page_version
        game = None if table.session is None else table.view_for(viewer)
    scenes = ""
    if game is not None:
        since = parse_seen_turns(request.headers.get(SEEN_TURNS_HEADER, ""), len(game.turns))
        scenes = await run_in_threadpool(table_parts.render_scenes, game, table, viewer, since)
    html = scenes + table_parts.join_parts(parts)
    return HTMLResponse(html, headers={"X-Version": str(version)})


def parse_seen_turns(text: str, turns: int) -> int:
    """Return how many turns the client has seen; all, if it does not say."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else turns


@router.post("/table/{key}/ready")
async def ready(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    return await act(
        request,
        table,
        viewer,
        table.set_client_seed(viewer, (await parse_form(request)).get("word", "")),
    )


@router.post("/table/{key}/answer")
async def answer(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    fields = await parse_form(request)
    return await act(
        request,
        table,
        viewer,
        table.answer(viewer, parse_number(fields, "moment"), fields.get("call", "")),
    )


@router.post("/table/{key}/roll")
async def roll(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    fields = await parse_form(request)
    return await act(
        request,
        table,
        viewer,
        table.roll(
            viewer,
            parse_number(fields, "moment"),
            parse_number(fields, "at"),
            parse_number(fields, "face"),
        ),
    )


@router.post("/table/{key}/undo")
async def undo(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    return await act(
        request,
        table,
        viewer,
        table.undo(viewer, parse_number(await parse_form(request), "moment")),
    )


@router.post("/table/{key}/say")
async def say(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    return await act(
        request, table, viewer, table.talk.say(viewer, (await parse_form(request)).get("text", ""))
    )


@router.post("/table/{key}/quiet")
async def quiet(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    return await act(
        request,
        table,
        viewer,
        table.talk.set_quiet(viewer, (await parse_form(request)).get("quiet") == "on"),
    )


@router.post("/table/{key}/takeback")
async def takeback(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    return await act(
        request,
        table,
        viewer,
        table.talk.offer_takeback(viewer, parse_number(await parse_form(request), "moment")),
    )


@router.post("/table/{key}/takeback/answer")
async def answer_takeback(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    fields = await parse_form(request)
    return await act(
        request, table, viewer, table.talk.answer_takeback(viewer, fields.get("accept") == "yes")
    )


@router.post("/table/{key}/order")
async def order(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    fields = await parse_form(request)
    return await act(
        request,
        table,
        viewer,
        table.set_standing_order(viewer, fields.get("when", ""), fields.get("window", "all")),
    )


@router.post("/table/{key}/seat")
async def seat(request: Request, table: TableDep, viewer: ViewerDep) -> Response:
    fields = await parse_form(request)
    team = fields.get("team", "")
    if team not in TEAMS:
        raise UnknownName("team", team, TEAMS)
    return await act(
        request, table, viewer, table.assign_seat(viewer, TEAMS.index(team), fields.get("who", ""))
    )


@router.post("/table/{key}/invite")
async def invite(
    request: Request, table: TableDep, viewer: ViewerDep, app_state: AppStateDep
) -> Response:
    team = (await parse_form(request)).get("team", "")
    if team not in TEAMS:
        raise UnknownName("team", team, TEAMS)
    token = await app_state.tables.invite(table, viewer, TEAMS.index(team))
    link = str(request.url.replace(path="/join", query="", fragment=token))
    own = TEAMS.index(team) in viewer.teams
    values = table_parts.base_values(table, viewer)
    return html_response("invited.html", link=link, own=own, team=TEAMS.index(team), **values)


@router.post("/table/{key}/rematch")
async def rematch(
    request: Request, table: TableDep, viewer: ViewerDep, app_state: AppStateDep
) -> Response:
    rematch_table = await app_state.tables.rematch(table, viewer, get_caller(request))
    return RedirectResponse(f"/table/{rematch_table.id}", 303)


@router.post("/table/{key}/close")
async def close(table: TableDep, viewer: ViewerDep, app_state: AppStateDep) -> Response:
    await app_state.tables.close_table(table, viewer)
    return RedirectResponse("/", 303)


# --- Parts loaded on demand ----------------------------------------------------------------------


async def _panel(table: Table, viewer: Viewer, render: Callable[[Any], str]) -> Response:
    """Render a panel on a thread, from the game as the viewer may see it."""
    return HTMLResponse(await run_in_threadpool(render, await table.visible_game(viewer)))


@router.get("/table/{key}/plays")
async def plays_panel(table: TableDep, viewer: ViewerDep) -> Response:
    return await _panel(table, viewer, table_parts.render_plays)


@router.get("/table/{key}/box")
async def box_panel(table: TableDep, viewer: ViewerDep) -> Response:
    return await _panel(table, viewer, table_parts.render_box)


@router.get("/table/{key}/drives")
async def drives_panel(table: TableDep, viewer: ViewerDep) -> Response:
    return await _panel(table, viewer, table_parts.render_drives)


@router.get("/table/{key}/curve")
async def curve_panel(table: TableDep, viewer: ViewerDep) -> Response:
    """Win probability through the game; nothing if the table has no help for either side."""
    is_shown = table.row.settings["hints"] != HINTS_NEVER or table.is_over

    def render(game: Game) -> str:
        return table_parts.render_curve(game, chance_points(game) if is_shown else [])

    return await _panel(table, viewer, render)


@router.get("/table/{key}/charts")
async def charts_panel(table: TableDep, viewer: ViewerDep) -> Response:
    return await _panel(table, viewer, table_parts.render_charts)


@router.get("/table/{key}/help")
async def help_panel(table: TableDep, viewer: ViewerDep) -> Response:
    return await _panel(table, viewer, table_parts.render_help)


@router.get("/table/{key}/odds")
async def odds_panel(table: TableDep, viewer: ViewerDep, app_state: AppStateDep) -> Response:
    odds = await app_state.tables.odds(table, viewer)
    labels = table_parts.call_labels(table.view_for(viewer))
    return html_response("panels/odds.html", odds=odds, labels=labels, names=table.header.names)


@router.get("/table/{key}/at/{turn}")
async def at_turn(turn: int, table: TableDep, viewer: ViewerDep) -> Response:
    return await _panel(
        table, viewer, lambda game: table_parts.render_past(game, table, viewer, turn)
    )


@router.get("/table/{key}/replay")
async def replay(table: TableDep, turn: int = MAX_TURN) -> Response:
    """A finished game, turn by turn, for anybody; other sites may show it in a frame."""
    if not table.is_over:
        raise StaleRequest("the replay is there when the game is over")
    game = await table.visible_game(Viewer())
    turn = max(0, min(turn, len(game.turns)))
    page = await run_in_threadpool(table_parts.render_replay, table, game, turn)
    headers = {
        "Content-Security-Policy": FRAMED_POLICY,
        "Cross-Origin-Opener-Policy": "unsafe-none",
    }
    return HTMLResponse(page, headers=headers)


@router.get("/dice")
def sealed_dice() -> Response:
    return html_response("dice.html", title="Sealed dice", table=None)


@router.get("/table/{key}/dice")
async def table_dice(table: TableDep, viewer: ViewerDep) -> Response:
    """The seal of a game's dice; once the game is over, what it takes to check every roll."""
    return html_response("dice.html", **table_parts.base_values(table, viewer))


@router.get("/table/{key}/review")
async def review(table: TableDep, viewer: ViewerDep, app_state: AppStateDep) -> Response:
    """The review of a finished game, or its progress while it is computed."""
    values = table_parts.base_values(table, viewer)
    task = await app_state.request_review(table, viewer)
    if not task.done():
        done, total = app_state.reviews.progress(table.id)
        return html_response("review.html", **values, review=None, done=done, total=total)
    shown = await run_in_threadpool(
        review_parts.review_values, await table.visible_game(viewer), task.result().data
    )
    return html_response("review.html", **{**values, "review": shown})


@router.get("/table/{key}/learn")
async def learn(
    table: TableDep,
    viewer: ViewerDep,
    app_state: AppStateDep,
    number: Annotated[int, Query(ge=0, le=MAX_TURN)] = 0,
    call: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The positions in which a player erred, asked again one after the other."""
    task = await app_state.request_review(table, viewer)
    if not task.done():
        return RedirectResponse(f"/table/{table.id}/review", 303)
    game, data = await table.visible_game(viewer), task.result().data
    values = await run_in_threadpool(
        table_parts.learn_values, game, table, viewer, data, number, call
    )
    return html_response("learn.html", **{**table_parts.base_values(table, viewer), **values})
