"""The JSON twins of seasons, teams and plans."""

from __future__ import annotations

from pathlib import Path

from hashmark.club import plan_files
from hashmark.web import seasons_api

from .house import at_home, run


def test_every_page_has_its_twin(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            seasons = (await client.get("/api/seasons")).json()
            assert seasons[-1]["champion"] == "IND"
            season = (await client.get("/api/seasons/2008")).json()
            assert season["champion"] == "PIT"
            assert season["simulated"] is None
            team = (await client.get("/api/seasons/2008/ARI")).json()
            assert team["standing"]["reached"] == "lost the final"
            plan = await client.get("/api/seasons/2008/ARI/plan")
            assert plan_files.read(plan.text, "x") == plan_files.real(2008, "ARI")

    run(work)


def test_charts_come_in_every_form(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            cells = await client.get("/api/seasons/2008/ARI/charts")
            assert cells.text.startswith("team,chart,column,row,cell\nARI-2008,offence")
            paper = await client.get("/api/seasons/2008/ARI/charts", params={"form": "pdf"})
            assert paper.content.startswith(b"%PDF")
            page = await client.get("/api/seasons/2008/ARI/charts", params={"form": "html"})
            assert "default-src 'none'" in page.headers["content-security-policy"]
            wrong = await client.get("/api/seasons/2008/ARI/charts", params={"form": "x"})
            assert wrong.status_code == 422

    run(work)


def test_a_plan_is_kept_and_described(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            text = plan_files.write(plan_files.real(2007, "NE"))
            asked = {"season": "2008", "team": "ARI"}
            made = await client.post("/api/plans", content=text, params=asked)
            assert made.status_code == 201
            key = made.json()["id"]
            said = (await client.get(f"/api/plans/{key}")).json()
            assert said["packed"].startswith("plan:")
            assert said["changes"]
            assert (await client.get(f"/api/plans/{key}/file")).text == text
            wrong = await client.post("/api/plans", content=text, params={"team": "ARI"})
            assert wrong.status_code == 404

    run(work)


def test_every_route_says_what_it_is_for() -> None:
    for route in seasons_api.router.routes:
        assert route.summary  # type: ignore[attr-defined]
