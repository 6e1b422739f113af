"""Submitted HTML forms: their fields, and one uploaded file."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from hashmark.engine.options import parse_int
from hashmark.errors import HashmarkError

MAX_FIELDS = 200
FormFields = dict[str, str]


async def parse_form(request: Request) -> FormFields:
    """Parse the fields of a submitted form; the last of repeated fields wins."""
    return (await _parse(request, max_files=0))[0]


async def parse_upload(request: Request) -> tuple[FormFields, bytes]:
    """Parse a form with a file; the file is empty if none was chosen."""
    fields, file = await _parse(request, max_files=1)
    if not fields and not file:
        raise HashmarkError("the form cannot be read")
    return fields, file


async def _parse(request: Request, max_files: int) -> tuple[FormFields, bytes]:
    fields, file = {}, b""
    try:
        async with request.form(max_files=max_files, max_fields=MAX_FIELDS) as form:
            for name, value in form.multi_items():
                if isinstance(value, UploadFile):
                    file = await value.read()
                else:
                    fields[name] = value
    except (HTTPException, ValueError) as error:
        if isinstance(error, HTTPException) and error.status_code != 400:  # such as too large
            raise
        raise HashmarkError("the form cannot be read") from None
    return fields, file


def parse_number(sent: Mapping[str, str], name: str) -> int:
    """Parse a form field as a whole number."""
    value = parse_int(sent.get(name, ""))
    if value is None:
        raise HashmarkError(f"{name}: expected a whole number")
    return value
