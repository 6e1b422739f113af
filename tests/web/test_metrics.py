"""Metrics of a server: what is counted, and that they contain nothing private."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hashmark.web.metrics import request_kind
from hashmark.web.tables.table import Viewer
from web.harness import run_async
from web.two_servers import ME, answer, start_game, two_servers, wait_for_turn


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
def test_requests_are_categorized(method: str, path: str, kind: str) -> None:
    assert request_kind(method, path) == kind


def parse_samples(text: str) -> dict[str, float]:
    """Return all samples by name and labels."""
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_count_without_private_data(tmp_path: Path) -> None:
    async def play() -> None:
        async with two_servers(f"sqlite:///{tmp_path / 'tables.db'}") as both:
            client, app_state = both[0]
            key = await start_game(client)
            for other, _ in both:
                await other.get(f"/api/tables/{key}")
            state = await wait_for_turn(client, key)
            await asyncio.gather(
                *(answer(client_of_server, key, state, Random(1)) for client_of_server, _ in both)
            )
            table = both[1][1].tables.loaded[key]
            table.row.version -= 1  # as if another server had just committed
            await table.set_standing_order(Viewer((0,)), "never", "all")
            assert (await client.get("/nowhere")).status_code == 404
            with app_state.stream_limiter.open_stream("somebody"):
                pages = [
                    (await client_of_server.get("/metrics")).text for client_of_server, _ in both
                ]
            first, second = map(parse_samples, pages)
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
            for text in pages:
                for private in (key, ME, "127.0.0.1", str(tmp_path), "fourth-down"):
                    assert private not in text
                assert not re.search(r"[0-9a-f]{32}", text), "a digest"

    run_async(play)
