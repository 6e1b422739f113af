"""Submitted HTML forms: their fields, and one uploaded file.

Starlette's parser streams: a file goes to disk beyond a megabyte, and parts do not nest. Its limits
are the number of fields and files and the size of a field here, and the number and size of a part's
headers in python-multipart. The size of the whole body is limited while it arrives (`guards`).
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from io import BytesIO

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from hashmark.engine.options import parse_int
from hashmark.errors import HashmarkError

MAX_FIELDS = 200
MAX_FIELD_BYTES = 1 << 18  # as many as a request with a plan may have
MAX_UPLOAD_FIELDS = 10  # beside the file
MAX_UPLOAD_FIELD_BYTES = 4096
BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")  # each would take 200 bytes of memory
URLENCODED = "application/x-www-form-urlencoded"
FormFields = dict[str, str]


async def parse_form(request: Request) -> FormFields:
    """Parse the fields of a submitted form; the last of repeated fields wins."""
    async with _parse(request, 0, MAX_FIELDS, MAX_FIELD_BYTES) as (fields, _):
        return fields


@asynccontextmanager
async def parse_upload(request: Request) -> AsyncIterator[tuple[FormFields, UploadFile]]:
    """Parse a form with a file, which is empty if none was chosen and is closed at the end."""
    limits = (1, MAX_UPLOAD_FIELDS, MAX_UPLOAD_FIELD_BYTES)
    async with _parse(request, *limits) as (fields, file):
        if not fields and file is None:
            raise HashmarkError("the form cannot be read")
        yield fields, file or UploadFile(BytesIO())


@asynccontextmanager
async def _parse(
    request: Request, max_files: int, max_fields: int, max_field_bytes: int
) -> AsyncIterator[tuple[FormFields, UploadFile | None]]:
    try:
        if request.headers.get("content-type", "").lower().startswith(URLENCODED):
            _check_urlencoded(await request.body(), max_fields)
        form = await request.form(
            max_files=max_files, max_fields=max_fields, max_part_size=max_field_bytes
        )
    except (HTTPException, ValueError) as error:
        if isinstance(error, HTTPException) and error.status_code != 400:  # such as too large
            raise
        raise HashmarkError("the form cannot be read") from None
    try:
        files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
        fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        yield fields, files[0] if files else None
    finally:
        await form.close()


def _check_urlencoded(body: bytes, max_fields: int) -> None:
    """Raise ValueError for a form with too many fields or broken escapes, before it is split."""
    if body.count(b"&") + body.count(b";") >= max_fields:
        raise ValueError("too many fields")
    if BROKEN_ESCAPE.search(body):
        raise ValueError("a broken escape")


def parse_number(fields: Mapping[str, str], name: str) -> int:
    """Parse a form field as a whole number."""
    value = parse_int(fields.get(name, ""))
    if value is None:
        raise HashmarkError(f"{name}: expected a whole number")
    return value
