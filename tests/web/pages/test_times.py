"""Times on the pages: UTC in the HTML, the visitor's time zone on the screen."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from web.browser import Visitor
from web.harness import ServerProcess, app_client, run_async

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TIME_ELEMENT = re.compile(
    r'<time datetime="(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\dZ">(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC</time>'
)
BERLIN = {"timezone_id": "Europe/Berlin", "locale": "de-DE"}


def test_every_time_on_a_page_has_its_zone(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            for rules in ("fourth-down", "rapid-roll"):
                await client.post("/tables", content=f"rules={rules}", headers=FORM)
            league = {"rules": "fourth-down", "teams": "A\nB", "days": "2"}
            response = await client.post("/leagues", content=urlencode(league), headers=FORM)
            league_path = response.headers["location"]
            await client.post(f"{league_path}/team", content="team=0", headers=FORM)
            await client.post(f"{league_path}/begin", headers=FORM)
            work = {"kind": "season", "season": "2008"}
            await client.post("/works", content=urlencode(work), headers=FORM)
            for path in ("/", "/works", "/leagues", league_path, "/feed"):
                page = await client.get(path)
                times = TIME_ELEMENT.findall(page.text)
                assert page.text.count("<time") == len(times) > 0, path
                assert all(parts[:2] == parts[2:] for parts in times)
                assert "/static/times.js" in page.text or path in (
                    "/",
                    league_path,
                )  # there other scripts load it

    run_async(work)


@pytest.mark.heavy
def test_visitors_see_and_enter_their_own_time(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address, **BERLIN)
    page = visitor.page
    page.goto("/leagues/new?kind=friends&rules=fourth-down")
    page.fill("[name=teams]", "A\nB")
    page.fill("[name=days]", "2")
    page.click("text=Create the league")
    page.click("text=Take this team >> nth=0")
    page.click("text=Start the league")
    page.click("text=Commissioner tools")
    expect(page.locator("#zone")).to_have_text("(your time)")
    page.fill("#until", f"{datetime.now(UTC).year + 1}-01-15T18:30")
    page.click("text=Change the deadline")
    due = page.locator(".next time")
    expect(due).to_have_attribute("datetime", re.compile(r"-01-15T17:30:00Z$"))
    expect(due).to_have_text(re.compile(r"-01-15 18:30 (CET|GMT\+1)$"))
    expect(due).to_have_attribute("title", re.compile(r"-01-15 17:30 UTC$"))
    page.goto("/")
    expect(page.locator(".rows time").first).to_have_text(re.compile(r" (CES?T|GMT\+[12])$"))
    assert visitor.errors == []
    visitor.context.close()
