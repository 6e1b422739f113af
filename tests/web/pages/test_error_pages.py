"""Error pages: a heading for each kind of error, and a way back."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request

from hashmark.web.pages import error_pages
from web.harness import app_client, run_async


def request(method: str, path: str, referrer: str = "") -> Request:
    headers = [(b"host", b"x.example"), (b"referer", referrer.encode())]
    return Request({"type": "http", "method": method, "path": path, "headers": headers})


@pytest.mark.parametrize(
    ("method", "path", "referrer", "back"),
    [
        ("GET", "/table/abc/odds", "", ("/table/abc", "Back to the game")),
        ("POST", "/leagues/abc/next", "", ("/leagues/abc", "Back to the league")),
        ("GET", "/seasons/2008/XYZ", "", ("/seasons/2008", "Back to the season")),
        ("GET", "/seasons/1066", "", ("/seasons", "Back to the seasons")),
        ("GET", "/nothing", "http://x.example/plans", ("/plans", "Back to where you were")),
        ("POST", "/versus", "http://x.example/versus", ("/versus", "Back to the form")),
        ("GET", "/nothing", "http://y.example/plans", None),
        ("GET", "/nothing", "http://x.example/nothing", None),
    ],
)
def test_the_way_back(method: str, path: str, referrer: str, back: tuple[str, str] | None) -> None:
    assert error_pages.way_back(request(method, path, referrer)) == back


def test_every_kind_of_error_has_its_heading() -> None:
    headings = [error_pages.heading(status) for status in (400, 403, 404, 409, 413, 429, 500, 503)]
    assert len(set(headings)) == len(headings)
    assert error_pages.heading(502) == error_pages.SERVER_ERROR
    assert error_pages.heading(418) == error_pages.OTHER_ERROR


def test_an_error_page_says_what_and_leads_back(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            page = await client.get("/table/nowhere/dice")
            assert page.status_code == 404
            assert "<h1>Not found</h1>" in page.text
            assert "There is no such table." in page.text
            assert 'href="/table/nowhere">Back to the game' in page.text
            assert 'href="/">Back to the lobby' in page.text

    run_async(work)
