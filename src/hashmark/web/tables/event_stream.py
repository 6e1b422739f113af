"""Server-sent events of a table, resumable by number.

Every feed event carries its number as the event ID, redacted for the viewer. A browser that lost
its connection sends the last ID and receives everything after it exactly once. Changes that are not
feed events (a seat was taken, a rematch started) are sent without an ID as a hint to reload.

A browser allows few connections to one server, so its tabs share one stream of all their tables.
There the ID of an event is KEY/NUMBER, and hints name their table.

The stream of a finished game ends after its last event with an `end` event. A page looks again now
and then, because an undo may resume the game.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any

from hashmark.web.tables.table import Table, Viewer

KEEPALIVE_SECONDS = 15.0  # seconds of silence before a keep-alive comment
BATCH_SIZE = 50  # events that are formatted and sent at once
RECONNECT_MILLISECONDS = 1000  # milliseconds before a browser reconnects


def format_event(kind: str, data: object, number: int | str | None = None) -> str:
    """Format one server-sent event."""
    id_line = f"id: {number}\n" if number is not None else ""
    return f"{id_line}event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"


def _batches(events: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return events in pieces that are formatted without letting others wait."""
    starts = range(0, len(events), BATCH_SIZE)
    return [events[start : start + BATCH_SIZE] for start in starts]


@dataclass
class FollowedTable:
    """One table of a stream, and how far its listener has heard of it."""

    table: Table
    after: int  # number of the last event that was sent
    key: str = ""  # names the table in events of a stream of several tables
    state: tuple[int, int] = (-1, -1)  # page version and spectators, as last sent
    is_ended: bool = False

    def event(self, kind: str, data: dict[str, Any]) -> str:
        """Format a hint, which has no number of its own."""
        return format_event(kind, {**data, "table": self.key} if self.key else data)

    def feed_event(self, event: dict[str, Any]) -> str:
        """Format a feed event with its number as the event ID."""
        number = event["number"]
        return format_event("happening", event, f"{self.key}/{number}" if self.key else number)

    async def new_events(self, viewer: Viewer) -> AsyncIterator[str]:
        """Yield what happened since the last time, then hints of what changed beside it."""
        table = self.table
        for batch in _batches(await table.read_events(self.after, viewer)):
            self.after = batch[-1]["number"]
            yield "".join(map(self.feed_event, batch))
            await asyncio.sleep(0)  # others have their turn
        state = (table.page_version, table.spectator_count)
        if state != self.state:
            self.state = state
            version, spectators = state
            yield self.event(
                "table", {"version": version, "stage": table.row.stage, "spectators": spectators}
            )
        if table.has_published_end:
            self.is_ended = True
            yield self.event("end", {"number": self.after})


async def stream_events(
    followed: Sequence[FollowedTable], holder: str, limited: AbstractContextManager[None]
) -> AsyncIterator[str]:
    """Yield the events of tables that a viewer may see, then new ones as they happen.

    The stream ends when all its games are over.
    """
    with ExitStack() as stack:
        stack.enter_context(limited)
        changed = asyncio.Event()
        for item in followed:
            stack.enter_context(item.table.subscribe(changed))
            stack.enter_context(item.table.count_viewer(item.table.viewer(holder)))
        yield f"retry: {RECONNECT_MILLISECONDS}\n\n"
        services = followed[0].table.services
        while not services.closing.is_set():
            changed.clear()
            for item in followed:
                viewer = item.table.viewer(holder)  # marks the holder as present
                if not item.is_ended:
                    async for text in item.new_events(viewer):
                        yield text
            if all(item.is_ended for item in followed):
                return
            try:
                await services.clock.wait_for(changed.wait(), KEEPALIVE_SECONDS)
            except TimeoutError:
                yield ": still here\n\n"
