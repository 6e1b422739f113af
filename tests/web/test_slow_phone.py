"""A slow phone far from the next mast: the pages are light, and all of it works there."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from hashmark.table import registry

from .house import Served
from .in_browser import PHONE, Visitor

pytestmark = pytest.mark.heavy
MOST = 150_000  # bytes on the wire for a page with all that it loads
SLOWER = 4  # times, the processor: a browser holds it back by being busy
HEAVIEST = "data-driven"  # has the largest tables
FAR = {"offline": False, "latency": 150, "downloadThroughput": 180_000, "uploadThroughput": 84_000}


class Scales:
    """Weighs all that comes over the wire: packed as the server packs it, headers too."""

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
        """The bytes since the last look."""
        found, self.taken = self.taken, 0
        return found


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
def test_every_table_is_light_and_can_be_played(
    chromium: Browser, served: Served, rules: str, slower: int
) -> None:
    """Each over a slow wire; with a slow processor too at one table, in the long run at all."""
    visitor = Visitor(chromium, served.address, **PHONE)
    scales, page = Scales(visitor, slower), visitor.page
    page.goto("/", wait_until="networkidle")
    assert 5_000 < scales.read() < MOST
    page.click(f'article:has(input[value="{rules}"]) button')
    page.wait_for_selector("text=Kick off")
    visitor.kick_off()
    luck = Random(8)
    for _ in range(3):
        visitor.wait()
        visitor.click_one(luck)
    visitor.wait()
    scales.read()
    page.reload()
    visitor.wait()
    page.wait_for_function("() => document.readyState === 'complete'")
    page.wait_for_timeout(500)
    assert 5_000 < scales.read() < MOST
    visitor.click_one(luck)
    assert visitor.faults == []
    visitor.context.close()
