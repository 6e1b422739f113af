"""Table store: log lines, seats and invitations of all tables in a database.

The lines of a table are exactly the lines of a game log, so a table is rebuilt from them as a game
is from its file. Tokens are stored only as digests. The default is SQLite in WAL mode with fully
synchronous commits; PostgreSQL can be shared by any number of servers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    bindparam,
    case,
    delete,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from hashmark.engine.record import NOBODY
from hashmark.errors import HashmarkError
from hashmark.web.db.connection import (
    OPEN_ERRORS,
    begin_write,
    driver_message,
    open_engine,
    redact_url,
)
from hashmark.web.db.migrate import upgrade
from hashmark.web.db.schema import INVITATIONS, LINES, SEATS, TABLES
from hashmark.web.leases import RELEASED

NOT_STARTED, PLAYING, OVER, CLOSED = "laid", "playing", "over", "closed"
MAX_LISTED = 50
USED = -1  # the team of an invitation that was used

NOTIFY_CHANNEL = "hashmark"  # NOTIFY channel of the servers at one PostgreSQL

# The most frequent statements, as plain SQL because building them with SQLAlchemy
# takes longer than running them.
INSERT_LINES = "insert into lines (table_id, number, text) values (?, ?, ?)"
UPDATE_VERSION = "update tables set version = ?, writer = ?, lease = ? where id = ? and version = ?"
RENEW_LEASE = "update tables set lease = ? where id = ? and writer = ?"
UPDATE_ROW = update(TABLES).where(TABLES.c.id == bindparam("which"))
UPDATE_PRESENCE = update(SEATS).where(
    SEATS.c.table_id == bindparam("which"), SEATS.c.team == bindparam("whose")
)
NOTIFY = text("select pg_notify(:channel, said) from unnest(cast(:said as text[])) as said")
SELECT_VERSIONS = (
    "select t.id, t.version, t.writer, t.lease, s.team, s.seen from tables t "
    "left join seats s on s.table_id = t.id where t.id "
)


class VersionConflict(HashmarkError):
    """Another server has changed the table meanwhile; nothing of this change was stored."""


class CommitOutcomeUnknown(HashmarkError):
    """The connection was lost during a commit; whether the change was stored is unknown."""


class TableGone(HashmarkError):
    """The table is in memory but no longer in the database."""


class InvitationUsed(HashmarkError):
    """The invitation was used already."""


@dataclass
class TableRow:
    """Row of `tables`: everything of a table except its lines and seats."""

    id: str
    rules: str
    header: dict[str, Any]
    settings: dict[str, Any]
    caller: str
    made: float
    touched: float
    listed: bool = False  # shown to everybody in the lobby
    stage: str = NOT_STARTED
    said: str = ""
    rematch: str = ""
    asked: int = NOBODY  # the team to act since `asked_at`
    asked_at: float = 0.0
    score: str = ""  # such as 21-17
    version: int = 0
    writer: str = ""
    lease: float = RELEASED  # opaque, see `leases`

    @classmethod
    def from_row(cls, row: Row[Any]) -> TableRow:
        values = dict(row._mapping)
        header, settings = json.loads(values.pop("header")), json.loads(values.pop("settings"))
        return cls(header=header, settings=settings, **values)

    def to_columns(self) -> dict[str, Any]:
        """Return the row as it is written."""
        return _to_columns(vars(self))


@dataclass
class Seat:
    """A player's seat: the digest of its holder's token and the player's client seed."""

    team: int
    holder: str = ""
    word: str | None = None
    seen: float | None = None  # last recorded request of the player


@dataclass
class TableSnapshot:
    """Consistent snapshot of a table; its lines only from a number on."""

    row: TableRow
    seats: list[Seat]
    lines: list[str]


