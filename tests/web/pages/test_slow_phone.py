"""Slow phone on a slow network: the pages are small and usable."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from hashmark.engine import registry
from web.browser import PHONE, Visitor
from web.harness import ServerProcess

pytestmark = pytest.mark.heavy
MOST = 150_000  # bytes transferred for a page and everything it loads
SLOWER = 4  # CPU throttling factor; the browser throttles by busy waiting
HEAVIEST = "data-driven"  # the game with the largest pages
FAR = {"offline": False, "latency": 150, "downloadThroughput": 180_000, "uploadThroughput": 84_000}


class Scales:
    """Counter of bytes transferred, compressed and with headers."""

    def __init__(self, visitor: Visitor, slower: int) -> None:
        self.wire = visitor.context.new_cdp_session(visitor.page)
        self.taken = 0
        self.wire.send("Network.enable")
        self.wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
        self.wire.send("Network.emulateNetworkConditions", FAR)
        self.wire.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        self.wire.on("Network.loadingFinished", self._add)

    def _add(self, loaded: dict[str, Any]) -> None:
        self.taken += int(loaded["encodedDataLength"])

    def read(self) -> int:
        """Return the bytes since the last call."""
        count, self.taken = self.taken, 0
        return count


@pytest.mark.parametrize(
    ("rules", "slower"),
    [
        *((rules, SLOWER if rules == HEAVIEST else 1) for rules in registry.names()),
        *(
            pytest.param(rules, SLOWER, marks=pytest.mark.long)
            for rules in registry.names()
            if rules != HEAVIEST
        ),
    ],
)
def test_every_table_is_small_and_playable(
    chromium: Browser, served: ServerProcess, rules: str, slower: int
) -> None:
    """Every table on a slow network; one with a slow processor too, in the long run all."""
    visitor = Visitor(chromium, served.address, **PHONE)
    scales, page = Scales(visitor, slower), visitor.page
    page.goto("/", wait_until="networkidle")
    assert 5_000 < scales.read() < MOST
    page.click(f'article:has(input[value="{rules}"]) button')
    visitor.kick_off()
    rng = Random(8)
    for _ in range(3):
        visitor.wait()
        visitor.answer_once(rng)
    visitor.wait()
    scales.read()
    page.reload()
    visitor.wait()
    page.wait_for_function("() => document.readyState === 'complete'")
    page.wait_for_timeout(500)
    assert 5_000 < scales.read() < MOST
    visitor.answer_once(rng)
    assert visitor.errors == []
    visitor.context.close()
