"""Two players and a spectator at one table: no response contains what its recipient must not know.

The tests record every complete response of every route. A secret call must not appear in anyone
else's before it is revealed, and no seed, salt or token anywhere before the end.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from hashmark.session.game_session import GameSession
from hashmark.session.pending import PendingCall
from hashmark.session.redaction import SPECTATOR
from timeouts import TIMEOUT_SECONDS
from web.harness import Player, ServerProcess, app_client, run_async

ROUTES = ("", "/events", "/history", "/figures", "/log", "/orders", "/sheet?form=text", "/sheet")
PAGES = ("", "/parts", "/plays", "/box", "/drives", "/curve", "/help", "/at/3")


def listening(player: Player) -> list[tuple[str, str]]:
    """Record all responses to this player, with their URLs."""
    responses: list[tuple[str, str]] = []

    def record(answer: httpx.Response) -> None:
        answer.read()
        responses.append((str(answer.url), answer.text + str(answer.headers)))

    player.client.event_hooks = {"response": [record]}
    return responses


def look_everywhere(player: Player) -> None:
    for path in ROUTES:
        assert player.client.get(player.table_path(path)).status_code == 200, path
    for path in PAGES:
        headers = {"X-Seen-Turns": "0"}  # every play so far, one by one
        page = player.client.get(f"/table/{player.table}{path}", headers=headers)
        assert page.status_code == 200, path


def friends(served: ServerProcess, **more: Any) -> tuple[Player, Player, Player]:
    """Seat two players and a spectator at a table."""
    home, away, spectator = (Player(served.address) for _ in range(3))
    created = home.create_table("data-driven", seats={"home": "me", "away": "friend"}, **more)
    away.join(created["invitations"]["away"])
    spectator.table = home.table
    return home, away, spectator


async def responses_to_others(
    folder: Path, call: str, player_tokens: Sequence[str], key: str
) -> dict[str, str]:
    """Return all that the others receive after a secret call at a stored table."""
    responses = {}
    async with app_client(folder) as (client, app_state):
        table = await app_state.tables.find(key)
        assert table.session is not None
        pending = table.session.pending_input()
        assert isinstance(pending, PendingCall)
        assert pending.is_secret
        caller = player_tokens[pending.team]
        form = {"moment": pending.moment, "call": call}
        answer = await client.post(f"/api/tables/{key}/answers", json=form, headers=bearer(caller))
        assert answer.status_code == 200, answer.text
        assert table.session.view_for(SPECTATOR).turns[-1].is_call_hidden, "it is still hidden"
        for name, token in (("other", player_tokens[1 - pending.team]), ("watcher", "")):
            paths = [f"/api/tables/{key}{path}" for path in ROUTES]
            for path in [*paths, *(f"/table/{key}{path}" for path in PAGES)]:
                response = await client.get(path, headers=bearer(token))
                assert response.status_code == 200, path
                responses[f"{name} {path}"] = response.text
            repeated = {"moment": pending.moment, "call": call}
            late = await client.post(
                f"/api/tables/{key}/answers", json=repeated, headers=bearer(token)
            )
            assert late.status_code in (403, 409)
            responses[f"{name} late"] = late.text
    return responses


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


@dataclass(frozen=True)
class Moment:
    """Position where a table is left, and the secret calls to try on copies of it."""

    audibles: str
    question: str
    calls: tuple[str, ...]
    play: str = ""  # what the offense has called before, if it matters

    def is_here(self, session: GameSession, pending: PendingCall) -> bool:
        if pending.question.name != self.question or len(session.game.turns) < 10:
            return False
        g = session.game.position
        if g.audibled:  # there is no second prompt
            return False
        have_audibles = all(g.audibles[abs(g.possession - index)][index] for index in range(2))
        legal = {session.game.rules.calls[call] for call in pending.calls}
        return set(self.calls) <= legal and (not self.play or have_audibles)

    def choose(self, session: GameSession, pending: PendingCall, rng: Random) -> str:
        calls = [session.game.rules.calls[call] for call in pending.calls]
        return rng.choice([call for call in calls if call == self.play] or calls)


PASS = "medium-pass"
MOMENTS = {
    "a play": Moment("off", "play", ("line-plunge", "sideline-pass")),
    "a play that may be changed": Moment("board", "play", ("off-tackle", "medium-pass")),
    # By R114 this pass is a mismatch against the offense with nickel and dime, against the defense
    # with the other two: one team is asked for an audible, and which one stays hidden.
    "formation, the offence asked": Moment("pc", "formation", ("nickel", "dime"), PASS),
    "formation, the defence asked": Moment("pc", "formation", ("jam-middle", "rush-wide"), PASS),
}


async def play_until(folder: Path, moment: Moment, rng: Random) -> tuple[str, list[str]]:
    """Play a table of two people to a secret call; return its ID and both tokens."""
    async with app_client(folder) as (client, app_state):
        request = {
            "rules": "data-driven",
            "seats": {"home": "me", "away": "friend"},
            "options": {"audibles": moment.audibles},
        }
        created = (await client.post("/api/tables", json=request)).json()
        invitation = {"invitation": created["invitations"]["away"]}
        other = (await client.post("/api/seats", json=invitation)).json()
        player_tokens, key = [created["token"], other["token"]], created["id"]
        for path, form in (("ready", {"word": "x"}), ("orders", {"when": "always"})):
            for token in player_tokens:
                await client.post(f"/api/tables/{key}/{path}", json=form, headers=bearer(token))
        table = await app_state.tables.find(key)
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            assert table.session is not None
            pending = table.session.pending_input()
            if isinstance(pending, PendingCall):
                if moment.is_here(table.session, pending):
                    return key, player_tokens
                call = moment.choose(table.session, pending, rng)
                answer = {"moment": pending.moment, "call": call}
                path = f"/api/tables/{key}/answers"
                await client.post(path, json=answer, headers=bearer(player_tokens[pending.team]))
            await asyncio.sleep(0.002)
    raise AssertionError("it is never asked")


@pytest.mark.parametrize("name", MOMENTS)
def test_tables_that_differ_in_a_secret_call_look_the_same(tmp_path: Path, name: str) -> None:
    """The same table resumed twice with different secret calls: the others receive the same."""
    moment = MOMENTS[name]

    async def work() -> None:
        (tmp_path / "left").mkdir()
        key, player_tokens = await play_until(tmp_path / "left", moment, Random(6))
        all_responses = []
        for index, call in enumerate(moment.calls):
            copy = tmp_path / str(index)
            shutil.copytree(tmp_path / "left", copy)
            all_responses.append(await responses_to_others(copy, call, player_tokens, key))
        assert set(all_responses[0]) == set(all_responses[1])
        for path, text in all_responses[0].items():
            assert text == all_responses[1][path], path

    run_async(work)


def test_neither_seed_nor_salt_nor_token_is_anywhere_before_the_end(served: ServerProcess) -> None:
    home, away, spectator = friends(served, options={"quarter_seconds": 120})
    recorded = {player: listening(player) for player in (home, away, spectator)}
    home.ready("left")
    away.ready("right")
    rng = Random(2)
    for _ in range(15):
        for player in (home, away):
            pending = player.fetch_state()["wanted"]
            if pending and pending["yours"]:
                player.answer_randomly(rng)
    assert not spectator.fetch_state()["over"]
    for player in recorded:
        look_everywhere(player)
        player.client.get(player.table_path("/check"))
        player.post("/answers", moment=1, call="seed")
        player.client.get(player.table_path("/review"))
    early = {player: list(responses) for player, responses in recorded.items()}
    while not spectator.fetch_state()["over"]:
        for player in (home, away):
            pending = player.fetch_state()["wanted"]
            if pending and pending["yours"]:
                player.answer_randomly(rng)
    opened = spectator.last_state["opened"]
    tokens = {player: player.token for player in (home, away)}
    for player, responses in early.items():
        assert len(responses) > 15
        for url, text in responses:
            assert str(opened["seed"]) not in text, url
            assert opened["salt"] not in text, url
            assert '"drawn"' not in text, url
            for other, token in tokens.items():
                assert other is player or token not in text, url
