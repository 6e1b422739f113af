"""Database schema as SQLAlchemy tables; `table_store` documents their use.

Every change here needs a migration in `migrations/versions` that does the same to existing
databases.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

SCHEMA = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "fk": "%(table_name)s_%(column_0_name)s_fkey",
    }
)


def _belongs_to(column: str) -> ForeignKey:
    """Return the reference of a row that is deleted with the row it belongs to."""
    return ForeignKey(column, ondelete="CASCADE")


TABLES = Table(
    "tables",
    SCHEMA,
    Column("id", String(32), primary_key=True),
    Column("rules", String(80), nullable=False),
    Column("stage", String(8), nullable=False, index=True),
    Column("header", Text, nullable=False),  # with the seed: never shown before the end
    Column("settings", Text, nullable=False),
    Column("listed", Boolean, nullable=False, server_default=false()),  # shown in the lobby
    Column("caller", String(64), nullable=False),
    Column("made", Float, nullable=False),
    Column("touched", Float, nullable=False, index=True),
    Column("said", Text, nullable=False, default=""),  # score line for the lobby
    Column("rematch", String(32), nullable=False, default=""),
    Column("version", Integer, nullable=False, server_default="0"),  # increases with every change
    Column(
        "writer", String(32), nullable=False, server_default=""
    ),  # server that made the last change
    Column("lease", Float, nullable=False, server_default="0"),  # of that server, see `leases`
    # Team to act, since when, and the score: for readers that do not replay the log.
    Column("asked", Integer, nullable=False, default=-1, server_default="-1"),
    Column("asked_at", Float, nullable=False, default=0.0, server_default="0"),
    Column("score", String(16), nullable=False, default="", server_default=""),
)
LINES = Table(
    "lines",
    SCHEMA,
    Column("table_id", String(32), _belongs_to("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)
SEATS = Table(
    "seats",
    SCHEMA,
    Column("table_id", String(32), _belongs_to("tables.id"), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("holder", String(64), nullable=False, default="", index=True),
    Column("word", Text, nullable=True),  # client seed of the player, once given
    Column("seen", Float, nullable=True),  # last recorded request of the player
)
INVITATIONS = Table(
    "invitations",
    SCHEMA,
    Column("digest", String(64), primary_key=True),
    Column("table_id", String(32), _belongs_to("tables.id"), nullable=False, index=True),
    Column("team", Integer, nullable=False),
)
PLANS = Table(
    "plans",
    SCHEMA,
    Column("id", String(32), primary_key=True),  # a digest of the text
    Column("text", Text, nullable=False),
    Column("season", Integer, nullable=False),  # of the team whose plan it varies; 0: none
    Column("team", String(8), nullable=False),
    Column("caller", String(64), nullable=False, index=True),
    Column("made", Float, nullable=False),
)
WORKS = Table(
    "works",
    SCHEMA,
    Column("key", String(64), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("settings", Text, nullable=False),
    Column("listed", Boolean, nullable=False, server_default=false()),  # shown to everybody
    Column("program", String(40), nullable=False),  # program version that may run it
    Column("caller", String(64), nullable=False, index=True),  # whose worker time it uses
    Column("state", String(8), nullable=False, index=True),
    Column("stopping", Boolean, nullable=False, default=False),  # its worker is asked to stop
    Column("done", Integer, nullable=False, default=0),
    Column("total", Integer, nullable=False, default=0),
    Column("said", Text, nullable=False, default=""),  # why it failed
    Column("kept", Text, nullable=False, default=""),  # checkpoint of an interrupted job
    Column("result", Text, nullable=True),
    Column("page", LargeBinary, nullable=True),  # zlib-compressed
    Column("asked", Float, nullable=False),
    Column("touched", Float, nullable=False),  # last heartbeat
    Column("looked", Float, nullable=False, index=True),  # when it was last viewed
    Column("until", Float, nullable=True),  # expiry date; NULL: until evicted
    Column("seconds", Float, nullable=False, default=0.0),  # worker time used
    Column(
        "tries", Integer, nullable=False, default=0
    ),  # workers that claimed it and did not finish
    Column("worker", String(64), nullable=False, default=""),
    Column("lease", Float, nullable=False, default=0.0),  # of that worker, see `leases`
)
ASKERS = Table(
    "askers",
    SCHEMA,
    Column("work", String(64), _belongs_to("works.key"), primary_key=True),
    Column("holder", String(64), primary_key=True, index=True),
    Column("asked", Float, nullable=False),
)
WORK_FILES = Table(
    "work_files",
    SCHEMA,
    Column("work", String(64), primary_key=True),  # of `works`, stored after its files
    Column("name", String(120), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("brought", Boolean, nullable=False, default=False),  # by the requester; else a result
    Column("content", LargeBinary, nullable=False),
)
LEAGUES = Table(
    "leagues",
    SCHEMA,
    Column("id", String(32), primary_key=True),
    Column("title", Text, nullable=False),
    Column("stage", String(8), nullable=False, index=True),
    Column("terms", Text, nullable=False),  # league settings, as JSON
    Column("commissioner", String(64), nullable=False, index=True),
    Column("caller", String(64), nullable=False, index=True),
    Column("listed", Boolean, nullable=False),
    Column("made", Float, nullable=False),
    Column("touched", Float, nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("began", Float, nullable=False),
    Column("due", Float, nullable=True),
    Column("ahead", Integer, nullable=False),
    Column("version", Integer, nullable=False),  # for optimistic locking
)
ENTRANTS = Table(
    "entrants",
    SCHEMA,
    Column("league_id", String(32), _belongs_to("leagues.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("code", String(8), nullable=False),
    Column("coach", String(80), nullable=False),
    Column("holder", String(64), nullable=False, index=True),
    Column("friend", Text, nullable=False),
)
FIXTURES = Table(
    "fixtures",
    SCHEMA,
    Column("league_id", String(32), _belongs_to("leagues.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("stage", String(8), nullable=False),
    Column("home", Integer, nullable=False),
    Column("away", Integer, nullable=False),
    Column("neutral", Boolean, nullable=False),
    Column(
        "table_id", String(32), nullable=False, index=True, unique=True
    ),  # assigned before the table exists
    Column("home_points", Integer, nullable=True),
    Column("away_points", Integer, nullable=True),
    Column("ready", Boolean, nullable=False, index=True),  # coaches may play it out
    Column("claimed", Float, nullable=False),  # lease of the server that plays it out, see `leases`
)
PASSES = Table(
    "passes",
    SCHEMA,
    Column("digest", String(64), primary_key=True),  # of an invitation to a league
    Column("league_id", String(32), _belongs_to("leagues.id"), nullable=False, index=True),
    Column("team", Integer, nullable=False),  # -1: any free team
)
FEEDS = Table(
    "feeds",
    SCHEMA,
    Column("digest", String(64), primary_key=True),  # of the secret in its URL
    Column("holder", String(64), nullable=False, index=True),
    Column("made", Float, nullable=False),
)
