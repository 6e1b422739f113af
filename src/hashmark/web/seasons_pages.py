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

from hashmark.club import meeting, season_view, strengths, team_view, whatif_form
from hashmark.club.meeting import Meeting
from hashmark.club.play_view import DEFENCE, INVENTED, LEFT_OUT, OFFENCE
from hashmark.club.season_said import SeasonSaid
from hashmark.club.season_view import NoSeason, SeasonView
from hashmark.club.team_view import TeamView
from hashmark.club.whatif_form import WhatIf
from hashmark.club.works import Work
from hashmark.table.errors import HashmarkError
from hashmark.table.record import TEAMS
from hashmark.web import rendering, tokens
from hashmark.web.addresses import TeamOfSeason
from hashmark.web.api import InHall, caller, token_or_new
from hashmark.web.hall import Hall, Wish
from hashmark.web.pages import Fields, fields, seated
from hashmark.web.queue import DONE
from hashmark.web.works_pages import asked

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
USUAL_RUNS = 1000
RUNS = (USUAL_RUNS, 100, 10_000)  # choices on the page
SEED = 0


# --- Seasons -----------------------------------------------------------------------------------


@router.get("/seasons")
async def seasons_page(request: Request) -> Response:
    return HTMLResponse(await run_in_threadpool(_seasons, dict(request.query_params)))


def _seasons(given: Mapping[str, str]) -> str:
    return rendering.page(
        "seasons.html", title="Seasons", seasons=summaries(), meeting=chosen(given)
    )


@cache
def summaries() -> list[dict[str, Any]]:
    """Return a summary of every season: champion and runner-up."""
    return [_summary(SeasonView.of(year)) for year in season_view.known()]


def _summary(season: SeasonView) -> dict[str, Any]:
    final = season.rounds[-1].games[-1] if season.rounds else None
    best = max(
        season.standings.values(),
        key=lambda standing: (standing.share, standing.points - standing.allowed),
    )
    other = final.other(season.champion) if final and season.champion else ""
    return {
        "year": season.year,
        "champion": season.champion,
        "name": season.name(season.champion) if season.champion else "",
        "colours": season.standings[season.champion].colours if season.champion else ("", ""),
        "score": sorted(final.score, reverse=True) if final and final.score else None,
        "other": season.name(other) if other else "",
        "best": best.name,
        "record": best.record,
    }


@router.get("/seasons/{year}")
async def season_page(year: str, app_state: InHall) -> Response:
    found = season_view.year_of(year)
    return HTMLResponse(await run_in_threadpool(_season, found, app_state))


def said_of(year: int, app_state: Hall) -> tuple[str, SeasonSaid | None]:
    """Return the summary of the largest finished season job, and the key of that job."""
    for runs in sorted(RUNS, reverse=True):
        try:
            key = Work.of("season", asked_of(year, runs)).key
        except HashmarkError:  # the simulator is not installed
            break
        row = app_state.works.queue.find(key)
        if row is not None and row.state == DONE:
            return key, SeasonSaid.of(app_state.works.queue.result(key)[0])
    return "", None


def asked_of(year: int, runs: int) -> dict[str, Any]:
    """Return the settings of a season job."""
    return {"season": year, "runs": runs, "seed": SEED}


def _season(year: int, app_state: Hall) -> str:
    season, known = SeasonView.of(year), season_view.known()
    job_key, simulated = said_of(year, app_state)
    index = known.index(year)
    return rendering.page(
        "season.html",
        title=f"Season {year}",
        season=season,
        later=known[index - 1] if index else None,
        earlier=known[index + 1] if index + 1 < len(known) else None,
        runs=RUNS,
        usual=USUAL_RUNS,
        summary=_summary(season),
        work=job_key,
        said=simulated,
    )


@router.post("/seasons/{year}/works")
async def play_season(year: str, request: Request, app_state: InHall) -> Response:
    """Play a season many times: its page is that of the work."""
    season, sent = season_view.year_of(year), await fields(request)
    runs = sent.get("runs", "") or str(USUAL_RUNS)
    if runs not in map(str, RUNS):
        raise HashmarkError(f"runs: expected one of {', '.join(map(str, RUNS))}")
    return await asked(request, app_state, "season", asked_of(season, int(runs)))


