"""Tokens: long enough, kept only as digests, and anything else is nobody's."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hashmark.web import tokens

from .house import at_home, run


def test_tokens_differ_and_are_long() -> None:
    made = {tokens.new_token() for _ in range(100)}
    assert len(made) == 100
    assert all(len(one) >= 43 for one in made)  # of 64 letters each: 256 bits
    assert len({tokens.new_table_id() for _ in range(100)}) == 100


@pytest.mark.parametrize("word", ["", "short", "x" * 65, "ä" * 30, "a b" * 10, "\0" * 30])
def test_what_is_no_token_is_nobody(word: str) -> None:
    assert tokens.digest(word) == tokens.NOBODY


def test_the_database_holds_no_token(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            wish = {"rules": "fourth-down", "seats": {"away": "friend"}}
            made = (await client.post("/api/tables", json=wish)).json()
            secrets = [made["token"], made["invitations"]["away"]]
            base = sqlite3.connect(tmp_path / "tables.db")
            held = "\n".join(base.iterdump())
            base.close()
            for secret in secrets:
                assert secret not in held
                assert tokens.digest(secret) in held

    run(work)
