"""The pages of leagues: forms without a script, and two friends with browsers of their own."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from hashmark.web import leagues_api, leagues_pages

from .house import Served, run
from .in_browser import PHONE, Visitor, take_turns
from .leaguing import House, leagues_at_home
from .test_for_everybody import grave

NARROW: dict[str, Any] = {**PHONE, "viewport": {"width": 360, "height": 780}}


async def send(house: House, path: str, **form: str) -> httpx.Response:
    return await house.client.post(path, data=form)


async def link_in(house: House, path: str, **form: str) -> str:
    """The secret behind the # of a link that a page shows."""
    page = await send(house, path, **form)
    found = re.search(r'value="http://localhost/leagues/join#([^"]+)"', page.text)
    assert found, page.text
    return found[1]


def test_a_league_without_a_script(tmp_path: Path) -> None:
    async def test() -> None:
        async with leagues_at_home(tmp_path) as house:
            client = house.client
            for path in ("/leagues", "/leagues/new", "/leagues/new?kind=season", "/leagues/join"):
                assert (await client.get(path)).status_code == 200
            form = {"rules": "fourth-down", "teams": "Otters\nFoxes\n\n", "legs": "2", "days": "2"}
            made = await send(house, "/leagues", title="Ours", **form)
            assert made.status_code == 303
            where = made.headers["location"]
            assert "Take it" in (await client.get(where)).text
            assert (await send(house, f"{where}/team", team="0", name="Anna")).status_code == 303
            anna = dict(client.cookies)
            group = await link_in(house, f"{where}/invite")
            client.cookies.clear()
            joined = await send(house, "/leagues/join", invitation=group, team="1", name="Ben")
            assert joined.headers["location"] == where
            assert "Ben" not in (await client.get("/")).text
            assert "Your leagues" in (await client.get("/")).text
            client.cookies.clear()
            client.cookies.update(anna)
            for path, sent in (
                ("begin", {}),
                ("date", {"days": "1"}),
                ("date", {"until": "2027-02-01T10:00"}),
                ("next", {}),
                ("game", {"game": "1"}),
            ):
                answer = await send(house, f"{where}/{path}", **sent)
                assert answer.status_code == 303, (path, answer.text)
            assert answer.headers["location"].startswith("/table/")
            shown = (await client.get(where)).text
            for text in ("Round 1", "2027-02-01 10:00 UTC", "Ben", "Go on with your game"):
                assert text in shown
            assert anna["hashmark"] not in shown
            await send(house, f"{where}/coaches", upto="2")
            await house.goes_on()
            shown = (await client.get(where)).text
            assert "has won the league" in shown
            assert (await send(house, f"{where}/close")).status_code == 409

    run(test)


def test_a_team_is_handed_on_and_a_league_closed(tmp_path: Path) -> None:
    async def test() -> None:
        async with leagues_at_home(tmp_path) as house:
            form = {"rules": "data-driven", "season": "2008", "real": "on", "team-PIT": "on"}
            made = await send(house, "/leagues", quarter="2", **form)
            where = made.headers["location"]
            page = (await house.client.get(where)).text
            assert "The season of 2008" in page
            assert "Pittsburgh Steelers" in page
            assert await link_in(house, f"{where}/invite", team="7")
            assert (await send(house, f"{where}/leave", team="7")).status_code == 303
            assert (await send(house, f"{where}/close")).status_code == 303
            assert "was closed" in (await house.client.get(where)).text

    run(test)


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
def test_bad_forms_are_refused_in_a_sentence(
    tmp_path: Path, path: str, form: dict[str, str], status: int
) -> None:
    async def test() -> None:
        async with leagues_at_home(tmp_path) as house:
            answer = await send(house, path, **form)
            assert answer.status_code == status, answer.text
            assert "That cannot be" in answer.text

    run(test)


def test_the_page_of_a_feed(tmp_path: Path) -> None:
    async def test() -> None:
        async with leagues_at_home(tmp_path) as house:
            assert "You have no games here yet" in (await house.client.get("/feed")).text
            await send(house, "/leagues", rules="fourth-down", teams="A\nB")
            page = await send(house, "/feed")
            found = re.search(r'value="(http://localhost/feeds/[^"]+)"', page.text)
            assert found
            assert (await house.client.get(found[1])).status_code == 200
            assert found[1] not in (await house.client.get("/feed")).text
            assert (await send(house, "/feed", void="on")).status_code == 303
            assert (await house.client.get(found[1])).status_code == 404

    run(test)


