"""Plays come one at a time in a browser, and nothing is answered by accident."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from web.browser import POLL_MILLISECONDS, WITH_ANIMATION, Visitor, expect
from web.harness import Player, ServerProcess

pytestmark = pytest.mark.heavy
RECORD_PLAYS_SCRIPT = """() => {
  window.shown = [];
  const look = () => {
    const text = (name) => document.querySelector(name)?.innerText.trim() ?? "";
    const state = {
      sentences: [...document.querySelectorAll(".sentences p:not(.own-play)")]
        .map((line) => line.innerText),
      dice: document.querySelectorAll(".tray .drawn-die").length,
      board: text(".clock"),
      banner: text(".banner"),
      asked: document.querySelector(".question") !== null,
      live: text("#live"),
    };
    const last = window.shown.at(-1);
    if (JSON.stringify(last) !== JSON.stringify(state)) window.shown.push(state);
  };
  new MutationObserver(look).observe(document.getElementById("main"),
    { childList: true, subtree: true, characterData: true });
}"""


def record_plays(visitor: Visitor) -> None:
    visitor.page.evaluate(RECORD_PLAYS_SCRIPT)


def shown_plays(visitor: Visitor) -> list[dict[str, Any]]:
    """Return what was shown, once for each play; a play may grow while it is decided."""
    states: list[dict[str, Any]] = visitor.page.evaluate("window.shown")
    plays: list[dict[str, Any]] = []
    for state in states:
        last = plays[-1]["sentences"] if plays else []
        if plays and state["sentences"][: len(last)] == last:
            plays[-1] = state
        else:
            plays.append(state)
    return plays


def play_sentences(visitor: Visitor, served: ServerProcess) -> list[str]:
    """Return all sentences of the game so far, in order, as the API has them."""
    player = Player(served.address)
    player.table = visitor.page.url.rpartition("/")[2]
    history = player.request_json("GET", player.table_path("/history"))
    return [sentence for turn in history["turns"] for sentence in turn["text"]]


def test_the_plays_of_a_coach_come_one_at_a_time(chromium: Browser, served: ServerProcess) -> None:
    visitor, rng = Visitor(chromium, served.address, pace="fast"), Random(2)
    page = visitor.page
    visitor.create_table("roll-for-yardage")
    visitor.kick_off()
    visitor.wait()
    seen = len(play_sentences(visitor, served))
    record_plays(visitor)
    for _ in range(4):
        visitor.wait()
        visitor.answer_once(rng)
    visitor.wait()
    plays = shown_plays(visitor)
    sentences = [line for play in plays for line in play["sentences"]]
    everything = play_sentences(visitor, served)
    assert sentences == everything[-len(sentences) :], "each play once, in order"
    assert len(sentences) >= len(everything) - seen
    assert len(plays) > 4, "the coach had plays of its own"
    assert all(play["dice"] for play in plays if "roll" in " ".join(play["sentences"]))
    assert not page.locator("main[data-playing]").count()
    assert visitor.errors == []
    visitor.context.close()


def play_of_a_coach(visitor: Visitor) -> None:
    """Answer until the plays of the coach are being shown."""
    rng = Random(3)
    for _ in range(30):
        visitor.wait()
        visitor.answer_once(rng)
        visitor.page.wait_for_timeout(4 * POLL_MILLISECONDS)
        if visitor.page.locator("main[data-playing]").count():
            return
    raise AssertionError("the coach makes no plays")


def test_plays_can_be_skipped_and_the_pace_is_remembered(
    chromium: Browser, served: ServerProcess
) -> None:
    visitor = Visitor(chromium, served.address, pace="normal", **WITH_ANIMATION)
    page = visitor.page
    visitor.create_table("fourth-down")
    visitor.kick_off()
    play_of_a_coach(visitor)
    expect(page.locator(".question")).to_have_count(0)
    page.click("text=Skip to my decision")
    expect(page.locator("main[data-playing]")).to_have_count(0)
    play_of_a_coach(visitor)
    page.keyboard.press("Escape")
    expect(page.locator("main[data-playing]")).to_have_count(0)
    page.select_option("#pace", "off")
    page.reload()
    assert page.locator("#pace").input_value() == "off"
    assert page.evaluate("'still' in document.documentElement.dataset")
    visitor.wait()
    record_plays(visitor)
    for _ in range(3):
        visitor.answer_once(Random(1))
        visitor.wait()
    assert not page.evaluate("document.getAnimations().length")
    assert visitor.errors == []
    visitor.context.close()


def test_who_wants_less_motion_sees_none(chromium: Browser, served: ServerProcess) -> None:
    context = chromium.new_context(base_url=served.address, reduced_motion="reduce")
    page = context.new_page()
    visitor = Visitor(chromium, served.address)
    visitor.create_table("fourth-down")
    page.goto(visitor.page.url)
    assert page.locator("#pace").input_value() == "straight"
    context.close()
    visitor.context.close()


def test_each_play_of_a_drive_shows_its_own_dice_text_and_banner(
    chromium: Browser, served: ServerProcess
) -> None:
    """Dice are typed, so the drive goes by a script: a stall, a touchdown, a kick, a new drive."""
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    page.goto("/new/fourth-down")
    page.check("input[name=dice][value=typed]")
    page.check("input[name=against][value=two]")
    page.click("text=Start the game >> nth=0")
    page.wait_for_url("**/table/*")
    page.wait_for_load_state()

    def give(call: str = "", *faces: int) -> str:
        """Make a call, type dice, and return what the panel says afterward."""
        if call:
            visitor.wait()
            page.click(f'.question button[name=call][value="{call}"]')
        for face in faces:
            page.wait_for_selector("main:not([data-locked]) .faces")
            before = visitor.question_key
            page.click(f'.faces button[value="{face}"]')
            visitor.wait_until_gone(before)
        page.wait_for_selector("main:not([data-locked]) .answers button[name=call]")
        return page.locator(".sentences").inner_text()

    give("", 1)
    assert "4th &" in give("run-first", 5, 12, 6)
    assert page.locator(".tray .drawn-die").count() == 3
    assert page.locator(".banner").count() == 0
    assert page.locator(".drive-way").count() == 1
    assert "touchdown" in give("go-for-it", 20)
    assert page.locator(".tray .drawn-die title").all_text_contents()[0].endswith(": 20")
    assert page.locator(".banner").inner_text().startswith("Touchdown, ")
    assert page.locator(".past-drive .drive-way").count() == 1, "it stays until the next begins"
    assert "extra point" in give("one-point", 15)
    assert page.locator(".tray .drawn-die").count() == 1
    assert page.locator(".past-drive .drive-way").count() == 1
    give("run-first", 5, 12, 6)
    assert page.locator(".banner").count() == 0
    assert page.locator(".past-drive").count() == 0
    assert page.locator(".drive-way").count() == 1
    visitor.context.close()


# --- Answers by accident -----------------------------------------------------------------------


def answered_questions(visitor: Visitor) -> list[str]:
    """Return the answers that the page has sent."""
    sent: list[str] = []
    visitor.page.on(
        "request", lambda request: sent.append(request.url) if "/answer" in request.url else None
    )
    return sent


@pytest.mark.parametrize("delay", [50, 300, pytest.param(150, marks=pytest.mark.long), 600])
def test_a_double_click_answers_once(chromium: Browser, served: ServerProcess, delay: int) -> None:
    """The second click lands where the next question has an answer by then."""
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    visitor.create_table("two-minute-drill")
    visitor.kick_off()
    visitor.wait()
    visitor.create_table("fourth-down")
    visitor.kick_off()
    sent = answered_questions(visitor)
    for number in range(1, 4):
        visitor.wait()
        box = page.locator(".question .answers button").first.bounding_box()
        assert box is not None
        place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.click(*place)
        page.wait_for_timeout(delay)
        page.mouse.click(*place)
        page.wait_for_timeout(300)
        assert len(sent) == number
    visitor.context.close()


def test_a_key_that_is_held_answers_once(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    visitor.create_table("fourth-down")
    visitor.kick_off()
    sent = answered_questions(visitor)
    visitor.wait()
    for number, key in enumerate(("Enter", "1", "Enter"), 1):
        visitor.wait()
        if visitor.is_over:
            break
        page.locator(".question .answers button").first.focus()
        for _ in range(25):  # a key that stays down: the first press, then repeats
            page.keyboard.down(key)
            page.wait_for_timeout(40)
        page.keyboard.up(key)
        assert len(sent) == number, key
    assert visitor.errors == []
    visitor.context.close()


def test_a_new_question_takes_no_answer_for_a_moment(
    chromium: Browser, served: ServerProcess
) -> None:
    visitor = Visitor(chromium, served.address)
    page = visitor.page
    visitor.create_table("fourth-down")
    visitor.kick_off()
    visitor.wait()
    sent = answered_questions(visitor)
    before = visitor.question_key
    visitor.choose(Random(1))
    visitor.wait_until_gone(before)
    page.wait_for_selector(".question .answers button")
    assert page.locator("main[data-locked]").count()
    page.evaluate("document.querySelector('.question .answers button').click()")
    page.keyboard.press("1")
    page.wait_for_timeout(150)
    assert len(sent) == 1
    visitor.answer_once(Random(1))
    assert len(sent) == 2
    visitor.context.close()
