"""Screenshots of the main screens, taken by every run, so that those in the docs can be renewed.

`make pictures` writes them to docs/. Look at them before you commit them.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from web.browser import PHONE, WITH_ANIMATION, Visitor
from web.harness import ServerProcess

pytestmark = pytest.mark.heavy
WANTED = os.environ.get("HASHMARK_PICTURES", "")
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 960}}
FEW = 3  # calls are enough if the screenshots are not kept
LEAST = 15_000  # bytes; an empty page is smaller

SCREENS = [
    ("table", "roll-for-yardage", 9, DESK, "light"),
    ("table-phone", "data-driven", 14, PHONE, "dark"),
    ("table-drill", "two-minute-drill", 3, DESK, "light"),
    ("table-rapid-roll", "rapid-roll", 30, DESK, "dark"),
]


def take_screenshot(visitor: Visitor, name: str, folder: Path) -> None:
    """Take a screenshot and check that no error occurred."""
    place = Path(WANTED or folder) / f"{name}.png"
    visitor.page.evaluate("scrollTo(0, 0)")
    visitor.page.wait_for_timeout(700)  # until the dice have come to rest
    visitor.page.screenshot(path=place)
    assert place.stat().st_size > LEAST
    assert visitor.errors == []


@pytest.mark.parametrize(("name", "rules", "calls", "window", "scheme"), SCREENS)
def test_each_table_has_a_screenshot(
    chromium: Browser, served: ServerProcess, tmp_path: Path,
    name: str, rules: str, calls: int, window: dict[str, Any], scheme: str,
) -> None:  # fmt: skip
    visitor = Visitor(chromium, served.address, color_scheme=scheme, **WITH_ANIMATION, **window)
    visitor.create_table(rules)
    visitor.kick_off()
    rng = Random(6)
    for _ in range(calls if WANTED else min(calls, FEW)):
        visitor.wait()
        if visitor.is_over:
            break
        visitor.answer_once(rng)
    visitor.wait()
    take_screenshot(visitor, name, tmp_path)


def test_the_lobby_has_a_screenshot(
    chromium: Browser, served: ServerProcess, tmp_path: Path
) -> None:
    visitor = Visitor(chromium, served.address, color_scheme="light", **DESK)
    visitor.page.goto("/")
    take_screenshot(visitor, "lobby", tmp_path)


def test_a_team_page_has_a_screenshot(
    chromium: Browser, served: ServerProcess, tmp_path: Path
) -> None:
    visitor = Visitor(chromium, served.address, color_scheme="light", **DESK)
    visitor.page.goto("/seasons/2008/ARI")
    take_screenshot(visitor, "team", tmp_path)


def test_a_league_has_a_screenshot(
    chromium: Browser, served: ServerProcess, tmp_path: Path
) -> None:
    visitor = Visitor(chromium, served.address, color_scheme="light", **DESK)
    page = visitor.page
    page.goto("/leagues/new?kind=friends&rules=fourth-down")
    page.fill("[name=title]", "Sunday league")
    page.fill("[name=teams]", "Otters\nFoxes\nHerons\nBadgers")
    page.click("text=Create the league")
    page.click('[aria-label="Play the Otters"]')
    page.click("text=Start the league")
    page.wait_for_selector("text=Play your next game")
    page.wait_for_selector("text=1 of 2 games is final")  # coaches play the other game
    take_screenshot(visitor, "league", tmp_path)
