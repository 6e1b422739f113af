"""Where tables are kept: a database with their log lines, who sits where, and who was invited.

The lines of a table are the very lines of a game log, so a table is made again from them as a game
is from its file. Tokens are never kept, only their digests. SQLite by default, with a log written
ahead and every commit on the disk; or PostgreSQL, which any number of servers may share.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    Connection,
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
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from hashmark.table.errors import HashmarkError
from hashmark.table.record import NOBODY
from hashmark.web.database import FAULTS, opened, shown, to_write, why
from hashmark.web.migrating import bring_up_to_date
from hashmark.web.schema import INVITATIONS, LINES, SEATS, TABLES

LAID, PLAYING, OVER, CLOSED = "laid", "playing", "over", "closed"
MOST_LISTED = 50

CHANNEL = "hashmark"  # where servers at one PostgreSQL tell each other what has changed

# What is written all the time; in the words of the database itself, since putting them together
# costs more than writing.
MORE = "insert into lines (table_id, number, text) values (?, ?, ?)"
STEP = "update tables set version = ?, writer = ?, lease = ? where id = ? and version = ?"
NEWS = update(TABLES).where(TABLES.c.id == bindparam("which"))
SEEN = update(SEATS).where(
    SEATS.c.table_id == bindparam("which"), SEATS.c.team == bindparam("whose")
)
TELL = text("select pg_notify(:channel, said) from unnest(cast(:said as text[])) as said")
STANDING = (
    "select t.id, t.version, t.writer, t.lease, s.team, s.seen from tables t "
    "left join seats s on s.table_id = t.id where t.id "
)


class Overtaken(HashmarkError):
    """Another server has changed the table meanwhile: nothing of this change was kept."""


class Unknown(HashmarkError):
    """The database was lost in the moment in which it was to keep a change."""


class Gone(HashmarkError):
    """A table is in memory, but it is not kept any more."""


class Used(HashmarkError):
    """There is no such invitation any more."""


@dataclass
class Kept:
    """A row of `tables`: all of a table but its lines and seats."""

    id: str
    rules: str
    header: dict[str, Any]
    settings: dict[str, Any]
    caller: str
    made: float
    touched: float
    stage: str = LAID
    said: str = ""
    rematch: str = ""
    asked: int = NOBODY  # the team of which a call or a die is wanted, since `asked_at`
    asked_at: float = 0.0
    score: str = ""  # the points of both, as 21-17
    version: int = 0
    writer: str = ""
    lease: float = 0.0

    @classmethod
    def of(cls, row: Any) -> Kept:
        values = dict(row._mapping)
        header, settings = json.loads(values.pop("header")), json.loads(values.pop("settings"))
        return cls(header=header, settings=settings, **values)

    def values(self) -> dict[str, Any]:
        """The row as it is written."""
        return _written(vars(self))


@dataclass
class Seat:
    """A person's seat: whose it is by the digest of his token, and his word for the dice."""

    team: int
    holder: str = ""
    word: str | None = None
    seen: float | None = None  # when he last asked for anything, as far as it was noted


@dataclass
class Found:
    """All that is kept of a table at one moment; of its lines those after a number."""

    kept: Kept
    seats: list[Seat]
    lines: list[str]


@dataclass
class Standing:
    """Whether a table in memory is as it is kept, and who is there, in a few numbers."""

    version: int
    writer: str
    lease: float
    seen: dict[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Sequence[Any]) -> dict[str, Standing]:
        """By table, from the rows that `STANDING` finds."""
        found: dict[str, Standing] = {}
        for key, version, writer, lease, team, seen in rows:
            one = found.setdefault(str(key), cls(version, writer, lease))
            if seen is not None:
                one.seen[team] = seen
        return found


