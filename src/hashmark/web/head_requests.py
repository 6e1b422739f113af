"""HEAD requests: answered by the GET route, without the body."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hashmark.web.dependencies import STREAM_SUFFIX


class HeadAsGet:
    """Middleware that answers HEAD with the status and headers of GET."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        answered = asyncio.Event()

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})
                answered.set()

        task = asyncio.ensure_future(self.app({**scope, "method": "GET"}, receive, send_head))
        if scope["path"].endswith(STREAM_SUFFIX):  # which would go on for hours
            waiting = asyncio.create_task(answered.wait())
            await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if answered.is_set():
                task.cancel()
                await asyncio.wait((task,))
                return
        await task
