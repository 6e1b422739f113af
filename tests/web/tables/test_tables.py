"""Tables of a server: what is in memory is what the database has."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from hashmark.storage import search_path
from hashmark.web.clock import Clock
from hashmark.web.db.schema import TABLES
from hashmark.web.rate_limits import Limits
from hashmark.web.tables.change_feed import open_change_feed
from hashmark.web.tables.game_files import GameFiles
from hashmark.web.tables.services import TableServices
from hashmark.web.tables.table_request import TableRequest
from hashmark.web.tables.table_store import TableGone, TableStore
from hashmark.web.tables.tables import Tables
from hashmark.web.tables.write_batcher import WriteBatcher
from web.harness import run_async


class NoCharts:
    def __init__(self) -> None:
        self.used: list[Mapping[str, Any]] = []

    def directory(self, options: Mapping[str, Any]) -> Path | None:
        return None

    def keep_used(self, options: Mapping[str, Any]) -> None:
        self.used.append(options)


def test_tables_need_no_application_and_a_deleted_one_is_evicted(database: str) -> None:
    async def work() -> None:
        store, charts = TableStore(database), NoCharts()
        batcher = WriteBatcher(store, lambda changes, seconds: None)
        clock = Clock()
        services = TableServices(
            clock, store, Limits(), GameFiles(charts), batcher, open_change_feed(store, clock)
        )
        tables = Tables(services, OrderedDict())
        table = await tables.create(TableRequest("fourth-down"), "me", "caller")
        assert charts.used == [{}]
        assert await tables.find(table.id) is table
        with store.engine.begin() as connection:
            connection.execute(delete(TABLES))
        with pytest.raises(TableGone):
            await tables.find(table.id)
        assert not tables.loaded
        await tables.stop()
        await tables.close()
        store.close()

    run_async(work)


def test_untrusted_callers_name_shipped_files_only(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    for name in ("search_first", "shipped_only"):
        search = getattr(search_path, name)

        def record(folders: Any, name: str = name, search: Any = search) -> Any:
            searched.append(name)
            return search(folders)

        monkeypatch.setattr(search_path, name, record)
    for is_trusting in (True, False):
        with GameFiles(NoCharts(), is_trusting).allowed():
            pass
    assert searched == ["search_first", "shipped_only"]