@dataclass
class Change:
    """What is to be kept of a table in one go: all of it, or nothing."""

    table: str
    first: int = 0  # the number of the first new line
    lines: list[str] = field(default_factory=list)
    row: dict[str, Any] = field(default_factory=dict)  # columns of `tables` that change
    new: Kept | None = None
    seats: list[Seat] = field(default_factory=list)
    invited: list[tuple[str, int]] = field(default_factory=list)  # digest and team
    taken: list[int] = field(default_factory=list)  # seats whose invitations are void
    claimed: str = ""  # the invitation that this makes use of, which must be there
    version: int | None = None  # of the table as it was when this was made; it must still be
    writer: str = ""
    lease: float = 0.0
    seen: dict[int, float] = field(default_factory=dict)  # teams whose players were there, when
    also: list[Change] = field(default_factory=list)  # of another table, with this one or not

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        what = (self.lines, self.row, self.new, self.seats, self.invited, self.taken)
        return not any((*what, self.seen, self.also))

    def rows(self) -> list[tuple[Any, ...]]:
        """The new lines, as they are written together with those of other tables."""
        return [(self.table, number, text) for number, text in enumerate(self.lines, self.first)]

    def step(self) -> tuple[Any, ...]:
        """From one version of the table to the next."""
        assert self.version is not None
        return self.version + 1, self.writer, self.lease, self.table, self.version

    def write(self, connection: Connection) -> None:
        """All but lines and version, within a transaction of somebody else's."""
        if self.new is not None:
            connection.execute(insert(TABLES), self.new.values())
        if self.row:
            connection.execute(NEWS, {"which": self.table, **_written(self.row)})
        for seat in self.seats:
            self._seat(connection, seat)
        for team, seen in self.seen.items():
            connection.execute(SEEN, {"which": self.table, "whose": team, "seen": seen})
        if self.claimed:
            used = delete(INVITATIONS).where(INVITATIONS.c.digest == self.claimed)
            if not connection.execute(used).rowcount:
                raise Used("this invitation is not valid, or was used already")
        for team in self.taken:
            connection.execute(
                delete(INVITATIONS).where(
                    INVITATIONS.c.table_id == self.table, INVITATIONS.c.team == team
                )
            )
        for digest, team in self.invited:
            connection.execute(
                insert(INVITATIONS), {"digest": digest, "table_id": self.table, "team": team}
            )

    def _seat(self, connection: Connection, seat: Seat) -> None:
        where = (SEATS.c.table_id == self.table, SEATS.c.team == seat.team)
        connection.execute(delete(SEATS).where(*where))
        connection.execute(insert(SEATS), {"table_id": self.table, **vars(seat)})


class Store:
    """The database, opened and with its tables in it."""

    def __init__(self, url: str) -> None:
        self.engine = opened(url)
        self.is_shared = self.engine.dialect.name == "postgresql"
        self._pen: Connection | None = None  # of the thread that writes
        self._quick_pen: Connection | None = None  # for what is written at once
        self._is_closed = False
        event.listen(self.engine, "checkin", self._comes_back)
        try:
            bring_up_to_date(self.engine)
        except HashmarkError as fault:
            self.engine.dispose()
            raise HashmarkError(f"--database {shown(url)}: {fault}") from None
        except FAULTS as fault:
            self.engine.dispose()
            raise HashmarkError(f"cannot use the database {shown(url)}: {why(fault)}") from None

    def _comes_back(self, connection: Any, record: Any) -> None:
        """What a thread still had in its hands when the rest was closed is closed now."""
        if self._is_closed and connection is not None:
            connection.close()

    def close(self) -> None:
        self._is_closed = True
        for pen in (self._pen, self._quick_pen):
            if pen is not None:
                pen.close()
        self.engine.dispose()

    def table(self, key: str) -> Kept | None:
        """The row of a table."""
        with self.engine.connect() as connection:
            row = connection.execute(select(TABLES).where(TABLES.c.id == key)).first()
        return None if row is None else Kept.of(row)

    def lines(self, key: str, after: int = 0) -> list[str]:
        """The lines of a table after a number, as a log has them."""
        with self.engine.connect() as connection:
            return _lines(connection, key, after)

    def seats(self, key: str) -> list[Seat]:
        """The seats of a table that people have, or may take."""
        with self.engine.connect() as connection:
            return _seats(connection, key)

    def found(self, key: str, after: int = 0) -> Found | None:
        """All of a table, as it is at one moment."""
        with self._looking() as connection:
            row = connection.execute(select(TABLES).where(TABLES.c.id == key)).first()
            if row is None:
                return None
            seats, lines = _seats(connection, key), _lines(connection, key, after)
        return Found(Kept.of(row), seats, lines)

    def _looking(self) -> Connection:
        """A connection that sees nothing of what happens after its first look."""
        made = self.engine.connect()
        if self.is_shared:
            made.execution_options(isolation_level="REPEATABLE READ")
        return made

    def standings(self, keys: Sequence[str]) -> dict[str, Standing]:
        """How tables stand, in a few numbers."""
        wanted = text(STANDING + "in :keys").bindparams(bindparam("keys", expanding=True))
        with self.engine.connect() as connection:
            return Standing.of(connection.execute(wanted, {"keys": list(keys)}).all())

    def let_go(self, keys: Sequence[str], writer: str) -> None:
        """This server goes on with nothing any more: whoever looks at these tables may."""
        mine = update(TABLES).where(TABLES.c.id.in_(keys), TABLES.c.writer == writer)
        with to_write(self.engine) as connection:
            connection.execute(mine.values(lease=0.0))

    def invitation(self, digest: str) -> tuple[str, int] | None:
        """The table and the seat that an invitation is for."""
        wanted = select(INVITATIONS.c.table_id, INVITATIONS.c.team)
        with self.engine.connect() as connection:
            row = connection.execute(wanted.where(INVITATIONS.c.digest == digest)).first()
        return None if row is None else (str(row[0]), int(row[1]))

    def listed(self, stages: Sequence[str], holder: str = "") -> list[Kept]:
        """The newest tables at these stages: those that this one sits at, or all that are open."""
        wanted = select(TABLES).where(TABLES.c.stage.in_(stages))
        if holder:
            sits = select(SEATS.c.table_id).where(SEATS.c.holder == holder)
            wanted = wanted.where(TABLES.c.id.in_(sits))
        else:
            wanted = wanted.where(TABLES.c.settings.like('%"listed": true%'))
        wanted = wanted.order_by(TABLES.c.touched.desc()).limit(MOST_LISTED)
        with self.engine.connect() as connection:
            return [Kept.of(row) for row in connection.execute(wanted)]

    def open_tables(self, caller: str, since: float) -> tuple[int, int]:
        """How many games this caller has open, and how many there are, touched since then."""
        is_open = (TABLES.c.stage.in_((LAID, PLAYING)), TABLES.c.touched >= since)
        of_caller = func.sum(case((TABLES.c.caller == caller, 1), else_=0))
        with self.engine.connect() as connection:
            row = connection.execute(select(of_caller, func.count()).where(*is_open)).one()
        return int(row[0] or 0), int(row[1] or 0)

    def write(self, changes: Sequence[Change]) -> None:
        """Keep these changes in one transaction; it is on the disk when this comes back.

        The connection is kept for the next ones, so only one thread may write.
        """
        try:
            self._write(changes)
        except DBAPIError as fault:
            if not fault.connection_invalidated:
                raise
            self._write(changes)  # the database was away: nothing was kept, so it is tried anew

    def _write(self, changes: Sequence[Change]) -> None:
        if self._pen is None:
            self._pen = self.engine.connect()
        is_written = False
        try:
            with self._pen.begin():
                _write(self._pen, changes)
                is_written = True
        except BaseException as fault:
            self._pen.close()
            self._pen = None
            if is_written and getattr(fault, "connection_invalidated", False):
                raise Unknown("it is not known whether this was kept: look again") from None
            raise

    def write_at_once(self, changes: Sequence[Change]) -> bool:
        """The same without waiting for another program; if that cannot be, nothing was kept."""
        if self.is_shared:  # nobody knows how long it takes to be told by another machine
            return False
        try:
            if self._quick_pen is None:
                self._quick_pen = self._impatient()
            with self._quick_pen.begin():
                _write(self._quick_pen, changes)
        except (SQLAlchemyError, Overtaken, Used):
            return False
        return True

    def _impatient(self) -> Connection:
        """A connection for those who cannot wait."""
        made = self.engine.connect()
        made.exec_driver_sql("PRAGMA busy_timeout=0")
        made.rollback()
        return made


