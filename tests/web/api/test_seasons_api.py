"""API of seasons, teams and plans."""

from __future__ import annotations

from pathlib import Path

from hashmark.web.api import seasons_api
from hashmark.web.seasons import plan_files
from web.harness import app_client, run_async


def test_every_season_page_has_an_api_route(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            seasons = (await client.get("/api/seasons")).json()
            assert seasons[-1]["champion"] == "IND"
            season = (await client.get("/api/seasons/2008")).json()
            assert season["champion"] == "PIT"
            assert season["simulated"] is None
            team = (await client.get("/api/seasons/2008/ARI")).json()
            assert team["standing"]["reached"] == "lost the Super Bowl"
            plan = await client.get("/api/seasons/2008/ARI/plan")
            assert plan_files.read(plan.text, "x") == plan_files.load_real_plan(2008, "ARI")

    run_async(work)


def test_charts_are_served_in_every_format(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            cells = await client.get("/api/seasons/2008/ARI/charts")
            assert cells.text.startswith("team,chart,column,row,cell\nARI-2008,offence")
            paper = await client.get("/api/seasons/2008/ARI/charts", params={"form": "pdf"})
            assert paper.content.startswith(b"%PDF")
            page = await client.get("/api/seasons/2008/ARI/charts", params={"form": "html"})
            assert "default-src 'none'" in page.headers["content-security-policy"]
            wrong = await client.get("/api/seasons/2008/ARI/charts", params={"form": "x"})
            assert wrong.status_code == 422

    run_async(work)


def test_a_plan_can_be_saved_and_described(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            text = plan_files.write(plan_files.load_real_plan(2007, "NE"))
            params = {"season": "2008", "team": "ARI"}
            created = await client.post("/api/plans", content=text, params=params)
            assert created.status_code == 201
            key = created.json()["id"]
            data = (await client.get(f"/api/plans/{key}")).json()
            assert data["packed"].startswith("plan:")
            assert data["changes"]
            assert (await client.get(f"/api/plans/{key}/file")).text == text
            wrong = await client.post("/api/plans", content=text, params={"team": "ARI"})
            assert wrong.status_code == 404

    run_async(work)


def test_every_route_has_a_summary() -> None:
    for route in seasons_api.router.routes:
        assert route.summary  # type: ignore[attr-defined]
