"""Play-by-play that a visitor brings: taken in, made into charts by a work, replayed, kept.

Of the file itself nothing stays when its charts are made; they go after a day, unless who brought
it asks to keep them or plays with them.
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

KEPT = DAY  # seconds that charts are there without being asked for


async def bring(
    hall: Hall, season: Any, content: bytes, partial: bool, holder: str, caller: str
) -> str:
    """Ask for the charts of this file; the key of the work."""
    if not content:
        raise HashmarkError("the body must be a file of play-by-play")
    settings = await asyncio.to_thread(charts_work.question, season, content, partial)
    work = await hall.works.question(charts_work.KIND.name, settings)
    (_, *words), *_ = charts_work.KIND.commands(work.settings)
    name = words[words.index("--pbp") + 1]
    return await hall.works.ask(work, holder, caller, {name: content}, time.time() + KEPT)


async def replay(hall: Hall, key: str, runs: Any, seed: Any, holder: str, caller: str) -> str:
    """Ask for the season of brought charts, played on them so many times."""
    row = await hall.works.look(key)
    files = await asyncio.to_thread(hall.library.files, key)
    if not files:
        raise NoSuchWork("there are no charts of this key")
    settings: dict[str, Any] = {"season": row.settings["season"], "runs": runs, "seed": seed}
    settings["charts"] = season_work.digest_of(files)
    work = await hall.works.question(season_work.KIND.name, settings)
    return await hall.works.ask(work, holder, caller, files, time.time() + KEPT)


async def keep(hall: Hall, key: str, holder: str) -> None:
    """Who asked wants to keep it for good."""
    row = await hall.works.look(key)
    if not await asyncio.to_thread(hall.works.queue.asked_by, key, holder):
        raise NotYours("only who asked for this work may keep it")
    if row.kind == charts_work.KIND.name:
        await asyncio.to_thread(hall.library.keep, key)
    else:
        await asyncio.to_thread(hall.works.queue.keep, key)


def parts(kind: str, body: bytes) -> tuple[dict[str, str], bytes]:
    """The fields of a form that was sent with a file, and the file."""
    head = f"Content-Type: {kind}\r\nMIME-Version: 1.0\r\n\r\n".encode("latin-1", "replace")
    message = message_from_bytes(head + body)
    sent = message.get_payload()
    if not message.is_multipart() or not isinstance(sent, list):
        raise HashmarkError("the form cannot be read")
    fields: dict[str, str] = {}
    file = b""
    for one in sent:
        assert isinstance(one, Message)
        content = one.get_payload(decode=True)
        raw = content if isinstance(content, bytes) else b""
        if one.get_filename() is not None:
            file = raw
            continue
        name = one.get_param("name", header="content-disposition")
        fields[str(name)] = raw.decode("utf-8", "replace")
    return fields, file
