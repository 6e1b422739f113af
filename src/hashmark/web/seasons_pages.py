"""Seasons and teams on the page: as they were, a game between any two, and what to ask of them.

What is shown comes from `club`, made once and kept; making it takes a moment, so it is never done
on the loop. Questions that take longer go to `hall.works`, and the page to their address.
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
RUNS = (USUAL_RUNS, 100, 10_000)  # seasons that may be asked for
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
    """Every season in a line: who won it, and against whom."""
    return [_summary(SeasonView.of(year)) for year in season_view.known()]


def _summary(season: SeasonView) -> dict[str, Any]:
    final = season.rounds[-1].games[-1] if season.rounds else None
    best = max(season.standings.values(), key=lambda one: (one.share, one.points - one.allowed))
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
async def season_page(year: str, hall: InHall) -> Response:
    found = season_view.year_of(year)
    return HTMLResponse(await run_in_threadpool(_season, found, hall))


def said_of(year: int, hall: Hall) -> tuple[str, SeasonSaid | None]:
    """What the largest run that was asked for here says of a season, and the key of its work."""
    for runs in sorted(RUNS, reverse=True):
        try:
            key = Work.of("season", asked_of(year, runs)).key
        except HashmarkError:  # what simulates is not installed
            break
        row = hall.works.queue.find(key)
        if row is not None and row.state == DONE:
            return key, SeasonSaid.of(hall.works.queue.result(key)[0])
    return "", None


def asked_of(year: int, runs: int) -> dict[str, Any]:
    return {"season": year, "runs": runs, "seed": SEED}


def _season(year: int, hall: Hall) -> str:
    season, known = SeasonView.of(year), season_view.known()
    work, said = said_of(year, hall)
    at = known.index(year)
    return rendering.page(
        "season.html",
        title=f"Season {year}",
        season=season,
        later=known[at - 1] if at else None,
        earlier=known[at + 1] if at + 1 < len(known) else None,
        runs=RUNS,
        usual=USUAL_RUNS,
        summary=_summary(season),
        work=work,
        said=said,
    )


@router.post("/seasons/{year}/works")
async def play_season(year: str, request: Request, hall: InHall) -> Response:
    """Play a season many times: its page is that of the work."""
    season, sent = season_view.year_of(year), await fields(request)
    runs = sent.get("runs", "") or str(USUAL_RUNS)
    if runs not in map(str, RUNS):
        raise HashmarkError(f"runs: expected one of {', '.join(map(str, RUNS))}")
    return await asked(request, hall, "season", asked_of(season, int(runs)))


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
async def ask_whatif(request: Request, hall: InHall) -> Response:
    """What another plan would have brought: its page is that of the work."""
    question = await question_of(await fields(request), hall)
    whatif_form.must_change(question)
    return await asked(request, hall, "whatif", question.settings())


async def question_of(sent: Fields, hall: Hall) -> WhatIf:
    """The question of a form, about a team's own plan or about one that is kept."""
    key = sent.get("plan", "")
    text = (await hall.plans.find(key)).text if key else ""
    return await run_in_threadpool(whatif_form.read, sent, text)


# --- A game between any two ----------------------------------------------------------------------


@router.get("/versus")
async def versus_page(request: Request) -> Response:
    return HTMLResponse(await run_in_threadpool(_versus, dict(request.query_params)))


def _versus(given: Mapping[str, str]) -> str:
    return rendering.page("versus.html", title="Any two teams", meeting=chosen(given))


def chosen(given: Mapping[str, str]) -> dict[str, Any]:
    """The form of a meeting, with what an address has chosen already."""
    newest = SeasonView.of(season_view.known()[0])
    usual = {
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
    known = {name: given[name] for name in usual if given.get(name)}
    for name in ("home-team", "away-team"):
        with suppress(NoSeason):  # it is refused when it is sent
            known[name] = season_view.team_of(known.get(name, usual[name]))
    return {
        "sides": TEAMS,
        "chosen": {**usual, **known},
        "seasons": season_view.known(),
        "teams": team_names(),
        "who": meeting.WHO_WORDS,
        "plans": meeting.PLAN_WORDS,
        "options": meeting.OPTION_WORDS,
    }


@cache
def team_names() -> dict[str, str]:
    """All teams by today's names."""
    newest = SeasonView.of(season_view.known()[0])
    pairs = ((code, one.name) for code, one in newest.standings.items())
    return dict(sorted(pairs, key=lambda pair: pair[1]))


@router.post("/versus")
async def meet(request: Request, hall: InHall) -> Response:
    """Lay the table of a meeting, and on to it."""
    sent = await fields(request)
    made = await run_in_threadpool(Meeting.read, sent, lambda key: hall.plans.look(key).packed)
    token, _ = token_or_new(request)
    table = await hall.lay(wish_for(made), tokens.digest(token), caller(request))
    return seated(request, table, token)


def wish_for(made: Meeting) -> Wish:
    """The table that a meeting wants."""
    return Wish(rules=meeting.GAME, options=made.options(), seats=made.seats(), names=made.names())
