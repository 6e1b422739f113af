"""Error pages: what kind of error it is, what to do, and the way back to where the user was."""

from __future__ import annotations

import re
from typing import NamedTuple

from starlette.requests import Request

from hashmark.web.page_address import referring_path
from hashmark.web.pages import rendering

HEADINGS = {
    400: "Check what you entered",
    403: "You can’t do that here",
    404: "Not found",
    405: "That doesn’t work here",
    409: "The moment has passed",
    413: "Too large",
    414: "The address is too long",
    421: "Unknown address",
    422: "Check what you entered",
    429: "Slow down",
    503: "The server is busy",
}
SERVER_ERROR = "Something went wrong"
OTHER_ERROR = "That didn’t work"
PLACES = (  # the page to which another address belongs, and what it is called
    (re.compile(r"/table/[\w-]+(?=/)"), "the game"),
    (re.compile(r"/leagues/(?!new|join)[\w-]+(?=/)"), "the league"),
    (re.compile(r"/seasons/\d+/[A-Z]+(?=/)"), "the team"),
    (re.compile(r"/seasons/\d+(?=/)"), "the season"),
    (re.compile(r"/seasons(?=/)"), "the seasons"),
    (re.compile(r"/leagues(?=/)"), "the leagues"),
    (re.compile(r"/plans(?=/)"), "the game plans"),
    (re.compile(r"/works(?=/)"), "the jobs"),
)


class WayBack(NamedTuple):
    """Link to where the user was."""

    path: str
    label: str


def heading(status: int) -> str:
    """Return the heading of an error page."""
    return HEADINGS.get(status, SERVER_ERROR if status >= 500 else OTHER_ERROR)


def way_back(request: Request) -> WayBack | None:
    """Return the page that the request came from, or the one that its address belongs to."""
    path = request.scope["path"]
    if (referrer := referring_path(request)) and referrer.partition("?")[0] != path:
        return WayBack(referrer, "Back to where you were")
    if referrer and request.method == "POST":  # the form has the address that it is sent to
        return WayBack(referrer, "Back to the form")
    for pattern, name in PLACES:
        if found := pattern.match(path):
            return WayBack(found[0], f"Back to {name}")
    return None


def error_page(request: Request, status: int, message: str) -> str:
    """Return the HTML of an error page."""
    return rendering.render_page(
        "error.html",
        title=heading(status),
        heading=heading(status),
        message=message,
        back=way_back(request),
    )
