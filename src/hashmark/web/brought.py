"""Uploaded play-by-play: submitted as a charts job, replayed, kept.

The uploaded file is deleted as soon as its charts are built. The charts expire after a day unless
the uploader keeps them or plays with them.
"""

from __future__ import annotations

import asyncio
import time
from email import message_from_bytes
from email.message import Message
from typing import Any

from hashmark.club import charts_work, season_work
from hashmark.table.errors import HashmarkError
from hashmark.web.hall import Hall
from hashmark.web.limits import DAY
from hashmark.web.tables import NotYours
from hashmark.web.work_files import NoSuchWork

RESULT_LIFETIME_SECONDS = DAY  # lifetime of charts that are not kept


async def bring(
    app_state: Hall, season: Any, content: bytes, partial: bool, holder: str, caller: str
) -> str:
    """Submit a job that builds charts from an uploaded file; return its key."""
    if not content:
        raise HashmarkError("the body must be a file of play-by-play")
    settings = await asyncio.to_thread(charts_work.question, season, content, partial)
    work = await app_state.works.question(charts_work.KIND.name, settings)
    (_, *words), *_ = charts_work.KIND.commands(work.settings)
    name = words[words.index("--pbp") + 1]
    return await app_state.works.ask(
        work, holder, caller, {name: content}, time.time() + RESULT_LIFETIME_SECONDS
    )


async def replay(app_state: Hall, key: str, runs: Any, seed: Any, holder: str, caller: str) -> str:
    """Submit a job that simulates a season on uploaded charts; return its key."""
    row = await app_state.works.look(key)
    files = await asyncio.to_thread(app_state.library.files, key)
    if not files:
        raise NoSuchWork("there are no charts of this key")
    settings: dict[str, Any] = {"season": row.settings["season"], "runs": runs, "seed": seed}
    settings["charts"] = season_work.digest_of(files)
    work = await app_state.works.question(season_work.KIND.name, settings)
    return await app_state.works.ask(
        work, holder, caller, files, time.time() + RESULT_LIFETIME_SECONDS
    )


async def keep(app_state: Hall, key: str, holder: str) -> None:
    """Keep the result of a job without an expiry date; only a requester may."""
    row = await app_state.works.look(key)
    if not await asyncio.to_thread(app_state.works.queue.asked_by, key, holder):
        raise NotYours("only who asked for this work may keep it")
    if row.kind == charts_work.KIND.name:
        await asyncio.to_thread(app_state.library.keep, key)
    else:
        await asyncio.to_thread(app_state.works.queue.keep, key)


def parts(kind: str, body: bytes) -> tuple[dict[str, str], bytes]:
    """Return the fields and the file of a multipart form."""
    header = f"Content-Type: {kind}\r\nMIME-Version: 1.0\r\n\r\n".encode("latin-1", "replace")
    message = message_from_bytes(header + body)
    payload = message.get_payload()
    if not message.is_multipart() or not isinstance(payload, list):
        raise HashmarkError("the form cannot be read")
    fields: dict[str, str] = {}
    file = b""
    for part in payload:
        assert isinstance(part, Message)
        content = part.get_payload(decode=True)
        raw = content if isinstance(content, bytes) else b""
        if part.get_filename() is not None:
            file = raw
            continue
        name = part.get_param("name", header="content-disposition")
        fields[str(name)] = raw.decode("utf-8", "replace")
    return fields, file
