"""Atom feed for each player with news about their tables and leagues, instead of e-mail.

The URL contains a secret of which only the digest is stored; a new secret replaces the old one. The
entries come from database rows; no game is replayed. An entry keeps its ID for good and contains
nothing that a spectator of the table may not know.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from sqlalchemy import Row, Select, delete, insert, or_, select

from hashmark.engine.record import TEAMS
from hashmark.text.phrases import capitalize, team_sentence
from hashmark.web import tokens
from hashmark.web.clock import Clock
from hashmark.web.db.connection import begin_write
from hashmark.web.db.schema import ENTRANTS, FEEDS, LEAGUES, SEATS, TABLES
from hashmark.web.leagues.league import DAY_SECONDS, PLAYING
from hashmark.web.leagues.league_state import format_for_people, format_utc
from hashmark.web.leagues.league_store import LeagueStore
from hashmark.web.tables import table_store
from hashmark.web.tables.table import Forbidden
from hashmark.web.tables.table_store import TableStore

ATOM = "http://www.w3.org/2005/Atom"
MAX_ENTRIES = 60
MAX_LEAGUES = 20  # leagues searched for entries
DUE_SOON_SECONDS = DAY_SECONDS  # seconds before unfinished games go to coaches


@dataclass(frozen=True)
class FeedEntry:
    """Feed entry for a player."""

    key: str  # identifies the event, and gives the entry its ID
    title: str
    text: str
    path: str  # path of its page
    when: float

    @property
    def id(self) -> str:
        return uuid.uuid5(uuid.NAMESPACE_URL, f"hashmark:{self.key}").urn

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "text": self.text,
            "path": self.path,
            "when": format_utc(self.when),
        }


class Feeds:
    """Feeds of all players."""

    def __init__(self, store: TableStore, clock: Clock) -> None:
        self.engine, self.leagues, self.clock = store.engine, LeagueStore(store), clock

    def create(self, holder: str) -> str:
        """Create a feed and return its secret; the previous feed becomes invalid.

        Only a player with a seat, a team or a league can have one.
        """
        secret = tokens.new_token()
        row = {"digest": tokens.digest(secret), "holder": holder, "made": self.clock.wall()}
        with begin_write(self.engine) as connection:
            if not any(connection.execute(query).first() for query in _memberships(holder)):
                raise Forbidden("you have no news yet: play a game or join a league")
            connection.execute(delete(FEEDS).where(FEEDS.c.holder == holder))
            connection.execute(insert(FEEDS), row)
        return secret

    def delete(self, holder: str) -> None:
        """Delete a player's feed."""
        with begin_write(self.engine) as connection:
            connection.execute(delete(FEEDS).where(FEEDS.c.holder == holder))

    def has_feed(self, holder: str) -> bool:
        with self.engine.connect() as connection:
            query = select(FEEDS.c.digest).where(FEEDS.c.holder == holder)
            return connection.execute(query).first() is not None

    def holder_of(self, secret: str) -> str | None:
        """Return the holder of the feed with this secret."""
        digest = tokens.digest(secret)
        query = select(FEEDS.c.holder).where(FEEDS.c.digest == digest)
        with self.engine.connect() as connection:
            holder = connection.execute(query).scalar() if digest else None
        return None if holder is None else str(holder)

    def entries(self, holder: str, now: float) -> list[FeedEntry]:
        """Return a player's news, the newest first."""
        entries = [*self._table_news(holder), *self._league_news(holder, now)]
        return sorted(entries, key=lambda entry: (-entry.when, entry.key))[:MAX_ENTRIES]

    def _table_news(self, holder: str) -> Iterator[FeedEntry]:
        query = (
            select(TABLES, SEATS.c.team, SEATS.c.word)
            .join(SEATS, SEATS.c.table_id == TABLES.c.id)
            .where(SEATS.c.holder == holder, TABLES.c.stage != table_store.CLOSED)
            .order_by(TABLES.c.touched.desc())
            .limit(MAX_ENTRIES)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            yield from _news_of_table(row)

    def _league_news(self, holder: str, now: float) -> Iterator[FeedEntry]:
        joined = select(ENTRANTS.c.league_id).where(ENTRANTS.c.holder == holder)
        is_involved = or_(LEAGUES.c.commissioner == holder, LEAGUES.c.id.in_(joined))
        query = select(LEAGUES.c.id).where(is_involved, LEAGUES.c.round > 0)
        query = query.order_by(LEAGUES.c.touched.desc()).limit(MAX_LEAGUES)
        with self.engine.connect() as connection:
            keys = [str(key) for key in connection.execute(query).scalars()]
        for key in keys:
            league = self.leagues.find(key)
            if league is None:
                continue
            path = f"/leagues/{key}"
            titles = {league_round.number: league_round.title for league_round in league.rounds()}
            title = titles.get(league.round, "")
            game = league.next_game_for(holder)
            to_play = ""
            if game is not None:
                home, away = league.team_names(game)
                to_play = f"Your game: {away} at {home}."
            if league.stage == PLAYING:
                until = f" Deadline: {format_for_people(league.due)}." if league.due else ""
                yield FeedEntry(
                    f"league/{key}/round/{league.round}",
                    f"{league.title}: {title} has started",
                    f"{to_play or 'You have no game to play.'}{until}",
                    path,
                    league.began,
                )
            elif league.champion is not None:
                yield FeedEntry(
                    f"league/{key}/over",
                    f"{league.title} is over",
                    team_sentence(league.entrants[league.champion].name, "[wins] the league"),
                    path,
                    league.began,
                )
            if game is not None and league.due is not None and league.due - now < DUE_SOON_SECONDS:
                yield FeedEntry(
                    f"league/{key}/round/{league.round}/due/{league.due:.0f}",
                    f"{league.title}: {title} ends soon",
                    f"{to_play} Coaches finish it after {format_for_people(league.due)}.",
                    path,
                    league.due - DUE_SOON_SECONDS,
                )


def _memberships(holder: str) -> list[Select[Any]]:
    """Return queries for a player's seats, teams and leagues as commissioner."""
    columns = (SEATS.c.holder, ENTRANTS.c.holder, LEAGUES.c.commissioner)
    return [select(column).where(column == holder).limit(1) for column in columns]


def _news_of_table(row: Row[Any]) -> Iterator[FeedEntry]:
    """Yield the news of a table for a player who has a seat there."""
    names = json.loads(row.header).get("names", dict(zip(TEAMS, TEAMS, strict=True)))
    game = f"{capitalize(names['home'])} – {capitalize(names['away'])}"
    path, key = f"/table/{row.id}", f"table/{row.id}"
    if row.stage == table_store.NOT_STARTED and row.word is None:
        yield FeedEntry(f"{key}/laid", f"{game}: kick off", "The game is ready.", path, row.made)
    elif row.stage == table_store.PLAYING and row.asked == row.team:
        yield FeedEntry(
            f"{key}/asked/{row.asked_at:.3f}",
            f"{game}: your turn",
            row.said,
            path,
            row.asked_at,
        )
    elif row.stage == table_store.OVER:
        yield FeedEntry(f"{key}/over", f"{game}: final", row.said, path, row.touched)


def render_atom(news: Sequence[FeedEntry], site_url: str, feed_url: str) -> bytes:
    """Return the feed as an Atom document; `site_url` is the server's, `feed_url` the feed's."""
    ElementTree.register_namespace("", ATOM)
    feed = ElementTree.Element(f"{{{ATOM}}}feed")

    def add(parent: ElementTree.Element, tag: str, text: str = "", **attributes: str) -> None:
        ElementTree.SubElement(parent, f"{{{ATOM}}}{tag}", attributes).text = text or None

    add(feed, "id", uuid.uuid5(uuid.NAMESPACE_URL, feed_url).urn)
    add(feed, "title", "Hashmark: your games")
    add(feed, "updated", format_utc(max((item.when for item in news), default=0.0)))
    add(feed, "link", rel="self", type="application/atom+xml", href=feed_url)
    add(feed, "link", rel="alternate", type="text/html", href=f"{site_url}/")
    author = ElementTree.SubElement(feed, f"{{{ATOM}}}author")
    add(author, "name", "Hashmark")
    for item in news:
        entry = ElementTree.SubElement(feed, f"{{{ATOM}}}entry")
        add(entry, "id", item.id)
        add(entry, "title", item.title)
        add(entry, "updated", format_utc(item.when))
        add(entry, "link", rel="alternate", type="text/html", href=f"{site_url}{item.path}")
        add(entry, "summary", item.text)
    document: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document
