"""League games played out in a separate process."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.header import Header, new_salt
from hashmark.web.machine import Machine

from .house import run

COACHES = ("coach:book", "coach:book")


def first_line() -> str:
    header = Header("fourth-down", seed=3, salt=new_salt(), words=("", ""))
    return log.sealed("", header.to_json())[0]


def test_the_process_is_restarted_after_a_rest_or_a_crash(tmp_path: Path) -> None:
    async def scenario() -> None:
        pool, header_line = Machine(), first_line()
        pool.rest()  # nothing was started
        played = await pool.play_out([header_line], COACHES, True)
        assert played.lines
        assert await pool.play_out([header_line], COACHES, True) == played
        pool.rest()
        assert pool._process is None
        try:
            assert await pool.play_out([header_line], COACHES, True) == played
            with pytest.raises(HashmarkError):  # errors in the process are passed on
                await pool.play_out(["{}\n"], COACHES, True)
            assert pool._process is not None
            for process in (pool._process._processes or {}).values():
                process.kill()
            with pytest.raises(HashmarkError, match="begun anew"):
                await pool.play_out([header_line], COACHES, True)
            assert await pool.play_out([header_line], COACHES, True) == played
        finally:
            pool.rest()

    run(scenario)
