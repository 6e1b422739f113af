"""Addresses that name a team of a season: `/seasons/2008/ARI`, with what is below it.

Each has one spelling that counts. Another that is understood (ari, cardinals, OAK for LV) leads
there, so that what is shared and kept is one address.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Request
from fastapi.responses import RedirectResponse, Response

from hashmark.club import season_view


class Elsewhere(Exception):
    """What is asked for has another address."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


async def lead_there(request: Request, fault: Exception) -> Response:
    """The answer to an address in another spelling."""
    assert isinstance(fault, Elsewhere)
    return RedirectResponse(fault.address, 308)


def team_of_season(request: Request, year: str, team: str) -> tuple[int, str]:
    """The season and the team of an address; Elsewhere if it is written in another way."""
    season, code = season_view.year_of(year), season_view.team_of(team)
    if code != team:
        path: str = request.scope["path"]
        before, _, after = path.partition(f"/{year}/{team}")
        query = f"?{request.url.query}" if request.url.query else ""
        raise Elsewhere(f"{before}/{season}/{code}{quote(after)}{query}")
    return season, code


TeamOfSeason = Annotated[tuple[int, str], Depends(team_of_season)]
