"""League games played out in a separate process."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.header import Header, new_salt
from hashmark.web.leagues.autoplay_pool import AutoplayPool
from web.harness import run_async

COACHES = ("coach:book", "coach:book")


def first_line() -> str:
    header = Header("fourth-down", seed=3, salt=new_salt(), client_seeds=("", ""))
    return log.seal_line("", header.to_json())[0]


def test_the_process_is_restarted_after_a_rest_or_a_crash(tmp_path: Path) -> None:
    async def scenario() -> None:
        pool, header_line = AutoplayPool(), first_line()
        pool.stop()  # nothing was started
        played = await pool.play_out([header_line], COACHES, True)
        assert played.lines
        assert await pool.play_out([header_line], COACHES, True) == played
        pool.stop()
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
            pool.stop()

    run_async(scenario)
