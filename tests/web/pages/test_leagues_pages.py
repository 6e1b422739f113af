"""Pages of leagues: forms without JavaScript, and two friends with their own browsers."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from hashmark.web.api import leagues_api
from hashmark.web.pages import error_pages, leagues_pages
from web.browser import PHONE, Visitor, take_turns
from web.harness import ServerProcess, run_async
from web.league_helpers import LeagueServer, league_server
from web.pages.test_accessibility import serious_violations

NARROW: dict[str, Any] = {**PHONE, "viewport": {"width": 360, "height": 780}}


async def send(server: LeagueServer, path: str, **form: str) -> httpx.Response:
    return await server.client.post(path, data=form)


async def link_in(server: LeagueServer, path: str, **form: str) -> str:
    """Return the secret in the link that a page shows."""
    page = await send(server, path, **form)
    link = re.search(r'value="http://localhost/leagues/join#([^"]+)"', page.text)
    assert link, page.text
    return link[1]


def test_a_league_works_without_javascript(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            client = server.client
            for path in ("/leagues", "/leagues/new", "/leagues/new?kind=season", "/leagues/join"):
                assert (await client.get(path)).status_code == 200
            form = {"rules": "fourth-down", "teams": "Otters\nFoxes\n\n", "legs": "2", "days": "2"}
            created = await send(server, "/leagues", title="Ours", **form)
            assert created.status_code == 303
            where = created.headers["location"]
            assert "Take this team" in (await client.get(where)).text
            assert (await send(server, f"{where}/team", team="0", name="Anna")).status_code == 303
            anna = dict(client.cookies)
            group = await link_in(server, f"{where}/invite")
            client.cookies.clear()
            joined = await send(server, "/leagues/join", invitation=group, team="1", name="Ben")
            assert joined.headers["location"] == where
            assert "Ben" not in (await client.get("/")).text
            assert "Your leagues" in (await client.get("/")).text
            client.cookies.clear()
            client.cookies.update(anna)
            for path, fields in (
                ("begin", {}),
                ("date", {"days": "1"}),
                ("date", {"until": "2027-02-01T10:00"}),
                ("next", {}),
                ("game", {"game": "1"}),
            ):
                answer = await send(server, f"{where}/{path}", **fields)
                assert answer.status_code == 303, (path, answer.text)
            assert answer.headers["location"].startswith("/table/")
            shown = (await client.get(where)).text
            for text in ("Round 1", "2027-02-01 10:00 UTC", "Ben", "Resume your game"):
                assert text in shown
            assert anna["hashmark"] not in shown
            await send(server, f"{where}/coaches", upto="2")
            await server.run_due_work()
            shown = (await client.get(where)).text
            assert "win the league" in shown
            assert (await send(server, f"{where}/close")).status_code == 409

    run_async(test)


def test_a_team_can_be_left_and_a_league_closed(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            form = {"rules": "data-driven", "season": "2008", "real": "on", "team-PIT": "on"}
            created = await send(server, "/leagues", quarter="2", **form)
            where = created.headers["location"]
            page = (await server.client.get(where)).text
            assert "2008 season" in page
            assert "Pittsburgh Steelers" in page
            assert await link_in(server, f"{where}/invite", team="7")
            assert (await send(server, f"{where}/leave", team="7")).status_code == 303
            assert (await send(server, f"{where}/close")).status_code == 303
            assert "This league is closed" in (await server.client.get(where)).text

    run_async(test)


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("/leagues", {}, 400),
        ("/leagues", {"rules": "fourth-down", "teams": "One"}, 400),
        ("/leagues", {"rules": "fourth-down", "teams": "A\nB", "days": "many"}, 400),
        ("/leagues", {"rules": "fourth-down", "teams": "A\nB", "days": "inf"}, 400),
        ("/leagues", {"rules": "fourth-down", "teams": "A\nB", "legs": "x"}, 400),
        ("/leagues", {"rules": "data-driven", "season": "2008", "team-XXX": "on"}, 400),
        ("/leagues", {"rules": "data-driven", "season": "2008", "real": "on", "team-X": ""}, 400),
        ("/leagues/join", {"invitation": "x" * 43}, 404),
        ("/leagues/nothing/begin", {}, 404),
        ("/leagues/nothing/team", {"team": "0"}, 403),
        ("/feed", {}, 403),
    ],
)
def test_invalid_forms_are_rejected(
    tmp_path: Path, path: str, form: dict[str, str], status: int
) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            answer = await send(server, path, **form)
            assert answer.status_code == status, answer.text
            assert error_pages.HEADINGS[status] in answer.text

    run_async(test)


def test_the_feed_page_creates_and_voids_a_feed(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            assert "You have no games yet" in (await server.client.get("/feed")).text
            await send(server, "/leagues", rules="fourth-down", teams="A\nB")
            page = await send(server, "/feed")
            link = re.search(r'value="(http://localhost/feeds/[^"]+)"', page.text)
            assert link
            assert (await server.client.get(link[1])).status_code == 200
            assert link[1] not in (await server.client.get("/feed")).text
            assert (await send(server, "/feed", void="on")).status_code == 303
            assert (await server.client.get(link[1])).status_code == 404

    run_async(test)


def test_every_form_has_an_api_route() -> None:
    """Everything that a league form does is available in the API."""
    pages = {getattr(route, "path", "") for route in leagues_pages.router.routes}
    assert "/leagues/{league}" in pages
    api_paths = {getattr(route, "path", "") for route in leagues_api.router.routes}
    for page in ("begin", "coaches", "date", "leave", "next"):
        assert f"/leagues/{{league}}/{page}" in pages
        assert f"/api/leagues/{{league}}/{page}" in api_paths


def check_page(visitor: Visitor, name: str) -> None:
    """Check that nothing is too wide and axe-core finds nothing serious."""
    assert serious_violations(visitor) == [], name
    if "/leagues" in visitor.page.url:
        assert visitor.page.locator('link[href="/static/leagues.css"]').count() == 1, name
    overflow = visitor.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0, f"{name} is too wide by {overflow}"


@pytest.mark.heavy
def test_two_friends_can_join_and_play(chromium: Browser, served: ServerProcess) -> None:
    anna = Visitor(chromium, served.address, color_scheme="light")
    ben = Visitor(chromium, served.address, color_scheme="dark", **NARROW)
    for visitor in (anna, ben):
        for path in ("/leagues", "/leagues/new?kind=season&season=2008", "/feed"):
            visitor.page.goto(path)
            check_page(visitor, path)
    page = anna.page
    page.goto("/leagues")
    page.click("text=4th Down!")
    page.fill("[name=title]", "Sunday league")
    page.fill("[name=teams]", "Otters\nFoxes")
    check_page(anna, "a new league")
    page.click("text=Create the league")
    page.wait_for_url("**/leagues/*")
    league = page.url
    page.click('[aria-label="Play the Otters"]')
    page.click("text=Invite friends")
    check_page(anna, "the link")
    link = page.locator("#link").input_value()
    ben.page.goto(link)
    ben.page.wait_for_selector("#join-form:not([hidden])")
    assert "#" not in ben.page.url  # the secret does not stay in the URL
    check_page(ben, "an invitation")
    ben.page.fill("[name=name]", "Ben")
    ben.page.click("text=Join the league")
    ben.page.wait_for_url(league)
    page.goto(league)
    assert page.locator("text=Ben").count()
    for summary in page.locator("details.tools > summary").all():
        summary.click()
    check_page(anna, "before the first round")
    page.click("text=Start the league")
    page.wait_for_selector("text=Play your next game")
    check_page(anna, "the first round")
    ben.page.reload()
    for visitor in (anna, ben):
        visitor.page.click(".next button.primary")
        visitor.page.wait_for_url("**/table/*")
        visitor.kick_off()
    assert take_turns((anna, ben), Random(5))
    for visitor in (anna, ben):
        visitor.page.click("text=Back to the league")
        visitor.page.wait_for_selector("text=win the league")
        check_page(visitor, "the end")
        assert visitor.page.locator(".standings tbody tr").count() == 2
        visitor.page.goto("/")
        check_page(visitor, "the lobby with a league in it")
        visitor.page.goto("/feed")
        assert visitor.page.locator("text=Sunday league is over").count()
        visitor.page.click("text=Create a feed link")
        visitor.page.wait_for_selector("#feed-link")
        check_page(visitor, "a feed's address")
        assert visitor.errors == []
        visitor.context.close()


@pytest.mark.heavy
def test_a_season_page_updates_while_coaches_play(chromium: Browser, served: ServerProcess) -> None:
    pytest.importorskip("numpy")
    visitor = Visitor(chromium, served.address, color_scheme="dark", **NARROW)
    page = visitor.page
    page.goto("/leagues/new?kind=season&season=2008&team=PIT")
    page.select_option("[name=quarter]", "2")
    page.click("text=Start the season")
    page.wait_for_url("**/leagues/*")
    check_page(visitor, "a season has begun")
    page.wait_for_selector("text=15 of 16 games are final")  # without a reload
    page.wait_for_selector("text=Let coaches finish the week")
    for summary in page.locator("details > summary:visible").all():
        summary.click()
    check_page(visitor, "a week but for one game")
    page.click("text=Play your next game")
    page.wait_for_selector(".board")
    check_page(visitor, "the table of a league's game")
    page.click("text=Seats and sharing")
    page.click("text=league game")
    page.click("text=Let coaches finish the week")
    page.wait_for_selector("h2:has-text('Week 2')")
    assert visitor.errors == []
    visitor.context.close()
