"""`hashmark serve`: the web server."""

from __future__ import annotations

from typing import Annotated

import typer

from hashmark import extras
from hashmark.cli.common import Cluster
from hashmark.errors import HashmarkError

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
    workers: Annotated[
        int,
        typer.Option(min=0, max=64, help="Processes for long work: seasons, what-ifs; 0: none."),
    ] = 1,
    cluster: Cluster = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser, only say the address.")
    ] = False,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A server in front of this one, which says where callers are; may be repeated.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Say whether the database fits, and change nothing.")
    ] = False,
) -> None:
    """Open Hashmark in the browser: play against a coach, with a friend by a link, or watch.

    Where there is no browser, the address is printed. Every call is on the disk before it is shown.
    Ctrl-C ends the server; games go on where they were when it is started again.
    """
    extras.require("serve", "fastapi", "uvicorn", "sqlalchemy", "alembic", "prometheus_client")
    extras.require("serve", "python_multipart")
    if check:
        _check(database)
        return
    if cluster is not None:
        extras.require("serve --cluster", "ray")
    from hashmark.web.db.connection import ensure_default_url
    from hashmark.web.server import serve

    url = database or ensure_default_url()
    serve(
        host,
        port,
        url,
        not no_browser,
        typer.echo,
        proxies=proxy or (),
        workers=workers,
        cluster=cluster,
    )


def _check(database: str | None) -> None:
    """Print every finding; raise if the database cannot be used as it is."""
    from hashmark.web.db import preflight
    from hashmark.web.db.connection import default_database_url

    fits = True
    for finding in preflight.check(database or default_database_url()):
        typer.echo(f"{'ok' if finding.passed else 'NO':3} {finding.message}")
        fits = fits and finding.passed
    if not fits:
        raise HashmarkError("the database does not fit as it is")
    typer.echo("The database fits.")
