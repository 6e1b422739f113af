"""Pages in a real browser: whole games by mouse and keyboard, with friends, across lost connections
and restarts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, Route

from hashmark.engine import registry
from timeouts import TIMEOUT_MILLISECONDS
from web.browser import POLL_MILLISECONDS, WITH_ANIMATION, Visitor, expect, take_turns
from web.harness import SHORT_GAME_OPTIONS, Player, ServerProcess, running_server
from web.recording_relay import RecordingRelay

pytestmark = pytest.mark.heavy


WHOLE = 2000  # answers by hand; no game needs as many
PARTS = {
    "data-driven": 8,
    "rapid-roll": 8,
}  # answers by hand in the longest games, in the default run


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        *((rules, PARTS.get(rules, WHOLE)) for rules in registry.names()),
        *(pytest.param(rules, WHOLE, marks=pytest.mark.long) for rules in PARTS),
    ],
)
def test_a_game_can_be_played_by_mouse(
    chromium: Browser, served: ServerProcess, rules: str, answers: int
) -> None:
    """From the form to the rematch; the API finishes the longest games."""
    visitor = Visitor(chromium, served.address)
    visitor.create_table(rules, **SHORT_GAME_OPTIONS.get(rules, {}))
    visitor.kick_off()
    visitor.answer_up_to(Random(3), answers)
    finish_game(visitor, served)
    page = visitor.page
    expect(page.locator(".postgame h2")).to_be_visible()
    table = page.url
    page.click("text=Check the dice")
    page.click("text=Check every roll")
    expect(page.locator("#checked")).to_contain_text("Your browser confirms the seal.")
    expect(page.locator("#checked")).to_contain_text("verified: all")
    page.click("text=Back to the game")
    page.wait_for_url(table)
    page.click("text=Rematch")
    page.wait_for_url(lambda url: url != table)
    visitor.wait()  # nobody has to kick off again
    assert visitor.errors == []
    visitor.context.close()


def test_a_first_game_is_one_click_away(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address)
    visitor.page.goto("/")
    assert visitor.page.locator("text=Play now").is_visible()
    visitor.page.click("text=Play now")
    visitor.wait()
    assert visitor.page.locator(".question .answers button").count() >= 2
    assert visitor.page.locator(".question .meaning").count() >= 2
    visitor.page.click('[data-panel="help"] summary')
    expect(visitor.page.locator('[data-panel="help"] .book')).not_to_be_empty()
    assert visitor.errors == []
    visitor.context.close()


def test_no_click_is_lost_and_nothing_older_is_shown(
    chromium: Browser, served: ServerProcess
) -> None:
    """Server responses overtake one another: the test holds each and releases it."""
    visitor, rng = Visitor(chromium, served.address), Random(5)
    page = visitor.page
    visitor.create_table("two-minute-drill")
    visitor.kick_off()
    visitor.wait()
    page.wait_for_load_state()  # from here on it receives events
    held: list[Route] = []

    def wait_for_request(place: str) -> Route:
        """Return the held request for this path; let all other requests pass."""
        for _ in range(TIMEOUT_MILLISECONDS // POLL_MILLISECONDS):
            for request in held.copy():
                held.remove(request)
                if request.request.url.endswith(place):
                    return request
                request.continue_()
            page.wait_for_timeout(POLL_MILLISECONDS)
        raise AssertionError(f"the page does not ask for {place}")

    def request_parts() -> Route:
        page.evaluate(
            "streams.at(-1).dispatchEvent(new MessageEvent('table', "
            "{ data: JSON.stringify({ table: main.dataset.table, version: Math.random() }) }))"
        )
        return wait_for_request("/parts")

    def send_answer() -> Route:
        visitor.choose(rng)
        return wait_for_request("/answer")

    for place in ("parts", "answer"):
        page.route(f"**/table/*/{place}", lambda route: held.append(route))

    first, early_parts = visitor.question_key, request_parts()
    old = early_parts.fetch()
    form = send_answer()
    done = form.fetch()
    early_parts.fulfill(
        response=early_parts.fetch()
    )  # the next question, before the answer's own response
    page.wait_for_timeout(100)
    assert visitor.question_key == first
    form.fulfill(response=done)
    visitor.wait_until_gone(first)
    second, late_parts = visitor.question_key, request_parts()
    form = send_answer()
    form.fulfill(response=form.fetch())
    visitor.wait_until_gone(second)
    third = visitor.question_key
    late_parts.fulfill(response=old)  # the table as of two questions ago
    page.wait_for_timeout(100)
    assert visitor.question_key == third
    for request in held:
        request.continue_()
    page.unroute_all()
    visitor.answer_up_to(rng, 3)
    assert visitor.errors == []
    visitor.context.close()


def finish_game(visitor: Visitor, served: ServerProcess) -> None:
    """Let an API client finish the game in the visitor's place if it is not over."""
    if not visitor.is_over:
        cookies = {cookie["name"]: cookie["value"] for cookie in visitor.context.cookies()}
        player = Player(served.address, cookies["hashmark"])
        player.table = visitor.page.url.rpartition("/")[2]
        player.play_to_end(Random(4))