@dataclass
class TableVersion:
    """Version, lease and presence of a table in the database."""

    version: int
    writer: str
    lease: float
    seen: dict[int, float] = field(default_factory=dict)

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[Any]]) -> dict[str, TableVersion]:
        """Return the versions by table ID from the rows of `SELECT_VERSIONS`."""
        versions: dict[str, TableVersion] = {}
        for key, version, writer, lease, team, seen in rows:
            version_of_table = versions.setdefault(str(key), cls(version, writer, lease))
            if seen is not None:
                version_of_table.seen[team] = seen
        return versions


@dataclass
class Change:
    """Atomic change of a table."""

    table: str
    first_line: int = 0  # number of the first new line
    lines: list[str] = field(default_factory=list)
    columns: dict[str, Any] = field(default_factory=dict)  # columns of `tables` that change
    new_row: TableRow | None = None
    seats: list[Seat] = field(default_factory=list)
    invitations: list[tuple[str, int]] = field(default_factory=list)  # digests with their teams
    voided_teams: list[int] = field(default_factory=list)  # teams whose invitations become void
    used_invitation: str = ""  # digest of the invitation that this uses; it must exist
    version: int | None = None  # version of the table that this is based on
    writer: str = ""
    lease: float = RELEASED  # without a version, only the lease of the writer is renewed
    seen: dict[int, float] = field(default_factory=dict)  # by team: when its player was present
    linked: list[Change] = field(default_factory=list)  # of other tables, in the same transaction

    @property
    def is_empty(self) -> bool:
        parts = (
            self.lines,
            self.columns,
            self.new_row,
            self.seats,
            self.invitations,
            self.voided_teams,
        )
        return not any((*parts, self.seen, self.linked))

    def line_rows(self) -> list[tuple[Any, ...]]:
        """Return the new lines as rows."""
        return [
            (self.table, number, text) for number, text in enumerate(self.lines, self.first_line)
        ]

    def version_update(self) -> tuple[Any, ...]:
        """Return the parameters of the update to the next version."""
        assert self.version is not None
        return self.version + 1, self.writer, self.lease, self.table, self.version

    def write(self, connection: Connection) -> None:
        """Write all but lines and version within an open transaction."""
        if self.new_row is not None:
            connection.execute(insert(TABLES), self.new_row.to_columns())
        if self.version is None and self.writer:
            _execute_many(connection, RENEW_LEASE, [(self.lease, self.table, self.writer)])
        if self.columns:
            connection.execute(UPDATE_ROW, {"which": self.table, **_to_columns(self.columns)})
        for seat in self.seats:
            self._write_seat(connection, seat)
        for team, seen in self.seen.items():
            connection.execute(UPDATE_PRESENCE, {"which": self.table, "whose": team, "seen": seen})
        if self.used_invitation:
            used = update(INVITATIONS).where(
                INVITATIONS.c.digest == self.used_invitation, INVITATIONS.c.team >= 0
            )
            if not connection.execute(used.values(team=USED)).rowcount:
                raise InvitationUsed("this invitation has already been used")
        for team in self.voided_teams:
            connection.execute(
                delete(INVITATIONS).where(
                    INVITATIONS.c.table_id == self.table, INVITATIONS.c.team == team
                )
            )
        for digest, team in self.invitations:
            connection.execute(
                insert(INVITATIONS), {"digest": digest, "table_id": self.table, "team": team}
            )

    def _write_seat(self, connection: Connection, seat: Seat) -> None:
        where = (SEATS.c.table_id == self.table, SEATS.c.team == seat.team)
        connection.execute(delete(SEATS).where(*where))
        connection.execute(insert(SEATS), {"table_id": self.table, **vars(seat)})


