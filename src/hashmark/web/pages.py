"""HTML pages of the lobby and of tables, and the page parts.

Every button is a form that works without JavaScript. With it, the script sends the form in the
background (`X-Part`), and the response contains the rendered parts of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool

from hashmark.club import league_state
from hashmark.table import registry
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.files import read_text
from hashmark.table.record import TEAMS
from hashmark.table.rules import RuleSet, whole_number
from hashmark.web import drawn, games, parts, rendering, tokens, views
from hashmark.web.api import (
    COOKIE,
    FOREVER,
    As,
    At,
    Holder,
    InHall,
    caller,
    look,
    seen_by,
    token_or_new,
)
from hashmark.web.hall import FRIEND, ME, Hall, Wish
from hashmark.web.store import LAID, OVER, PLAYING
from hashmark.web.tables import Table, Viewer

STATIC = Path(__file__).parent / "static"
ALWAYS_NEW = {"Cache-Control": "no-cache"}  # the browser revalidates
router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
Fields = dict[str, str]


def page(template: str, **values: Any) -> HTMLResponse:
    return HTMLResponse(rendering.page(template, **values))


def refusal(status: int, said: str) -> str:
    """Return the HTML of an error page with a link back."""
    return rendering.page("refusal.html", title="Hashmark", status=status, said=said)


class _RevalidatedFiles(StaticFiles):
    """Static files that the browser caches and revalidates."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers.update(ALWAYS_NEW)
        return response


def static_files() -> StaticFiles:
    return _RevalidatedFiles(directory=STATIC)


@router.get("/drawn.css")
def drawn_css() -> Response:
    return Response(_drawn_css(), media_type="text/css", headers=ALWAYS_NEW)


@cache
def _drawn_css() -> str:
    return drawn.CSS.read_text(encoding="utf-8")


@router.get("/favicon.ico")
def favicon() -> Response:
    return Response((STATIC / "favicon.svg").read_bytes(), media_type="image/svg+xml")


async def fields(request: Request) -> Fields:
    """Parse the fields of a submitted form; the last of repeated fields wins."""
    try:
        sent = (await request.body()).decode("utf-8")
        return dict(parse_qsl(sent, keep_blank_values=True, max_num_fields=200))
    except ValueError:
        raise HashmarkError("the form cannot be read") from None


def number(sent: Mapping[str, str], name: str) -> int:
    """Parse a form field as a whole number."""
    value = whole_number(sent.get(name, ""))
    if value is None:
        raise HashmarkError(f"{name}: expected a whole number")
    return value


# --- Lobby -------------------------------------------------------------------------------------


@router.get("/")
async def lobby(app_state: InHall, holder: Holder) -> Response:
    return HTMLResponse(await run_in_threadpool(_lobby, app_state, holder))


def _lobby(app_state: Hall, holder: str) -> str:
    store = app_state.store
    yours = store.listed((LAID, PLAYING), holder) if holder else []
    own_ids = {item.id for item in yours}
    playing = [item for item in store.listed((PLAYING,)) if item.id not in own_ids]
    return rendering.page(
        "lobby.html",
        title="Hashmark",
        games=[(item, _picture(item.name), drawn.sentences(item)) for item in games.all_games()],
        yours=[games.listed(item) for item in yours],
        playing=[games.listed(item) for item in playing[:6]],
        over=[games.listed(item) for item in store.listed((OVER,))[:6]],
        leagues=[league_state.row(item) for item in app_state.leagues.rows.listed(holder)[:6]]
        if holder
        else [],
    )


@cache
def _picture(name: str) -> Any:
    return drawn.picture(registry.load(name))


@router.get("/new/{name}")
async def new_game(name: str, request: Request, app_state: InHall) -> Response:
    return HTMLResponse(await run_in_threadpool(_new_game, name, request, app_state))


def _new_game(name: str, request: Request, app_state: Hall) -> str:
    rules = registry.load(name)
    with app_state.looking_for_files(request.query_params):
        picked = games.picks(rules, dict(request.query_params))
    return rendering.page(
        "new.html",
        title=f"New game: {rules.title}",
        game=games.described(rules),
        picture=_picture(rules.name),
        sentences=drawn.sentences(rules),
        picks=picked,
    )


@router.get("/new/{name}/picks")
def new_picks(name: str, request: Request, app_state: InHall) -> Response:
    with app_state.looking_for_files(request.query_params):
        found = games.picks(registry.load(name), dict(request.query_params))
    return page("picks.html", picks=found)


