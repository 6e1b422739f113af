"""Saved plans: created by form or file, viewed, compared and played with."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import pytest

from hashmark.web.rate_limits import Limits
from hashmark.web.seasons import plan_files
from hashmark.web.seasons.saved_plans import parse_plan_team
from web.harness import ROOMY_LIMITS, app_client, run_async

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CHANGE = {"season": "2008", "team": "ARI", "pass_rate": "10", "fourth": "go"}
SMALL = 'format = "data-driven-plan/1"\nname = "Nothing but screens"\n[[play]]\nscreen = 1\n'


def test_a_changed_plan_is_saved_and_shows_the_differences(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            sent = urlencode({**CHANGE, "fourth-to-go-most": "2"})
            created = await client.post("/plans", content=sent, headers=FORM)
            assert created.status_code == 303, created.text
            where = created.headers["location"]
            again = await client.post("/plans", content=sent, headers=FORM)
            assert again.headers["location"] == where  # the same plan has one key
            page = await client.get(where)
            assert "2008:ARI, 10 percentage points more passes, always going for it" in page.text
            assert "How it differs from the team’s real plan" in page.text
            assert "4th &amp; 1 at" in page.text
            file = await client.get(f"{where}/file")
            assert "attachment" in file.headers["content-disposition"]
            assert plan_files.read(file.text, "x").name.startswith(
                "2008:ARI, 10 percentage points more passes"
            )

    run_async(work)


def test_the_plan_of_a_finished_what_if_can_be_saved(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            sent = urlencode({**CHANGE, "runs": "200"})
            submitted = await client.post("/whatifs", content=sent, headers=FORM)
            work = submitted.headers["location"].rpartition("/")[2]
            form = urlencode({"work": work})
            early = await client.post("/plans", content=form, headers=FORM)
            assert (early.status_code, "has no such file" in early.text) == (404, True)
            row = app_state.jobs.queue.claim("somebody")
            assert row is not None
            plan = plan_files.write(plan_files.load_real_plan(2007, "NE"))
            app_state.jobs.queue.finish(row, {}, "<p>x</p>", {"ARI-2008-changed.plan.toml": plan})
            page = (await client.get(f"/works/{work}")).text
            assert "Save this plan" in page
            assert 'href="/seasons/2008/ARI"' in page
            created = await client.post("/plans", content=form, headers=FORM)
            assert created.status_code == 303, created.text
            saved = await client.get(created.headers["location"])
            assert "2008:ARI, 10 percentage points more passes, always going for it" in saved.text
            assert "How it differs from the team’s real plan" in saved.text
            season = await client.post("/seasons/2008/works", content="runs=100", headers=FORM)
            other = urlencode({"work": season.headers["location"].rpartition("/")[2]})
            refused = await client.post("/plans", content=other, headers=FORM)
            assert (refused.status_code, "has no plan" in refused.text) == (400, True)
            for nothing in ("", "ffff", "../x"):
                form = urlencode({"work": nothing})
                assert (await client.post("/plans", content=form, headers=FORM)).status_code == 404

    run_async(work)


def test_a_plan_can_be_uploaded_as_a_file_or_as_text(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            whole = plan_files.write(plan_files.load_real_plan(2008, "ARI"))
            sent = await client.post(
                "/plans/file?season=2008&team=ARI", content=whole, headers={"X-Part": "1"}
            )
            assert sent.status_code == 201
            page = await client.get(f"/plans/{sent.json()['id']}")
            assert "No differences: this is the team" in page.text
            text = urlencode({"text": SMALL, "season": "", "team": ""})
            created = await client.post("/plans", content=text, headers=FORM)
            page = await client.get(created.headers["location"])
            assert "Nothing but screens" in page.text
            assert "Warnings" in page.text
            assert 'id="whatif"' not in page.text  # it belongs to no team

    run_async(work)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the plan is empty"),
        ("[[play]", "not TOML"),
        ("name = 'x'", "format must be"),
        (SMALL.replace("screen", "scream"), "unknown call"),
        (SMALL + "[[play]]\nscreen = 1\n" * 500, "at most 400"),
        ("#" * 200_000, "larger than 128 kB"),
    ],
)
def test_invalid_plans_are_rejected(tmp_path: Path, text: str, message: str) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            for path in ("/plans/file", "/api/plans"):
                answer = await client.post(path, content=text, headers={"X-Part": "1"})
                assert answer.status_code == 400
                assert message in answer.json()["detail"]
                assert "\n" not in answer.json()["detail"]
            binary = await client.post(
                "/plans/file", content=b"\xff\xfe\x00", headers={"X-Part": "1"}
            )
            assert binary.status_code == 400
            large = await client.post("/plans/file", content=b"#" * 300_000)
            assert large.status_code == 413

    run_async(work)


def test_markup_in_a_plan_name_is_escaped(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            text = SMALL.replace("Nothing but screens", "<script>alert(1)</script>")
            created = await client.post("/api/plans", content=text)
            page = await client.get(created.json()["page"])
            assert "<script>alert" not in page.text
            assert "&lt;script&gt;alert" in page.text

    run_async(work)


def test_the_number_of_saved_plans_is_limited(tmp_path: Path) -> None:
    async def work() -> None:
        few = Limits(rate=ROOMY_LIMITS.rate, burst=ROOMY_LIMITS.burst, plans_each=2)
        async with app_client(tmp_path, few) as (client, _):
            for number, status in ((1, 201), (2, 201), (2, 201), (3, 429)):
                text = SMALL.replace("Nothing", f"Nothing {number}")
                assert (await client.post("/api/plans", content=text)).status_code == status

    run_async(work)


def test_a_saved_plan_is_embedded_in_the_table_options(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, host="club.example") as (client, app_state):
            key = (await client.post("/api/plans", content=SMALL)).json()["id"]
            packed = (await client.get(f"/api/plans/{key}")).json()["packed"]
            form = {
                "home-season": "2008", "home-team": "ARI", "home-who": "me",
                "away-season": "2008", "away-team": "PIT", "away-plan": "kept",
                "away-key": f"http://localhost/plans/{key}",
            }  # fmt: skip
            created = await client.post("/versus", content=urlencode(form), headers=FORM)
            table = await app_state.tables.find(created.headers["location"].rpartition("/")[2])
            assert table.header.options["away_plan"] == packed
            plan = plan_files.read(SMALL, "x")
            assert plan_files.pack(plan) == packed

    run_async(work)


def test_the_team_of_a_plan_is_optional() -> None:
    assert parse_plan_team({}) == (0, "")
    assert parse_plan_team({"season": "2008", "team": "ARI"}) == (2008, "ARI")
