"""Pages of seasons and teams without a browser: working forms and hostile input."""

from __future__ import annotations

import re
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest

from hashmark.league.charts.shipped_charts import SEASONS
from hashmark.web.jobs.job import Job
from hashmark.web.jobs.jobs import job_json
from hashmark.web.pages.seasons_pages import meeting_form_values
from hashmark.web.seasons.season_summary import season_job_settings, season_summaries
from hashmark.web.seasons.season_view import available_seasons
from web.harness import app_client, run_async

MEETING = {
    "home-season": "2008",
    "home-team": "ARI",
    "home-who": "me",
    "away-season": "2007",
    "away-team": "NE",
}
CHANGE = {"season": "2008", "team": "ARI", "pass_rate": "10", "runs": "200"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def test_every_season_is_listed_and_has_a_page(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            page = await client.get("/seasons")
            for year in SEASONS:
                assert f'href="/seasons/{year}"' in page.text
            season_page = await client.get("/seasons/2008")
            assert "Pittsburgh Steelers" in season_page.text
            assert "4 tiebreakers" in season_page.text
            assert "Simulate 1,000 seasons" in season_page.text
            assert season_page.text.count(">Play</a>") == 256 + 11
            assert 'href="/seasons/2007"' in season_page.text

    run_async(work)


def test_a_team_page_marks_invented_figures(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            page = await client.get("/seasons/2024/DET")
            assert page.status_code == 200
            assert "2024 Detroit Lions" in page.text
            assert page.text.count('class="invented"') == 4
            assert "not included" in page.text
            assert page.text.count("<svg class=") == 6 + 18 + 4
            assert "style=" not in page.text
            assert (await client.get("/seasons/2008/LV")).text.count("2008 Oakland Raiders")

    run_async(work)


@pytest.mark.parametrize(
    "path",
    ["/seasons/1999", "/seasons/abc", "/seasons/2008/XXX", "/seasons/2008/new-york", "/plans/x"],
)
def test_unknown_seasons_teams_and_plans_are_not_found(tmp_path: Path, path: str) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            for prefix in ("", "/api"):
                answer = await client.get(prefix + path)
                assert answer.status_code == 404
                assert "no s" in answer.text.lower() or "team" in answer.text.lower()

    run_async(work)


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/seasons/2008/ari", "/seasons/2008/ARI"),
        ("/seasons/2008/Oak", "/seasons/2008/LV"),
        ("/seasons/2008/sea", "/seasons/2008/SEA"),
        ("/seasons/2008/green%20bay?x=1", "/seasons/2008/GB?x=1"),
        ("/api/seasons/2008/ari", "/api/seasons/2008/ARI"),
        ("/api/seasons/2008/ari/plan", "/api/seasons/2008/ARI/plan"),
        ("/api/seasons/2008/ne/charts?form=text", "/api/seasons/2008/NE/charts?form=text"),
    ],
)
def test_other_spellings_redirect_to_the_canonical_url(
    tmp_path: Path, path: str, there: str
) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            answer = await client.get(path)
            assert (answer.status_code, answer.headers["location"]) == (308, there)
            assert (await client.get(there)).status_code == 200

    run_async(work)


def test_forms_and_queries_accept_any_spelling_of_a_team(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            page = await client.get("/versus?home-team=ari&away-team=patriots")
            for code in ("ARI", "NE"):
                assert re.search(rf'<option value="{code}"[^>]* selected', page.text)
            unknown_team = await client.get("/versus?home-team=nobody")
            assert unknown_team.status_code == 200
            season = await client.get("/leagues/new?kind=season&season=2008&team=pit")
            assert re.search(r'name="team-PIT"[^>]* checked', season.text)
            assert (await client.get("/leagues/new?kind=season&team=nobody")).status_code == 200
            form = urlencode({**MEETING, "home-team": "ari"})
            created = await client.post("/versus", content=form, headers=FORM)
            table = await app_state.tables.find(created.headers["location"].rpartition("/")[2])
            assert table.header.options["home_team"] == "ARI"

    run_async(work)


def test_a_meeting_creates_a_table(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, host="club.example") as (client, app_state):
            created = await client.post("/versus", content=urlencode(MEETING), headers=FORM)
            assert created.status_code == 303, created.text
            table = await app_state.tables.find(created.headers["location"].rpartition("/")[2])
            assert table.header.options["away_team"] == "2007:NE"
            assert table.header.seats == {"home": "human", "away": "coach:plan"}
            assert table.header.names == ("2008 Arizona Cardinals", "2007 New England Patriots")
            assert (await client.get(created.headers["location"])).status_code == 200

    run_async(work)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"away-season": "2008", "away-team": "ARI"}, "cannot play itself"),
        ({"home-team": "../../etc/passwd"}, "unknown team"),
        ({"home-plan": "kept", "home-key": "ffff"}, "no such plan"),
        ({"home-plan": "/etc/passwd"}, "unknown plan"),
    ],
)
def test_an_invalid_meeting_is_rejected(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            form = urlencode({**MEETING, **change})
            answer = await client.post("/versus", content=form, headers=FORM)
            assert answer.status_code in (400, 404)
            assert message in answer.text.lower()
            assert 'role="alert"' in answer.text
            kept = {**MEETING, **change}["away-season"]
            assert f"<option selected>{kept}</option>" in answer.text or not kept.isdecimal()
            assert not app_state.tables.loaded

    run_async(work)


def test_a_season_job_is_submitted_and_its_result_shown(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            submitted = await client.post("/seasons/2008/works", content="runs=100", headers=FORM)
            assert submitted.status_code == 303
            key = submitted.headers["location"].removeprefix("/works/")
            assert key == Job.of("season", season_job_settings(2008, 100)).key
            assert (await client.get(f"/works/{key}")).status_code == 200
            assert "All that" not in (await client.get("/seasons/2008")).text
            row = app_state.jobs.queue.claim("somebody")
            assert row is not None
            title = {"mean": 0.2, "low": 0.1, "high": 0.3}
            result = {
                "runs": 100,
                "answer": {"text": "Nobody knows who was best.", "champion": "PIT"},
                "teams": [{"team": team, "title": title} for team in ("PHI", "PIT")],
            }
            app_state.jobs.queue.finish(row, result, "<p>all of it</p>", {})
            page = await client.get("/seasons/2008")
            assert "Nobody knows who was best." in page.text
            assert f'href="/works/{key}"' in page.text
            data = (await client.get("/api/seasons/2008")).json()
            assert data["simulated"]["titles"][1]["team"] == "PIT"
            wrong = await client.post("/seasons/2008/works", content="runs=99999", headers=FORM)
            assert wrong.status_code == 400

    run_async(work)


def test_a_what_if_job_is_submitted(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            form = {**CHANGE, "fourth": "go", "fourth-to-go-most": "2", "answered": "on"}
            submitted = await client.post("/whatifs", content=urlencode(form), headers=FORM)
            assert submitted.status_code == 303, submitted.text
            row = await app_state.jobs.view(submitted.headers["location"].removeprefix("/works/"))
            assert row.kind == "whatif"
            assert dict(row.settings)["fourth_down"] == "go@to-go=..2"
            assert dict(row.settings)["answered"] is True
            assert (
                "httponly" in submitted.headers["set-cookie"].lower()
            )  # the submitter may stop it
            for wrong in ({}, {"pass_rate": "x"}, {"fourth": "go", "fourth-spot": "200"}):
                sent = urlencode({"season": "2008", "team": "ARI", **wrong})
                answer = await client.post("/whatifs", content=sent, headers=FORM)
                assert answer.status_code == 400
                assert "\n" not in re.findall(r'<p class="lead">(.*)</p>', answer.text)[0]

    run_async(work)


def test_cross_site_requests_are_rejected(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            foreign = {**FORM, "Origin": "http://evil.example"}
            for path, form in (("/versus", MEETING), ("/whatifs", CHANGE), ("/plans", CHANGE)):
                answer = await client.post(path, content=urlencode(form), headers=foreign)
                assert answer.status_code == 403
            assert not app_state.tables.loaded
            assert app_state.jobs.queue.list_recent() == []

    run_async(work)


def test_the_url_presets_the_form() -> None:
    form = meeting_form_values(
        {"home-season": "2008", "home-team": "ARI", "home-key": '"><script>', "x": "y"}
    )
    assert form["chosen"]["home-season"] == "2008"
    assert form["chosen"]["away-who"] == "coach"
    assert "x" not in form["chosen"]


def test_query_values_are_escaped(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            page = await client.get("/versus", params={"home-key": '"><script>alert(1)</script>'})
            assert "<script>alert" not in page.text
            assert "&#34;&gt;&lt;script" in page.text

    run_async(work)


def test_cached_pages_are_fast(tmp_path: Path) -> None:
    """Shipped data is cached; the bound is far above the usual time."""

    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            await client.get("/seasons/2008/ARI")
            started = time.process_time()
            for _ in range(3):
                assert (await client.get("/seasons/2008/ARI")).status_code == 200
            assert time.process_time() - started < 3

    run_async(work)


def test_every_season_has_a_summary() -> None:
    assert [summary["year"] for summary in season_summaries()] == list(available_seasons())
    assert all(summary["champion"] and summary["score"] for summary in season_summaries())


def test_a_job_page_tells_whether_an_interrupted_job_resumes(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            season = await client.post("/seasons/2008/works", content="runs=100", headers=FORM)
            other = await client.post("/whatifs", content=urlencode(CHANGE), headers=FORM)
            sentences = "it resumes where it left off", "it starts over"
            for submitted, expected, unexpected in (
                (season, *sentences),
                (other, *sentences[::-1]),
            ):
                path = submitted.headers["location"]
                page = (await client.get(path)).text
                assert expected in page
                assert unexpected not in page
                row = app_state.jobs.queue.claim("somebody")
                assert row is not None
                app_state.jobs.queue.heartbeat(row, 50, 100, 1.0)
                await client.post(f"{path}/stop")
                app_state.jobs.queue.mark_stopped(row)
                assert job_json(await app_state.jobs.view(row.key))["state"] == "stopped"
                page = (await client.get(path)).text
                assert ("Resume" in page, "Start over" in page) == (
                    submitted is season,
                    submitted is other,
                )

    run_async(work)
