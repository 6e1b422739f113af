"""Submitted forms: what is read of them, and what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from hashmark.errors import HashmarkError
from hashmark.web.pages.form_data import (
    MAX_FIELDS,
    MAX_UPLOAD_FIELD_BYTES,
    MAX_UPLOAD_FIELDS,
    parse_form,
    parse_number,
    parse_upload,
)
from web.harness import ROOMY_LIMITS, app_client, run_async

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
SEASON = b'--x\r\nContent-Disposition: form-data; name="season"\r\n\r\n2030\r\n'
FILE = (
    b'--x\r\nContent-Disposition: form-data; name="plays"; filename="a"\r\n\r\n\0\x01\r\n\xff\r\n'
)
END = b"--x--\r\n"


def make_request(kind: str, body: bytes) -> Request:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(b"content-type", kind.encode())]
    return Request({"type": "http", "method": "POST", "headers": headers, "app": None}, receive)


def test_the_last_of_repeated_fields_wins_and_empty_ones_count() -> None:
    async def work() -> None:
        request = make_request(URLENCODED, b"a=1&b=&a=2&name=J%C3%BCrgen+B")
        assert await parse_form(request) == {"a": "2", "b": "", "name": "Jürgen B"}
        assert await parse_form(make_request(URLENCODED, b"")) == {}

    run_async(work)


def test_an_upload_is_read_byte_by_byte() -> None:
    async def work() -> None:
        for body, content in ((SEASON + FILE, b"\0\x01\r\n\xff"), (SEASON, b"")):
            async with parse_upload(make_request(MULTIPART, body + END)) as (fields, file):
                assert (fields, await file.read()) == ({"season": "2030"}, content)

    run_async(work)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (MULTIPART, SEASON + FILE + FILE + END),
        (MULTIPART, b"nothing"),
        ("multipart/form-data", SEASON + END),
        ("x", b"nothing"),
        (URLENCODED, b"season=100%"),
        (MULTIPART, SEASON * (MAX_UPLOAD_FIELDS + 1) + END),
        (MULTIPART, SEASON.replace(b"2030", b"x" * (MAX_UPLOAD_FIELD_BYTES + 1)) + END),
        (MULTIPART, b"--x\r\n" + b"a: b\r\n" * 1000 + b"\r\n" + END),
        (MULTIPART, b"--x\r\na: " + b"b" * 100_000 + b"\r\n\r\n" + END),
        (MULTIPART, FILE.replace(b"filename", b"title")),
        (f"multipart/form-data; boundary={'x' * 400}", SEASON + END),
        (URLENCODED, b"&".join(b"f=1" for _ in range(MAX_FIELDS + 1))),
    ],
)
def test_an_upload_that_cannot_be_read_is_refused(kind: str, body: bytes) -> None:
    async def work() -> None:
        with pytest.raises(HashmarkError, match="the form cannot be read"):
            async with parse_upload(make_request(kind, body)):
                pass

    run_async(work)


def test_a_form_takes_no_files() -> None:
    async def work() -> None:
        with pytest.raises(HashmarkError, match="the form cannot be read"):
            await parse_form(make_request(MULTIPART, FILE + END))

    run_async(work)


MIXED = b"--x\r\nContent-Type: multipart/mixed; boundary=x\r\n"


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        (MULTIPART, FILE.replace(b"\0", MIXED * 5000) + END, 400),
        (MULTIPART, SEASON * 20_000 + END, 400),
        (MULTIPART, b"--x\r\n" + b"a: b\r\n" * 100_000, 400),
        ("multipart/form-data", SEASON + FILE + END, 400),
        ("multipart/form-data; boundary=", SEASON + FILE + END, 400),
        (f"multipart/form-data; boundary={'x' * 1000}", SEASON + FILE + END, 431),
        (f"multipart/form-data{';' * 60_000}", SEASON + FILE + END, 431),
        (URLENCODED, b"a&" * 100_000, 400),
    ],
)
def test_a_hostile_upload_gets_one_sentence(
    tmp_path: Path, kind: str, body: bytes, status: int
) -> None:
    """Nested parts, thousands of parts and headers, and missing boundaries are refused."""

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 1 << 16):
            yield body[start : start + (1 << 16)]

    async def work() -> None:
        async with app_client(tmp_path, ROOMY_LIMITS) as (client, app_state):
            headers = {"content-type": kind, "x-part": "1"}
            for content in (body, chunks()):
                response = await client.post("/charts", content=content, headers=headers)
                assert (response.status_code, list(response.json())) == (status, ["detail"])
            assert app_state.jobs.queue.list_recent() == []

    run_async(work)


def test_a_number_is_whole() -> None:
    assert parse_number({"team": "3"}, "team") == 3
    with pytest.raises(HashmarkError, match="team: expected a whole number"):
        parse_number({"team": "x"}, "team")
