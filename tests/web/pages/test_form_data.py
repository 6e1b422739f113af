"""Submitted forms: what is read of them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request

from hashmark.errors import HashmarkError
from hashmark.web.pages.form_data import MAX_FIELDS, parse_form, parse_number, parse_upload
from web.harness import run_async

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
        fields, file = await parse_upload(make_request(MULTIPART, SEASON + FILE + END))
        assert (fields, file) == ({"season": "2030"}, b"\0\x01\r\n\xff")
        assert await parse_upload(make_request(MULTIPART, SEASON + END)) == (
            {"season": "2030"},
            b"",
        )

    run_async(work)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (MULTIPART, SEASON + FILE + FILE + END),
        (MULTIPART, b"nothing"),
        ("multipart/form-data", SEASON + END),
        ("x", b"nothing"),
        (URLENCODED, b"&".join(b"f=1" for _ in range(MAX_FIELDS + 1))),
    ],
)
def test_an_upload_that_cannot_be_read_is_refused(kind: str, body: bytes) -> None:
    async def work() -> None:
        with pytest.raises(HashmarkError, match="the form cannot be read"):
            await parse_upload(make_request(kind, body))

    run_async(work)


def test_a_form_takes_no_files() -> None:
    async def work() -> None:
        with pytest.raises(HashmarkError, match="the form cannot be read"):
            await parse_form(make_request(MULTIPART, FILE + END))

    run_async(work)


def test_a_number_is_whole() -> None:
    assert parse_number({"team": "3"}, "team") == 3
    with pytest.raises(HashmarkError, match="team: expected a whole number"):
        parse_number({"team": "x"}, "team")
