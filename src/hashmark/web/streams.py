"""Server-sent events of a table, resumable by number.

Every feed event carries its number as the event ID, redacted for the viewer. A browser that lost
its connection sends the last ID and receives everything after it exactly once. Changes that are not
feed events (a seat was taken, a rematch started) are sent without an ID as a hint to reload.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from hashmark.web.tables import Table, Viewer

HEARTBEAT = 15.0  # seconds of silence before a keep-alive comment
AGAIN = 1000  # milliseconds before a browser reconnects


def event(kind: str, data: Any, number: int | None = None) -> str:
    """Format one server-sent event."""
    id_line = f"id: {number}\n" if number is not None else ""
    return f"{id_line}event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"


async def told(
    table: Table, viewer: Viewer, holder: str, after: int, closing: asyncio.Event, caller: str
) -> AsyncIterator[str]:
    """Yield the events after a number that a viewer may see, then new ones as they happen."""
    with table.hall.streams.one_more(caller), table.listening() as happened:
        yield f"retry: {AGAIN}\n\n"
        version = -1
        while not closing.is_set():
            happened.clear()
            table.viewer(holder)  # marks the holder as present
            for happening in table.since(after, viewer):
                after = happening["number"]
                yield event("happening", happening, after)
            if version != table.version:
                version = table.version
                yield event("table", {"version": version, "stage": table.kept.stage})
            try:
                await asyncio.wait_for(happened.wait(), HEARTBEAT)
            except TimeoutError:
                yield ": still here\n\n"
