"""Games played out in a process of their own."""

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


def test_it_plays_rests_and_begins_anew(tmp_path: Path) -> None:
    async def test() -> None:
        machine, first = Machine(), first_line()
        machine.rest()  # nothing was begun
        made = await machine.play_out([first], COACHES, True)
        assert made.lines
        assert await machine.play_out([first], COACHES, True) == made
        machine.rest()
        assert machine._process is None
        try:
            assert await machine.play_out([first], COACHES, True) == made
            with pytest.raises(HashmarkError):  # what it says of a bad game comes back
                await machine.play_out(["{}\n"], COACHES, True)
            assert machine._process is not None
            for process in (machine._process._processes or {}).values():
                process.kill()
            with pytest.raises(HashmarkError, match="begun anew"):
                await machine.play_out([first], COACHES, True)
            assert await machine.play_out([first], COACHES, True) == made
        finally:
            machine.rest()

    run(test)
