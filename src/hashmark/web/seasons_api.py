"""HTTP API of seasons, teams and plans: what their pages show, as data."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from hashmark.club import plan_files, plan_view, season_view, team_view
from hashmark.club.plan_view import PlanView
from hashmark.club.season_view import SeasonView
from hashmark.club.team_view import TeamView
from hashmark.sheet import render
from hashmark.web.addresses import TeamOfSeason
from hashmark.web.api import MEDIA, WRONG, Caller, InHall, Json, document
from hashmark.web.hall import Hall
from hashmark.web.plan_pages import attached, brought
from hashmark.web.plan_shelf import KeptPlan
from hashmark.web.seasons_pages import said_of, summaries

router = APIRouter(prefix="/api", responses=WRONG, default_response_class=JSONResponse)
TOML = "application/toml"
CSV = "text/csv"


@router.get("/seasons", summary="The seasons that ship, and who won them")
async def list_seasons() -> list[Json]:
    return await run_in_threadpool(summaries)


@router.get("/seasons/{year}", summary="A season as it was: standings, ties, games, playoffs")
async def one_season(year: str, app_state: InHall) -> Json:
    return await run_in_threadpool(_season, season_view.year_of(year), app_state)


def _season(year: int, app_state: Hall) -> Json:
    job_key, summary = said_of(year, app_state)
    simulated = {"work": job_key, **summary.to_json()} if summary is not None else None
    return {**SeasonView.of(year).to_json(), "simulated": simulated}


@router.get(
    "/seasons/{year}/{team}", summary="A team: standing, games, plays, ranks and plan of a season"
)
async def one_team(found: TeamOfSeason) -> Json:
    return await run_in_threadpool(lambda: TeamView.of(*found).to_json())


@router.get(
    "/seasons/{year}/{team}/plan",
    summary="How the team really called, as a plan file",
    response_class=Response,
    responses={200: {"content": {TOML: {}}}},
)
async def team_plan(found: TeamOfSeason) -> Response:
    season, code = found
    text = await run_in_threadpool(lambda: plan_files.write(plan_files.real(season, code)))
    return attached(text, f"{season}-{code}.plan.toml")


@router.get(
    "/seasons/{year}/{team}/charts",
    summary="The team's charts: every cell as CSV, or as on paper",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in (CSV, *MEDIA.values())}}},
)
async def team_charts(
    found: TeamOfSeason,
    form: Literal["csv", "pdf", "html", "text"] = "csv",
    paper: Literal["a4", "letter"] = "a4",
) -> Response:
    season, code = found
    name = f"{season}-{code}-charts.{form}"
    if form == "csv":
        return attached(await run_in_threadpool(team_view.cells, season, code), name, CSV)
    made = await run_in_threadpool(lambda: render(team_view.paper(season, code), form, paper))
    return document(made, MEDIA[form], name)


# --- Plans ---------------------------------------------------------------------------------------

Season = Annotated[str, Query(max_length=4, description="Season of the team it is a plan for.")]
Code = Annotated[str, Query(max_length=4, description="The team, by its code.")]


@router.post(
    "/plans",
    status_code=201,
    summary="Keep a game plan; the body is the file",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
)
async def keep_plan(
    request: Request, app_state: InHall, where: Caller, season: Season = "", team: Code = ""
) -> Json:
    text = (await request.body()).decode("utf-8", errors="replace")
    key = await brought(app_state, text, {"season": season, "team": team}, where)
    return {"id": key, "page": f"/plans/{key}"}


@router.get("/plans/{key}", summary="A kept plan: drawn, compared with the team's own, and packed")
async def one_plan(key: str, app_state: InHall) -> Json:
    kept = await app_state.plans.find(key)
    return await run_in_threadpool(_plan_to_json, kept)


def _plan_to_json(saved: KeptPlan) -> Json:
    real = plan_files.real(saved.season, saved.team) if saved.team else None
    return {
        "id": saved.key,
        "season": saved.season or None,
        "team": saved.team or None,
        "packed": saved.packed,
        "warnings": plan_files.warnings(saved.plan),
        "changes": [change.to_json() for change in plan_view.compared(real, saved.plan)]
        if real
        else [],
        "plan": PlanView(saved.plan).to_json(),
    }


@router.get(
    "/plans/{key}/file",
    summary="A kept plan as a file",
    response_class=Response,
    responses={200: {"content": {TOML: {}}}},
)
async def plan_file(key: str, app_state: InHall) -> Response:
    kept = await app_state.plans.find(key)
    return attached(kept.text, f"{kept.key}.plan.toml")
