"""URLs of a team of a season: `/seasons/2008/ARI` and the pages below it.

Each has one canonical spelling. Other accepted spellings (ari, cardinals, OAK for LV) redirect to
it, so that a page has a single URL to share and to cache.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.responses import RedirectResponse, Response

from hashmark.web.seasons import season_view


class NotCanonical(Exception):
    """Raised when the requested page has another, canonical URL."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


async def redirect_to_canonical(request: Request, error: Exception) -> Response:
    """Redirect to the canonical URL."""
    assert isinstance(error, NotCanonical)
    return RedirectResponse(error.url, 308)


def parse_season_team(request: Request, year: str, team: str) -> tuple[int, str]:
    """Return the season and team code in the URL; redirect if the URL is not canonical."""
    season, code = season_view.parse_season(year), season_view.parse_team(team)
    if code != team:
        path: str = request.scope["path"]
        before, _, after = path.partition(f"/{year}/{team}")
        query = f"?{request.url.query}" if request.url.query else ""
        raise NotCanonical(f"{before}/{season}/{code}{quote(after)}{query}")
    return season, code


SeasonTeamDep = Annotated[tuple[int, str], Depends(parse_season_team)]
