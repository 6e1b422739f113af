"""`hashmark serve`: the tables on a web page."""

from __future__ import annotations

from typing import Annotated

import typer

from hashmark.table import extras

EXAMPLE = "hashmark serve --no-browser"


def command(
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port; the usual one (8642) or the next free."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Where to listen; only this machine can reach the usual one.")
    ] = "127.0.0.1",
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where tables are kept; a file in the data folder."),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser, only say the address.")
    ] = False,
) -> None:
    """Open Hashmark in the browser: play against a coach, with a friend by a link, or watch.

    Where there is no browser, the address is printed. Every call is on the disk before it is shown.
    Ctrl-C ends the server; games go on where they were when it is started again.
    """
    extras.need("serve", "fastapi", "uvicorn", "sqlalchemy")
    from hashmark.web.serving import serve
    from hashmark.web.store import default_url

    serve(host, port, database or default_url(), not no_browser, typer.echo)
