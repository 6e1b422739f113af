"""Accessibility of every page with axe-core: light and dark, on phone and desktop.

The default run visits the pages once on a phone in dark mode. It checks the rules about appearance
there, and all rules in a wide light window, where nothing is hidden. The long run repeats the visit
for each kind of window with all rules.

The browser records every HTML response; each route that can return HTML must have been visited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Response, ViewportSize

from hashmark.engine import registry
from hashmark.web.api import tables_api
from hashmark.web.pages import table_pages
from web.browser import ALL_RULES, APPEARANCE_RULES, PHONE, Visitor
from web.harness import SHORT_GAME_OPTIONS, Player, ServerProcess

pytestmark = pytest.mark.heavy
PANELS = ("help", "odds", "box", "drives", "plays")
HTML = "text/html"
REVIEW, LEARN = "GET /api/tables/{key}/review", "GET /table/{key}/learn"
OTHERWISE = {  # page routes that return a style sheet, an image or a redirect
    *("GET /drawn.css", "GET /favicon.ico"),
    *("POST /tables", "POST /join", "POST /bring"),
    *("POST /table/{key}/rematch", "POST /table/{key}/close"),
}


def routes() -> set[str]:
    """Return every route that can respond with HTML, as method and path."""
    found = {
        f"{method} {route.path}"  # type: ignore[attr-defined]
        for route in table_pages.router.routes
        for method in route.methods  # type: ignore[attr-defined]
    }
    for route in tables_api.router.routes:
        content = getattr(route, "responses", {}).get(200, {}).get("content", {})
        if HTML in content:
            found |= {f"{method} {route.path}" for method in route.methods}  # type: ignore[attr-defined]
    assert found >= OTHERWISE
    return found - OTHERWISE


class Witness:
    """Record of the routes that returned HTML to a browser."""

    def __init__(self, visitor: Visitor) -> None:
        self.seen: set[str] = set()
        self.known = {
            route: re.compile(re.sub(r"\{[^}]+\}", "[^/]+", route)) for route in sorted(routes())
        }
        visitor.page.on("response", self._record)

    def _record(self, answer: Response) -> None:
        if HTML not in answer.headers.get("content-type", "") or answer.status >= 400:
            return
        path = "/" + answer.url.split("?")[0].split("#")[0].split("/", 3)[3]
        request = f"{answer.request.method} {path}"
        check_width = [route for route, pattern in self.known.items() if pattern.fullmatch(request)]
        assert check_width, f"{request} is no route that is known to give HTML"
        self.seen.add(check_width[0])


def before_a_game(visitor: Visitor) -> Iterator[str]:
    page = visitor.page
    for path in (
        "/",
        "/new/data-driven",
        "/join",
        "/api",
        "/rules/fourth-down",
        "/dice",
        "/nothing",
    ):
        page.goto(path)
        yield path
    visitor.create_table("data-driven", "friend")
    page.click("text=Invite a friend to play")
    link = page.locator("#link-invited").input_value()
    yield "a table with an open seat"
    page.evaluate("document.querySelector('form[data-into]').submit()")  # as without JavaScript
    page.wait_for_url("**/invite")
    yield "the link, without a script"
    link = page.locator("#link").input_value()
    page.goto(link)
    page.wait_for_selector("#join-form:not([hidden])")
    yield "a seat to be taken"
    page.goto("/new/data-driven")
    page.locator("[data-pick]").first.select_option(index=0)
    page.dispatch_event("[data-pick]", "change")
    page.wait_for_load_state("networkidle")
    yield "other teams were picked"


def at_a_table(visitor: Visitor, rules: str) -> Iterator[str]:
    visitor.page.goto("/")
    visitor.page.click(f'article:has(input[value="{rules}"]) button')
    visitor.kick_off()
    rng = Random(6)
    for _ in range(6):
        visitor.wait()
        visitor.answer_once(rng)
    visitor.wait()
    charts = visitor.page.locator('[data-panel="charts"] summary')
    if charts.count():
        charts.click()
        visitor.page.wait_for_selector('[data-panel="charts"] .panel-body > *')
    yield f"{rules}, in mid-game"


def after_a_game(visitor: Visitor) -> Iterator[str]:
    page = visitor.page
    page.goto("/")
    page.click('article:has(input[value="fourth-down"]) button')
    visitor.kick_off()
    visitor.wait()
    for name in PANELS:
        page.click(f'[data-panel="{name}"] summary')
        page.wait_for_selector(f'[data-panel="{name}"] .panel-body > *')
    yield "all panels"
    visitor.answer_once(Random(6))
    visitor.wait()
    page.locator("#turn").fill("1")
    page.wait_for_selector(".past")
    yield "an earlier turn"
    page.locator("#turn").fill(str(page.locator("#turn").get_attribute("max")))
    page.wait_for_selector(".past", state="detached")
    visitor.play(Random(6))
    yield "after the game"
    table = page.url
    page.keyboard.press("u")
    visitor.wait()
    visitor.play(Random(6))
    key = table.rpartition("/")[2]
    page.goto(f"/api/tables/{key}/sheet?form=html")
    yield "the score sheet"
    for part in ("dice", "replay"):
        page.goto(f"/table/{key}/{part}")
        yield f"{part} of a finished game"
    waiting = "**/api/tables/*/review?*"
    page.route(waiting, lambda route: route.fulfill(status=202, json={"detail": "wait"}))
    page.goto(f"/table/{key}/review")
    yield "while it is reviewed"


def orders_and_seats(visitor: Visitor) -> Iterator[str]:
    """Visit orders and seats at the table where the last game was left."""
    page = visitor.page
    for summary in page.locator('[data-part="tools"] summary').all():
        summary.click()
    page.click('form[action$="/order"] button >> nth=0')
    page.wait_for_selector('form[action$="/order"] button[aria-pressed=true]')
    yield "standing orders and seats"
    page.click('form.hand-over button:has-text("Hand over")')
    page.wait_for_selector(':text("Take back"), .postgame')
    yield "a coach has taken over"
    page.evaluate(SIT_DOWN)  # at once, if the coach has not finished the game meanwhile
    page.wait_for_selector("text=Take back", state="detached")


SIT_DOWN = """() => [...document.querySelectorAll("button")]
  .find((one) => one.textContent.includes("Sit down again"))?.click()"""


def talking(visitor: Visitor) -> Iterator[str]:
    """Two people talk, and one asks to take a call back."""
    page = visitor.page
    visitor.create_table("fourth-down", "friend")
    page.click("text=Invite a friend to play")
    link = page.locator("#link-invited").input_value()
    friend = Player(link.partition("/join")[0])
    friend.join(link.rpartition("#")[2])
    friend.ready()
    visitor.kick_off()
    page.click(".phrases button >> nth=0")
    page.wait_for_selector(".messages li")
    page.fill(".write input", "Hello")
    page.click(".write button")
    page.wait_for_selector(".messages li >> nth=1")
    rng = Random(2)
    while not page.locator("text=Ask to take back").count():
        page.wait_for_timeout(50)
        pending = friend.fetch_state()["wanted"]
        if pending and pending["yours"]:
            friend.answer_randomly(rng)
        elif page.locator(".question").count():
            visitor.answer_once(rng)
    page.click("text=Ask to take back")
    page.click("text=Withdraw")
    page.wait_for_selector("text=The call stands.")
    yield "two people talk"
    page.click("text=Turn chat off")
    page.wait_for_selector("text=Turn chat on")


def with_real_dice(visitor: Visitor) -> Iterator[str]:
    page = visitor.page
    page.goto("/new/fourth-down")
    page.check("input[name=dice][value=typed]")
    page.click("text=Start the game >> nth=0")
    page.wait_for_selector(".faces button")
    visitor.answer_once(Random(1))
    yield "real dice"


def all_pages(visitor: Visitor) -> Iterator[str]:
    yield from before_a_game(visitor)
    for rules in registry.names():
        yield from at_a_table(visitor, rules)
        if rules == "data-driven":
            yield from orders_and_seats(visitor)
    yield from talking(visitor)
    yield from with_real_dice(visitor)
    yield from after_a_game(visitor)


LOOKS = "[innerWidth, matchMedia('(prefers-color-scheme: light)').matches]"
DESK, SMALL = ViewportSize(width=1280, height=720), PHONE["viewport"]


def serious_violations(visitor: Visitor, rules: dict[str, Any] = ALL_RULES) -> list[Any]:
    """Return serious and critical axe-core violations; axe-core is injected once per page."""
    if visitor.page.evaluate("typeof axe === 'undefined'"):
        visitor.page.evaluate(Axe().axe_script)
    report = visitor.page.evaluate("(rules) => axe.run(rules)", rules)
    return [
        (violation["id"], [node["html"][:200] for node in violation["nodes"]][:3])
        for violation in report["violations"]
        if violation["impact"] in ("serious", "critical")
    ]


def check_width(visitor: Visitor, name: str) -> None:
    """Check that nothing overflows the window."""
    overflow = visitor.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0, f"{name} is too wide by {overflow}"


def check_all_visited(visitor: Visitor, witness: Witness) -> None:
    """Check that every page was visited and no script failed."""
    assert sorted(routes() - witness.seen) == [REVIEW, LEARN]  # they have a test of their own
    faults = [fault for fault in visitor.errors if "404" not in fault]
    assert faults == []
    visitor.context.close()


def test_every_page_is_accessible(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address, color_scheme="dark", **PHONE)
    witness, page = Witness(visitor), visitor.page
    for name in all_pages(visitor):
        assert serious_violations(visitor, APPEARANCE_RULES) == [], f"{name}, on a phone"
        check_width(visitor, f"{name}, on a phone")
        page.set_viewport_size(DESK)
        page.emulate_media(color_scheme="light")
        assert page.evaluate(LOOKS) == [DESK["width"], True]
        assert serious_violations(visitor) == [], f"{name}, at a desk"
        check_width(visitor, f"{name}, at a desk")
        page.set_viewport_size(SMALL)
        page.emulate_media(color_scheme="dark")
    check_all_visited(visitor, witness)


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("phone", "dark"),
        ("desktop", "light"),
        ("phone", "light"),
        ("desktop", "dark"),
    ],
)
def test_every_page_is_accessible_in_every_window(
    chromium: Browser, served: ServerProcess, size: str, scheme: str
) -> None:
    more = dict(PHONE) if size == "phone" else {}
    visitor = Visitor(chromium, served.address, color_scheme=scheme, **more)
    witness = Witness(visitor)
    for name in all_pages(visitor):
        assert serious_violations(visitor) == [], name
        check_width(visitor, name)
    check_all_visited(visitor, witness)


def review_path(page: str) -> str:
    """Return the path of the report to save, beside the page of a review."""
    return "/api/tables/" + page.partition("/table/")[2]


def test_a_review_is_accessible(chromium: Browser, served: ServerProcess) -> None:
    """Uses the two-minute drill, which needs no compilation."""
    visitor = Visitor(chromium, served.address)
    witness = Witness(visitor)
    visitor.create_table("two-minute-drill", **SHORT_GAME_OPTIONS["two-minute-drill"])
    visitor.kick_off()
    visitor.play(Random(3))
    page = visitor.page
    page.click("text=Review")
    page.wait_for_selector(".curve")
    pages = [page.url, page.url.replace("/review", "/learn")]
    if page.locator(".mistake-cards").count():
        page.goto(pages[1])
        page.click(".lesson button >> nth=0")
        page.wait_for_selector(".verdict")
        pages.append(page.url)
    pages.append(page.url.partition("/table/")[0] + review_path(pages[0]))
    for address in pages:
        page.goto(address)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert serious_violations(visitor) == [], (address, scheme)
    assert {REVIEW, LEARN} <= witness.seen
    assert visitor.errors == []
    visitor.context.close()
