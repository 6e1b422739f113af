"""Browsers for tests: the system's Chromium, or the one that Playwright installed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from reports.headless_browser import BROWSER
from timeouts import TIMEOUT_MILLISECONDS, TIMEOUT_SECONDS

expect.set_options(timeout=TIMEOUT_MILLISECONDS)
# Each window would start a process for address-bar suggestions. Only the last such list counts,
# so it repeats the features that Playwright disables.
DISABLED_FEATURES = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("OptimizationHints", "AimEnabled", "PreconnectToSearch"),
)
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
    f"--disable-features={','.join(DISABLED_FEATURES)}",
]
WITH_ANIMATION: dict[str, Any] = {
    "reduced_motion": "no-preference"
}  # with animated dice, as for most people
POLL_MILLISECONDS = (
    50  # milliseconds between polls; polling at every frame would load the processor
)
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}
RECORD_EVENTS_SCRIPT = """
window.heard = [];
window.streams = [];
const Own = EventSource;
window.EventSource = class extends Own {
  constructor(...given) {
    super(...given);
    window.streams.push(this);
    this.addEventListener("happening", (event) => window.heard.push(event.data));
  }
};
"""
CHOOSE_PACE_SCRIPT = """
try { if (!localStorage.getItem("pace")) localStorage.setItem("pace", "%s"); } catch { /* blank */ }
"""
READY = "main:not([data-locked]):not([data-playing])"
ANSWERABLE_SELECTOR = f"{READY} .question .answers :is(button, select), {READY} .postgame"
ASKED_SELECTOR = (  # a question that takes an answer, or the end
    "main:not([data-locked]) .question button:enabled:visible, "
    "main:not([data-locked]) .part-tray button[aria-pressed], "
    "main:not([data-locked]) .question input[name=face], .postgame"
)


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=BROWSER or None, args=FLAGS)
        yield chromium
        chromium.close()


class Visitor:
    """Visitor with a browser context of their own, which records errors.

    Animations are off by default, since every frame has to be painted, and only the last of several
    plays is shown, since each takes its time.
    """

    def __init__(
        self, browser: Browser, address: str, pace: str = "straight", **options: Any
    ) -> None:
        options = {"reduced_motion": "reduce", **options}
        self.context: BrowserContext = browser.new_context(base_url=address, **options)
        self.context.add_init_script(RECORD_EVENTS_SCRIPT)
        self.context.add_init_script(CHOOSE_PACE_SCRIPT % pace)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT_MILLISECONDS)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._record_error)

    def _record_error(self, message: Any) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def create_table(self, rules: str, against: str = "coach", **options: Any) -> None:
        """Create a table on the page with all options."""
        page = self.page
        page.goto(f"/new/{rules}")
        page.check(f"input[name=against][value={against}]")
        page.click("summary")
        for name, value in options.items():
            field = page.locator(f'[name="option-{name}"]')
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(str(value))
            else:
                field.fill(str(value))
        page.click(".start-game >> nth=0")
        page.wait_for_url("**/table/*")

    def kick_off(self) -> None:
        """Kick off, unless the page does so by itself because there is nobody to wait for."""
        self.page.wait_for_load_state()
        form = self.page.locator('form[action$="/ready"]:not([data-kick-off])')
        if form.count():
            form.locator("text=Kick off").click()

    def wait(self) -> None:
        self.page.wait_for_selector(ASKED_SELECTOR)

    @property
    def is_over(self) -> bool:
        return self.page.locator(".postgame").count() > 0

    @property
    def moment(self) -> str:
        field = self.page.locator(".question input[name=moment]")
        return str(field.first.input_value()) if field.count() else ""

    @property
    def question_key(self) -> str:
        """Key that distinguishes one question from the next."""
        die_index = self.page.locator(".question input[name=at]")
        return f"{self.moment}/{die_index.input_value() if die_index.count() else ''}"

    def answer_once(self, rng: Random) -> None:
        """Answer the question with a click, then wait until it is gone."""
        self.wait_until_answerable()
        before = self.question_key
        self.choose(rng)
        self.wait_until_gone(before)

    def wait_until_answerable(self) -> None:
        """Wait until no play is being shown and the page takes an answer, or the game is over."""
        self.page.wait_for_load_state()
        self.page.wait_for_selector(ANSWERABLE_SELECTOR, state="attached")

    def choose(self, rng: Random) -> None:
        """Click a random answer, once the page takes one and some answers have become dice."""
        self.wait_until_answerable()
        numbers = self.page.locator(".question .answers.number select")
        if numbers.count():
            numbers.select_option(index=rng.randrange(numbers.locator("option").count()))
            self.page.click(".question .answers.number button")
            return
        buttons = self.page.locator(".question .answers button")
        if not buttons.count():  # the game is over
            return
        chosen = buttons.nth(rng.randrange(buttons.count()))
        if chosen.is_hidden():
            self.submit_dice(str(chosen.get_attribute("value")))
        else:
            chosen.click()

    def wait_until_gone(self, question: str) -> None:
        """Wait until the page shows another question or none."""
        self.page.wait_for_function(QUESTION_GONE_SCRIPT, arg=question, polling=POLL_MILLISECONDS)

    def submit_dice(self, call: str) -> None:
        """Pick the dice of a call one by one on the sheet, then submit them."""
        choice = self.page.locator(f'.part-choices button[value="{call}"]')
        for name in str(choice.get_attribute("data-dice")).split():
            die = self.page.locator(f'.part-tray button[data-die="{name}"]')
            if die.get_attribute("aria-pressed") == "false":
                die.click()
        choice.click()

    def answer_up_to(self, rng: Random, answers: int) -> None:
        """Give up to this many further answers."""
        for _ in range(answers):
            self.wait()
            if self.is_over:
                return
            self.answer_once(rng)
        self.wait()

    def play(self, rng: Random, most: int = 2000) -> None:
        for _ in range(most):
            self.wait()
            if self.is_over:
                return
            self.answer_once(rng)
        raise AssertionError("the game does not end")


def take_turns(visitors: Sequence[Visitor], rng: Random, calls: int = 2000) -> bool:
    """Let the visitors click so many calls in turn; return whether the game is over for all."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        if all(visitor.is_over for visitor in visitors):
            return True
        if not calls:
            return False
        to_answer = [visitor for visitor in visitors if visitor.page.locator(".question").count()]
        if to_answer:
            to_answer[0].answer_once(rng)
            calls -= 1
            deadline = time.monotonic() + TIMEOUT_SECONDS
        else:
            visitors[0].page.wait_for_timeout(20)
    raise AssertionError("nobody is asked")


QUESTION_GONE_SCRIPT = """(before) => {
  const value = (name) => document.querySelector(`.question input[name=${name}]`)?.value ?? "";
  return `${value("moment")}/${value("at")}` !== before;
}"""
# The axe-core rules that depend on colors and on the window's width.
APPEARANCE_RULES: dict[str, Any] = {
    "resultTypes": ["violations"],
    "runOnly": {
        "type": "rule",
        "values": ["color-contrast", "link-in-text-block", "scrollable-region-focusable"],
    },
}
ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"]}
__all__ = [
    "ALL_RULES",
    "APPEARANCE_RULES",
    "PHONE",
    "WITH_ANIMATION",
    "Visitor",
    "browser",
    "expect",
    "take_turns",
]
