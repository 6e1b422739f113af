"""Talk at a table: who may write what, how fast, and how calls are taken back by agreement."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.errors import HashmarkError
from hashmark.web.app_state import AppState
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.tables.table import Forbidden, Table, Viewer
from hashmark.web.tables.table_request import TableRequest
from hashmark.web.tables.talk import (
    BURST_MESSAGES,
    MAX_MESSAGE_LETTERS,
    MAX_MESSAGES,
    PHRASES,
    check_message,
    may_offer_takeback,
)
from web.harness import app_client, run_async
from web.manual_clock import ManualClock
from web.tables.test_table import ME, YOU, asked

HOME, AWAY, SPECTATOR = Viewer((0,)), Viewer((1,)), Viewer()


async def seated_table(app_state: AppState, chat: str = "free") -> Table:
    """Return a game between two people that has begun."""
    request = TableRequest("fourth-down", seats={"away": "friend"}, chat=chat)
    table = await app_state.tables.create(request, ME, "caller")
    await table.take_seat(1, YOU)
    for viewer in (HOME, AWAY):
        await table.set_client_seed(viewer, "word")
    await asked(table)
    return table


def test_messages_are_one_line_of_limited_length() -> None:
    assert check_message("  Nice\nplay\x1b[31m ") == "Nice play\\u001b[31m"
    for text in ("", " \n ", "x" * (MAX_MESSAGE_LETTERS + 1)):
        with pytest.raises(HashmarkError):
            check_message(text)


def test_players_write_and_spectators_read(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            table = await seated_table(app_state)
            await table.talk.say(HOME, "<b>Hello</b>")
            with pytest.raises(Forbidden):
                await table.talk.say(SPECTATOR, PHRASES[0])
            page = (await client.get(f"/table/{table.id}")).text
            assert "&lt;b&gt;Hello&lt;/b&gt;" in page
            assert "/say" not in page
            state = (await client.get(f"/api/tables/{table.id}")).json()
            assert state["talk"]["messages"] == [{"team": "home", "text": "<b>Hello</b>"}]
            app_state.tables.evict(table)
            reloaded = await app_state.tables.find(table.id)
            assert reloaded.talk.messages == table.talk.messages

    run_async(work)


def test_a_table_limits_what_is_said(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            phrases = await seated_table(app_state, "phrases")
            await phrases.talk.say(HOME, PHRASES[0])
            with pytest.raises(HashmarkError, match="quick phrases"):
                await phrases.talk.say(HOME, "Hello")
            silent = await seated_table(app_state, "off")
            with pytest.raises(HashmarkError, match="off"):
                await silent.talk.say(AWAY, PHRASES[0])
            alone = await app_state.tables.create(TableRequest("fourth-down"), ME, "caller")
            with pytest.raises(HashmarkError, match="no other player"):
                await alone.talk.say(HOME, PHRASES[0])

    run_async(work)


def test_only_who_has_turned_the_chat_off_turns_it_on_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            talk = (await seated_table(app_state)).talk
            await talk.set_quiet(AWAY, True)
            await talk.set_quiet(HOME, False)
            with pytest.raises(HashmarkError, match="off"):
                await talk.say(HOME, PHRASES[0])
            await talk.set_quiet(AWAY, False)
            await talk.say(HOME, PHRASES[0])

    run_async(work)


def test_a_player_cannot_flood_a_table(tmp_path: Path) -> None:
    async def work() -> None:
        clock = ManualClock()
        async with app_client(tmp_path, clock=clock) as (_, app_state):
            talk = (await seated_table(app_state)).talk
            for number in range(2 * MAX_MESSAGES):
                if number and number % BURST_MESSAGES == 0:
                    with pytest.raises(LimitExceeded):
                        await talk.say(HOME, "again")
                    clock.advance(60)
                await talk.say(HOME, str(number))
            assert len(talk.messages) == MAX_MESSAGES
            assert talk.messages[-1]["text"] == str(2 * MAX_MESSAGES - 1)

    run_async(work)


def test_a_call_is_taken_back_if_the_opponent_agrees(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_client, app_state):
            table = await seated_table(app_state)
            pending = await asked(table)
            session = table.require_session()
            asking, other = Viewer((pending.team,)), Viewer((1 - pending.team,))
            assert not may_offer_takeback(table, asking)
            await table.answer(
                asking, pending.moment, session.game.rules.calls[pending.question.calls[0]]
            )
            await asked(table)
            turns = len(session.game.turns)
            assert may_offer_takeback(table, asking)
            with pytest.raises(HashmarkError):
                await table.undo(asking, session.moment)
            await table.talk.offer_takeback(asking, session.moment)
            with pytest.raises(HashmarkError, match="no open question"):
                await table.talk.answer_takeback(asking, True)
            await table.talk.answer_takeback(other, False)
            assert len(session.game.turns) == turns
            await table.talk.offer_takeback(asking, session.moment)
            await table.talk.answer_takeback(other, True)
            assert len(session.game.turns) < turns
            assert table.talk.offering_team is None
            assert [message["team"] for message in table.talk.messages] == [-1, -1]
            with pytest.raises(HashmarkError, match="no open question"):
                await table.talk.answer_takeback(other, True)

    run_async(work)


def test_an_offer_lapses_with_the_next_call(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (_, app_state):
            table = await seated_table(app_state)
            session = table.require_session()
            for _ in range(2):
                pending = await asked(table)
                if len(session.game.turns) and may_offer_takeback(table, Viewer((0,))):
                    break
                call = session.game.rules.calls[pending.question.calls[0]]
                await table.answer(Viewer((pending.team,)), pending.moment, call)
            pending = await asked(table)
            asking = next(v for v in (HOME, AWAY) if may_offer_takeback(table, v))
            await table.talk.offer_takeback(asking, session.moment)
            assert table.talk.offering_team == asking.teams[0]
            call = session.game.rules.calls[pending.question.calls[0]]
            await table.answer(Viewer((pending.team,)), pending.moment, call)
            assert table.talk.offering_team is None

    run_async(work)
