"""Files of background jobs in the database: uploads and results.

An upload is identified by its digest, which is part of the settings and so of the job's key:
uploading it twice gives the same job. Uploads are deleted when the job ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from hashmark.errors import HashmarkError
from hashmark.web.db.connection import begin_write
from hashmark.web.db.schema import WORK_FILES, WORKS

CHUNK_BYTES = 512 * 1024  # bytes of a file in one row


class JobNotFound(HashmarkError):
    """No such job, or it has expired."""


class JobFiles:
    """Files of all jobs, stored in chunks."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._orphans: set[str] = set()  # jobs without a row at the last check

    def store_uploads(self, key: str, files: Mapping[str, bytes]) -> None:
        """Store uploads, one transaction for each chunk so that other writers wait only briefly."""
        for name, content in files.items():
            for row in _chunk_rows(key, name, content, is_upload=True):
                # suppressed: the same file was uploaded elsewhere
                with suppress(IntegrityError), begin_write(self.engine) as connection:
                    connection.execute(insert(WORK_FILES), row)

    def replace_with_results(
        self, connection: Connection, key: str, files: Mapping[str, str]
    ) -> None:
        """Replace the uploads of an ended job with its results."""
        self.delete_files(connection, key)
        for name, content in files.items():
            for row in _chunk_rows(key, name, content.encode(), is_upload=False):
                connection.execute(insert(WORK_FILES), row)

    def delete_files(self, connection: Connection, key: str, *where: ColumnElement[bool]) -> None:
        connection.execute(delete(WORK_FILES).where(WORK_FILES.c.work == key, *where))

    def list_results(self, key: str) -> list[str]:
        """Return the names of the result files."""
        return self._names(key, is_upload=False)

    def _names(self, key: str, is_upload: bool) -> list[str]:
        query = select(WORK_FILES.c.name).where(
            WORK_FILES.c.work == key, WORK_FILES.c.part == 0, WORK_FILES.c.brought == is_upload
        )
        with self.engine.connect() as connection:
            return sorted(connection.execute(query).scalars())

    def read_file(self, key: str, name: str, is_upload: bool = False) -> bytes:
        query = select(WORK_FILES.c.content).where(
            WORK_FILES.c.work == key,
            WORK_FILES.c.name == name,
            WORK_FILES.c.brought == is_upload,
        )
        with self.engine.connect() as connection:
            chunks = connection.execute(query.order_by(WORK_FILES.c.part)).scalars().all()
        if not chunks:
            raise JobNotFound("this job has no such file")
        return b"".join(chunks)

    def read_uploads(self, key: str) -> dict[str, bytes]:
        """Return the uploads of a job."""
        return {
            name: self.read_file(key, name, is_upload=True)
            for name in self._names(key, is_upload=True)
        }

    def find_orphans(self) -> set[str]:
        """Return the jobs that had files but no row at this check and the one before."""
        has_row = select(WORKS.c.key).where(WORKS.c.key == WORK_FILES.c.work).exists()
        with self.engine.connect() as connection:
            orphans = set(connection.execute(select(WORK_FILES.c.work).where(~has_row)).scalars())
        previous, self._orphans = self._orphans, orphans
        return orphans & previous


def _chunk_rows(key: str, name: str, content: bytes, is_upload: bool) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file; an empty file has one, too."""
    for number, start in enumerate(range(0, max(1, len(content)), CHUNK_BYTES)):
        row = {"work": key, "name": name, "part": number, "brought": is_upload}
        yield {**row, "content": content[start : start + CHUNK_BYTES]}
