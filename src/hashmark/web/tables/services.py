"""What the tables of a server share: clock, database, coaches, files, limits."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field

from hashmark.web.clock import Clock
from hashmark.web.rate_limits import Limits
from hashmark.web.tables.change_feed import ChangeFeed
from hashmark.web.tables.coach_pool import CoachPool
from hashmark.web.tables.game_files import GameFiles
from hashmark.web.tables.table_store import TableStore
from hashmark.web.tables.write_batcher import WriteBatcher

MAX_QUICK_LINES = 1_000  # of a log; replaying more takes a noticeable part of a second


def _ignore() -> None:
    """Do nothing."""


@dataclass
class TableServices:
    """Services that every table of a server uses."""

    clock: Clock
    store: TableStore
    limits: Limits
    files: GameFiles
    write_batcher: WriteBatcher
    change_feed: ChangeFeed
    coach_pool: CoachPool = field(default_factory=CoachPool)
    closing: asyncio.Event = field(default_factory=asyncio.Event)  # set when the server shuts down
    server_id: str = field(default_factory=lambda: secrets.token_hex(8))
    on_conflict: Callable[[], None] = _ignore  # another server has changed a table first
    on_league_game_over: Callable[[], None] = _ignore
    _long_replay: asyncio.Lock = field(default_factory=asyncio.Lock)

    def replay_slot(self, line_count: int) -> AbstractAsyncContextManager[object]:
        """Return what must be held during a replay: long logs are replayed one at a time."""
        return self._long_replay if line_count > MAX_QUICK_LINES else nullcontext()
