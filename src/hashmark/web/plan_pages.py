"""Plans that are kept: looked at, compared with the team's own, brought along, played with."""

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
MOST_SHOWN = 10  # differences of a section
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
async def keep_plan(request: Request, hall: InHall) -> Response:
    """Keep the plan of a what-if's form or result, or one that was written into a field."""
    sent = await fields(request)
    if "work" in sent:
        key = await tried(hall, sent["work"], caller(request))
    elif "text" in sent:
        key = await brought(hall, sent["text"], sent, caller(request))
    else:
        question = await question_of(sent, hall)
        whatif_form.must_change(question)
        plan = await run_in_threadpool(_changed, question)
        key = await hall.plans.keep(plan, question.season, question.team, caller(request))
    return RedirectResponse(f"/plans/{key}", 303)


def _changed(question: whatif_form.WhatIf) -> plan_files.Plan:
    """The changed plan; one without a name is called after what is changed."""
    made = question.changed()
    if question.name:
        return made
    return plan_files.called_after(made, question.season, question.team, question.words())


async def tried(hall: Hall, work: str, where: str) -> str:
    """The plan whose what-if was worked out, on the shelf."""
    row = await hall.works.look(work)
    if row.kind != "whatif":
        raise HashmarkError("this work has made no plan")
    made = await run_in_threadpool(_tried, hall, row)
    return await hall.plans.keep(made, row.settings["season"], row.settings["team"], where)


def _tried(hall: Hall, row: Row) -> plan_files.Plan:
    from hashmark.club import whatif_work  # which loads what simulates

    text = hall.works.file(row, whatif_work.changed_file(row.settings)).decode()
    said = whatif_work.wanted_of(row.settings).words()
    season, team = row.settings["season"], row.settings["team"]
    return plan_files.called_after(plan_files.read(text, "the plan"), season, team, said)


async def brought(hall: Hall, text: str, sent: Fields, where: str) -> str:
    """A plan from elsewhere, read and found sound, on the shelf."""
    if not text.strip():
        raise HashmarkError("the plan is empty: choose a file, or write one into the field")
    season, team = whose(sent)
    plan = await run_in_threadpool(plan_files.read, text, "the plan")
    return await hall.plans.keep(plan, season, team, where)


def whose(sent: Fields) -> tuple[int, str]:
    """The team that a plan is for, if one is named."""
    if not sent.get("team") and not sent.get("season"):
        return 0, ""
    return season_view.year_of(sent.get("season", "")), season_view.team_of(sent.get("team", ""))


@router.post("/plans/file")
async def bring_file(request: Request, hall: InHall) -> Response:
    """A plan file that was chosen on the page; the body is the file."""
    try:
        text = (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HashmarkError("the plan is not UTF-8 text") from None
    key = await brought(hall, text, dict(request.query_params), caller(request))
    return JSONResponse({"id": key}, 201)


@router.get("/plans/{key}")
async def plan_page(key: str, hall: InHall) -> Response:
    kept = await hall.plans.find(key)
    return HTMLResponse(await run_in_threadpool(_plan_page, kept))


def _plan_page(kept: KeptPlan) -> str:
    plan = kept.plan
    season, team = kept.season, kept.team
    real = plan_files.real(season, team) if team else None
    changes = plan_view.compared(real, plan) if real is not None else []
    name = season_view.SeasonView.of(season).name(team) if team else ""
    asked = {"home-plan": "kept", "home-key": kept.key, "home-who": "coach", "away-who": "me"}
    if team:
        other = meeting.usual_opponent(season_view.SeasonView.of(season), team)
        asked |= {"home-season": str(season), "home-team": team}
        asked |= {"away-season": str(season), "away-team": other}
    return rendering.page(
        "plan.html",
        title=f"Game plan: {plan.name}",
        kept=kept,
        plan=PlanView(plan),
        name=name,
        warnings=plan_files.warnings(plan),
        changes=_by_section(changes),
        entries=plan_view.entries_changed(real, plan) if real is not None else {},
        invented=INVENTED,
        form=whatif_form.drawn_from(plan, season, team, kept.key) if team else None,
        meeting=chosen(asked),
    )


def _by_section(changes: list[Changed]) -> dict[str, tuple[list[Changed], int]]:
    """The largest differences of each section, and how many more there are."""
    made = {}
    for section, title in SECTION_WORDS.items():
        found = [one for one in changes if one.section == section]
        found = [one for one in found if one.call == GO] or found  # of fourth down that says all
        if found:
            made[title] = (found[:MOST_SHOWN], max(0, len(found) - MOST_SHOWN))
    return made


@router.get("/plans/{key}/file")
async def plan_file(key: str, hall: InHall) -> Response:
    kept = await hall.plans.find(key)
    return attached(kept.text, f"{kept.key}.plan.toml")


def attached(text: str, name: str, media: str = "application/toml") -> Response:
    """A text to be saved as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{media}; charset=utf-8", headers=headers)
