"""Job queue in the database: requests, leases, progress and results.

A job is `waiting`, `running`, `done`, `stopped` or `failed`. A worker holds a lease on its job and
renews it; after the lease expires, any worker may claim the job, so a dead worker loses nothing.
The queue uses portable SQL in short transactions, and any number of servers may share it: leases
are observed (see `leases`) and need no common clock. Scheduling is fair: the caller with the least
recent worker time goes first.
"""

from __future__ import annotations

import json
import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Row,
    Select,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError

from hashmark.web.clock import Clock
from hashmark.web.db.connection import begin_write
from hashmark.web.db.schema import ASKERS, WORKS
from hashmark.web.jobs.job import Job, fingerprint
from hashmark.web.jobs.job_files import JobFiles, JobNotFound
from hashmark.web.leases import RELEASED, LeaseObserver, new_lease
from hashmark.web.rate_limits import LimitExceeded, Limits
from hashmark.web.tables.table_store import TableStore

WAITING, RUNNING, DONE, STOPPED, FAILED = "waiting", "running", "done", "stopped", "failed"
ENDED_STATES = (DONE, STOPPED, FAILED)
LEASE_SECONDS = 15.0  # seconds that a worker may go without a heartbeat
USAGE_WINDOW_SECONDS = 3600.0  # window over which worker time is charged to a caller
MAX_ATTEMPTS = 3  # workers that one job may lose
VIEWED_INTERVAL_SECONDS = 600.0  # between two updates of `looked`
SWEEP_INTERVAL_SECONDS = 300.0  # between two sweeps
OTHER_VERSION_SECONDS = (
    3600.0  # seconds that a job of another program version waits for a matching worker
)
MAX_LISTED = 30
MAX_REQUESTERS = 1000  # requesters recorded for one job: enough that no single one can stop it
PRIVATE_KINDS = ("charts",)  # job types visible only to those who have the link
PRIVATE_SETTINGS = {"season": "charts", "whatif": "plan"}  # jobs with this setting are private, too

SUMMARY_COLUMNS = [
    column for column in WORKS.c if column.name not in ("listed", "kept", "result", "page")
]
PROGRAM_CHANGED = "Hashmark was updated after this job was submitted: submit it again"
WORKERS_LOST = "the job crashed three times: try again later, or with fewer runs"


@dataclass(frozen=True)
class JobRow:
    """State of a job without its result."""

    key: str
    kind: str
    settings: Mapping[str, Any]
    program: str
    caller: str
    state: str
    stopping: bool
    done: int
    total: int
    said: str
    asked: float
    touched: float
    looked: float
    until: float | None
    seconds: float
    tries: int
    worker: str
    lease: float

    @classmethod
    def from_row(cls, row: Row[Any]) -> JobRow:
        values = dict(row._mapping)
        values["settings"] = json.loads(values["settings"])
        return cls(**values)

    @property
    def job(self) -> Job:
        return Job(self.kind, self.settings, self.key)

    @property
    def is_ended(self) -> bool:
        return self.state in ENDED_STATES

    def is_expired(self, now: float) -> bool:
        """Return whether its expiry date has passed."""
        return self.until is not None and self.until < now