class TableStore:
    """Open database with an up-to-date schema."""

    def __init__(self, url: str) -> None:
        self.engine = open_engine(url)
        self.is_shared = self.engine.dialect.name == "postgresql"
        self._writer: Connection | None = None  # used by the writer thread only
        self._nonblocking_writer: Connection | None = None  # used by `write_at_once`
        self._is_closed = False
        event.listen(self.engine, "checkin", self._on_checkin)
        try:
            upgrade(self.engine)
        except HashmarkError as error:
            self.engine.dispose()
            raise HashmarkError(f"--database {redact_url(url)}: {error}") from None
        except OPEN_ERRORS as error:
            self.engine.dispose()
            raise HashmarkError(
                f"cannot use the database {redact_url(url)}: {driver_message(error)}"
            ) from None

    def _on_checkin(self, connection: DBAPIConnection | None, record: ConnectionPoolEntry) -> None:
        """Close a connection that is returned after the store was closed."""
        if self._is_closed and connection is not None:
            connection.close()

    def close(self) -> None:
        self._is_closed = True
        for connection in (self._writer, self._nonblocking_writer):
            if connection is not None:
                connection.close()
        self.engine.dispose()

    def find_row(self, key: str) -> TableRow | None:
        """Return the row of a table, or None."""
        with self.engine.connect() as connection:
            row = connection.execute(select(TABLES).where(TABLES.c.id == key)).first()
        return None if row is None else TableRow.from_row(row)

    def read_lines(self, key: str, after: int = 0) -> list[str]:
        """Return the log lines of a table after a number."""
        with self.engine.connect() as connection:
            return _select_lines(connection, key, after)

    def read_seats(self, key: str) -> list[Seat]:
        """Return the human seats of a table, taken or open."""
        with self.engine.connect() as connection:
            return _select_seats(connection, key)

    def load_snapshot(self, key: str, after: int = 0) -> TableSnapshot | None:
        """Return a consistent snapshot of a table, or None."""
        with self._connect_snapshot() as connection:
            row = connection.execute(select(TABLES).where(TABLES.c.id == key)).first()
            if row is None:
                return None
            seats, lines = _select_seats(connection, key), _select_lines(connection, key, after)
        return TableSnapshot(TableRow.from_row(row), seats, lines)

    def _connect_snapshot(self) -> Connection:
        """Return a connection with snapshot isolation."""
        connection = self.engine.connect()
        if self.is_shared:
            connection.execution_options(isolation_level="REPEATABLE READ")
        return connection

    def fetch_versions(self, keys: Sequence[str]) -> dict[str, TableVersion]:
        """Return the versions of these tables."""
        query = text(SELECT_VERSIONS + "in :keys").bindparams(bindparam("keys", expanding=True))
        with self.engine.connect() as connection:
            return TableVersion.from_rows(connection.execute(query, {"keys": list(keys)}).all())

    def release_leases(self, keys: Sequence[str], writer: str) -> None:
        """Release a server's leases on these tables."""
        query = update(TABLES).where(TABLES.c.id.in_(keys), TABLES.c.writer == writer)
        with begin_write(self.engine) as connection:
            connection.execute(query.values(lease=RELEASED))

    def find_invitation(self, digest: str) -> tuple[str, int] | None:
        """Return the table and the team (or USED) that an invitation is for, or None."""
        query = select(INVITATIONS.c.table_id, INVITATIONS.c.team)
        with self.engine.connect() as connection:
            row = connection.execute(query.where(INVITATIONS.c.digest == digest)).first()
        return None if row is None else (str(row[0]), int(row[1]))

    def list_tables(self, stages: Sequence[str], holder: str = "") -> list[TableRow]:
        """Return the latest tables at these stages: those of a holder, or all listed ones."""
        query = select(TABLES).where(TABLES.c.stage.in_(stages))
        if holder:
            seated_at = select(SEATS.c.table_id).where(SEATS.c.holder == holder)
            query = query.where(TABLES.c.id.in_(seated_at))
        else:
            query = query.where(TABLES.c.listed)
        query = query.order_by(TABLES.c.touched.desc()).limit(MAX_LISTED)
        with self.engine.connect() as connection:
            return [TableRow.from_row(row) for row in connection.execute(query)]

    def count_open_tables(self, caller: str, since: float) -> tuple[int, int]:
        """Return how many active games a caller has, and how many there are in all."""
        is_open = (TABLES.c.stage.in_((NOT_STARTED, PLAYING)), TABLES.c.touched >= since)
        of_caller = func.sum(case((TABLES.c.caller == caller, 1), else_=0))
        with self.engine.connect() as connection:
            row = connection.execute(select(of_caller, func.count()).where(*is_open)).one()
        return int(row[0] or 0), int(row[1] or 0)

    def write(self, changes: Sequence[Change]) -> None:
        """Write these changes in one transaction; they are on disk when this returns.

        The connection is reused, so only one thread may write.
        """
        try:
            self._write(changes)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            self._write(changes)  # the connection was lost before the commit: retry

    def _write(self, changes: Sequence[Change]) -> None:
        if self._writer is None:
            self._writer = self.engine.connect()
        is_written = False
        try:
            with self._writer.begin():
                _write(self._writer, changes)
                is_written = True
        except BaseException as error:
            self._writer.close()
            self._writer = None
            if is_written and getattr(error, "connection_invalidated", False):
                raise CommitOutcomeUnknown(
                    "it is not certain that this was saved: reload the page"
                ) from None
            raise

    def write_at_once(self, changes: Sequence[Change]) -> bool:
        """Write without waiting for other writers; return False if nothing was written."""
        if self.is_shared:  # a network round trip may take any time
            return False
        try:
            if self._nonblocking_writer is None:
                self._nonblocking_writer = self._connect_nonblocking()
            with self._nonblocking_writer.begin():
                _write(self._nonblocking_writer, changes)
        except (SQLAlchemyError, VersionConflict, InvitationUsed):
            return False
        return True

    def _connect_nonblocking(self) -> Connection:
        """Return a connection that does not wait for locks."""
        connection = self.engine.connect()
        connection.exec_driver_sql("PRAGMA busy_timeout=0")
        connection.rollback()
        return connection


