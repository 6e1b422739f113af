"""Tokens: long enough, stored only as digests; anything malformed belongs to no holder."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hashmark.web import tokens
from web.harness import app_client, run_async


def test_tokens_are_unique_and_long() -> None:
    created = {tokens.new_token() for _ in range(100)}
    assert len(created) == 100
    assert all(len(token) >= 43 for token in created)  # base64 characters: 256 bits
    assert len({tokens.new_table_id() for _ in range(100)}) == 100


@pytest.mark.parametrize("word", ["", "short", "x" * 65, "ä" * 30, "a b" * 10, "\0" * 30])
def test_a_malformed_token_has_no_holder(word: str) -> None:
    assert tokens.digest(word) == tokens.NO_HOLDER


def test_the_database_stores_no_token(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            form = {"rules": "fourth-down", "seats": {"away": "friend"}}
            created = (await client.post("/api/tables", json=form)).json()
            secrets = [created["token"], created["invitations"]["away"]]
            connection = sqlite3.connect(tmp_path / "tables.db")
            dump = "\n".join(connection.iterdump())
            connection.close()
            for secret in secrets:
                assert secret not in dump
                assert tokens.digest(secret) in dump

    run_async(work)
