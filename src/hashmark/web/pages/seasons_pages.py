"""HTML pages of seasons and teams, of a game between any two teams, and of questions about them.

The views come from `web/seasons` and are cached; building them takes a moment and therefore never
happens on the event loop. Longer questions become jobs, and the page redirects to the job.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.concurrency import run_in_threadpool

from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.web import tokens
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import AppStateDep, get_caller, get_or_create_token
from hashmark.web.jobs.job_types import DEFAULT_RUNS
from hashmark.web.pages import rendering
from hashmark.web.pages.form_data import FormFields, parse_form
from hashmark.web.pages.jobs_pages import submit_job
from hashmark.web.pages.table_pages import redirect_to_table
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.seasons import meeting, season_view, strengths, team_view, whatif_form
from hashmark.web.seasons.meeting import Meeting
from hashmark.web.seasons.play_view import DEFENSE, FORMATIONS_NOTE, LIMITATIONS, OFFENSE
from hashmark.web.seasons.season_summary import (
    RUN_CHOICES,
    latest_simulation,
    season_job_settings,
    season_summaries,
    summarize,
)
from hashmark.web.seasons.season_view import SeasonView, UnknownSeason
from hashmark.web.seasons.team_urls import SeasonTeamDep
from hashmark.web.seasons.team_view import TeamView
from hashmark.web.seasons.whatif_form import WhatIfQuestion
from hashmark.web.tables.table_request import TableRequest

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


# --- Seasons -----------------------------------------------------------------------------------


@router.get("/seasons")
async def seasons_page(request: Request) -> Response:
    return HTMLResponse(await run_in_threadpool(_seasons, dict(request.query_params)))


def _seasons(query: Mapping[str, str]) -> str:
    return rendering.render_page(
        "seasons.html",
        title="Seasons",
        seasons=season_summaries(),
        meeting=meeting_form_values(query),
    )


@router.get("/seasons/{year}")
async def season_page(year: str, app_state: AppStateDep) -> Response:
    season = season_view.parse_season(year)
    return HTMLResponse(await run_in_threadpool(_season, season, app_state))


def _season(year: int, app_state: AppState) -> str:
    season, known = SeasonView.of(year), season_view.available_seasons()
    job_key, simulated = latest_simulation(year, app_state.jobs.queue)
    index = known.index(year)
    return rendering.render_page(
        "season.html",
        title=f"{year} season",
        season=season,
        later=known[index - 1] if index else None,
        earlier=known[index + 1] if index + 1 < len(known) else None,
        runs=RUN_CHOICES,
        usual=DEFAULT_RUNS,
        summary=summarize(season),
        work=job_key,
        simulated=simulated,
    )


@router.post("/seasons/{year}/works")
async def play_season(year: str, request: Request, app_state: AppStateDep) -> Response:
    """Play a season many times: its page is that of the work."""
    season, fields = season_view.parse_season(year), await parse_form(request)
    runs = fields.get("runs", "") or str(DEFAULT_RUNS)
    if runs not in map(str, RUN_CHOICES):
        raise HashmarkError(f"runs: expected one of {', '.join(map(str, RUN_CHOICES))}")
    return await submit_job(request, app_state, "season", season_job_settings(season, int(runs)))


# --- A team --------------------------------------------------------------------------------------


@router.get("/seasons/{year}/{team}")
async def team_page(season_team: SeasonTeamDep) -> Response:
    return HTMLResponse(await run_in_threadpool(_team, *season_team))


def _team(year: int, team: str) -> str:
    view = TeamView.of(year, team)
    good, bad = view.best_and_worst()
    return rendering.render_page(
        "team.html",
        title=f"{year} {view.standing.name}",
        view=view,
        season=view.season,
        team=team,
        good=good,
        bad=bad,
        left_out=LIMITATIONS,
        invented=FORMATIONS_NOTE,
        ranks_note=strengths.RANKS_NOTE,
        gains_key=team_view.GAINS_KEY,
        sides=((OFFENSE, "Offense by play"), (DEFENSE, "Defense by play")),
        opponent=meeting.default_opponent(view.season, team),
        known=season_view.available_seasons(),
        plan=view.plan,
        form=whatif_form.form_values(view.plan.plan, year, team),
    )


@router.post("/whatifs")
async def submit_whatif(request: Request, app_state: AppStateDep) -> Response:
    """What another plan would have brought: its page is that of the work."""
    question = await parse_whatif(await parse_form(request), app_state)
    whatif_form.require_change(question)
    return await submit_job(request, app_state, "whatif", question.settings())


async def parse_whatif(fields: FormFields, app_state: AppState) -> WhatIfQuestion:
    """Parse a what-if form, for a team's real plan or a saved one."""
    key = fields.get("plan", "")
    text = (await app_state.saved_plans.find(key)).text if key else ""
    return await run_in_threadpool(whatif_form.parse_form, fields, text)


