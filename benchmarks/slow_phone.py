"""The pages on a slow phone: how long until one can play, and whether a script fails.

The processor is slowed down four times, and the wire is that of a telephone far from the next mast
(150 ms and 1.4 Mbit/s). A second look is one with what the browser has kept.
"""

from __future__ import annotations

import json
import shutil
import time
from typing import Any

from tables import server

SLOWER = 4
FAR = {"offline": False, "latency": 150, "downloadThroughput": 180_000, "uploadThroughput": 84_000}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}
ASKED = ".question button:visible, .part-tray button[aria-pressed]"


def slow_phone() -> dict[str, Any]:
    """Seconds until the lobby and a table can be used, and until a call is answered."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    with server() as (port, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_context(base_url=f"http://127.0.0.1:{port}", **PHONE).new_page()
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", FAR)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        took = {"lobby": timed(lambda: page.goto("/"))}
        page.click("article button >> nth=0")
        page.click("text=Kick off")
        page.wait_for_selector(ASKED)
        took["call_answered"] = timed(lambda: answered(page))
        took["table_again"] = timed(lambda: (page.reload(), page.wait_for_selector(ASKED)))
        browser.close()
    return {"seconds": took, "script_errors": len(faults)}


def answered(page: Any) -> None:
    """A call, until the page has changed."""
    moment = page.input_value("input[name=moment] >> nth=0")
    page.click(".question button >> nth=0")
    page.wait_for_function(
        "was => document.querySelector('input[name=moment]')?.value !== was", arg=moment
    )


def timed(work: Any) -> float:
    begun = time.perf_counter()
    work()
    return round(time.perf_counter() - begun, 2)


if __name__ == "__main__":
    print(json.dumps(slow_phone(), indent=2))