# --- A team --------------------------------------------------------------------------------------


@router.get("/seasons/{year}/{team}")
async def team_page(found: TeamOfSeason) -> Response:
    return HTMLResponse(await run_in_threadpool(_team, *found))


def _team(year: int, team: str) -> str:
    view = TeamView.of(year, team)
    good, bad = view.stood_out()
    return rendering.page(
        "team.html",
        title=f"{view.standing.name} {year}",
        view=view,
        season=view.season,
        team=team,
        good=good,
        bad=bad,
        left_out=LEFT_OUT,
        invented=INVENTED,
        ranks_note=strengths.NOTE,
        gains_key=team_view.GAINS_KEY,
        sides=((OFFENCE, "Its offence, play by play"), (DEFENCE, "Its defence, play by play")),
        opponent=meeting.usual_opponent(view.season, team),
        known=season_view.known(),
        plan=view.plan,
        form=whatif_form.drawn_from(view.plan.plan, year, team),
    )


@router.post("/whatifs")
async def ask_whatif(request: Request, app_state: InHall) -> Response:
    """What another plan would have brought: its page is that of the work."""
    question = await question_of(await fields(request), app_state)
    whatif_form.must_change(question)
    return await asked(request, app_state, "whatif", question.settings())


async def question_of(sent: Fields, app_state: Hall) -> WhatIf:
    """Parse a what-if form, for a team's real plan or a saved one."""
    key = sent.get("plan", "")
    text = (await app_state.plans.find(key)).text if key else ""
    return await run_in_threadpool(whatif_form.read, sent, text)


# --- A game between any two ----------------------------------------------------------------------


@router.get("/versus")
async def versus_page(request: Request) -> Response:
    return HTMLResponse(await run_in_threadpool(_versus, dict(request.query_params)))


def _versus(given: Mapping[str, str]) -> str:
    return rendering.page("versus.html", title="Any two teams", meeting=chosen(given))


def chosen(given: Mapping[str, str]) -> dict[str, Any]:
    """Return the template variables of the meeting form, preset by the URL."""
    newest = SeasonView.of(season_view.known()[0])
    defaults = {
        "home-season": str(newest.year),
        "away-season": str(newest.year),
        "home-team": newest.champion,
        "away-team": meeting.usual_opponent(newest, newest.champion),
        "home-who": meeting.ME,
        "away-who": meeting.COACH,
        "home-plan": meeting.REAL,
        "away-plan": meeting.REAL,
        "home-key": "",
        "away-key": "",
        "ground": meeting.AT_HOME,
        "options": meeting.OF_SEASON,
    }
    known = {name: given[name] for name in defaults if given.get(name)}
    for name in ("home-team", "away-team"):
        with suppress(NoSeason):  # reported when the form is submitted
            known[name] = season_view.team_of(known.get(name, defaults[name]))
    return {
        "sides": TEAMS,
        "chosen": {**defaults, **known},
        "seasons": season_view.known(),
        "teams": team_names(),
        "who": meeting.WHO_WORDS,
        "plans": meeting.PLAN_WORDS,
        "options": meeting.OPTION_WORDS,
    }


@cache
def team_names() -> dict[str, str]:
    """Return all teams by their current names."""
    newest = SeasonView.of(season_view.known()[0])
    pairs = ((code, standing.name) for code, standing in newest.standings.items())
    return dict(sorted(pairs, key=lambda pair: pair[1]))


@router.post("/versus")
async def meet(request: Request, app_state: InHall) -> Response:
    """Lay the table of a meeting, and on to it."""
    sent = await fields(request)
    made = await run_in_threadpool(Meeting.read, sent, lambda key: app_state.plans.look(key).packed)
    token, _ = token_or_new(request)
    table = await app_state.lay(wish_for(made), tokens.digest(token), caller(request))
    return seated(request, table, token)


def wish_for(game: Meeting) -> Wish:
    """Return the table request for a meeting."""
    return Wish(rules=meeting.GAME, options=game.options(), seats=game.seats(), names=game.names())
