"""Benchmark of the web pages on a slow phone: time until usable, and script errors.

The processor is throttled four times, and the network is a weak mobile connection (150 ms and
1.4 Mbit/s). The second visit to a table uses the browser's cache.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tables import run_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

CPU_SLOWDOWN = 4
MOBILE_NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 180_000,
    "uploadThroughput": 84_000,
}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}
CALL_BUTTONS = ".question button:visible, .part-tray button[aria-pressed]"


def measure_slow_phone() -> dict[str, Any]:
    """Return the seconds until the lobby and a table are usable and a call is answered."""
    from playwright.sync_api import sync_playwright

    browser_path = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    with run_server() as (port, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_context(base_url=f"http://127.0.0.1:{port}", **PHONE).new_page()
        script_errors: list[str] = []
        page.on("pageerror", lambda fault: script_errors.append(str(fault)))
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", MOBILE_NETWORK)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        seconds = {"lobby": time_action(lambda: page.goto("/"))}
        page.click("article button >> nth=0")
        page.click("text=Kick off")
        page.wait_for_selector(CALL_BUTTONS)
        seconds["call_answered"] = time_action(lambda: make_call(page))
        seconds["table_again"] = time_action(
            lambda: (page.reload(), page.wait_for_selector(CALL_BUTTONS))
        )
        browser.close()
    return {"seconds": seconds, "script_errors": len(script_errors)}


def make_call(page: Page) -> None:
    """Make a call and wait until the page has changed."""
    moment = page.input_value("input[name=moment] >> nth=0")
    page.click(".question button >> nth=0")
    page.wait_for_function(
        "was => document.querySelector('input[name=moment]')?.value !== was", arg=moment
    )


def time_action(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return round(time.perf_counter() - start, 2)


if __name__ == "__main__":
    print(json.dumps(measure_slow_phone(), indent=2))
