"""Server-sent events of a table, resumable by number.

Every feed event carries its number as the event ID, redacted for the viewer. A browser that lost
its connection sends the last ID and receives everything after it exactly once. Changes that are not
feed events (a seat was taken, a rematch started) are sent without an ID as a hint to reload.

The stream of a finished game ends after its last event with an `end` event: a browser allows few
connections to one server. A page looks again now and then, because an undo may resume the game.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from typing import Any

from hashmark.web.tables.table import Table, Viewer

KEEPALIVE_SECONDS = 15.0  # seconds of silence before a keep-alive comment
BATCH_SIZE = 50  # events that are formatted and sent at once
RECONNECT_MILLISECONDS = 1000  # milliseconds before a browser reconnects


def format_event(kind: str, data: object, number: int | None = None) -> str:
    """Format one server-sent event."""
    id_line = f"id: {number}\n" if number is not None else ""
    return f"{id_line}event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"


def _batches(events: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return events in pieces that are formatted without letting others wait."""
    starts = range(0, len(events), BATCH_SIZE)
    return [events[start : start + BATCH_SIZE] for start in starts]


async def stream_events(
    table: Table,
    viewer: Viewer,
    holder: str,
    after: int,
    limited: AbstractContextManager[None],
) -> AsyncIterator[str]:
    """Yield the events after a number that a viewer may see, then new ones as they happen."""
    with limited, table.subscribe() as changed:
        yield f"retry: {RECONNECT_MILLISECONDS}\n\n"
        version = -1
        while not table.services.closing.is_set():
            changed.clear()
            table.viewer(holder)  # marks the holder as present
            for batch in _batches(await table.read_events(after, viewer)):
                after = batch[-1]["number"]
                yield "".join(format_event("happening", event, event["number"]) for event in batch)
                await asyncio.sleep(0)  # others have their turn
            if version != table.page_version:
                version = table.page_version
                yield format_event("table", {"version": version, "stage": table.row.stage})
            if table.has_published_end:
                yield format_event("end", {"number": after})
                return
            try:
                await table.services.clock.wait_for(changed.wait(), KEEPALIVE_SECONDS)
            except TimeoutError:
                yield ": still here\n\n"
