"""A team of a season has one address; other spellings lead there, with all that hangs on them."""

from __future__ import annotations

import pytest
from fastapi import Request

from hashmark.web.addresses import Elsewhere, team_of_season


def asked(path: str, query: str = "") -> Request:
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": []}
    return Request({**scope, "server": ("localhost", 80), "scheme": "http"})


def test_the_spelling_that_counts_stays() -> None:
    assert team_of_season(asked("/seasons/2008/ARI"), "2008", "ARI") == (2008, "ARI")


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
def test_another_leads_there(path: str, query: str, team: str, leads: str) -> None:
    with pytest.raises(Elsewhere) as found:
        team_of_season(asked(path, query), "2008", team)
    assert found.value.address == leads