def _to_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return columns of `tables` as the database has them: dictionaries as JSON."""
    return {
        name: json.dumps(value, ensure_ascii=True) if isinstance(value, dict) else value
        for name, value in columns.items()
    }


def _select_lines(connection: Connection, key: str, after: int) -> list[str]:
    query = select(LINES.c.text).where(LINES.c.table_id == key, LINES.c.number > after)
    return [str(line) for line in connection.execute(query.order_by(LINES.c.number)).scalars()]


def _select_seats(connection: Connection, key: str) -> list[Seat]:
    query = select(SEATS.c.team, SEATS.c.holder, SEATS.c.word, SEATS.c.seen)
    query = query.where(SEATS.c.table_id == key).order_by(SEATS.c.team)
    return [Seat(*row) for row in connection.execute(query)]


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    """Write these changes, batching what they have in common.

    They are sorted by table so that two servers writing many tables do not deadlock.
    """
    all_changes = [change for change in changes for change in (change, *change.linked)]
    all_changes.sort(key=lambda change: change.table)
    versioned = [change for change in all_changes if change.version is not None]
    if versioned and _execute_many(
        connection, UPDATE_VERSION, [change.version_update() for change in versioned]
    ) != len(versioned):
        raise VersionConflict("someone else was faster")
    for change in all_changes:
        change.write(connection)
    rows = [row for change in all_changes for row in change.line_rows()]
    if rows:
        _execute_many(connection, INSERT_LINES, rows)
    if versioned and connection.dialect.name == "postgresql":
        payloads = [
            f"{change.table} {change.version_update()[0]} {change.writer}" for change in versioned
        ]
        connection.execute(NOTIFY, {"channel": NOTIFY_CHANNEL, "said": payloads})


def _execute_many(connection: Connection, statement: str, rows: list[tuple[Any, ...]]) -> int:
    """Execute a statement with `?` placeholders for all rows; return how many were affected."""
    if connection.dialect.name == "postgresql":
        statement = statement.replace("?", "%s")
    return connection.exec_driver_sql(statement, rows[0] if len(rows) == 1 else rows).rowcount