# --- A game between any two ----------------------------------------------------------------------


@router.get("/versus")
async def versus_page(request: Request) -> Response:
    return HTMLResponse(await run_in_threadpool(_versus, dict(request.query_params)))


def _versus(query: Mapping[str, str], message: str = "") -> str:
    """Return the form as it was filled in, with what was wrong with it."""
    return rendering.render_page(
        "versus.html",
        title="Play any two teams",
        meeting=meeting_form_values(query),
        message=message,
    )


def meeting_form_values(query: Mapping[str, str]) -> dict[str, Any]:
    """Return the template variables of the meeting form, preset by the URL."""
    newest = SeasonView.of(season_view.available_seasons()[0])
    defaults = {
        "home-season": str(newest.year),
        "away-season": str(newest.year),
        "home-team": newest.champion,
        "away-team": meeting.default_opponent(newest, newest.champion),
        "home-who": meeting.ME,
        "away-who": meeting.COACH,
        "home-plan": meeting.REAL,
        "away-plan": meeting.REAL,
        "home-key": "",
        "away-key": "",
        "ground": meeting.AT_HOME,
        "options": meeting.SEASON_RULES,
    }
    chosen = {name: query[name] for name in defaults if query.get(name)}
    for name in ("home-team", "away-team"):
        with suppress(UnknownSeason):  # reported when the form is submitted
            chosen[name] = season_view.parse_team(chosen.get(name, defaults[name]))
    return {
        "sides": TEAMS,
        "chosen": {**defaults, **chosen},
        "seasons": season_view.available_seasons(),
        "teams": team_names(),
        "who": meeting.PLAYER_LABELS,
        "plans": meeting.PLAN_LABELS,
        "options": meeting.RULE_LABELS,
    }


@cache
def team_names() -> dict[str, str]:
    """Return all teams by their current names."""
    newest = SeasonView.of(season_view.available_seasons()[0])
    pairs = ((code, standing.name) for code, standing in newest.standings.items())
    return dict(sorted(pairs, key=lambda pair: pair[1]))


@router.post("/versus")
async def create_meeting(request: Request, app_state: AppStateDep) -> Response:
    """Lay the table of a meeting, and on to it."""
    fields = await parse_form(request)
    token, _ = get_or_create_token(request)
    try:
        matchup = await run_in_threadpool(
            Meeting.from_form, fields, lambda key: app_state.saved_plans.read(key).packed
        )
        table = await app_state.tables.create(
            meeting_table_request(matchup), tokens.digest(token), get_caller(request)
        )
    except LimitExceeded:
        raise
    except HashmarkError as error:
        return HTMLResponse(await run_in_threadpool(_versus, fields, str(error)), 400)
    return redirect_to_table(request, table, token)


def meeting_table_request(game: Meeting) -> TableRequest:
    """Return the table request for a meeting."""
    return TableRequest(
        rules=meeting.GAME, options=game.options(), seats=game.seats(), names=game.names()
    )
