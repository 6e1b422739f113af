"""One screen: board, field, last play and every answer are visible together, at every size."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from hashmark.engine import registry
from web.browser import Visitor
from web.harness import SHORT_GAME_OPTIONS, ServerProcess

pytestmark = pytest.mark.heavy
SIZES = ((1280, 720), (1280, 800), (1920, 1080), (390, 844), (844, 390))
DESK_AND_PHONE = (SIZES[0], SIZES[3])
FEW = 5  # questions of one game in the default run
WHOLE = 2000
# What is outside the window, or hidden by the edge of a column: names and boxes.
OUTSIDE_SCRIPT = """() => {
  const shown = (one) => one.checkVisibility() && one.getClientRects().length > 0;
  const parts = [...document.querySelectorAll(
    ".board, .drawn-field, .latest-play, .question h2, .question button, .question select, "
    + ".part-choices button, .part-tray button")].filter(shown);
  const inside = (one) => {
    const box = one.getBoundingClientRect();
    let [top, bottom] = [0, innerHeight];
    for (let up = one.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === "visible" || up === document.body) continue;
      const edge = up.getBoundingClientRect();
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return box.top >= top - 1 && box.bottom <= bottom + 1 && box.left >= -1
      && box.right <= innerWidth + 1 && box.width >= 24 && box.height >= 18;
  };
  return parts.filter((one) => !inside(one)).map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const box = [x, y, width, height].map(Math.round).join(" ");
    return `${one.className || one.tagName} ${one.textContent.trim().slice(0, 30)}: ${box}`;
  });
}"""


def check_screen(visitor: Visitor, sizes: Sequence[tuple[int, int]]) -> None:
    """Check at each size that the question fits the window with everything it is about."""
    page = visitor.page
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        asked = page.locator(".question h2").inner_text()
        for name in [None, *first_dice(visitor)]:
            if name is not None:
                page.click(f'.part-tray button[data-die="{name}"]')
            outside = page.evaluate(OUTSIDE_SCRIPT)
            assert outside == [], f"{asked} {name or ''} at {width} x {height}"
        picked = page.locator(".part-tray button[aria-pressed=true]")
        while picked.count():
            picked.first.click()


def first_dice(visitor: Visitor) -> list[str]:
    """Return the names of the first and the last die that can be picked, if any."""
    dice = visitor.page.locator(".part-tray button[aria-pressed]")
    names = [str(die.get_attribute("data-die")) for die in dice.all()]
    return [names[0], names[-1]] if names else []


def check_questions(
    chromium: Browser, served: ServerProcess, rules: str, sizes: Any, questions: int
) -> None:
    visitor, rng = Visitor(chromium, served.address), Random(7)
    visitor.create_table(rules, **SHORT_GAME_OPTIONS.get(rules, {}))
    visitor.kick_off()
    for _ in range(questions):
        visitor.wait()
        if visitor.is_over:
            break
        check_screen(visitor, sizes)
        visitor.answer_once(rng)
    assert visitor.errors == []
    visitor.context.close()


def test_everything_that_a_question_needs_is_on_one_screen(
    chromium: Browser, served: ServerProcess
) -> None:
    check_questions(chromium, served, "data-driven", DESK_AND_PHONE, FEW)


@pytest.mark.long
@pytest.mark.parametrize("rules", registry.names())
def test_every_question_of_a_game_is_on_one_screen_at_every_size(
    chromium: Browser, served: ServerProcess, rules: str
) -> None:
    check_questions(chromium, served, rules, SIZES, WHOLE)


def test_answers_do_not_move_when_text_grows(chromium: Browser, served: ServerProcess) -> None:
    visitor = Visitor(chromium, served.address)
    visitor.create_table("fourth-down")
    visitor.kick_off()
    visitor.wait()
    page = visitor.page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        places = []
        for text in ("Short.", "A long sentence about the last play. " * 12):
            page.evaluate(
                "text => { document.querySelector('.sentences p').textContent = text }", text
            )
            places.append(page.locator(".question .answers button").last.bounding_box())
        assert places[0] == places[1], (width, height)
    visitor.context.close()
