"""URLs of a team of a season: `/seasons/2008/ARI` and the pages below it.

Each has one canonical spelling. Other accepted spellings (ari, cardinals, OAK for LV) redirect to
it, so that a page has a single URL to share and to cache.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.responses import RedirectResponse, Response

from hashmark.club import season_view


class Elsewhere(Exception):
    """Raised when the requested page has another, canonical URL."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


async def lead_there(request: Request, error: Exception) -> Response:
    """Redirect to the canonical URL."""
    assert isinstance(error, Elsewhere)
    return RedirectResponse(error.address, 308)


def team_of_season(request: Request, year: str, team: str) -> tuple[int, str]:
    """Return the season and team code in the URL; redirect if the URL is not canonical."""
    season, code = season_view.year_of(year), season_view.team_of(team)
    if code != team:
        path: str = request.scope["path"]
        before, _, after = path.partition(f"/{year}/{team}")
        query = f"?{request.url.query}" if request.url.query else ""
        raise Elsewhere(f"{before}/{season}/{code}{quote(after)}{query}")
    return season, code


TeamOfSeason = Annotated[tuple[int, str], Depends(team_of_season)]
