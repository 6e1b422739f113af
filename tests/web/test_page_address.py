"""Addresses in full, and the page of this server that a request came from."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from hashmark.web import page_address

HOST = (b"host", b"club.example")


def test_an_address_in_full() -> None:
    page_address.remember({"type": "http", "scheme": "https", "headers": [HOST]})
    assert page_address.absolute("/join") == "https://club.example/join"


@pytest.mark.parametrize(
    ("referrer", "path"),
    [
        (b"http://club.example/new/fourth-down?against=friend", "/new/fourth-down?against=friend"),
        (b"http://club.example/", "/"),
        (b"http://evil.example/new", ""),
        (b"http://club.example//evil.example/", ""),
        (b"", ""),
    ],
)
def test_only_pages_of_this_server_are_gone_back_to(referrer: bytes, path: str) -> None:
    request = Request({"type": "http", "headers": [HOST, (b"referer", referrer)]})
    assert page_address.referring_path(request) == path
