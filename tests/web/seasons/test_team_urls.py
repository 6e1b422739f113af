"""Canonical URLs of teams: other spellings redirect, with path and query."""

from __future__ import annotations

import pytest
from fastapi import Request

from hashmark.web.seasons.team_urls import NotCanonical, parse_season_team


def request_for(path: str, query: str = "") -> Request:
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": []}
    return Request({**scope, "server": ("localhost", 80), "scheme": "http"})


def test_the_canonical_spelling_is_accepted() -> None:
    assert parse_season_team(request_for("/seasons/2008/ARI"), "2008", "ARI") == (2008, "ARI")


@pytest.mark.parametrize(
    ("path", "query", "team", "leads"),
    [
        ("/seasons/2008/ari", "", "ari", "/seasons/2008/ARI"),
        (
            "/seasons/2008/cardinals/whatif",
            "runs=5",
            "cardinals",
            "/seasons/2008/ARI/whatif?runs=5",
        ),
        ("/api/seasons/2008/OAK", "", "OAK", "/api/seasons/2008/LV"),
        ("/seasons/2008/ari/a\r\nb", "", "ari", "/seasons/2008/ARI/a%0D%0Ab"),
    ],
)
def test_other_spellings_redirect(path: str, query: str, team: str, leads: str) -> None:
    with pytest.raises(NotCanonical) as redirect:
        parse_season_team(request_for(path, query), "2008", team)
    assert redirect.value.url == leads