REVEAL_MARKERS = (
    'id="postgame-h"',
    '"kind":"over"',
    '"opened":{',
)  # markers after which the dice are revealed


def test_two_friends_and_a_spectator_see_only_what_they_may(
    chromium: Browser, served: ServerProcess
) -> None:
    """Two browsers play Data-Driven to its end, a third one watches.

    A relay records every byte that each receives, from the first page on.
    """
    wires = [RecordingRelay(served.port) for _ in range(3)]
    home, away, spectator = (Visitor(chromium, wire.address) for wire in wires)
    home.create_table("data-driven", "friend", quarter_seconds=60)
    home.page.click("text=Invite a friend to play")
    link = home.page.locator("#link-invited").input_value()
    away.page.goto(link.replace(wires[0].address, wires[1].address))
    away.page.click("text=Join the game")
    away.page.wait_for_url("**/table/*")
    key = away.page.url.rpartition("/")[2]
    spectator.page.goto(f"/table/{key}")
    home.kick_off()
    away.kick_off()
    assert take_turns((home, away), Random(9))
    expect(spectator.page.locator(".postgame h2")).to_be_visible()
    opened = Player(served.address).request_json("GET", f"/api/tables/{key}")["opened"]
    tokens = {
        player: {cookie["name"]: cookie["value"] for cookie in player.context.cookies()}["hashmark"]
        for player in (home, away)
    }
    for visitor, wire, own in zip(
        (home, away, spectator), wires, ("home", "away", ""), strict=True
    ):
        _check_events(visitor, own)
        early = wire.received[
            : min(wire.received.find(end) % sys.maxsize for end in REVEAL_MARKERS)
        ]
        assert early.count("<!doctype html>") + early.count("<!DOCTYPE html>") >= 1
        assert early.count("event: happening") > 20
        assert "content-encoding" not in early
        for secret in (str(opened["seed"]), opened["salt"], '"drawn"'):
            assert secret not in early
            assert secret == '"drawn"' or secret in wire.received, "the search can find it"
        for owner, token in tokens.items():  # each player receives their own once, as a cookie
            assert early.count(token) == (owner is visitor)
        assert visitor.errors == []
        visitor.context.close()
        wire.close()


def _check_events(visitor: Visitor, own: str) -> None:
    """Check that no event is missing or repeated, and secret calls are named to their team only."""
    events = [json.loads(event) for event in visitor.page.evaluate("window.heard")]
    numbers = [event["number"] for event in events]
    assert numbers == sorted(set(numbers))
    hidden = [event for event in events if event["kind"] == "turn" and event["secret"]]
    assert hidden or own, "who watches hears of every secret call; a side may be spared them"
    assert all(event["call"] is None and event["team"] != own for event in hidden)


