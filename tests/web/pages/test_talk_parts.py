"""Talk of a table on its page: what each viewer may read and press."""

from __future__ import annotations

from pathlib import Path

from hashmark.web.pages.talk_parts import talk_values
from hashmark.web.tables.table_request import TableRequest
from web.harness import app_client, run_async
from web.tables.test_table import ME
from web.tables.test_talk import AWAY, HOME, SPECTATOR, seated_table


def test_each_viewer_has_their_own_buttons(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            table = await seated_table(app_state)
            await table.talk.say(HOME, "Good luck!")
            home, away, spectator = (talk_values(table, v) for v in (HOME, AWAY, SPECTATOR))
            assert home
            assert away
            assert spectator
            assert home["messages"] == [{"author": "You", "text": "Good luck!", "own": True}]
            assert not away["messages"][0]["own"]
            assert home["may_write"]
            assert away["may_write"]
            assert not spectator["may_write"]
            await table.talk.set_quiet(AWAY, True)
            home, away = (talk_values(table, v) for v in (HOME, AWAY))
            assert home
            assert away
            assert (home["may_mute"], away["may_mute"]) == (False, True)
            assert away["is_muted"]
            assert home["is_off"]

    run_async(work)


def test_there_is_no_talk_against_a_coach(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            table = await app_state.tables.create(TableRequest("fourth-down"), ME, "caller")
            assert talk_values(table, HOME) is None

    run_async(work)
