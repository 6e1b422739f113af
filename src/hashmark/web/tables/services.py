"""What the tables of a server share: clock, database, coaches, files, limits."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from hashmark.web.clock import Clock
from hashmark.web.rate_limits import Limits
from hashmark.web.tables.change_feed import ChangeFeed
from hashmark.web.tables.coach_pool import CoachPool
from hashmark.web.tables.game_files import GameFiles
from hashmark.web.tables.table_store import TableStore
from hashmark.web.tables.write_batcher import WriteBatcher


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
