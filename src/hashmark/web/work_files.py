"""Files of long work in the database: those brought with the question, and those made of it.

What was brought is known by its digest, which is in the question and so in the work's key: brought
twice it is the same. It is kept until the work has ended, however it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from hashmark.table.errors import HashmarkError
from hashmark.web.database import to_write
from hashmark.web.schema import WORK_FILES, WORKS

PART = 512 * 1024  # bytes of a file in a row


class NoSuchWork(HashmarkError):
    """Nobody has asked this, or it was so long ago that it is gone."""


class WorkFiles:
    """The files of all works of a database, each in parts."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._strays: set[str] = set()  # works without a row whose files were seen

    def bring(self, key: str, files: Mapping[str, bytes]) -> None:
        """Keep what comes with a question, in many transactions: nobody else waits long."""
        for name, content in files.items():
            for row in _parts(key, name, content, brought=True):
                # suppressed: somebody brought the same
                with suppress(IntegrityError), to_write(self.engine) as connection:
                    connection.execute(insert(WORK_FILES), row)

    def put_made(self, connection: Connection, key: str, files: Mapping[str, str]) -> None:
        """What came of a work that has ended, in the place of what was brought."""
        self.drop(connection, key)
        for name, content in files.items():
            for row in _parts(key, name, content.encode(), brought=False):
                connection.execute(insert(WORK_FILES), row)

    def drop(self, connection: Connection, key: str, *where: ColumnElement[bool]) -> None:
        connection.execute(delete(WORK_FILES).where(WORK_FILES.c.work == key, *where))

    def files(self, key: str) -> list[str]:
        """The names of what was made, to take home."""
        return self._names(key, brought=False)

    def _names(self, key: str, brought: bool) -> list[str]:
        wanted = select(WORK_FILES.c.name).where(
            WORK_FILES.c.work == key, WORK_FILES.c.part == 0, WORK_FILES.c.brought == int(brought)
        )
        with self.engine.connect() as connection:
            return sorted(connection.execute(wanted).scalars())

    def file(self, key: str, name: str, brought: bool = False) -> bytes:
        wanted = select(WORK_FILES.c.content).where(
            WORK_FILES.c.work == key,
            WORK_FILES.c.name == name,
            WORK_FILES.c.brought == int(brought),
        )
        with self.engine.connect() as connection:
            parts = connection.execute(wanted.order_by(WORK_FILES.c.part)).scalars().all()
        if not parts:
            raise NoSuchWork("there is no such file of this work")
        return b"".join(parts)

    def brought(self, key: str) -> dict[str, bytes]:
        """The files that came with the question."""
        return {name: self.file(key, name, brought=True) for name in self._names(key, brought=True)}

    def strays(self) -> set[str]:
        """Works of which there are files alone, as they were already when last looked for."""
        rows = select(WORKS.c.key).where(WORKS.c.key == WORK_FILES.c.work).exists()
        with self.engine.connect() as connection:
            found = set(connection.execute(select(WORK_FILES.c.work).where(~rows)).scalars())
        before, self._strays = self._strays, found
        return found & before


def _parts(key: str, name: str, content: bytes, brought: bool) -> Iterator[dict[str, Any]]:
    """The rows of a file; of an empty one there is one too."""
    for part, at in enumerate(range(0, max(1, len(content)), PART)):
        row = {"work": key, "name": name, "part": part, "brought": int(brought)}
        yield {**row, "content": content[at : at + PART]}
