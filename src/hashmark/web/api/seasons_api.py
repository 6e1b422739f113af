"""HTTP API of seasons, teams and plans: what their pages show, as data."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from hashmark.sheets import render
from hashmark.web.api.tables_api import MEDIA_TYPES, document_response
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import (
    ERROR_RESPONSES,
    AppStateDep,
    CallerDep,
    Json,
    attachment,
    raw_body,
)
from hashmark.web.request_limits import JsonRoute
from hashmark.web.seasons import plan_files, plan_view, season_view, team_view
from hashmark.web.seasons.plan_view import PlanView
from hashmark.web.seasons.saved_plans import SavedPlan
from hashmark.web.seasons.season_summary import latest_simulation, season_summaries
from hashmark.web.seasons.season_view import SeasonView
from hashmark.web.seasons.team_urls import SeasonTeamDep
from hashmark.web.seasons.team_view import TeamView

router = APIRouter(
    prefix="/api",
    responses=ERROR_RESPONSES,
    default_response_class=JSONResponse,
    route_class=JsonRoute,
)
TOML = "application/toml"
CSV = "text/csv"


@router.get("/seasons", summary="Included seasons and their champions")
async def list_seasons() -> list[Json]:
    return await run_in_threadpool(season_summaries)


@router.get("/seasons/{year}", summary="A real season: standings, tiebreakers, games and playoffs")
async def read_season(year: str, app_state: AppStateDep) -> Json:
    return await run_in_threadpool(_season, season_view.parse_season(year), app_state)


def _season(year: int, app_state: AppState) -> Json:
    job_key, summary = latest_simulation(year, app_state.jobs.queue)
    simulated = {"work": job_key, **summary.to_json()} if summary is not None else None
    return {**SeasonView.of(year).to_json(), "simulated": simulated}


@router.get(
    "/seasons/{year}/{team}", summary="A team in a season: record, games, plays, ranks and plan"
)
async def read_team(season_team: SeasonTeamDep) -> Json:
    return await run_in_threadpool(lambda: TeamView.of(*season_team).to_json())


@router.get(
    "/seasons/{year}/{team}/plan",
    summary="The team's real game plan, as a file",
    response_class=Response,
    responses={200: {"content": {TOML: {}}}},
)
async def team_plan(season_team: SeasonTeamDep) -> Response:
    season, code = season_team
    text = await run_in_threadpool(
        lambda: plan_files.write(plan_files.load_real_plan(season, code))
    )
    return attachment(text, f"{season}-{code}.plan.toml")


@router.get(
    "/seasons/{year}/{team}/charts",
    summary="The team's charts, as CSV or printable",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in (CSV, *MEDIA_TYPES.values())}}},
)
async def team_charts(
    season_team: SeasonTeamDep,
    form: Literal["csv", "pdf", "html", "text"] = "csv",
    paper: Literal["a4", "letter"] = "a4",
) -> Response:
    season, code = season_team
    name = f"{season}-{code}-charts.{form}"
    if form == "csv":
        return attachment(await run_in_threadpool(team_view.charts_csv, season, code), name, CSV)
    document = await run_in_threadpool(
        lambda: render(team_view.charts_document(season, code), form, paper)
    )
    return document_response(document, MEDIA_TYPES[form], name)


# --- Plans ---------------------------------------------------------------------------------------

Season = Annotated[str, Query(max_length=4, description="Season of the plan's team.")]
Code = Annotated[str, Query(max_length=4, description="Code of the team.")]


@router.post(
    "/plans",
    status_code=201,
    summary="Save a game plan; the body is the file",
    openapi_extra=raw_body("text/plain"),
)
async def save_plan(
    request: Request,
    app_state: AppStateDep,
    caller: CallerDep,
    season: Season = "",
    team: Code = "",
) -> Json:
    text = (await request.body()).decode("utf-8", errors="replace")
    key = await app_state.saved_plans.save_upload(text, {"season": season, "team": team}, caller)
    return {"id": key, "page": f"/plans/{key}"}


@router.get("/plans/{key}", summary="A saved plan: charts, differences and code")
async def read_plan(key: str, app_state: AppStateDep) -> Json:
    saved = await app_state.saved_plans.find(key)
    return await run_in_threadpool(_plan_to_json, saved)


def _plan_to_json(saved: SavedPlan) -> Json:
    real = plan_files.load_real_plan(saved.season, saved.team) if saved.team else None
    return {
        "id": saved.key,
        "season": saved.season or None,
        "team": saved.team or None,
        "packed": saved.packed,
        "warnings": plan_files.find_warnings(saved.plan),
        "changes": [change.to_json() for change in plan_view.compare_plans(real, saved.plan)]
        if real
        else [],
        "plan": PlanView(saved.plan).to_json(),
    }


@router.get(
    "/plans/{key}/file",
    summary="A saved plan as a file",
    response_class=Response,
    responses={200: {"content": {TOML: {}}}},
)
async def plan_file(key: str, app_state: AppStateDep) -> Response:
    saved = await app_state.saved_plans.find(key)
    return attachment(saved.text, f"{saved.key}.plan.toml")