class JobQueue(JobFiles):
    """Job queue of a database."""

    def __init__(self, store: TableStore, clock: Clock, limits: Limits | None = None) -> None:
        super().__init__(store.engine)
        self.clock, self.limits = clock, limits or Limits()
        self._leases = LeaseObserver(clock, LEASE_SECONDS)
        self._swept_at = -math.inf  # monotonic time

    def _execute(self, statement: Executable) -> None:
        """Execute a statement in a write transaction of its own."""
        with begin_write(self.engine) as connection:
            connection.execute(statement)

    # --- Submitting --------------------------------------------------------------------------

    def submit(
        self,
        job: Job,
        holder: str,
        caller: str,
        uploads: Mapping[str, bytes] | None = None,
        expires_at: float | None = None,
    ) -> JobRow:
        """Submit a job; if the same job has been submitted before, share it."""
        row = self.find(job.key)
        if row is not None and row.is_ended and row.is_expired(self.clock.wall()):
            self._delete(job.key)
            row = None
        if row is None or row.state in (STOPPED, FAILED):
            self._check_capacity(caller)
        if row is None or row.state in (STOPPED, FAILED, WAITING):
            self.store_uploads(job.key, uploads or {})
        if row is None:
            self._insert(job, caller, expires_at)
        elif row.state in (STOPPED, FAILED):
            self._restart(job.key, caller)
        if expires_at is not None:
            self._extend_expiry(job.key, expires_at)
        self._add_requester(job.key, holder)
        self.sweep_if_due()
        return self.get(job.key)

    def _insert(self, job: Job, caller: str, until: float | None) -> None:
        now = self.clock.wall()
        row = {
            "key": job.key,
            "kind": job.kind,
            "settings": json.dumps(job.settings, ensure_ascii=True),
            "listed": _is_public(job),
            "program": fingerprint(),
            "caller": caller,
            "state": WAITING,
            "asked": now,
            "touched": now,
            "looked": now,
            "until": until,
        }
        with suppress(IntegrityError):  # the same job has just been submitted elsewhere
            self._execute(insert(WORKS).values(row))

    def _restart(self, key: str, caller: str) -> None:
        """Queue a stopped or failed job again."""
        now = self.clock.wall()
        values = {"state": WAITING, "stopping": False, "said": "", "tries": 0, "lease": RELEASED}
        self._execute(
            update(WORKS)
            .where(WORKS.c.key == key, WORKS.c.state.in_((STOPPED, FAILED)))
            .values(**values, caller=caller, asked=now, looked=now, program=fingerprint())
        )

    def _extend_expiry(self, key: str, until: float) -> None:
        """Extend the expiry date of a job to at least this one."""
        self._execute(
            update(WORKS).where(WORKS.c.key == key, WORKS.c.until < until).values(until=until)
        )

    def _add_requester(self, key: str, holder: str) -> None:
        """Add a requester; a job with requesters is not stopped."""
        if not holder:
            return
        count = select(func.count()).where(ASKERS.c.work == key)
        try:
            with begin_write(self.engine) as connection:
                if connection.execute(count).scalar_one() >= MAX_REQUESTERS:
                    return
                connection.execute(
                    insert(ASKERS), {"work": key, "holder": holder, "asked": self.clock.wall()}
                )
                connection.execute(
                    update(WORKS)
                    .where(WORKS.c.key == key, WORKS.c.state == RUNNING)
                    .values(stopping=False)
                )
        except IntegrityError:
            pass  # already a requester

    def _check_capacity(self, caller: str) -> None:
        open_ = WORKS.c.state.in_((WAITING, RUNNING))
        with self.engine.connect() as connection:
            callers = Counter(connection.execute(select(WORKS.c.caller).where(open_)).scalars())
        if callers[caller] >= self.limits.works_each:
            raise LimitExceeded(
                f"{callers[caller]} of your jobs are not done yet: wait for one or stop one"
            )
        if callers.total() >= self.limits.works:
            raise LimitExceeded("too many jobs are waiting: try again later")

    # --- Reading -----------------------------------------------------------------------------

    def find(self, key: str) -> JobRow | None:
        rows = self._select_jobs(select(*SUMMARY_COLUMNS).where(WORKS.c.key == key))
        return rows[0] if rows else None

    def _select_jobs(self, query: Select[Any]) -> list[JobRow]:
        """Return the jobs of a query; one whose lease has expired is waiting."""
        queried_at = self.clock.monotonic()
        with self.engine.connect() as connection:
            jobs = [JobRow.from_row(row) for row in connection.execute(query)]
        return [
            replace(job, state=WAITING)
            if job.state == RUNNING and self._leases.observe(job.key, job.lease, queried_at)
            else job
            for job in jobs
        ]

    def get(self, key: str) -> JobRow:
        row = self.find(key)
        if row is None or row.is_expired(self.clock.wall()):
            raise JobNotFound("no such job, or it was deleted: submit it again")
        return row

    def view(self, key: str) -> JobRow:
        """Return a job and record that it was viewed, which protects it from eviction."""
        row, now = self.get(key), self.clock.wall()
        if now - row.looked > VIEWED_INTERVAL_SECONDS:
            self._execute(update(WORKS).where(WORKS.c.key == key).values(looked=now))
        return row

    def get_many(self, keys: Iterable[str]) -> dict[str, JobRow]:
        """Return the jobs with these keys; missing ones are left out."""
        query = select(*SUMMARY_COLUMNS).where(WORKS.c.key.in_(list(keys)))
        return {job.key: job for job in self._select_jobs(query)}

    def result(self, key: str) -> tuple[Any, str]:
        """Return the result of a finished job: as JSON, and its page."""
        query = select(WORKS.c.result, WORKS.c.page).where(WORKS.c.key == key)
        with self.engine.connect() as connection:
            row = connection.execute(query).first()
        if row is None or row.result is None:
            raise JobNotFound("this job has no result")
        page = zlib.decompress(row.page).decode() if row.page else ""
        return json.loads(row.result), page

    def checkpoint(self, key: str) -> str:
        query = select(WORKS.c.kept).where(WORKS.c.key == key)
        with self.engine.connect() as connection:
            return str(connection.execute(query).scalar() or "")

    def is_requester(self, key: str, holder: str) -> bool:
        """Return whether a holder is a requester of a job."""
        query = select(ASKERS.c.work).where(ASKERS.c.work == key, ASKERS.c.holder == holder)
        with self.engine.connect() as connection:
            return bool(holder) and connection.execute(query).first() is not None

    def list_requested_by(self, holder: str) -> list[JobRow]:
        """Return the jobs that a holder requested, newest first."""
        query = select(*SUMMARY_COLUMNS).join(ASKERS, ASKERS.c.work == WORKS.c.key)
        query = query.where(ASKERS.c.holder == holder).order_by(ASKERS.c.asked.desc())
        return self._select_jobs(query.limit(MAX_LISTED)) if holder else []

    def list_recent(self) -> list[JobRow]:
        """Return the latest public results of all callers."""
        query = select(*SUMMARY_COLUMNS).where(
            WORKS.c.state == DONE,
            WORKS.c.listed,
        )
        return self._select_jobs(query.order_by(WORKS.c.touched.desc()).limit(MAX_LISTED))

    def jobs_ahead(self, row: JobRow) -> int:
        """Return how many jobs are ahead of this one in the current order."""
        order = [waiting.key for waiting in self._waiting_in_order(self._is_claimable())]
        return order.index(row.key) if row.key in order else 0

    # --- Stopping ----------------------------------------------------------------------------

    def withdraw(self, key: str, holder: str) -> bool:
        """Remove a requester; stop the job if it was the last one, and then return True."""
        now, is_claimable = self.clock.wall(), self._is_claimable()
        with begin_write(self.engine) as connection:
            connection.execute(
                delete(ASKERS).where(ASKERS.c.work == key, ASKERS.c.holder == holder)
            )
            has_no_requester = ~select(ASKERS.c.work).where(ASKERS.c.work == key).exists()
            stopped = connection.execute(
                update(WORKS)
                .where(WORKS.c.key == key, is_claimable, has_no_requester)
                .values(state=STOPPED, touched=now)
            )
            stopping = connection.execute(
                update(WORKS)
                .where(WORKS.c.key == key, WORKS.c.state == RUNNING, has_no_requester)
                .values(stopping=True)
            )
            if stopped.rowcount:
                self.replace_with_results(connection, key, {})
        return bool(stopped.rowcount or stopping.rowcount)

    # --- Working -----------------------------------------------------------------------------

    def _is_claimable(self) -> ColumnElement[bool]:
        """Return the SQL condition of claimable jobs: waiting, or running with an expired lease.

        A lease that is renewed after this no longer meets the condition.
        """
        queried_at = self.clock.monotonic()
        query = select(WORKS.c.key, WORKS.c.lease).where(WORKS.c.state == RUNNING)
        with self.engine.connect() as connection:
            leases = [(str(key), float(lease)) for key, lease in connection.execute(query)]
        self._leases.retain(key for key, _ in leases)
        expired = [
            (key, lease) for key, lease in leases if self._leases.observe(key, lease, queried_at)
        ]
        is_expired = tuple_(WORKS.c.key, WORKS.c.lease).in_(expired)
        return or_(WORKS.c.state == WAITING, and_(WORKS.c.state == RUNNING, is_expired))

    def claim(self, worker: str) -> JobRow | None:
        """Lease the next job to a worker; two workers never get the same one."""
        is_claimable = self._is_claimable()
        for row in self._waiting_in_order(is_claimable):
            if row.tries >= MAX_ATTEMPTS:
                self._fail_after_losses(row.key, is_claimable)
                continue
            with begin_write(self.engine) as connection:
                claimed = connection.execute(
                    update(WORKS)
                    .where(WORKS.c.key == row.key, is_claimable, WORKS.c.tries == row.tries)
                    .values(
                        state=RUNNING,
                        worker=worker,
                        lease=new_lease(),
                        touched=self.clock.wall(),
                        tries=row.tries + 1,
                    )
                )
            if claimed.rowcount == 1:
                return self.find(row.key)
        return None

    def _waiting_in_order(self, is_claimable: ColumnElement[bool]) -> list[JobRow]:
        """Return all waiting jobs, those of callers with the least recent worker time first."""
        query = select(*SUMMARY_COLUMNS).where(is_claimable, WORKS.c.program == fingerprint())
        rows = self._select_jobs(query)
        if not rows:
            return []
        usage = self.recent_usage(is_claimable)
        return sorted(rows, key=lambda row: (usage[row.caller], row.asked, row.key))

    def recent_usage(self, is_claimable: ColumnElement[bool]) -> Counter[str]:
        """Return the recent worker seconds of each caller, plus a surcharge for running jobs."""
        query = select(
            WORKS.c.caller,
            func.sum(WORKS.c.seconds),
            func.sum(case((and_(WORKS.c.state == RUNNING, ~is_claimable), 1), else_=0)),
        ).where(WORKS.c.touched > self.clock.wall() - USAGE_WINDOW_SECONDS)
        with self.engine.connect() as connection:
            rows = connection.execute(query.group_by(WORKS.c.caller)).all()
        return Counter(
            {
                caller: float(seconds or 0) + USAGE_WINDOW_SECONDS * int(running or 0)
                for caller, seconds, running in rows
            }
        )

    def should_yield(self, row: JobRow) -> bool:
        """Return whether a caller with less recent worker time is waiting."""
        is_claimable = self._is_claimable()
        usage = self.recent_usage(is_claimable)
        own_usage = usage[row.caller] - USAGE_WINDOW_SECONDS
        return any(
            waiting.caller != row.caller and usage[waiting.caller] < own_usage
            for waiting in self._waiting_in_order(is_claimable)
        )

    def heartbeat(
        self, row: JobRow, done: int, total: int, seconds: float, checkpoint: str | None = None
    ) -> str:
        """Renew the lease and record progress, worker time and checkpoint.

        Return RUNNING to go on, STOPPED if the job is no longer wanted, FAILED if the lease was
        lost.
        """
        now = self.clock.wall()
        values: dict[str, Any] = {"done": done, "total": total, "lease": new_lease()}
        if checkpoint is not None:
            values["kept"] = checkpoint
        with begin_write(self.engine) as connection:
            written = connection.execute(
                update(WORKS)
                .where(*self._holds_lease(row))
                .values(**values, touched=now, seconds=WORKS.c.seconds + seconds)
            )
            if written.rowcount != 1:
                return FAILED
            stopping = select(WORKS.c.stopping).where(WORKS.c.key == row.key)
            return STOPPED if connection.execute(stopping).scalar() else RUNNING

    def _holds_lease(self, row: JobRow) -> Sequence[ColumnElement[bool]]:
        return (
            WORKS.c.key == row.key,
            WORKS.c.worker == row.worker,
            WORKS.c.tries == row.tries,
            WORKS.c.state == RUNNING,
        )

    def finish(self, row: JobRow, result: object, page: str, files: Mapping[str, str]) -> bool:
        """Store the result of a job; without a valid lease nothing changes."""
        packed = zlib.compress(page.encode(), 6) if page else None
        columns: dict[str, Any] = {"done": WORKS.c.total, "kept": "", "tries": 0}
        return self._release(row, DONE, files, **columns, result=json.dumps(result), page=packed)

    def fail(self, row: JobRow, reason: str) -> bool:
        """Mark a job as failed, with the reason."""
        return self._release(row, FAILED, said=reason)

    def mark_stopped(self, row: JobRow) -> bool:
        """Mark a job as stopped; its checkpoint stays for the next request."""
        return self._release(row, STOPPED, stopping=False, tries=0)

    def release(self, row: JobRow) -> bool:
        """Return a job to the queue so that another worker resumes it."""
        return self._release(row, WAITING, tries=row.tries - 1)

    def requeue_lost(self, row: JobRow) -> bool:
        """Return a job to the queue after its worker process has died."""
        return self._release(row, WAITING)

    def _release(
        self, row: JobRow, state: str, files: Mapping[str, str] | None = None, **values: object
    ) -> bool:
        """Release the lease with a new state; delete uploads once the job has ended."""
        with begin_write(self.engine) as connection:
            written = connection.execute(
                update(WORKS)
                .where(*self._holds_lease(row))
                .values(state=state, **values, worker="", lease=RELEASED, touched=self.clock.wall())
            )
            if written.rowcount and state in ENDED_STATES:
                self.replace_with_results(connection, row.key, files or {})
        return written.rowcount == 1

    def _fail_after_losses(self, key: str, is_claimable: ColumnElement[bool]) -> None:
        with begin_write(self.engine) as connection:
            failed = connection.execute(
                update(WORKS)
                .where(WORKS.c.key == key, is_claimable)
                .values(state=FAILED, said=WORKERS_LOST, worker="", lease=RELEASED)
            )
            if failed.rowcount:
                self.replace_with_results(connection, key, {})

    # --- Expiry ------------------------------------------------------------------------------

    def clear_expiry(self, key: str) -> None:
        """Remove the expiry date of a job."""
        self._execute(update(WORKS).where(WORKS.c.key == key).values(until=None))

    def count_permanent(self, kind: str) -> int:
        """Return how many jobs of a type have no expiry date."""
        query = select(func.count()).where(WORKS.c.kind == kind, WORKS.c.until.is_(None))
        with self.engine.connect() as connection:
            return int(connection.execute(query).scalar() or 0)

    def sweep_if_due(self) -> None:
        """Sweep if the last sweep was long enough ago."""
        now = self.clock.monotonic()
        if now - self._swept_at > SWEEP_INTERVAL_SECONDS:
            self._swept_at = now
            self.sweep()

    def sweep(self) -> int:
        """Delete expired jobs and, beyond the limit, the least recently viewed ones.

        Jobs of another program version that no worker claims fail; jobs that still wait at their
        expiry date are stopped.
        """
        now, update_claimable = self.clock.wall(), update(WORKS).where(self._is_claimable())
        with begin_write(self.engine) as connection:
            connection.execute(update_claimable.where(WORKS.c.until < now).values(state=STOPPED))
            connection.execute(
                update_claimable.where(
                    WORKS.c.program != fingerprint(),
                    WORKS.c.touched < now - OTHER_VERSION_SECONDS,
                ).values(state=FAILED, said=PROGRAM_CHANGED)
            )
        ended = WORKS.c.state.in_(ENDED_STATES)
        with self.engine.connect() as connection:
            expired = connection.execute(
                select(WORKS.c.key).where(ended, WORKS.c.until.is_not(None), WORKS.c.until < now)
            ).scalars()
            deleted = set(expired)
            excess = connection.execute(
                select(WORKS.c.key)
                .where(ended, WORKS.c.kind.not_in(PRIVATE_KINDS))
                .order_by(WORKS.c.looked.desc())
                .offset(self.limits.works_kept)
            ).scalars()
            deleted |= set(excess)
        for key in deleted | self.find_orphans():
            self._delete(key)
        return len(deleted)

    def _delete(self, key: str) -> None:
        with begin_write(self.engine) as connection:
            connection.execute(
                delete(WORKS).where(WORKS.c.key == key, WORKS.c.state.in_(ENDED_STATES))
            )
            left = select(WORKS.c.key).where(WORKS.c.key == key).exists()
            self.delete_files(connection, key, ~left)


def _is_public(job: Job) -> bool:
    """Return whether everybody may see a job, not only those who have the link."""
    return job.kind not in PRIVATE_KINDS and PRIVATE_SETTINGS.get(job.kind) not in job.settings
