"""Feeds: their entries, stable IDs, and that they reveal nothing hidden."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hashmark.web import tokens
from hashmark.web.leagues import feeds
from hashmark.web.leagues.feeds import ATOM, FeedEntry, Feeds
from web.harness import run_async
from web.league_helpers import DAY, Friend, LeagueServer, league_server, play_to_the_end


def read(raw: bytes) -> ElementTree.Element:
    """Parse a feed and check the requirements of RFC 4287."""
    feed = ElementTree.fromstring(raw)
    assert feed.tag == f"{{{ATOM}}}feed"
    for element in (feed, *feed.findall(f"{{{ATOM}}}entry")):
        for tag in ("id", "title", "updated"):
            assert len(element.findall(f"{{{ATOM}}}{tag}")) == 1, tag
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", str(element.findtext(f"{{{ATOM}}}id")))
        datetime.fromisoformat(str(element.findtext(f"{{{ATOM}}}updated")))
        links = element.findall(f"{{{ATOM}}}link")
        assert links
        assert all(link.get("href", "").startswith("http://localhost/") for link in links)
    assert feed.find(f"{{{ATOM}}}author/{{{ATOM}}}name") is not None
    ids = [element.findtext(f"{{{ATOM}}}id") for element in feed.findall(f"{{{ATOM}}}entry")]
    assert len(ids) == len(set(ids))
    return feed


def titles(feed: ElementTree.Element) -> dict[str, str]:
    """Return the IDs of the entries by title."""
    return {
        str(entry.findtext(f"{{{ATOM}}}title")): str(entry.findtext(f"{{{ATOM}}}id"))
        for entry in feed.findall(f"{{{ATOM}}}entry")
    }


async def fetch_feed(server: LeagueServer, address: str) -> ElementTree.Element:
    answer = await server.client.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/atom+xml")
    return read(answer.content)


def test_a_correspondence_game_can_be_followed_by_feed(database: str) -> None:
    async def test() -> None:
        async with league_server(database) as server:
            anna, ben = Friend(server, 1), Friend(server, 2)
            key = (await anna.create_league(teams=["Otters", "Foxes"], own=[0], days=3.0))["id"]
            link = (await anna.ask("POST", f"/leagues/{key}/invitations", team=1))["invitation"]
            await ben.join(link, name="Ben")
            await anna.ask("POST", f"/leagues/{key}/begin")
            address = (await ben.ask("POST", "/feeds"))["feed"]
            begun = titles(await fetch_feed(server, address))
            assert list(begun) == ["Ours: Round 1 has started"]
            table = await anna.open_next_table(key)
            with_table = titles(await fetch_feed(server, address))
            assert any("kick off" in title for title in with_table)
            assert with_table["Ours: Round 1 has started"] == begun["Ours: Round 1 has started"]
            await ben.open_next_table(key)
            turns: list[str] = []
            for _ in range(12):
                server.clock.jump(-300)  # an hour in all: dates go on in order
                now = titles(await fetch_feed(server, address))
                turns += [item for title, item in now.items() if "your turn" in title]
                if not await ben.answer(table):
                    await anna.answer(table)
            assert len(set(turns)) > 1  # a new turn is a new entry
            server.clock.advance(2.5 * DAY)
            soon = await fetch_feed(server, address)
            assert "Ours: Round 1 ends soon" in titles(soon)
            text = ElementTree.tostring(soon, encoding="unicode")
            for secret in (anna.token, ben.token, tokens.digest(ben.token), link):
                assert secret not in text
            assert json.loads(server.app_state.store.read_lines(table)[0])["salt"] not in text
            await play_to_the_end(table, anna, ben)
            await anna.league(key)
            over = titles(await fetch_feed(server, address))
            assert {"Otters – Foxes: final", "Ours is over"} <= set(over)
            news = await ben.ask("GET", "/news")
            assert {item["title"] for item in news} == set(over)
            assert await Friend(server).ask("GET", "/news") == []

    run_async(test)


def test_only_the_asked_player_is_told_about_their_turn(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            anna, ben = Friend(server, 1), Friend(server, 2)
            created = await anna.ask(
                "POST", "/tables", rules="fourth-down", seats={"home": "me", "away": "friend"}
            )
            table = created["id"]
            await ben.ask("POST", "/seats", invitation=created["invitations"]["away"])
            for friend in (anna, ben):
                await friend.ask("POST", f"/tables/{table}/ready", word="x")
            for _ in range(6):
                while not (wanted := (await anna.ask("GET", f"/tables/{table}"))["wanted"]):
                    await asyncio.sleep(0.01)  # dice are being rolled
                turns = [await has_turn(friend) for friend in (anna, ben)]
                assert turns == [wanted["team"] == "home", wanted["team"] == "away"]
                assert await anna.answer(table) or await ben.answer(table)

    async def has_turn(friend: Friend) -> bool:
        return any("your turn" in news["title"] for news in await friend.ask("GET", "/news"))

    run_async(test)


def test_a_feed_is_void_after_a_new_one_or_after_deletion(tmp_path: Path) -> None:
    async def test() -> None:
        async with league_server(tmp_path) as server:
            anna = Friend(server)
            assert "token" in await anna.expect_error(403, "POST", "/feeds")
            invented = Friend(server)
            invented.token = tokens.new_token()  # of no player on this server
            assert "you have no news yet" in await invented.expect_error(403, "POST", "/feeds")
            await anna.create_league()
            first = (await anna.ask("POST", "/feeds"))["feed"]
            second = (await anna.ask("POST", "/feeds"))["feed"]
            assert (await server.client.get(first)).status_code == 404
            assert anna.token not in second
            await fetch_feed(server, second)
            await anna.ask("DELETE", "/feeds")
            for address in (second, "/feeds/nothing", "/feeds/" + "x" * 43):
                assert (await server.client.get(address)).status_code == 404

    run_async(test)


def test_a_feed_loads_no_game(tmp_path: Path) -> None:
    """After a restart the feed says whose turn it is, and no table is in memory."""

    async def test() -> None:
        async with league_server(tmp_path) as server:
            anna = Friend(server)
            created = await anna.ask("POST", "/tables", rules="fourth-down")
            await anna.ask("POST", f"/tables/{created['id']}/ready", word="x")
            while not (await anna.ask("GET", f"/tables/{created['id']}"))["wanted"]:
                await asyncio.sleep(0.01)
        async with league_server(tmp_path) as server:
            again = Friend(server)
            again.token = anna.token
            news = await again.ask("GET", "/news")
            assert ["your turn" in entry["title"] for entry in news] == [True]
            assert not server.app_state.tables.loaded

    run_async(test)


def test_special_characters_in_titles_survive() -> None:
    news = [FeedEntry("k", "<a> & “b” ]]>", "'\"&lt;", "/table/x?y=1&z", 1.0)]
    feed = read(feeds.render_atom(news, "http://localhost", "http://localhost/feeds/s"))
    entry: Any = feed.find(f"{{{ATOM}}}entry")
    assert entry.findtext(f"{{{ATOM}}}title") == news[0].title
    assert entry.findtext(f"{{{ATOM}}}summary") == news[0].text
    assert feeds.render_atom([], "http://localhost", "http://localhost/feeds/s")
    assert Feeds.__doc__
