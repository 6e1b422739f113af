"""Where tables are kept: a database with their log lines, who sits where, and who was invited.

The lines of a table are the very lines of a game log, so a table is made again from them as a game
is from its file. Tokens are never kept, only their digests. SQLite by default, with a log written
ahead and every commit on the disk; whatever SQLAlchemy speaks to will do.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    case,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from hashmark.table import disk, folders
from hashmark.table.errors import HashmarkError
from hashmark.table.files import is_folder
from hashmark.table.readable import plain

LAID, PLAYING, OVER, CLOSED = "laid", "playing", "over", "closed"
BUSY = 10  # seconds that a connection waits for another one to finish writing
MOST_LISTED = 50
FAULTS = (SQLAlchemyError, ImportError, OSError, TypeError, ValueError)  # of a bad address

SCHEMA = MetaData()
TABLES = Table(
    "tables",
    SCHEMA,
    Column("id", String(32), primary_key=True),
    Column("rules", String(80), nullable=False),
    Column("stage", String(8), nullable=False, index=True),
    Column("header", Text, nullable=False),  # with the seed: never shown before the end
    Column("settings", Text, nullable=False),
    Column("caller", String(64), nullable=False),
    Column("made", Float, nullable=False),
    Column("touched", Float, nullable=False, index=True),
    Column("said", Text, nullable=False, default=""),  # how it stands, in a line for the lobby
    Column("rematch", String(32), nullable=False, default=""),
)
LINES = Table(
    "lines",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)
SEATS = Table(
    "seats",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("team", Integer, primary_key=True, autoincrement=False),
    Column("holder", String(64), nullable=False, default="", index=True),
    Column("word", Text, nullable=True),  # what this player mixes into the dice, once he has said
)
INVITATIONS = Table(
    "invitations",
    SCHEMA,
    Column("digest", String(64), primary_key=True),
    Column("table_id", String(32), nullable=False, index=True),
    Column("team", Integer, nullable=False),
)
# What is written all the time; said once, since putting it together costs more than writing it.
MORE = insert(LINES)
NEWS = update(TABLES).where(TABLES.c.id == bindparam("which"))


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

    @classmethod
    def of(cls, row: Any) -> Kept:
        values = dict(row._mapping)
        header, settings = json.loads(values.pop("header")), json.loads(values.pop("settings"))
        return cls(header=header, settings=settings, **values)

    def values(self) -> dict[str, Any]:
        """The row as it is written."""
        said = {**vars(self)}
        return {
            **said,
            "header": json.dumps(self.header, ensure_ascii=True),
            "settings": json.dumps(self.settings, ensure_ascii=True),
        }


@dataclass
class Seat:
    """A person's seat: whose it is by the digest of his token, and his word for the dice."""

    team: int
    holder: str = ""
    word: str | None = None


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

    def rows(self) -> list[dict[str, Any]]:
        """The new lines, as they are written together with those of other tables."""
        return [
            {"table_id": self.table, "number": number, "text": text}
            for number, text in enumerate(self.lines, self.first)
        ]

    def write(self, connection: Connection) -> None:
        """All but the lines, within a transaction of somebody else's."""
        if self.new is not None:
            connection.execute(insert(TABLES), self.new.values())
        if self.row:
            connection.execute(NEWS, {"which": self.table, **self.row})
        for seat in self.seats:
            self._seat(connection, seat)
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


def default_url() -> str:
    """A database in the user's data folder, which is made if it is not there."""
    folder = folders.data()
    try:
        disk.make_folders(folder)
    except OSError as fault:
        raise disk.cannot_write(folder, fault) from None
    return f"sqlite:///{folder / 'tables.db'}"


class Store:
    """The database, opened and with its tables in it."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._pen: Connection | None = None  # of the thread that writes
        self._quick_pen: Connection | None = None  # for what is written at once
        try:
            SCHEMA.create_all(self.engine)
            with self.engine.connect() as connection:
                connection.execute(select(func.count()).select_from(TABLES))
        except FAULTS as fault:
            self.engine.dispose()
            raise HashmarkError(f"cannot use the database {_shown(url)}: {_why(fault)}") from None

    def close(self) -> None:
        for pen in (self._pen, self._quick_pen):
            if pen is not None:
                pen.close()
        self.engine.dispose()

    def table(self, key: str) -> Kept | None:
        """The row of a table."""
        with self.engine.connect() as connection:
            row = connection.execute(select(TABLES).where(TABLES.c.id == key)).first()
        return None if row is None else Kept.of(row)

    def lines(self, key: str) -> list[str]:
        """The lines of a table, as a log has them."""
        wanted = select(LINES.c.text).where(LINES.c.table_id == key).order_by(LINES.c.number)
        with self.engine.connect() as connection:
            return [str(text) for text in connection.execute(wanted).scalars()]

    def seats(self, key: str) -> list[Seat]:
        """The seats of a table that people have, or may take."""
        wanted = select(SEATS.c.team, SEATS.c.holder, SEATS.c.word).where(SEATS.c.table_id == key)
        with self.engine.connect() as connection:
            return [Seat(*row) for row in connection.execute(wanted.order_by(SEATS.c.team))]

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
        if self._pen is None:
            self._pen = self.engine.connect()
        try:
            with self._pen.begin():
                _write(self._pen, changes)
        except BaseException:
            self._pen.close()
            self._pen = None
            raise

    def write_at_once(self, changes: Sequence[Change]) -> bool:
        """The same without waiting for another program; if that cannot be, nothing was kept."""
        try:
            if self._quick_pen is None:
                self._quick_pen = self._impatient()
            with self._quick_pen.begin():
                _write(self._quick_pen, changes)
        except SQLAlchemyError:
            return False
        return True

    def _impatient(self) -> Connection:
        """A connection for those who cannot wait."""
        made = self.engine.connect()
        if self.engine.dialect.name == "sqlite":
            made.exec_driver_sql("PRAGMA busy_timeout=0")
            made.rollback()
        return made


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    """All of these changes; the lines of all tables in one go."""
    for change in changes:
        change.write(connection)
    rows = [row for change in changes for row in change.rows()]
    if rows:
        connection.execute(MORE, rows)


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        sqlite = parsed.get_backend_name() == "sqlite"
        if sqlite:
            _check_file(parsed.database)
        engine = create_engine(parsed, connect_args={"timeout": BUSY} if sqlite else {})
    except FAULTS as fault:
        raise HashmarkError(f"--database {_shown(url)}: {_why(fault)}") from None
    if sqlite:
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def _check_file(name: str | None) -> None:
    """A database must be a file in a folder that is there."""
    if name in (None, "", ":memory:"):
        raise HashmarkError("--database: what is in memory alone is not kept; name a file")
    folder = Path(str(name)).parent
    if not is_folder(folder):
        raise HashmarkError(f"--database: there is no folder {plain(str(folder))}")


def _prepare(connection: Any, record: Any) -> None:
    """Write ahead, and let every commit reach the disk; transactions begin where we say."""
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _shown(url: str) -> str:
    """The address without what is secret in it."""
    try:
        return plain(make_url(url).render_as_string(hide_password=True))
    except SQLAlchemyError:
        return plain(url)


def _why(fault: BaseException) -> str:
    """What is wrong, in the words of the database, in one line."""
    inner = getattr(fault, "orig", None) or fault
    return str(inner).splitlines()[0] if str(inner) else type(inner).__name__