def test_a_game_survives_reload_lost_connection_and_restart(
    chromium: Browser, tmp_path: Path
) -> None:
    with running_server(tmp_path) as served:
        visitor = Visitor(chromium, served.address)
        visitor.page.goto("/")
        visitor.page.click("article button >> nth=0")
        visitor.kick_off()
        rng = Random(1)
        visitor.wait()
        visitor.answer_once(rng)
        visitor.wait()
        before = visitor.moment
        visitor.page.reload()
        visitor.wait()
        assert visitor.moment == before
        visitor.context.set_offline(True)
        visitor.page.wait_for_timeout(300)
        visitor.page.click(".question .answers button >> nth=0")
        expect(visitor.page.locator("#toast")).to_contain_text("Can’t reach the server")
        visitor.context.set_offline(False)
        visitor.page.wait_for_timeout(1500)
        visitor.answer_once(rng)
        visitor.wait()
        before = visitor.moment
        served.kill()
        served.start()
        visitor.page.wait_for_selector("main:not(.lost)")
        assert visitor.moment == before
        visitor.answer_up_to(rng, 4)
        visitor.context.close()


def test_a_game_can_be_played_by_keyboard(chromium: Browser, served: ServerProcess) -> None:
    """A whole game, with animated dice."""
    visitor = Visitor(chromium, served.address, **WITH_ANIMATION)
    page = visitor.page
    page.goto("/")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == "Play":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    rng = Random(5)
    for _ in range(300):
        visitor.wait()
        if visitor.is_over:
            break
        before = visitor.question_key
        keyed = page.locator(".question .answers button[data-key]")
        answer = keyed.nth(rng.randrange(keyed.count()))
        page.keyboard.press(str(answer.get_attribute("data-key")))
        visitor.wait_until_gone(before)
    assert visitor.is_over
    page.keyboard.press("b")
    expect(page.locator('[data-panel="box"] table')).to_be_visible()
    page.keyboard.press("u")
    visitor.wait()
    expect(page.locator(".postgame")).to_have_count(0)
    assert visitor.errors == []
    visitor.context.close()


def test_dice_can_be_picked_and_submitted_by_keyboard(
    chromium: Browser, served: ServerProcess
) -> None:
    """A call that uses dice is made die by die; a status text announces each step."""
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    visitor.create_table("two-minute-drill")
    visitor.kick_off()
    visitor.wait()
    before, status = visitor.question_key, page.locator(".picks[role=status]")
    choices = page.locator(".part-choices button[data-dice]")
    expect(status).to_contain_text("Pick a die to see your options.")
    expect(status).to_contain_text("Only the orange dice can be rolled again, for 1 space.")
    assert not any(button.is_visible() for button in choices.all())
    hidden_answers = page.locator(".question .answers button:not(:visible)")
    calls = {button.get_attribute("value") for button in choices.all()}
    assert {button.get_attribute("value") for button in hidden_answers.all()} == calls
    name = str(choices.first.get_attribute("data-dice")).split()[0]
    die = page.locator(f'.part-tray button[data-die="{name}"]')
    die.focus()
    page.keyboard.press("Space")
    expect(die).to_have_attribute("aria-pressed", "true")
    label = str(die.get_attribute("data-label"))
    expect(status).to_contain_text(f"{label[0].upper()}{label[1:]}: ")
    fixed = page.locator(".part-tray button[aria-disabled]").first
    fixed.focus()
    page.keyboard.press("Space")
    expect(status).to_contain_text(f"The {fixed.get_attribute('data-label')} cannot be picked now.")
    expect(die).to_have_attribute("aria-pressed", "true")
    die.focus()
    page.keyboard.press("Space")
    expect(die).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Space")
    fitting = [button for button in choices.all() if button.is_visible()]
    assert fitting
    assert all(name in str(button.get_attribute("data-dice")) for button in fitting)
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.part-choices button')"):
            break
    page.keyboard.press("Enter")
    visitor.wait_until_gone(before)
    assert visitor.errors == []
    visitor.context.close()


