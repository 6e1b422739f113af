"""Running the server: a port, a browser, and an end that is quick and clean."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn

from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown
from hashmark.web.app import make_app
from hashmark.web.guards import check_proxies, is_for_us_alone
from hashmark.web.hall import Hall
from hashmark.web.limits import Limits
from hashmark.web.store import Store

PORT = 8642
TRIED = 20  # further ports, if nobody has named one and it is taken
GRACE = 1  # seconds that requests have to end
KEPT = 75  # seconds that a connection may be silent
SWITCH = 0.001  # seconds that a thread may keep the others waiting
SWEEP = 20_000  # objects made since the last look for those that only know each other


class _Server(uvicorn.Server):
    """Ends with status 0 when it is told to, streams or not."""

    def __init__(self, config: uvicorn.Config, hall: Hall, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.hall, self.ready = hall, ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        ends = (signal.SIGINT, signal.SIGTERM)
        before = {
            one: signal.signal(one, lambda *_: loop.call_soon_threadsafe(self._leave))
            for one in ends
        }
        try:
            yield
        finally:
            for one in ends:
                signal.signal(one, before[one])

    def _leave(self) -> None:
        if self.should_exit:
            self.force_exit = True
        self.should_exit = True
        self.hall.end_streams()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _sweep_seldom()
        self.ready()


def listen(host: str, port: int | None) -> socket.socket:
    """A socket at this port; if none was named, at the usual one or the next that is free."""
    tried = [port] if port is not None else [*range(PORT, PORT + TRIED), 0]
    why = ""
    for one in tried:
        try:
            return _bound(host, one)
        except OSError as refused:
            why = refused.strerror or str(refused)
        except (TypeError, UnicodeError):
            raise HashmarkError(f"--host {shown(host)}: that is no name of a host") from None
    raise HashmarkError(f"cannot listen at {shown(host)}, port {tried[0]}: {why}")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, its connections are told not to hold small answers back.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(256)
    except BaseException:
        made.close()
        raise
    return made


def address(host: str, port: int) -> str:
    """The address that a browser is sent to."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    return f"http://{f'[{shown}]' if ':' in shown and '[' not in shown else shown}:{port}/"


def serve(
    host: str,
    port: int | None,
    url: str,
    browser: bool,
    say: Callable[[str], Any],
    limits: Limits | None = None,
    proxies: Sequence[str] = (),
    workers: int = 0,
    cluster: str | None = None,
) -> None:
    """Serve until somebody ends it, with so many workers for long work beside the server.

    What these proxies say of their callers is believed.
    """
    check_proxies(proxies)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # a browser that is gone is no news
    sys.setswitchinterval(SWITCH)
    store = Store(url)
    try:
        with listen(host, port) as taken:
            where = address(host, taken.getsockname()[1])

            def opened() -> Hall:
                hall = Hall(store, limits, trusting=is_for_us_alone(host, proxies))
                hall.works.start(workers, cluster)
                return hall

            ready = partial(_ready, where, browser, say)
            with asyncio.Runner(loop_factory=_loop) as runner:
                runner.run(_serve(taken, host, opened, proxies, ready))
    finally:
        store.close()


def _sweep_seldom() -> None:
    """What is loaded stays: it need not be looked through for rubbish again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(SWEEP, *gc.get_threshold()[1:])


def _loop() -> asyncio.AbstractEventLoop:
    """The usual one; on Windows the one in which PostgreSQL can be listened to."""
    return asyncio.SelectorEventLoop() if sys.platform == "win32" else asyncio.new_event_loop()


async def _serve(
    taken: socket.socket,
    host: str,
    opened: Callable[[], Hall],
    proxies: Sequence[str],
    ready: Callable[[], None],
) -> None:
    hall = opened()
    config = uvicorn.Config(
        make_app(hall, host),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=KEPT,
        limit_concurrency=None,
        ws="none",
    )
    await _Server(config, hall, ready).serve(sockets=[taken])


def _ready(where: str, browser: bool, say: Callable[[str], Any]) -> None:
    opened = browser and _opens(where)
    say(f"Hashmark is at {where}" + ("" if opened else " (open it in a browser)"))
    say("Ctrl-C ends it; every game is kept.")


def _opens(where: str) -> bool:
    """Whether a browser was found to show the page."""
    try:
        return webbrowser.open(where)
    except webbrowser.Error:
        return False
