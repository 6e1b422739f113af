"""Figures of a server: what is counted, and that nothing else is in them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hashmark.web.metrics import kind_of
from hashmark.web.tables import Viewer

from .house import run
from .two_halls import ME, answer, asked, begun, two


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/", "page read"),
        ("POST", "/table/abc/answer", "page write"),
        ("GET", "/static/table.js", "static"),
        ("GET", "/api/tables/abc/stream", "stream"),
        ("GET", "/api/tables/abc", "api read"),
        ("DELETE", "/api/tables/abc", "api write"),
    ],
)
def test_kinds_of_requests(method: str, path: str, kind: str) -> None:
    assert kind_of(method, path) == kind


def figures(text: str) -> dict[str, float]:
    """All samples, by name and labels."""
    return {
        f"{one.name}{sorted(one.labels.items())}": one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def test_what_is_counted(tmp_path: Path) -> None:
    async def play() -> None:
        async with two(f"sqlite:///{tmp_path / 'tables.db'}") as both:
            client, hall = both[0]
            key = await begun(client)
            for other, _ in both:
                await other.get(f"/api/tables/{key}")
            state = await asked(client, key)
            await asyncio.gather(*(answer(one, key, state, Random(1)) for one, _ in both))
            table = both[1][1].tables[key]
            table.kept.version -= 1  # as if another server had just been quicker
            await table.order(Viewer((0,)), "never", "all")
            assert (await client.get("/nowhere")).status_code == 404
            with hall.streams.one_more("somebody"):
                found = [(await one.get("/metrics")).text for one, _ in both]
            first, second = map(figures, found)
            assert first["hashmark_requests_total[('kind', 'page read'), ('status', '404')]"] == 1
            assert first["hashmark_requests_total[('kind', 'api write'), ('status', '201')]"] == 1
            assert first["hashmark_request_seconds_count[('kind', 'api write')]"] >= 3
            assert first["hashmark_tables_loaded[]"] == 1 == second["hashmark_tables_loaded[]"]
            assert first["hashmark_tables_playing[]"] == 1
            assert (first["hashmark_streams_open[]"], second["hashmark_streams_open[]"]) == (1, 0)
            assert first["hashmark_works[('state', 'waiting')]"] == 0
            assert first["hashmark_journal_changes_total[]"] >= 3
            assert first["hashmark_journal_write_seconds_count[]"] >= 1
            assert second["hashmark_conflicts_total[]"] >= 1
            for text in found:
                for private in (key, ME, "127.0.0.1", str(tmp_path), "fourth-down"):
                    assert private not in text
                assert not re.search(r"[0-9a-f]{32}", text), "a digest"

    run(play)
