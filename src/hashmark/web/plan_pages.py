"""HTML pages of saved plans: view, compare with the team's real plan, upload, and play."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from hashmark.club import meeting, plan_files, plan_view, season_view, whatif_form
from hashmark.club.plan_view import GO, Changed, PlanView
from hashmark.club.play_view import INVENTED
from hashmark.table.errors import HashmarkError
from hashmark.web import rendering
from hashmark.web.api import InHall, caller
from hashmark.web.hall import Hall
from hashmark.web.pages import Fields, fields
from hashmark.web.plan_shelf import KeptPlan
from hashmark.web.queue import Row
from hashmark.web.seasons_pages import chosen, question_of, team_names

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
MOST_SHOWN = 10  # differences shown of each section
SECTION_WORDS = {
    "play": "Plays",
    "formation": "Formations",
    "tempo": "Tempo",
    "try": "Tries after a touchdown",
    "instead": "Fourth down",
}


@router.get("/plans")
async def bring_page() -> Response:
    return HTMLResponse(await run_in_threadpool(_bring_page))


def _bring_page() -> str:
    return rendering.page(
        "plans.html",
        title="Game plans",
        seasons=season_view.known(),
        teams=team_names(),
    )


@router.post("/plans")
async def keep_plan(request: Request, app_state: InHall) -> Response:
    """Keep the plan of a what-if's form or result, or one that was written into a field."""
    sent = await fields(request)
    if "work" in sent:
        key = await tried(app_state, sent["work"], caller(request))
    elif "text" in sent:
        key = await brought(app_state, sent["text"], sent, caller(request))
    else:
        question = await question_of(sent, app_state)
        whatif_form.must_change(question)
        plan = await run_in_threadpool(_changed_plan, question)
        key = await app_state.plans.keep(plan, question.season, question.team, caller(request))
    return RedirectResponse(f"/plans/{key}", 303)


def _changed_plan(question: whatif_form.WhatIf) -> plan_files.Plan:
    """Return the changed plan, named after its changes if the user gave no name."""
    plan = question.changed()
    if question.name:
        return plan
    return plan_files.called_after(plan, question.season, question.team, question.words())


async def tried(app_state: Hall, job_key: str, where: str) -> str:
    """Save the plan of a finished what-if job and return its key."""
    row = await app_state.works.look(job_key)
    if row.kind != "whatif":
        raise HashmarkError("this work has made no plan")
    plan = await run_in_threadpool(_plan_of_job, app_state, row)
    return await app_state.plans.keep(plan, row.settings["season"], row.settings["team"], where)


def _plan_of_job(app_state: Hall, row: Row) -> plan_files.Plan:
    """Return the changed plan of a what-if job."""
    from hashmark.club import whatif_work  # slow: imports the simulator

    text = app_state.works.file(row, whatif_work.changed_file(row.settings)).decode()
    changes = whatif_work.wanted_of(row.settings).words()
    season, team = row.settings["season"], row.settings["team"]
    return plan_files.called_after(plan_files.read(text, "the plan"), season, team, changes)


async def brought(app_state: Hall, text: str, sent: Fields, where: str) -> str:
    """Validate and save an uploaded plan, and return its key."""
    if not text.strip():
        raise HashmarkError("the plan is empty: choose a file, or write one into the field")
    season, team = whose(sent)
    plan = await run_in_threadpool(plan_files.read, text, "the plan")
    return await app_state.plans.keep(plan, season, team, where)


def whose(sent: Fields) -> tuple[int, str]:
    """Return the season and team that a plan is for; zero and empty if none is named."""
    if not sent.get("team") and not sent.get("season"):
        return 0, ""
    return season_view.year_of(sent.get("season", "")), season_view.team_of(sent.get("team", ""))


@router.post("/plans/file")
async def bring_file(request: Request, app_state: InHall) -> Response:
    """A plan file that was chosen on the page; the body is the file."""
    try:
        text = (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HashmarkError("the plan is not UTF-8 text") from None
    key = await brought(app_state, text, dict(request.query_params), caller(request))
    return JSONResponse({"id": key}, 201)


@router.get("/plans/{key}")
async def plan_page(key: str, app_state: InHall) -> Response:
    kept = await app_state.plans.find(key)
    return HTMLResponse(await run_in_threadpool(_plan_page, kept))


def _plan_page(saved: KeptPlan) -> str:
    plan = saved.plan
    season, team = saved.season, saved.team
    real = plan_files.real(season, team) if team else None
    changes = plan_view.compared(real, plan) if real is not None else []
    name = season_view.SeasonView.of(season).name(team) if team else ""
    preset = {"home-plan": "kept", "home-key": saved.key, "home-who": "coach", "away-who": "me"}
    if team:
        other = meeting.usual_opponent(season_view.SeasonView.of(season), team)
        preset |= {"home-season": str(season), "home-team": team}
        preset |= {"away-season": str(season), "away-team": other}
    return rendering.page(
        "plan.html",
        title=f"Game plan: {plan.name}",
        kept=saved,
        plan=PlanView(plan),
        name=name,
        warnings=plan_files.warnings(plan),
        changes=_group_by_section(changes),
        entries=plan_view.entries_changed(real, plan) if real is not None else {},
        invented=INVENTED,
        form=whatif_form.drawn_from(plan, season, team, saved.key) if team else None,
        meeting=chosen(preset),
    )


def _group_by_section(changes: list[Changed]) -> dict[str, tuple[list[Changed], int]]:
    """Return the largest differences of each section, and the number of those left out."""
    grouped = {}
    for section, title in SECTION_WORDS.items():
        differences = [change for change in changes if change.section == section]
        differences = [
            change for change in differences if change.call == GO
        ] or differences  # on fourth down these tell the rest
        if differences:
            grouped[title] = (differences[:MOST_SHOWN], max(0, len(differences) - MOST_SHOWN))
    return grouped


@router.get("/plans/{key}/file")
async def plan_file(key: str, app_state: InHall) -> Response:
    kept = await app_state.plans.find(key)
    return attached(kept.text, f"{kept.key}.plan.toml")


def attached(text: str, name: str, media: str = "application/toml") -> Response:
    """Return a text as a file download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{media}; charset=utf-8", headers=headers)