def test_every_page_has_a_twin_for_programs() -> None:
    """All that a form of a league does can be asked of the API."""
    pages = {getattr(one, "path", "") for one in leagues_pages.router.routes}
    assert "/leagues/{league}" in pages
    twins = {getattr(one, "path", "") for one in leagues_api.router.routes}
    for page in ("begin", "coaches", "date", "leave", "next"):
        assert f"/leagues/{{league}}/{page}" in pages
        assert f"/api/leagues/{{league}}/{page}" in twins


def looked_at(visitor: Visitor, name: str) -> None:
    """Nothing that is too wide, nothing that axe-core finds serious."""
    assert grave(visitor) == [], name
    if "/leagues" in visitor.page.url:
        assert visitor.page.locator('link[href="/static/leagues.css"]').count() == 1, name
    wide = visitor.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide <= 0, f"{name} is too wide by {wide}"


@pytest.mark.heavy
def test_two_friends_join_and_play(chromium: Browser, served: Served) -> None:
    anna = Visitor(chromium, served.address, color_scheme="light")
    ben = Visitor(chromium, served.address, color_scheme="dark", **NARROW)
    for visitor in (anna, ben):
        for path in ("/leagues", "/leagues/new?kind=season&season=2008", "/feed"):
            visitor.page.goto(path)
            looked_at(visitor, path)
    page = anna.page
    page.goto("/leagues")
    page.click("text=4th Down!")
    page.fill("[name=title]", "Sunday league")
    page.fill("[name=teams]", "Otters\nFoxes")
    looked_at(anna, "a new league")
    page.click("text=Make the league")
    page.wait_for_url("**/leagues/*")
    league = page.url
    page.click('[aria-label="Take Otters"]')
    page.click("text=Make a link for your friends")
    looked_at(anna, "the link")
    link = page.locator("#link").input_value()
    ben.page.goto(link)
    ben.page.wait_for_selector("#join-form:not([hidden])")
    assert "#" not in ben.page.url  # the secret does not stay in the address
    looked_at(ben, "an invitation")
    ben.page.fill("[name=name]", "Ben")
    ben.page.click("text=Take the team")
    ben.page.wait_for_url(league)
    page.goto(league)
    assert page.locator("text=Ben").count()
    for summary in page.locator("details.tools > summary").all():
        summary.click()
    looked_at(anna, "before the first round")
    page.click("text=Begin the league")
    page.wait_for_selector("text=Play your next game")
    looked_at(anna, "the first round")
    ben.page.reload()
    for visitor in (anna, ben):
        visitor.page.click(".next button.primary")
        visitor.page.wait_for_url("**/table/*")
        visitor.kick_off()
    assert take_turns((anna, ben), Random(5))
    for visitor in (anna, ben):
        visitor.page.click("text=To the league")
        visitor.page.wait_for_selector("text=has won the league")
        looked_at(visitor, "the end")
        assert visitor.page.locator(".standings tbody tr").count() == 2
        visitor.page.goto("/")
        looked_at(visitor, "the lobby with a league in it")
        visitor.page.goto("/feed")
        assert visitor.page.locator("text=Sunday league is over").count()
        visitor.page.click("text=Make an address")
        visitor.page.wait_for_selector("#feed-link")
        looked_at(visitor, "a feed's address")
        assert visitor.faults == []
        visitor.context.close()


@pytest.mark.heavy
def test_a_season_goes_on_while_one_looks(chromium: Browser, served: Served) -> None:
    pytest.importorskip("numpy")
    visitor = Visitor(chromium, served.address, color_scheme="dark", **NARROW)
    page = visitor.page
    page.goto("/leagues/new?kind=season&season=2008&team=PIT")
    page.select_option("[name=quarter]", "2")
    page.click("text=Begin the season")
    page.wait_for_url("**/leagues/*")
    looked_at(visitor, "a season has begun")
    page.wait_for_selector("text=15 of 16 games are played")  # without a reload
    page.wait_for_selector("text=Let the week be played")
    for summary in page.locator("details > summary:visible").all():
        summary.click()
    looked_at(visitor, "a week but for one game")
    page.click("text=Play your next game")
    page.wait_for_selector("text=Kick off")
    looked_at(visitor, "the table of a league's game")
    page.click("text=Seats and sharing")
    page.click("text=A game of a league")
    page.click("text=Let the week be played")
    page.wait_for_selector("h2:has-text('Week 2')")
    assert visitor.faults == []
    visitor.context.close()
