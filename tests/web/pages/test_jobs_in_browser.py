"""Job pages in a browser: progress, stop, reload and result; with and without JavaScript."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from hashmark.web.pages import jobs_pages
from timeouts import TIMEOUT_SECONDS
from web.browser import ALL_RULES, APPEARANCE_RULES, Visitor
from web.job_server import JobServer

pytestmark = pytest.mark.heavy
NARROW: dict[str, Any] = {"viewport": {"width": 360, "height": 780}, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1200, "height": 900}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JobServer]:
    made = JobServer(tmp_path_factory.mktemp("works"))
    yield made
    made.stop(signal.SIGTERM)


def open_browser(chromium: Browser, server: JobServer, **more: Any) -> Visitor:
    """Open a browser at this server."""
    address = str(server.client.base_url).rstrip("/")
    return Visitor(chromium, address, **more)


def submit_job(page: Page, **settings: Any) -> str:
    """Submit a job from this browser, so that it belongs to its token; return its key."""
    key: str = page.evaluate(
        """async (settings) => {
            const body = JSON.stringify({ kind: "count", settings });
            const headers = { "Content-Type": "application/json" };
            const answer = await fetch("/api/works", { method: "POST", headers, body });
            const data = await answer.json();
            if (data.token) {  // as the page of a form would keep it
                document.cookie = `hashmark=${data.token}; path=/`;
            }
            return data.key;
        }""",
        settings,
    )
    return key


def test_a_job_shows_progress_and_can_be_stopped(chromium: Browser, server: JobServer) -> None:
    visitor = open_browser(chromium, server, **DESK)
    page = visitor.page
    page.goto("/works")
    key = submit_job(page, to=900, pause=0.5)
    page.goto(f"/works/{key}")
    expect(page.locator("#job-status")).to_have_text(re.compile(r"\d+ of 900"))
    page.reload()  # the job continues
    expect(page.locator("#job-bar")).to_have_attribute("value", re.compile(r"\d+"))
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("main[data-state=stopped]")).to_be_visible()
    expect(page.locator(".lead")).to_contain_text("Stopped after")
    assert visitor.errors == []


def test_the_result_appears_without_a_reload_and_its_chart_responds(
    chromium: Browser, server: JobServer
) -> None:
    visitor = open_browser(chromium, server, **DESK)
    page = visitor.page
    page.goto("/works")
    key = submit_job(page, to=12, pause=0.1)
    page.goto(f"/works/{key}")
    expect(page.locator("h1")).to_have_text("Counted")
    chart = page.locator("svg.chart")
    chart.focus()
    page.keyboard.press("End")
    expect(page.locator(".reading")).to_contain_text("number 12")
    page.locator(".datum").first.hover(force=True)
    expect(page.locator(".reading")).to_contain_text("number 1")
    expect(page.locator("#work-command")).to_have_value("hashmark count 12")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[data-copy='#work-command']")
    expect(page.locator("[data-copy='#work-command']")).to_have_text("Copied")
    with page.expect_download() as download:
        page.locator(".take a", has_text="JSON").click()
    assert '"counted":12' in download.value.path().read_text().replace(" ", "")
    assert visitor.errors == []


def test_a_job_page_works_without_javascript(chromium: Browser, server: JobServer) -> None:
    visitor = open_browser(chromium, server, **DESK, java_script_enabled=False)
    page = visitor.page
    key = server.submit(to=9, pause=0.2)["key"]
    page.goto(f"/works/{key}")
    expect(page.locator("h1")).to_have_text("Counted")  # by automatic refresh only
    assert page.locator(".datum").count() == 9


@pytest.mark.parametrize(
    ("window", "scheme", "rules"),
    [
        (DESK, "dark", ALL_RULES),
        (NARROW, "light", APPEARANCE_RULES),
        pytest.param(NARROW, "light", ALL_RULES, marks=pytest.mark.long),
    ],
)
def test_every_page_is_accessible(
    chromium: Browser,
    server: JobServer,
    window: dict[str, Any],
    scheme: str,
    rules: dict[str, Any],
) -> None:
    """All axe-core rules on a desktop, where nothing is hidden; appearance on a phone."""
    visitor = open_browser(chromium, server, color_scheme=scheme, **window)
    page = visitor.page
    done = server.submit(to=5)["key"]
    failed = server.submit(to=5, then="fail")["key"]
    slow = server.submit(to=3000, pause=0.1)["key"]
    page.goto(f"/works/{done}")
    expect(page.locator("h1")).to_have_text("Counted")
    places = ["/works", "/charts", *(f"/works/{key}" for key in (done, failed, slow))]
    for path in places:
        page.goto(path)
        report = Axe().run(page, options=rules)
        assert report.violations_count == 0, f"{path}\n{report.generate_report()}"
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= window["viewport"]["width"], path
    server.client.delete(f"/api/works/{slow}")
    assert visitor.errors == []


def test_every_page_is_covered_here() -> None:
    shown = {
        route.path  # type: ignore[attr-defined]
        for route in jobs_pages.router.routes
        if "GET" in route.methods  # type: ignore[attr-defined]
    }
    assert shown == {"/works", "/works/{key}", "/charts", "/report.css", "/report.js"}


def test_a_real_season_job_shows_its_report(chromium: Browser, tmp_path: Path) -> None:
    """From the form to a page with charts, with a real worker."""
    server = JobServer(tmp_path)
    try:
        visitor = open_browser(chromium, server, **NARROW)
        page = visitor.page
        response = httpx.post(
            f"{server.client.base_url}works",
            data={"kind": "season", "season": "2008", "runs": "12"},
            timeout=TIMEOUT_SECONDS,
        )
        page.goto(response.headers["location"])
        expect(page.locator("h1")).to_have_text("The 2008 season, simulated")
        assert page.locator("svg.chart").count() > 10
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= NARROW["viewport"]["width"]
        report = Axe().run(page)
        assert report.violations_count == 0, report.generate_report()
        assert visitor.errors == []
    finally:
        server.stop(signal.SIGTERM)
