"""The pages in a real browser: whole games by clicks and by keys, with friends, over lost
connections and restarts, on a phone, and under axe-core.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from hashmark.table import registry

from .house import SHORT, Served, serving
from .in_browser import GONE, PHONE, Visitor, browser, expect

pytestmark = [pytest.mark.heavy, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.mark.parametrize("rules", registry.names())
def test_a_whole_game_by_clicks(chromium: Browser, served: Served, rules: str) -> None:
    visitor = Visitor(chromium, served.address)
    visitor.lay(rules, **SHORT.get(rules, {}))
    visitor.kick_off()
    visitor.play(Random(3))
    page = visitor.page
    page.click("text=Make every roll again")
    expect(page.locator("#checked")).to_contain_text("Your browser finds that the seal fits.")
    expect(page.locator("#checked")).to_contain_text("verified: all")
    page.click("text=Rematch")
    page.wait_for_selector("text=Kick off")
    assert visitor.faults == []
    visitor.context.close()


def test_a_first_game_is_two_clicks_away(chromium: Browser, served: Served) -> None:
    visitor = Visitor(chromium, served.address)
    visitor.page.goto("/")
    visitor.page.click("article button >> nth=0")
    visitor.page.click("text=Kick off")
    visitor.wait()
    assert visitor.page.locator(".question .answers button").count() >= 2
    assert visitor.page.locator(".question .meaning").count() >= 2
    visitor.page.click('[data-panel="help"] summary')
    expect(visitor.page.locator('[data-panel="help"] .book')).not_to_be_empty()
    assert visitor.faults == []
    visitor.context.close()


def test_two_friends_and_a_watcher(chromium: Browser, served: Served) -> None:
    """Data-Driven by two browsers to its end, a third watching; each hears what it may."""
    home, away, watcher = (Visitor(chromium, served.address) for _ in range(3))
    home.lay("data-driven", "friend", quarter_seconds=60)
    home.page.click("text=Make the link for your friend")
    link = home.page.locator("#link-invited").input_value()
    away.page.goto(link)
    away.page.click("text=Take the seat")
    away.page.wait_for_url("**/table/*")
    table = away.page.url
    watcher.page.goto(table)
    home.kick_off()
    away.kick_off()
    luck, everyone = Random(9), (home, away)
    for _ in range(1500):
        home.page.wait_for_selector(".question, .waits, .after")
        asked = [one for one in everyone if one.page.locator(".question").count()]
        if home.is_over and away.is_over:
            break
        if not asked:
            home.page.wait_for_timeout(20)
            continue
        asked[0].click_one(luck)
    expect(watcher.page.locator(".after h2")).to_be_visible()
    opened = json.loads(home.page.evaluate(f"fetch('/api{_path(table)}').then(a => a.text())"))
    token = {c["name"]: c["value"] for c in home.context.cookies()}["hashmark"]
    for visitor, own in ((home, "home"), (away, "away"), (watcher, "")):
        heard = [json.loads(one) for one in visitor.page.evaluate("window.heard")]
        told = [one for one in heard if "number" in one]
        numbers = [one["number"] for one in told]
        assert numbers == sorted(set(numbers)), "nothing is missed or heard twice"
        early = [one for one in told if one["kind"] != "over"]
        said = json.dumps(early)
        assert str(opened["opened"]["seed"]) not in said
        assert opened["opened"]["salt"] not in said
        everything = visitor.page.evaluate("window.received")
        ends = ('id="after-h"', '"kind":"over"', '"opened":{')
        before = [one for one in everything if not any(end in one for end in ends)]
        assert len(before) > len(told) / 2
        for text in before:
            for secret in (str(opened["opened"]["seed"]), opened["opened"]["salt"], token):
                assert secret not in text
            assert '"drawn"' not in text
        assert token not in "".join(everything)
        hidden = [one for one in early if one["kind"] == "turn" and one["secret"]]
        assert hidden
        assert all(one["call"] is None and one["team"] != own for one in hidden)
        assert visitor.faults == []
        visitor.context.close()


def _path(url: str) -> str:
    return re.sub(r".*/table/", "/tables/", url)


def test_reload_lost_connection_and_restart(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        visitor = Visitor(chromium, served.address)
        visitor.page.goto("/")
        visitor.page.click("article button >> nth=0")
        visitor.kick_off()
        luck = Random(1)
        visitor.wait()
        visitor.click_one(luck)
        visitor.wait()
        before = visitor.moment
        visitor.page.reload()
        visitor.wait()
        assert visitor.moment == before
        visitor.context.set_offline(True)
        visitor.page.wait_for_timeout(300)
        visitor.page.click(".question .answers button >> nth=0")
        expect(visitor.page.locator("#toast")).to_contain_text("cannot be reached")
        visitor.context.set_offline(False)
        visitor.page.wait_for_timeout(1500)
        visitor.click_one(luck)
        visitor.wait()
        before = visitor.moment
        served.kill()
        served.start()
        visitor.page.wait_for_selector("main:not(.lost)")
        assert visitor.moment == before
        visitor.click_one(luck)
        visitor.play(luck)
        visitor.context.close()


def test_by_keyboard_alone(chromium: Browser, served: Served) -> None:
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    page.goto("/")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == "Play":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Kick off")
    page.keyboard.press("Enter")
    luck = Random(5)
    for _ in range(300):
        visitor.wait()
        if visitor.is_over:
            break
        moment = visitor.moment
        count = page.locator(".question .answers button").count()
        page.keyboard.press(str(1 + luck.randrange(min(count, 9))))
        page.wait_for_function(GONE, arg=f"{moment}/")
    assert visitor.is_over
    page.keyboard.press("b")
    expect(page.locator('[data-panel="box"] table')).to_be_visible()
    page.keyboard.press("u")
    visitor.wait()
    expect(page.locator(".after")).to_have_count(0)
    assert visitor.faults == []
    visitor.context.close()


def test_looking_back_and_forth(chromium: Browser, served: Served) -> None:
    visitor = Visitor(chromium, served.address)
    visitor.page.goto("/")
    visitor.page.click("article button >> nth=0")
    visitor.kick_off()
    luck = Random(2)
    for _ in range(4):
        visitor.wait()
        visitor.click_one(luck)
    visitor.wait()
    now = visitor.page.locator('[data-part="board"]').inner_text()
    visitor.page.locator("#turn").fill("1")
    expect(visitor.page.locator(".past")).to_have_text("After turn 1")
    most = visitor.page.locator("#turn").get_attribute("max")
    visitor.page.locator("#turn").fill(str(most))
    expect(visitor.page.locator(".past")).to_have_count(0)
    assert visitor.page.locator('[data-part="board"]').inner_text() == now
    visitor.page.keyboard.press("Escape")
    visitor.context.close()


def test_real_dice_are_clicked_and_typed(chromium: Browser, served: Served) -> None:
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    page.goto("/new/fourth-down")
    page.check("input[name=dice][value=typed]")
    page.click("text=Lay the table >> nth=0")
    page.wait_for_selector(".faces button")
    page.keyboard.press("1")
    visitor.play(Random(4))
    assert visitor.faults == []
    visitor.context.close()


def pages_of(visitor: Visitor) -> Iterator[str]:
    """Every page, one after the other."""
    page = visitor.page
    for path in ("/", "/new/data-driven", "/join", "/api", "/rules/fourth-down", "/nothing"):
        page.goto(path)
        yield path
    page.goto("/")
    page.click("article button >> nth=0")
    page.wait_for_selector("text=Kick off")
    yield "before the game"
    visitor.kick_off()
    visitor.wait()
    for name in ("help", "odds", "box", "drives", "plays"):
        page.click(f'[data-panel="{name}"] summary')
        page.wait_for_selector(f'[data-panel="{name}"] .panel-body > *')
    yield "the table"
    visitor.play(Random(6))
    yield "after the game"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_everybody_can_use_every_page(
    chromium: Browser, served: Served, scheme: str, size: str
) -> None:
    more = dict(PHONE) if size == "phone" else {}
    visitor = Visitor(
        chromium, served.address, color_scheme=scheme, reduced_motion="reduce", **more
    )
    for name in pages_of(visitor):
        found = Axe().run(visitor.page)
        grave = [
            (one["id"], [node["html"][:200] for node in one["nodes"]][:3])
            for one in found.response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert grave == [], name
        wide = visitor.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, f"{name} is too wide by {wide}"
    faults = [one for one in visitor.faults if "404" not in one]
    assert faults == []
    visitor.context.close()