@router.post("/tables")
async def make_table(request: Request, app_state: InHall) -> Response:
    sent = await fields(request)
    token, _ = token_or_new(request)
    table_request = wish_of(sent)
    table = await app_state.lay(table_request, tokens.digest(token), caller(request))
    return seated(request, table, token)


def wish_of(sent: Mapping[str, str]) -> Wish:
    """Parse the form for a new table; fields left at their defaults are omitted."""
    rules = registry.load(sent.get("rules", ""))
    seats = _parse_seats(rules, sent)
    options: dict[str, Any] = {
        declared.name: sent[f"option-{declared.name}"]
        for declared in rules.options
        if sent.get(f"option-{declared.name}", "") != ""
    }
    if sent.get("preset"):
        options["preset"] = sent["preset"]
        options = _expand_preset(rules, options)
    names = {team: sent[f"name-{team}"] for team in TEAMS if sent.get(f"name-{team}", "").strip()}
    return Wish(
        rules=rules.name,
        options=options,
        seats=seats,
        dice=sent.get("dice", "computer"),
        names=names,
        hints=sent.get("hints", "demand"),
        listed=sent.get("private") != "on",
    )


def _expand_preset(rules: RuleSet, options: Mapping[str, Any]) -> dict[str, Any]:
    """Replace a preset by its options; explicitly given options take precedence."""
    name = options["preset"]
    if name not in rules.presets:
        raise UnknownName(f"preset of {rules.name}", name, rules.presets)
    given = {key: value for key, value in options.items() if key != "preset"}
    return {**rules.presets[name], **given}


def _parse_seats(rules: RuleSet, sent: Mapping[str, str]) -> dict[str, str]:
    """Return the seats: me against a coach or a friend, two players here, or coaches alone."""
    coach = f"coach:{sent['coach']}" if sent.get("coach") else ""
    other = f"coach:{sent['other']}" if sent.get("other") else coach
    kinds: dict[str, tuple[str, str]] = {
        "coach": (ME, coach),
        "friend": (ME, FRIEND),
        "two": (ME, ME),
        "watch": (other, coach),
    }
    kind = sent.get("against", "coach")
    if kind not in kinds:
        raise UnknownName("way to play", kind, kinds)
    home, away = kinds[kind]
    if sent.get("side") == "away" and kind in ("coach", "friend"):
        home, away = away, home
    return {team: seat for team, seat in zip(TEAMS, (home, away), strict=True) if seat}


def seated(request: Request, table: Table, token: str) -> Response:
    """Redirect to the table, with the token in a cookie that scripts cannot read."""
    answer = RedirectResponse(f"/table/{table.id}", 303)
    remember(request, answer, token)
    return answer


