"""Seasons, teams and plans in a browser: accessible, by keyboard, on a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from hashmark.web.pages import plan_pages, seasons_pages
from hashmark.web.seasons import plan_files
from timeouts import TIMEOUT_SECONDS
from web.browser import ALL_RULES, APPEARANCE_RULES, Visitor
from web.harness import ServerProcess

pytestmark = pytest.mark.heavy
NARROW: dict[str, Any] = {
    "viewport": {"width": 360, "height": 780},
    "is_mobile": True,
    "has_touch": True,
}
DESK: dict[str, Any] = {"viewport": {"width": 1200, "height": 900}}
WITHOUT_SHAPES = {
    "exclude": [["svg.chart g.datum"]]
}  # there are thousands; a chart is one image to axe-core
PLACES = {
    "/seasons": "/seasons",
    "/seasons/{year}": "/seasons/2008",
    "/seasons/{year}/{team}": "/seasons/2008/ARI",
    "/versus": "/versus",
    "/plans": "/plans",
    "/plans/{key}": "",
}


@pytest.fixture(scope="module")
def saved_plan(served: ServerProcess) -> str:
    """Return the path of a saved plan."""
    form = {"season": "2008", "team": "ARI", "pass_rate": "10", "name": "Air raid"}
    response = httpx.post(f"{served.address}/plans", data=form, timeout=TIMEOUT_SECONDS)
    return response.headers["location"]


def test_every_page_is_covered_here() -> None:
    shown = set()
    for router in (seasons_pages.router, plan_pages.router):
        for route in router.routes:
            if "GET" in route.methods:  # type: ignore[attr-defined]
                shown.add(route.path)  # type: ignore[attr-defined]
    assert shown - {"/plans/{key}/file"} == set(PLACES)


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
    served: ServerProcess,
    saved_plan: str,
    window: dict[str, Any],
    scheme: str,
    rules: dict[str, Any],
) -> None:
    """All axe-core rules on a desktop, where nothing is hidden; appearance on a phone."""
    visitor = Visitor(chromium, served.address, color_scheme=scheme, **window)
    for path in [place or saved_plan for place in PLACES.values()]:
        visitor.page.goto(path)
        visitor.page.evaluate(
            "document.querySelectorAll('details').forEach((d) => (d.open = true))"
        )
        report = Axe().run(visitor.page, context=WITHOUT_SHAPES, options=rules)
        assert report.violations_count == 0, f"{path}\n{report.generate_report()}"
        width = visitor.page.evaluate("document.documentElement.scrollWidth")
        assert width <= window["viewport"]["width"], path
        for table in visitor.page.locator(".games, .standings").all():  # no horizontal scrolling
            assert table.evaluate("(t) => t.scrollWidth <= t.parentElement.clientWidth"), path
    assert visitor.errors == []


def test_a_what_if_can_be_submitted_by_keyboard(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address, **DESK)
    page = visitor.page
    page.goto("/seasons/2008/ARI#change")
    slider = page.get_by_label("Passes, change in percentage points")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#pass_rate")).to_have_value("10")
    passes = page.locator(".slide", has=page.locator("#pass_rate"))
    expect(passes.locator("output")).to_have_text("58 % → 68 %")
    expect(page.locator("#changed")).to_have_text("Changed: 10 percentage points more passes.")
    page.keyboard.press("Tab")  # the number field next to it
    page.keyboard.type("0")
    page.locator("select[name=fourth]").select_option("go")
    page.locator("[name=fourth-to-go-most]").fill("2")
    expect(page.locator("#changed")).to_contain_text("always go for it on 4th & 2 or less")
    page.get_by_role("button", name="Simulate this change").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/works/[0-9a-f]+$"))
    expect(page.locator("h1")).to_contain_text("2008 Arizona Cardinals")
    assert visitor.errors == []


def test_going_back_to_the_form_restores_its_values(
    chromium: Browser, served: ServerProcess
) -> None:
    """An invalid rule is rejected; going back restores the sliders and the text."""
    page = Visitor(chromium, served.address, **DESK).page
    page.goto("/seasons/2008/ARI")
    page.locator("#pass_rate").fill("8")
    page.get_by_text("Rules for specific situations").click()
    page.locator("[name=rule-1-to-go]").fill("9")
    page.locator("[name=rule-1-to-go-most]").fill("3")
    page.locator("[name=rule-1-points]").fill("5")
    page.get_by_role("button", name="Simulate this change").click()
    expect(page.locator(".lead")).to_contain_text("Rule 1: situation to-go=9..3")
    page.go_back()
    expect(page.locator("#pass_rate")).to_have_value("8")
    expect(page.get_by_label("Passes, change in percentage points")).to_have_value("8")
    expect(page.locator("#changed")).to_contain_text(
        "Changed: 8 percentage points more passes; 5 percentage points more"
    )


def test_the_live_text_matches_the_saved_plan(chromium: Browser, served: ServerProcess) -> None:
    """The script redistributes shares as the plan does; the saved plan shows the same."""
    visitor = Visitor(chromium, served.address, **DESK)
    page = visitor.page
    page.goto("/seasons/2008/ARI")
    page.locator("#pass_rate").fill("12")
    page.locator("#play-long-pass").fill("5")
    page.locator("#formation-nickel").fill("-6")
    live_texts = {
        name: page.locator(".slide", has=page.locator(f"#{name}")).locator("output").inner_text()
        for name in ("play-long-pass", "play-draw", "formation-nickel", "formation-standard")
    }
    page.get_by_role("button", name="Save this plan").click()
    page.wait_for_url(re.compile(r"/plans/[0-9a-f]+$"))
    for name, text in live_texts.items():
        saved_text = (
            page.locator(".slide", has=page.locator(f"#{name}")).locator("output").inner_text()
        )
        live, saved = (int(label.rpartition("→")[2].split()[0]) for label in (text, saved_text))
        assert abs(live - saved) <= 1, (name, text, saved_text)
    assert visitor.errors == []


def test_a_chart_responds_to_keyboard_and_pointer(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address, **DESK)
    page = visitor.page
    page.goto("/seasons/2008/ARI")
    chart = page.locator("svg.chart[aria-label^='Fourth-down']")
    chart.scroll_into_view_if_needed()
    chart.locator(".datum").first.hover()
    expect(page.locator(".reading")).to_contain_text("4th & 1 at own 3: punt 100 %")
    chart.focus()
    page.keyboard.press("End")
    expect(page.locator(".reading")).to_contain_text("4th & 15")
    assert visitor.errors == []


def test_a_plan_file_can_be_uploaded(
    chromium: Browser, served: ServerProcess, tmp_path: Path
) -> None:
    visitor = Visitor(chromium, served.address, **NARROW)
    page = visitor.page
    page.goto("/plans")
    bad = tmp_path / "bad.plan.toml"
    bad.write_text("nothing", encoding="utf-8")
    page.set_input_files("#plan-file", str(bad))
    expect(page.locator("#plan-status")).to_contain_text("not TOML")
    good = tmp_path / "good.plan.toml"
    good.write_text(plan_files.write(plan_files.load_real_plan(2007, "NE")), encoding="utf-8")
    page.locator("select[name=team]").select_option("ARI")
    page.locator("select[name=season]").select_option("2008")
    page.set_input_files("#plan-file", str(good))
    page.wait_for_url(re.compile(r"/plans/[0-9a-f]+$"))
    expect(page.locator("h1")).to_have_text("2007:NE")
    expect(page.locator("#differs")).to_contain_text("How it differs from the team’s real plan")


def test_a_game_can_be_started_from_a_team_page(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address, **NARROW)
    page = visitor.page
    page.goto("/seasons/2008/ARI")
    page.get_by_role("button", name="Play as this team").click()
    page.wait_for_url("**/table/*")
    visitor.kick_off()
    visitor.wait()
    expect(page.locator("body")).to_contain_text("Pittsburgh")
    assert visitor.errors == []
