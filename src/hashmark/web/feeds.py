"""A feed for each player: what he should know of his tables and leagues, instead of e-mail.

Its address has a secret of its own, of which only the digest is kept; who makes a new one voids the
one before. What is in it is put together from rows: no game is played again for it. An entry has
the same id for ever, and nothing in it that a watcher of the table may not know.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from sqlalchemy import Select, delete, insert, or_, select

from hashmark.club.league_state import spoken, utc
from hashmark.club.leagues import DAY, PLAYING
from hashmark.table.record import TEAMS
from hashmark.telling.speech import capital
from hashmark.web import store as stages
from hashmark.web import tokens
from hashmark.web.database import to_write
from hashmark.web.league_store import LeagueStore
from hashmark.web.schema import ENTRANTS, FEEDS, LEAGUES, SEATS, TABLES
from hashmark.web.store import Store
from hashmark.web.tables import NotYours

ATOM = "http://www.w3.org/2005/Atom"
MOST_ENTRIES = 60
MOST_LEAGUES = 20  # that are looked at for them
SOON = DAY  # before a date on which games are left to coaches


@dataclass(frozen=True)
class News:
    """One thing that a player should know."""

    key: str  # what it is about; never used for anything else
    title: str
    text: str
    path: str  # the address of its page
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
            "when": utc(self.when),
        }


class Feeds:
    """The feeds of all players."""

    def __init__(self, store: Store) -> None:
        self.engine, self.leagues = store.engine, LeagueStore(store)

    def new(self, holder: str) -> str:
        """The secret of a new feed; the one before is void. Only who plays here may have one."""
        secret = tokens.new_token()
        row = {"digest": tokens.digest(secret), "holder": holder, "made": time.time()}
        with to_write(self.engine) as connection:
            if not any(connection.execute(one).first() for one in _places_of(holder)):
                raise NotYours("there is nothing to tell you yet: play a game or join a league")
            connection.execute(delete(FEEDS).where(FEEDS.c.holder == holder))
            connection.execute(insert(FEEDS), row)
        return secret

    def void(self, holder: str) -> None:
        """Nobody may read this player's feed any more."""
        with to_write(self.engine) as connection:
            connection.execute(delete(FEEDS).where(FEEDS.c.holder == holder))

    def has(self, holder: str) -> bool:
        with self.engine.connect() as connection:
            wanted = select(FEEDS.c.digest).where(FEEDS.c.holder == holder)
            return connection.execute(wanted).first() is not None

    def holder_of(self, secret: str) -> str | None:
        """Whose feed has this secret."""
        digest = tokens.digest(secret)
        wanted = select(FEEDS.c.holder).where(FEEDS.c.digest == digest)
        with self.engine.connect() as connection:
            found = connection.execute(wanted).scalar() if digest else None
        return None if found is None else str(found)

    def news(self, holder: str, now: float) -> list[News]:
        """All that a player should know, the newest first."""
        found = [*self._of_tables(holder), *self._of_leagues(holder, now)]
        return sorted(found, key=lambda one: (-one.when, one.key))[:MOST_ENTRIES]

    def _of_tables(self, holder: str) -> Iterator[News]:
        wanted = (
            select(TABLES, SEATS.c.team, SEATS.c.word)
            .join(SEATS, SEATS.c.table_id == TABLES.c.id)
            .where(SEATS.c.holder == holder, TABLES.c.stage != stages.CLOSED)
            .order_by(TABLES.c.touched.desc())
            .limit(MOST_ENTRIES)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(wanted).all()
        for row in rows:
            yield from _of_table(row)

    def _of_leagues(self, holder: str, now: float) -> Iterator[News]:
        held = select(ENTRANTS.c.league_id).where(ENTRANTS.c.holder == holder)
        mine = or_(LEAGUES.c.commissioner == holder, LEAGUES.c.id.in_(held))
        wanted = select(LEAGUES.c.id).where(mine, LEAGUES.c.round > 0)
        wanted = wanted.order_by(LEAGUES.c.touched.desc()).limit(MOST_LEAGUES)
        with self.engine.connect() as connection:
            keys = [str(key) for key in connection.execute(wanted).scalars()]
        for key in keys:
            league = self.leagues.find(key)
            if league is None:
                continue
            path = f"/leagues/{key}"
            titles = {one.number: one.title for one in league.rounds()}
            title = titles.get(league.round, "")
            game = league.next_for(holder)
            to_play = ""
            if game is not None:
                home, away = league.names(game)
                to_play = f"You play {home} – {away}."
            if league.stage == PLAYING:
                until = f" Until {spoken(league.due)}." if league.due else ""
                yield News(
                    f"league/{key}/round/{league.round}",
                    f"{league.title}: {title} has begun",
                    f"{to_play or 'There is no game of yours to play in it.'}{until}",
                    path,
                    league.began,
                )
            elif league.champion is not None:
                yield News(
                    f"league/{key}/over",
                    f"{league.title} is over",
                    f"{league.entrants[league.champion].name} has won it.",
                    path,
                    league.began,
                )
            if game is not None and league.due is not None and league.due - now < SOON:
                yield News(
                    f"league/{key}/round/{league.round}/due/{league.due:.0f}",
                    f"{league.title}: {title} ends soon",
                    f"{to_play} At {spoken(league.due)} it is left to the coaches.",
                    path,
                    league.due - SOON,
                )


def _places_of(holder: str) -> list[Select[Any]]:
    """Where a player is to be found: at a table, with a team, or at the head of a league."""
    whose = (SEATS.c.holder, ENTRANTS.c.holder, LEAGUES.c.commissioner)
    return [select(column).where(column == holder).limit(1) for column in whose]


def _of_table(row: Any) -> Iterator[News]:
    """What somebody should know of a table at which he has a seat."""
    names = json.loads(row.header).get("names", dict(zip(TEAMS, TEAMS, strict=True)))
    game = f"{capital(names['home'])} – {capital(names['away'])}"
    path, key = f"/table/{row.id}", f"table/{row.id}"
    if row.stage == stages.LAID and row.word is None:
        yield News(f"{key}/laid", f"{game}: kick off", "The table is laid.", path, row.made)
    elif row.stage == stages.PLAYING and row.asked == row.team:
        yield News(
            f"{key}/asked/{row.asked_at:.3f}",
            f"{game}: it is your turn",
            row.said,
            path,
            row.asked_at,
        )
    elif row.stage == stages.OVER:
        yield News(f"{key}/over", f"{game}: the game is over", row.said, path, row.touched)


def atom(news: Sequence[News], site: str, own: str) -> bytes:
    """The feed as a document; `site` is the address of the server, `own` that of the feed."""
    ElementTree.register_namespace("", ATOM)
    feed = ElementTree.Element(f"{{{ATOM}}}feed")

    def add(parent: ElementTree.Element, tag: str, text: str = "", **more: str) -> None:
        ElementTree.SubElement(parent, f"{{{ATOM}}}{tag}", more).text = text or None

    add(feed, "id", uuid.uuid5(uuid.NAMESPACE_URL, own).urn)
    add(feed, "title", "Hashmark: your games")
    add(feed, "updated", utc(max((one.when for one in news), default=0.0)))
    add(feed, "link", rel="self", type="application/atom+xml", href=own)
    add(feed, "link", rel="alternate", type="text/html", href=f"{site}/")
    author = ElementTree.SubElement(feed, f"{{{ATOM}}}author")
    add(author, "name", "Hashmark")
    for one in news:
        entry = ElementTree.SubElement(feed, f"{{{ATOM}}}entry")
        add(entry, "id", one.id)
        add(entry, "title", one.title)
        add(entry, "updated", utc(one.when))
        add(entry, "link", rel="alternate", type="text/html", href=f"{site}{one.path}")
        add(entry, "summary", one.text)
    made: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return made
