"""HTML pages of saved plans: view, compare with the team's real plan, upload, and play."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from hashmark.errors import HashmarkError
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import AppStateDep, attachment, get_caller
from hashmark.web.jobs.queue import JobRow
from hashmark.web.pages import rendering
from hashmark.web.pages.form_data import parse_form
from hashmark.web.pages.seasons_pages import meeting_form_values, parse_whatif, team_names
from hashmark.web.seasons import meeting, plan_files, plan_view, season_view, whatif_form
from hashmark.web.seasons.plan_view import GO, CallChange, PlanView
from hashmark.web.seasons.play_view import FORMATIONS_NOTE
from hashmark.web.seasons.saved_plans import SavedPlan

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
MAX_CHANGES_SHOWN = 10  # differences shown of each section
SECTION_TITLES = {
    "play": "Plays",
    "formation": "Formations",
    "tempo": "Tempo",
    "try": "Tries after a touchdown",
    "instead": "Fourth down",
}


@router.get("/plans")
async def plans_page() -> Response:
    return HTMLResponse(await run_in_threadpool(_plans_page))


def _plans_page() -> str:
    return rendering.render_page(
        "plans.html",
        title="Game plans",
        seasons=season_view.available_seasons(),
        teams=team_names(),
    )


@router.post("/plans")
async def save_plan(request: Request, app_state: AppStateDep) -> Response:
    """Keep the plan of a what-if's form or result, or one that was written into a field."""
    fields = await parse_form(request)
    if "work" in fields:
        key = await save_job_plan(app_state, fields["work"], get_caller(request))
    elif "text" in fields:
        key = await app_state.saved_plans.save_upload(fields["text"], fields, get_caller(request))
    else:
        question = await parse_whatif(fields, app_state)
        whatif_form.require_change(question)
        plan = await run_in_threadpool(_changed_plan, question)
        key = await app_state.saved_plans.save(
            plan, question.season, question.team, get_caller(request)
        )
    return RedirectResponse(f"/plans/{key}", 303)


def _changed_plan(question: whatif_form.WhatIfQuestion) -> plan_files.Plan:
    """Return the changed plan, named after its changes if the user gave no name."""
    plan = question.changed_plan()
    if question.name:
        return plan
    return plan_files.name_after_changes(plan, question.season, question.team, question.describe())


async def save_job_plan(app_state: AppState, job_key: str, caller: str) -> str:
    """Save the plan of a finished what-if job and return its key."""
    row = await app_state.jobs.view(job_key)
    if row.kind != "whatif":
        raise HashmarkError("this job has no plan")
    plan = await run_in_threadpool(_plan_of_job, app_state, row)
    return await app_state.saved_plans.save(
        plan, row.settings["season"], row.settings["team"], caller
    )


def _plan_of_job(app_state: AppState, row: JobRow) -> plan_files.Plan:
    """Return the changed plan of a what-if job."""
    from hashmark.web.jobs import whatif_job

    text = app_state.jobs.read_file(row, whatif_job.changed_plan_name(row.settings)).decode()
    changes = whatif_job.requested_changes(row.settings).words()
    season, team = row.settings["season"], row.settings["team"]
    return plan_files.name_after_changes(plan_files.read(text, "the plan"), season, team, changes)


@router.post("/plans/file")
async def upload_plan(request: Request, app_state: AppStateDep) -> Response:
    """A plan file that was chosen on the page; the body is the file."""
    try:
        text = (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HashmarkError("the plan is not UTF-8 text") from None
    key = await app_state.saved_plans.save_upload(text, request.query_params, get_caller(request))
    return JSONResponse({"id": key}, 201)


@router.get("/plans/{key}")
async def plan_page(key: str, app_state: AppStateDep) -> Response:
    saved = await app_state.saved_plans.find(key)
    return HTMLResponse(await run_in_threadpool(_plan_page, saved))


def _plan_page(saved: SavedPlan) -> str:
    plan = saved.plan
    season, team = saved.season, saved.team
    real = plan_files.load_real_plan(season, team) if team else None
    changes = plan_view.compare_plans(real, plan) if real is not None else []
    name = season_view.SeasonView.of(season).name(team) if team else ""
    preset = {"home-plan": "kept", "home-key": saved.key, "home-who": "coach", "away-who": "me"}
    if team:
        other = meeting.default_opponent(season_view.SeasonView.of(season), team)
        preset |= {"home-season": str(season), "home-team": team}
        preset |= {"away-season": str(season), "away-team": other}
    return rendering.render_page(
        "plan.html",
        title=f"Game plan: {plan.name}",
        saved=saved,
        plan=PlanView(plan),
        name=name,
        warnings=plan_files.find_warnings(plan),
        changes=_group_by_section(changes),
        entries=plan_view.count_changed_entries(real, plan) if real is not None else {},
        invented=FORMATIONS_NOTE,
        form=whatif_form.form_values(plan, season, team, saved.key) if team else None,
        meeting=meeting_form_values(preset),
    )


def _group_by_section(changes: list[CallChange]) -> dict[str, tuple[list[CallChange], int]]:
    """Return the largest differences of each section, and the number of those left out."""
    grouped = {}
    for section, title in SECTION_TITLES.items():
        differences = [change for change in changes if change.section == section]
        differences = [
            change for change in differences if change.call == GO
        ] or differences  # on fourth down these tell the rest
        if differences:
            grouped[title] = (
                differences[:MAX_CHANGES_SHOWN],
                max(0, len(differences) - MAX_CHANGES_SHOWN),
            )
    return grouped


@router.get("/plans/{key}/file")
async def plan_file(key: str, app_state: AppStateDep) -> Response:
    saved = await app_state.saved_plans.find(key)
    return attachment(saved.text, f"{saved.key}.plan.toml")
