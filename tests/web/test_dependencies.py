"""What the API and the pages share."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from hashmark.web import dependencies
from hashmark.web.tables.table import Forbidden


def make_request(**headers: str) -> Request:
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "headers": pairs})


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ({}, ""),
        ({"cookie": "hashmark=c"}, "c"),
        ({"authorization": "Bearer b", "cookie": "hashmark=c"}, "b"),
        ({"authorization": "Basic b", "cookie": "hashmark=c"}, "c"),
    ],
)
def test_a_header_precedes_the_cookie(headers: dict[str, str], token: str) -> None:
    assert dependencies.read_token(make_request(**headers)) == token


def test_some_requests_need_a_token() -> None:
    assert dependencies.require_token("holder") == "holder"
    with pytest.raises(Forbidden, match="this needs a token"):
        dependencies.require_token("")


def test_an_attachment_is_a_download() -> None:
    response = dependencies.attachment("ä", "a.toml")
    assert response.body == "ä".encode()
    assert response.headers["content-disposition"] == 'attachment; filename="a.toml"'