def _written(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of `tables` as the database has them: what has names within is text there."""
    return {
        name: json.dumps(value, ensure_ascii=True) if isinstance(value, dict) else value
        for name, value in columns.items()
    }


def _lines(connection: Connection, key: str, after: int) -> list[str]:
    wanted = select(LINES.c.text).where(LINES.c.table_id == key, LINES.c.number > after)
    return [str(one) for one in connection.execute(wanted.order_by(LINES.c.number)).scalars()]


def _seats(connection: Connection, key: str) -> list[Seat]:
    wanted = select(SEATS.c.team, SEATS.c.holder, SEATS.c.word, SEATS.c.seen)
    wanted = wanted.where(SEATS.c.table_id == key).order_by(SEATS.c.team)
    return [Seat(*row) for row in connection.execute(wanted)]


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    """All of these changes; what all of them have in one go.

    They are written in the order of their tables: two servers that write many at once wait for
    each other then, and not crosswise.
    """
    every = [one for change in changes for one in (change, *change.also)]
    every.sort(key=lambda change: change.table)
    moved = [change for change in every if change.version is not None]
    if moved and _put(connection, STEP, [one.step() for one in moved]) != len(moved):
        raise Overtaken("somebody else was quicker")
    for change in every:
        change.write(connection)
    rows = [row for change in every for row in change.rows()]
    if rows:
        _put(connection, MORE, rows)
    if moved and connection.dialect.name == "postgresql":
        said = [f"{one.table} {one.step()[0]} {one.writer}" for one in moved]
        connection.execute(TELL, {"channel": CHANNEL, "said": said})


def _put(connection: Connection, statement: str, rows: list[tuple[Any, ...]]) -> int:
    """Write rows by a statement with question marks; how many there were to write or change."""
    if connection.dialect.name == "postgresql":
        statement = statement.replace("?", "%s")
    return connection.exec_driver_sql(statement, rows[0] if len(rows) == 1 else rows).rowcount
