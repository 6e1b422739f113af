"""HTTP server: port, browser, startup and a quick, clean shutdown."""

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

from hashmark.errors import HashmarkError
from hashmark.sanitize import quote
from hashmark.storage import temp_dirs
from hashmark.web.app import create_app
from hashmark.web.app_state import AppState
from hashmark.web.guards import check_proxies, is_private_server
from hashmark.web.rate_limits import Limits
from hashmark.web.tables.table_store import TableStore

DEFAULT_PORT = 8642
MAX_PORTS_TRIED = 20  # consecutive ports tried if none is given
SHUTDOWN_GRACE_SECONDS = 1  # given to open requests at shutdown
KEEP_ALIVE_SECONDS = 75  # idle timeout of a connection
THREAD_SWITCH_SECONDS = 0.001  # interpreter thread switch interval
GC_THRESHOLD = 20_000  # allocations before the garbage collector runs


class _Server(uvicorn.Server):
    """Uvicorn server that exits with status 0 on a signal, even with open streams."""

    def __init__(
        self, config: uvicorn.Config, app_state: AppState, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self.app_state, self.ready = app_state, ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        signals = (signal.SIGINT, signal.SIGTERM)
        previous = {
            number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._request_exit))
            for number in signals
        }
        try:
            yield
        finally:
            for number in signals:
                signal.signal(number, previous[number])

    def _request_exit(self) -> None:
        if self.should_exit:
            self.force_exit = True
        self.should_exit = True
        self.app_state.end_streams()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _tune_gc()
        self.ready()


def listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket at this port; without one, at the default port or the next free
    one.
    """
    ports = (
        [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + MAX_PORTS_TRIED), 0]
    )
    reason = ""
    for candidate in ports:
        try:
            return _bind(host, candidate)
        except OSError as error:
            reason = error.strerror or str(error)
        except (TypeError, UnicodeError):
            raise HashmarkError(f"--host {quote(host)}: not a host name") from None
    raise HashmarkError(f"cannot listen on {quote(host)}, port {ports[0]}: {reason}")


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol given, asyncio disables Nagle's algorithm for its connections.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(256)
    except BaseException:
        listener.close()
        raise
    return listener


def browser_url(host: str, port: int) -> str:
    """Return the URL that a browser opens."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name and '[' not in name else name}:{port}/"


def serve(
    host: str,
    port: int | None,
    url: str,
    browser: bool,
    print_line: Callable[[str], Any],
    limits: Limits | None = None,
    proxies: Sequence[str] = (),
    workers: int = 0,
    cluster: str | None = None,
) -> None:
    """Serve until interrupted, with `workers` processes for background jobs.

    Forwarding headers are trusted from these proxies only.
    """
    check_proxies(proxies)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # a closed connection is no error
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    temp_dirs.remove_abandoned()
    store = TableStore(url)
    try:
        with listen(host, port) as listener:
            page_url = browser_url(host, listener.getsockname()[1])

            def create_state() -> AppState:
                app_state = AppState(store, limits, is_trusting=is_private_server(host, proxies))
                app_state.jobs.start(workers, cluster)
                return app_state

            ready = partial(_announce, page_url, browser, print_line)
            with asyncio.Runner(loop_factory=_new_event_loop) as runner:
                runner.run(_serve(listener, host, create_state, proxies, ready))
    finally:
        store.close()


def _tune_gc() -> None:
    """Freeze everything loaded at startup and run the garbage collector less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])


def _new_event_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop; on Windows the kind that psycopg needs."""
    return asyncio.SelectorEventLoop() if sys.platform == "win32" else asyncio.new_event_loop()


async def _serve(
    listener: socket.socket,
    host: str,
    create_state: Callable[[], AppState],
    proxies: Sequence[str],
    ready: Callable[[], None],
) -> None:
    app_state = create_state()
    config = uvicorn.Config(
        create_app(app_state, host),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_graceful_shutdown=SHUTDOWN_GRACE_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        limit_concurrency=None,
        ws="none",
    )
    await _Server(config, app_state, ready).serve(sockets=[listener])


def _announce(page_url: str, browser: bool, say: Callable[[str], Any]) -> None:
    has_browser = browser and _open_browser(page_url)
    say(f"Hashmark is running at {page_url}" + ("" if has_browser else " (open it in a browser)"))
    say("Press Ctrl-C to stop; all games are saved.")


def _open_browser(page_url: str) -> bool:
    """Return whether a browser could be opened."""
    try:
        return webbrowser.open(page_url)
    except webbrowser.Error:
        return False
