"""Two people and a watcher at one table: what each receives is searched for what he must not know.

Every answer of the server, whole, by whatever route, is kept; a secret call must not be in any of
another's before it was opened, and neither seed nor salt nor a token anywhere before the end.
"""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from hashmark.table import registry

from .house import Player, Served

PLAYS = registry.load("data-driven")
ROUTES = ("", "/events", "/history", "/figures", "/log", "/orders", "/sheet?form=text", "/sheet")
PAGES = ("", "/parts", "/plays", "/box", "/drives", "/help", "/at/3")


def listening(player: Player) -> list[tuple[str, str]]:
    """All that the server answers to this one, with the address."""
    heard: list[tuple[str, str]] = []

    def hear(answer: httpx.Response) -> None:
        answer.read()
        heard.append((str(answer.url), answer.text + str(answer.headers)))

    player.client.event_hooks = {"response": [hear]}
    return heard


def look_everywhere(player: Player) -> None:
    for path in ROUTES:
        assert player.client.get(player.at(path)).status_code == 200, path
    for path in PAGES:
        assert player.client.get(f"/table/{player.table}{path}").status_code == 200, path


def friends(served: Served, **more: Any) -> tuple[Player, Player, Player]:
    """Home, away and a watcher at a table."""
    home, away, watcher = (Player(served.address) for _ in range(3))
    made = home.lay("data-driven", seats={"home": "me", "away": "friend"}, **more)
    away.join(made["invitations"]["away"])
    watcher.table = home.table
    return home, away, watcher


@pytest.mark.heavy
def test_what_is_secret_stays_secret_until_it_is_opened(served: Served) -> None:
    home, away, watcher = friends(served, options={"quarter_seconds": 90})
    ears = {one: listening(one) for one in (home, away, watcher)}
    home.ready("left")
    away.ready("right")
    luck, hidden = Random(11), 0
    secret = {name for one in PLAYS.questions for name in map(PLAYS.calls.__getitem__, one.secret)}
    players = {"home": home, "away": away}
    while not watcher.look()["over"]:
        wanted = watcher.last["wanted"]
        if wanted is None:
            continue
        assert set(wanted) == {"kind", "moment", "team", "yours", "text"}
        one = players[wanted["team"]]
        one.look()
        calls = [each["call"] for each in one.last["wanted"]["calls"]]
        call = luck.choice(calls)
        for ear in ears.values():
            ear.clear()
        answer = one.post("/answers", moment=wanted["moment"], call=call)
        assert answer.status_code == 200, answer.text
        events = watcher.ask("GET", watcher.at("/events"))
        standing = [each for each in events if each["kind"] in ("turn", "revealed")][-1]
        if call in secret and standing["kind"] == "turn" and standing["secret"]:
            others = [each for each in ears if each is not one]
            for other in others:
                look_everywhere(other)
                for url, text in ears[other]:
                    assert f'"call":"{call}"' not in text.replace(" ", "") or _was_open(
                        events, call
                    ), (url, call)
            hidden += 1
            if hidden >= 25:
                break
    assert hidden >= 10


def _was_open(events: list[dict[str, Any]], call: str) -> bool:
    """Whether this very call was made openly, or opened, earlier in the game."""
    opened = [each["call"] for one in events for each in one.get("calls", ())]
    return call in opened or any(one.get("call") == call for one in events)


def test_neither_seed_nor_salt_nor_token_is_anywhere_before_the_end(served: Served) -> None:
    home, away, watcher = friends(served, options={"quarter_seconds": 30})
    ears = {one: listening(one) for one in (home, away, watcher)}
    home.ready("left")
    away.ready("right")
    luck = Random(2)
    for _ in range(40):
        for one in (home, away):
            wanted = one.look()["wanted"]
            if wanted and wanted["yours"]:
                one.move(luck)
    assert not watcher.look()["over"]
    for one in ears:
        look_everywhere(one)
        one.client.get(one.at("/check"))
        one.post("/answers", moment=1, call="seed")
        one.client.get(one.at("/review"))
    early = {one: list(heard) for one, heard in ears.items()}
    while not watcher.look()["over"]:
        for one in (home, away):
            wanted = one.look()["wanted"]
            if wanted and wanted["yours"]:
                one.move(luck)
    opened = watcher.last["opened"]
    tokens = {one: one.token for one in (home, away)}
    for one, heard in early.items():
        assert len(heard) > 30
        for url, text in heard:
            assert str(opened["seed"]) not in text, url
            assert opened["salt"] not in text, url
            assert '"drawn"' not in text, url
            for other, token in tokens.items():
                assert other is one or token not in text, url