def remember(request: Request, answer: Response, token: str) -> None:
    """Store the token in a cookie that scripts cannot read."""
    answer.set_cookie(
        COOKIE,
        token,
        max_age=FOREVER,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


@router.get("/join")
def join() -> Response:
    return page("join.html", title="An invitation")


@router.post("/join")
async def take_seat(request: Request, app_state: InHall) -> Response:
    sent = await fields(request)
    token, _ = token_or_new(request)
    table, _ = await app_state.take_seat(sent.get("invitation", ""), tokens.digest(token))
    return seated(request, table, token)


@router.post("/bring")
async def bring(request: Request, app_state: InHall) -> Response:
    """A log file that was chosen in the lobby."""
    token, _ = token_or_new(request)
    table = await app_state.bring(await request.body(), tokens.digest(token), caller(request))
    answer = JSONResponse({"id": table.id}, 201)
    remember(request, answer, token)
    return answer


@router.get("/rules/{name}")
def rules_page(name: str) -> Response:
    rules = registry.load(name)
    if rules.book is None:
        raise HashmarkError(f"{rules.title} has no rules page")
    text = rendering.markdown(read_text(rules.book))
    return page("rules.html", title=f"Rules: {rules.title}", game=rules, text=text)


@router.get("/api")
def api_page(request: Request) -> Response:
    """The API in words, made from its description."""
    found = request.app.openapi()
    routes = [
        {"path": path, "method": method.upper(), **about}
        for path, methods in found["paths"].items()
        for method, about in methods.items()
    ]
    return page("api.html", title="The API", routes=routes, described=found)


# --- The table ---------------------------------------------------------------------------------


@router.get("/table/{key}")
async def table_page(table: At, viewer: As) -> Response:
    async with table.settled():
        made = parts.all_parts(table, viewer)
        values = parts.frame(table, viewer)
    return page("table.html", parts=made, **values)


async def changed(request: Request, table: Table, viewer: Viewer) -> Response:
    """Respond to an action with the current parts, or redirect to the whole page."""
    if not request.headers.get("x-part"):
        return RedirectResponse(f"/table/{table.id}", 303)
    return await table_parts(table, viewer)


@router.get("/table/{key}/parts")
async def table_parts(table: At, viewer: As) -> Response:
    async with table.settled():
        made = parts.all_parts(table, viewer)
        version = table.version
    return HTMLResponse(parts.joined(made), headers={"X-Version": str(version)})


@router.post("/table/{key}/ready")
async def ready(request: Request, table: At, viewer: As) -> Response:
    await table.say_word(viewer, (await fields(request)).get("word", ""))
    return await changed(request, table, viewer)


@router.post("/table/{key}/answer")
async def answer(request: Request, table: At, viewer: As) -> Response:
    sent = await fields(request)
    await table.answer(viewer, number(sent, "moment"), sent.get("call", ""))
    return await changed(request, table, viewer)


@router.post("/table/{key}/roll")
async def roll(request: Request, table: At, viewer: As) -> Response:
    sent = await fields(request)
    await table.roll(viewer, number(sent, "moment"), number(sent, "at"), number(sent, "face"))
    return await changed(request, table, viewer)


@router.post("/table/{key}/undo")
async def undo(request: Request, table: At, viewer: As) -> Response:
    await table.take_back(viewer, number(await fields(request), "moment"))
    return await changed(request, table, viewer)


@router.post("/table/{key}/order")
async def order(request: Request, table: At, viewer: As) -> Response:
    sent = await fields(request)
    await table.order(viewer, sent.get("when", ""), sent.get("window", "all"))
    return await changed(request, table, viewer)


@router.post("/table/{key}/seat")
async def seat(request: Request, table: At, viewer: As) -> Response:
    sent = await fields(request)
    team = sent.get("team", "")
    if team not in TEAMS:
        raise UnknownName("team", team, TEAMS)
    await table.hand_over(viewer, TEAMS.index(team), sent.get("who", ""))
    return await changed(request, table, viewer)


@router.post("/table/{key}/invite")
async def invite(request: Request, table: At, viewer: As, app_state: InHall) -> Response:
    team = (await fields(request)).get("team", "")
    if team not in TEAMS:
        raise UnknownName("team", team, TEAMS)
    token = await app_state.invite(table, viewer, TEAMS.index(team))
    link = str(request.url.replace(path="/join", query="", fragment=token))
    own = TEAMS.index(team) in viewer.teams
    values = parts.frame(table, viewer)
    return page("invited.html", link=link, own=own, team=TEAMS.index(team), **values)


@router.post("/table/{key}/rematch")
async def rematch(request: Request, table: At, viewer: As, app_state: InHall) -> Response:
    other = await app_state.rematch(table, viewer, caller(request))
    return RedirectResponse(f"/table/{other.id}", 303)


@router.post("/table/{key}/close")
async def close(table: At, viewer: As) -> Response:
    await table.close(viewer)
    return RedirectResponse("/", 303)


# --- Parts loaded on demand ----------------------------------------------------------------------


async def _panel(table: Table, viewer: Viewer, render: Callable[[Any], str]) -> Response:
    """Render a panel on a thread, from the game as the viewer may see it."""
    return HTMLResponse(await run_in_threadpool(render, await seen_by(viewer, table)))


@router.get("/table/{key}/plays")
async def plays(table: At, viewer: As) -> Response:
    return await _panel(table, viewer, parts.plays)


@router.get("/table/{key}/box")
async def box(table: At, viewer: As) -> Response:
    return await _panel(table, viewer, parts.box)


@router.get("/table/{key}/drives")
async def drives(table: At, viewer: As) -> Response:
    return await _panel(table, viewer, parts.drives)


@router.get("/table/{key}/help")
async def help_panel(table: At, viewer: As) -> Response:
    return await _panel(table, viewer, parts.help_with)


@router.get("/table/{key}/odds")
async def odds(table: At, viewer: As, app_state: InHall) -> Response:
    found = await look(table, viewer, app_state)
    return page("panels/odds.html", look=found, names=table.header.names)


@router.get("/table/{key}/at/{turn}")
async def at_turn(turn: int, table: At, viewer: As) -> Response:
    return await _panel(
        table, viewer, lambda game: parts.past(views.at_turn(game, turn), viewer, turn)
    )


@router.get("/table/{key}/review")
async def review(table: At, viewer: As) -> Response:
    values = parts.frame(table, viewer)
    return page("review.html", **values)
