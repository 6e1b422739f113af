"""Uploaded play-by-play: submitted as a charts job, replayed, kept.

The uploaded file is deleted as soon as its charts are built. The charts expire after a day unless
the uploader keeps them or plays with them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile
from typing import Any

from starlette.datastructures import UploadFile

from hashmark.errors import HashmarkError
from hashmark.web.jobs import charts_job, season_job
from hashmark.web.jobs.job_files import JobNotFound
from hashmark.web.jobs.jobs import JobService
from hashmark.web.jobs.uploaded_charts import UploadedCharts
from hashmark.web.rate_limits import DAY_SECONDS
from hashmark.web.tables.table import Forbidden

RESULT_LIFETIME_SECONDS = DAY_SECONDS  # lifetime of charts that are not kept
SPOOL_MEMORY_BYTES = 1 << 20  # of an arriving file; the rest goes to disk


@asynccontextmanager
async def spool(stream: AsyncIterator[bytes]) -> AsyncIterator[UploadFile]:
    """Write a body to a temporary file while it arrives; it is deleted at the end."""
    with SpooledTemporaryFile(SPOOL_MEMORY_BYTES) as file:
        upload = UploadFile(file, size=0)  # type: ignore[arg-type]
        async for chunk in stream:
            await upload.write(chunk)
        await upload.seek(0)
        yield upload


async def submit_upload(
    jobs: JobService, season: object, file: UploadFile, partial: bool, holder: str, caller: str
) -> str:
    """Submit a job that builds charts from an uploaded file; return its key."""
    async with jobs.upload_slots:
        return await _submit_content(jobs, season, await file.read(), partial, holder, caller)


async def _submit_content(
    jobs: JobService, season: object, content: bytes, partial: bool, holder: str, caller: str
) -> str:
    if not content:
        raise HashmarkError("the body must be a play-by-play file")
    settings = await asyncio.to_thread(charts_job.charts_settings, season, content, partial)
    job = await jobs.build_job(charts_job.KIND.name, settings)
    (_, *words), *_ = charts_job.KIND.commands(job.settings)
    name = words[words.index("--pbp") + 1]
    return await jobs.submit(
        job, holder, caller, {name: content}, jobs.clock.wall() + RESULT_LIFETIME_SECONDS
    )


async def submit_replay(
    jobs: JobService,
    charts: UploadedCharts,
    key: str,
    runs: object,
    seed: object,
    holder: str,
    caller: str,
) -> str:
    """Submit a job that simulates a season on uploaded charts; return its key."""
    row = await jobs.view(key)
    files = await asyncio.to_thread(charts.read_files, key)
    if not files:
        raise JobNotFound("there are no charts with this key")
    settings: dict[str, Any] = {"season": row.settings["season"], "runs": runs, "seed": seed}
    settings["charts"] = season_job.digest_uploads(files)
    job = await jobs.build_job(season_job.KIND.name, settings)
    return await jobs.submit(
        job, holder, caller, files, jobs.clock.wall() + RESULT_LIFETIME_SECONDS
    )


async def keep_result(jobs: JobService, charts: UploadedCharts, key: str, holder: str) -> None:
    """Keep the result of a job without an expiry date; only a requester may."""
    row = await jobs.view(key)
    if not await asyncio.to_thread(jobs.queue.is_requester, key, holder):
        raise Forbidden("only the person who submitted this job can keep its result")
    if row.kind == charts_job.KIND.name:
        await asyncio.to_thread(charts.keep_permanently, key)
    else:
        await asyncio.to_thread(jobs.queue.clear_expiry, key)