def test_a_die_that_goes_with_none_of_the_picked_ones_says_why(
    chromium: Browser, served: ServerProcess
) -> None:
    """What was picked stays picked, and the status says what the question takes."""
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    visitor.create_table("two-minute-drill")
    visitor.kick_off()
    rng = Random(3)
    dice = page.locator('.part-tray button[data-label*="blue"][aria-pressed]')
    while True:
        visitor.wait()
        if "referee" in page.locator(".question h2").inner_text() or visitor.is_over:
            break
        visitor.answer_once(rng)
    status = page.locator(".picks[role=status]")
    dice.nth(0).click()
    dice.nth(1).click()
    expect(dice.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(dice.nth(1)).to_have_attribute("aria-pressed", "false")
    expect(status).to_contain_text("does not go with the")
    expect(status).to_contain_text("The referee gets one blue and one orange die.")
    dice.nth(0).click()
    dice.nth(1).click()
    expect(dice.nth(1)).to_have_attribute("aria-pressed", "true")
    assert visitor.errors == []
    visitor.context.close()


def test_without_a_script_every_answer_is_a_button(
    chromium: Browser, served: ServerProcess
) -> None:
    visitor = Visitor(chromium, served.address, java_script_enabled=False)
    page = visitor.page
    page.goto("/")
    page.click('article:has(input[value="two-minute-drill"]) button')
    page.click("text=Kick off")
    for button in (".question .answers button >> nth=0", ".part-choices button >> nth=0"):
        while not page.locator(".question").count():
            page.reload()
        moment = visitor.moment
        page.click(button)
        page.wait_for_load_state()
        assert visitor.moment != moment
    visitor.context.close()


def test_earlier_turns_can_be_viewed(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address)
    visitor.page.goto("/")
    visitor.page.click("article button >> nth=0")
    visitor.kick_off()
    rng = Random(2)
    for _ in range(4):
        visitor.wait()
        visitor.answer_once(rng)
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


@pytest.mark.parametrize("answers", [20, pytest.param(WHOLE, marks=pytest.mark.long)])
def test_real_dice_can_be_clicked_and_typed(
    chromium: Browser, served: ServerProcess, answers: int
) -> None:
    """By hand for a while, then through the API; by hand only in the long run."""
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    page.goto("/new/fourth-down")
    page.check("input[name=dice][value=typed]")
    page.click("text=Start the game >> nth=0")
    page.wait_for_selector(".faces button")
    page.keyboard.press("1")
    visitor.answer_up_to(Random(4), answers)
    finish_game(visitor, served)
    expect(page.locator(".postgame h2")).to_be_visible()
    assert visitor.errors == []
    visitor.context.close()


HIDE = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
TABS = 8  # more than the six connections that a browser opens to one server


def test_eight_tabs_share_one_stream(chromium: Browser, served: ServerProcess) -> None:
    """Tabs at different tables hear of their own table, also after the tab that read has closed."""
    visitor = Visitor(chromium, served.address)
    pages: list[Page] = []
    players: list[Player] = []
    for number in range(TABS):
        player = Player(served.address)
        if number % 2 == 0:  # two tabs at each table
            player.create_table("roll-for-yardage")
            player.ready()
        else:
            player = players[-1]
        page = visitor.context.new_page()
        page.goto(f"/table/{player.table}")
        pages.append(page)
        players.append(player)
    for closed in (False, True):
        if closed:
            pages.pop(0).close()  # the oldest tab reads for all
            players.pop(0)
        for player in players[::2] + players[1:2]:
            player.wait()
            player.answer_randomly(Random(3))
        for page, player in zip(pages, players, strict=True):
            turns = player.request_json("GET", player.table_path())["turns"]
            page.wait_for_function(
                "(turns) => Number(document.getElementById('turn').max) >= turns", arg=turns
            )
    opened = [
        page.evaluate("streams.filter((one) => one.readyState !== 2).length") for page in pages
    ]
    assert sum(opened) == 1
    for page in pages:  # nobody looks any more
        page.evaluate(HIDE)
        assert page.evaluate("streams.every((one) => one.readyState === 2)")
    assert visitor.errors == []
    visitor.context.close()
