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
        typer.Option(
            min=0, max=65535, metavar="N", help="Port; default: 8642 or the next free one."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Address to listen on; the default serves this machine only."
        ),
    ] = "127.0.0.1",
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Database; default: a file in the data folder."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=0,
            max=64,
            metavar="N",
            help="Worker processes for seasons and what-ifs; 0 for none.",
        ),
    ] = 1,
    cluster: Cluster = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address; do not open a browser.")
    ] = False,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="Trusted reverse proxy, which reports client addresses; repeatable.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check the database without changing it.")
    ] = False,
) -> None:
    """Open Hashmark in the browser.

    Play against a coach or a friend, or watch. Without a browser, the address is printed. Every
    call is saved before it is shown, so games continue after a restart. Ctrl-C stops the server.
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
        raise HashmarkError("the database cannot be used as it is")
    typer.echo("The database is ready.")
