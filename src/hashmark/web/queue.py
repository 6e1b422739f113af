"""Long work in the database: what was asked, who does it, how far it is, and what came of it.

A work is `waiting`, `running`, `done`, `stopped` or `failed`. Whoever does one holds a lease on it
that he renews; a lease that has run out is anybody's, so a worker that dies takes nothing with it.
All that is said here is plain SQL in short transactions, the same on every database, and any number
of servers may use one queue (their clocks within a few seconds of each other). Between servers as
between visitors: whoever has had the least goes first.
"""

from __future__ import annotations

import json
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, case, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from hashmark.club.works import Work, fingerprint
from hashmark.web.database import to_write
from hashmark.web.limits import Limits, TooMuch
from hashmark.web.schema import ASKERS, WORKS
from hashmark.web.store import Store
from hashmark.web.work_files import NoSuchWork, WorkFiles

WAITING, RUNNING, DONE, STOPPED, FAILED = "waiting", "running", "done", "stopped", "failed"
ENDED = (DONE, STOPPED, FAILED)
LEASE = 15.0  # seconds that a worker may be silent
ACCOUNT = 3600.0  # seconds back to which it counts what a visitor has had
TRIES = 3  # workers that may be lost over one work
SELDOM = 600.0  # seconds between two notes that somebody looked
SWEEP = 300.0  # seconds between two times that old works are let go
ABANDONED = 3600.0  # seconds that a work of another program may wait for a worker of its own
LISTED = 30
ASKING = 1000  # who want one work, and are known by name: enough that nobody alone can stop it
PRIVATE = ("charts",)  # kinds that are shown to whoever has the address alone
OWN = {"season": "charts", "whatif": "plan"}  # and so is what is made of these settings

LEAN = [column for column in WORKS.c if column.name not in ("kept", "result", "page")]
CHANGED = "the program has changed since this was asked: ask again"
LOST = "whoever worked on it was lost three times: ask again later, perhaps for less"


@dataclass(frozen=True)
class Row:
    """A work as it stands, but for what came of it."""

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
    def of(cls, row: Any) -> Row:
        values = dict(row._mapping)
        values["settings"] = json.loads(values["settings"])
        values["stopping"] = bool(values["stopping"])
        if values["state"] == RUNNING and values["lease"] < time.time():
            values["state"] = WAITING  # nobody is at it any more
        return cls(**values)

    @property
    def work(self) -> Work:
        return Work(self.kind, self.settings, self.key)

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    def is_past(self, now: float) -> bool:
        """Whether its date has passed."""
        return self.until is not None and self.until < now


class Queue(WorkFiles):
    """The works of a database."""

    def __init__(self, store: Store, limits: Limits | None = None) -> None:
        super().__init__(store.engine)
        self.limits = limits or Limits()
        self._swept = 0.0

    # --- Asking ------------------------------------------------------------------------------

    def ask(
        self,
        work: Work,
        holder: str,
        caller: str,
        brought: Mapping[str, bytes] | None = None,
        until: float | None = None,
    ) -> Row:
        """Ask for a work; if somebody has asked the same before, it is one work, and shared."""
        found = self.find(work.key)
        if found is not None and found.ended and found.is_past(time.time()):
            self._forget(work.key)
            found = None
        if found is None or found.state in (STOPPED, FAILED):
            self._check_room(caller)
        if found is None or found.state in (STOPPED, FAILED, WAITING):
            self.bring(work.key, brought or {})
        if found is None:
            self._new(work, caller, until)
        elif found.state in (STOPPED, FAILED):
            self._again(work.key, caller)
        if until is not None:
            self._not_before(work.key, until)
        self._join(work.key, holder)
        self.sweep_seldom()
        return self.get(work.key)

    def _new(self, work: Work, caller: str, until: float | None) -> None:
        now = time.time()
        row = {
            "key": work.key,
            "kind": work.kind,
            "settings": json.dumps(work.settings, ensure_ascii=True),
            "program": fingerprint(),
            "caller": caller,
            "state": WAITING,
            "asked": now,
            "touched": now,
            "looked": now,
            "until": until,
        }
        try:
            with to_write(self.engine) as connection:
                connection.execute(insert(WORKS), row)
        except IntegrityError:
            pass  # somebody asked the same at the same moment

    def _again(self, key: str, caller: str) -> None:
        """A work that was stopped, or failed, is asked for once more."""
        now = time.time()
        values = {"state": WAITING, "stopping": 0, "said": "", "tries": 0, "lease": 0.0}
        with to_write(self.engine) as connection:
            connection.execute(
                update(WORKS)
                .where(WORKS.c.key == key, WORKS.c.state.in_((STOPPED, FAILED)))
                .values(**values, caller=caller, asked=now, looked=now, program=fingerprint())
            )

    def _not_before(self, key: str, until: float) -> None:
        """A work that goes by a date stays at least until this one."""
        with to_write(self.engine) as connection:
            connection.execute(
                update(WORKS).where(WORKS.c.key == key, WORKS.c.until < until).values(until=until)
            )

    def _join(self, key: str, holder: str) -> None:
        """One more who wants it; while anybody does, nobody can stop it."""
        if not holder:
            return
        asking = select(func.count()).where(ASKERS.c.work == key)
        try:
            with to_write(self.engine) as connection:
                if connection.execute(asking).scalar_one() >= ASKING:
                    return
                connection.execute(
                    insert(ASKERS), {"work": key, "holder": holder, "asked": time.time()}
                )
                connection.execute(
                    update(WORKS)
                    .where(WORKS.c.key == key, WORKS.c.state == RUNNING)
                    .values(stopping=0)
                )
        except IntegrityError:
            pass  # he is among them already

    def _check_room(self, caller: str) -> None:
        open_ = WORKS.c.state.in_((WAITING, RUNNING))
        with self.engine.connect() as connection:
            callers = Counter(connection.execute(select(WORKS.c.caller).where(open_)).scalars())
        if callers[caller] >= self.limits.works_each:
            raise TooMuch(
                f"{callers[caller]} of your works are not done yet: wait for one, or stop one"
            )
        if callers.total() >= self.limits.works:
            raise TooMuch("too many works are waiting here: try again later")

    # --- Looking -----------------------------------------------------------------------------

    def find(self, key: str) -> Row | None:
        with self.engine.connect() as connection:
            row = connection.execute(select(*LEAN).where(WORKS.c.key == key)).first()
        return None if row is None else Row.of(row)

    def get(self, key: str) -> Row:
        found = self.find(key)
        if found is None or found.is_past(time.time()):
            raise NoSuchWork("there is no such work, or it was let go: ask again")
        return found

    def look(self, key: str) -> Row:
        """The same, and it was looked at: it is not among the first to go."""
        found, now = self.get(key), time.time()
        if now - found.looked > SELDOM:
            with to_write(self.engine) as connection:
                connection.execute(update(WORKS).where(WORKS.c.key == key).values(looked=now))
        return found

    def states(self, keys: Iterable[str]) -> dict[str, Row]:
        """How some works stand; those that are gone are left out."""
        wanted = select(*LEAN).where(WORKS.c.key.in_(list(keys)))
        with self.engine.connect() as connection:
            return {row.key: Row.of(row) for row in connection.execute(wanted)}

    def result(self, key: str) -> tuple[Any, str]:
        """What came of a work that is done: for programs, and the page of it."""
        wanted = select(WORKS.c.result, WORKS.c.page).where(WORKS.c.key == key)
        with self.engine.connect() as connection:
            row = connection.execute(wanted).first()
        if row is None or row.result is None:
            raise NoSuchWork("this work has no result")
        page = zlib.decompress(row.page).decode() if row.page else ""
        return json.loads(row.result), page

    def kept(self, key: str) -> str:
        wanted = select(WORKS.c.kept).where(WORKS.c.key == key)
        with self.engine.connect() as connection:
            return str(connection.execute(wanted).scalar() or "")

    def asked_by(self, key: str, holder: str) -> bool:
        """Whether this one asked for it."""
        wanted = select(ASKERS.c.work).where(ASKERS.c.work == key, ASKERS.c.holder == holder)
        with self.engine.connect() as connection:
            return bool(holder) and connection.execute(wanted).first() is not None

    def yours(self, holder: str) -> list[Row]:
        """What this one asked for, the newest first."""
        wanted = select(*LEAN).join(ASKERS, ASKERS.c.work == WORKS.c.key)
        wanted = wanted.where(ASKERS.c.holder == holder).order_by(ASKERS.c.asked.desc())
        with self.engine.connect() as connection:
            rows = connection.execute(wanted.limit(LISTED)).all()
        return [Row.of(row) for row in rows] if holder else []

    def recent(self) -> list[Row]:
        """What anybody has asked for, the newest results first."""
        wanted = select(*LEAN).where(
            WORKS.c.state == DONE,
            WORKS.c.kind.not_in(PRIVATE),
            *(
                or_(WORKS.c.kind != kind, WORKS.c.settings.not_like(f'%"{name}": %'))
                for kind, name in OWN.items()
            ),
        )
        with self.engine.connect() as connection:
            rows = connection.execute(wanted.order_by(WORKS.c.touched.desc()).limit(LISTED)).all()
        return [Row.of(row) for row in rows]

    def before(self, row: Row) -> int:
        """How many works are to be begun before this one, as it looks now."""
        order = [one.key for one in self._in_order(time.time())]
        return order.index(row.key) if row.key in order else 0

    # --- Stopping ----------------------------------------------------------------------------

    def leave(self, key: str, holder: str) -> bool:
        """This one does not want it any more; if nobody else does, it is stopped: then True."""
        now = time.time()
        with to_write(self.engine) as connection:
            connection.execute(
                delete(ASKERS).where(ASKERS.c.work == key, ASKERS.c.holder == holder)
            )
            nobody = ~select(ASKERS.c.work).where(ASKERS.c.work == key).exists()
            stopped = connection.execute(
                update(WORKS)
                .where(WORKS.c.key == key, _waits(now), nobody)
                .values(state=STOPPED, touched=now)
            )
            stopping = connection.execute(
                update(WORKS)
                .where(WORKS.c.key == key, WORKS.c.state == RUNNING, nobody)
                .values(stopping=1)
            )
            if stopped.rowcount:
                self.put_made(connection, key, {})
        return bool(stopped.rowcount or stopping.rowcount)

    # --- Doing -------------------------------------------------------------------------------

    def claim(self, worker: str, now: float | None = None) -> Row | None:
        """The work whose turn it is, with a lease on it; two workers never get the same."""
        at = time.time() if now is None else now
        for row in self._in_order(at):
            if row.tries >= TRIES:
                self._fail_lost(row.key, at)
                continue
            with to_write(self.engine) as connection:
                taken = connection.execute(
                    update(WORKS)
                    .where(WORKS.c.key == row.key, _waits(at), WORKS.c.tries == row.tries)
                    .values(
                        state=RUNNING,
                        worker=worker,
                        lease=at + LEASE,
                        touched=at,
                        tries=row.tries + 1,
                    )
                )
            if taken.rowcount == 1:
                return self.find(row.key)
        return None

    def _in_order(self, now: float) -> list[Row]:
        """All that wait for a worker: first those of whoever has had the least of late."""
        wanted = select(*LEAN).where(_waits(now), WORKS.c.program == fingerprint())
        with self.engine.connect() as connection:
            rows = [Row.of(row) for row in connection.execute(wanted)]
        if not rows:
            return []
        had = self.had(now)
        return sorted(rows, key=lambda row: (had[row.caller], row.asked, row.key))

    def had(self, now: float) -> Counter[str]:
        """The seconds of workers that each visitor has had of late; what runs counts as more."""
        wanted = select(
            WORKS.c.caller,
            func.sum(WORKS.c.seconds),
            func.sum(case((WORKS.c.lease > now, 1), else_=0)),
        ).where(WORKS.c.touched > now - ACCOUNT)
        with self.engine.connect() as connection:
            rows = connection.execute(wanted.group_by(WORKS.c.caller)).all()
        return Counter(
            {
                caller: float(seconds or 0) + ACCOUNT * int(running or 0)
                for caller, seconds, running in rows
            }
        )

    def others_wait(self, row: Row) -> bool:
        """Whether somebody waits who has had less than the one whose work this is."""
        now = time.time()
        had = self.had(now)
        mine = had[row.caller] - ACCOUNT
        return any(
            one.caller != row.caller and had[one.caller] < mine for one in self._in_order(now)
        )

    def beat(self, row: Row, done: int, total: int, seconds: float, kept: str | None = None) -> str:
        """Still at it: how far it is, and how long it took since the last time.

        RUNNING if it is to go on, STOPPED if nobody wants it any more, FAILED if it is somebody
        else's by now.
        """
        now = time.time()
        values: dict[str, Any] = {"done": done, "total": total, "lease": now + LEASE}
        if kept is not None:
            values["kept"] = kept
        with to_write(self.engine) as connection:
            written = connection.execute(
                update(WORKS)
                .where(*self._mine(row))
                .values(**values, touched=now, seconds=WORKS.c.seconds + seconds)
            )
            if written.rowcount != 1:
                return FAILED
            stopping = select(WORKS.c.stopping).where(WORKS.c.key == row.key)
            return STOPPED if connection.execute(stopping).scalar() else RUNNING

    def _mine(self, row: Row) -> Sequence[Any]:
        return (
            WORKS.c.key == row.key,
            WORKS.c.worker == row.worker,
            WORKS.c.tries == row.tries,
            WORKS.c.state == RUNNING,
        )

    def finish(self, row: Row, said: Any, page: str, files: Mapping[str, str]) -> bool:
        """It is done. Whoever lost his lease meanwhile changes nothing."""
        packed = zlib.compress(page.encode(), 6) if page else None
        ended: dict[str, Any] = {"done": WORKS.c.total, "kept": "", "tries": 0}
        return self._end(row, DONE, files, **ended, result=json.dumps(said), page=packed)

    def fail(self, row: Row, said: str) -> bool:
        """It cannot be done, and why."""
        return self._end(row, FAILED, said=said)

    def stop(self, row: Row) -> bool:
        """It was stopped; what was kept of it is there when it is asked for again."""
        return self._end(row, STOPPED, stopping=0, tries=0)

    def give_back(self, row: Row) -> bool:
        """Somebody else may go on with it."""
        return self._end(row, WAITING, tries=row.tries - 1)

    def lose(self, row: Row) -> bool:
        """Whoever did it is gone; it is taken up again at once."""
        return self._end(row, WAITING)

    def _end(
        self, row: Row, state: str, made: Mapping[str, str] | None = None, **values: Any
    ) -> bool:
        """It is not ours any more; if nobody is to go on with it, what was brought goes too."""
        with to_write(self.engine) as connection:
            written = connection.execute(
                update(WORKS)
                .where(*self._mine(row))
                .values(state=state, **values, worker="", lease=0.0, touched=time.time())
            )
            if written.rowcount and state in ENDED:
                self.put_made(connection, row.key, made or {})
        return written.rowcount == 1

    def _fail_lost(self, key: str, now: float) -> None:
        with to_write(self.engine) as connection:
            given_up = connection.execute(
                update(WORKS)
                .where(WORKS.c.key == key, _waits(now))
                .values(state=FAILED, said=LOST, worker="", lease=0.0)
            )
            if given_up.rowcount:
                self.put_made(connection, key, {})

    # --- Letting go --------------------------------------------------------------------------

    def keep(self, key: str) -> None:
        """It does not go by a date any more."""
        with to_write(self.engine) as connection:
            connection.execute(update(WORKS).where(WORKS.c.key == key).values(until=None))

    def kept_of(self, kind: str) -> int:
        """How many works of a kind are kept without a date."""
        wanted = select(func.count()).where(WORKS.c.kind == kind, WORKS.c.until.is_(None))
        with self.engine.connect() as connection:
            return int(connection.execute(wanted).scalar() or 0)

    def sweep_seldom(self) -> None:
        """The same, if the last time was long ago."""
        if time.monotonic() - self._swept > SWEEP:
            self._swept = time.monotonic()
            self.sweep()

    def sweep(self, now: float | None = None) -> int:
        """Let go what has had its time, and beyond the limit what nobody looked at the longest.

        Works of another program that nobody takes up are given up, and so are those that still wait
        when their date has passed.
        """
        at = time.time() if now is None else now
        waits = update(WORKS).where(_waits(at))
        with to_write(self.engine) as connection:
            connection.execute(waits.where(WORKS.c.until < at).values(state=STOPPED))
            connection.execute(
                waits.where(
                    WORKS.c.program != fingerprint(), WORKS.c.touched < at - ABANDONED
                ).values(state=FAILED, said=CHANGED)
            )
        ended = WORKS.c.state.in_(ENDED)
        with self.engine.connect() as connection:
            over = connection.execute(
                select(WORKS.c.key).where(ended, WORKS.c.until.is_not(None), WORKS.c.until < at)
            ).scalars()
            gone = set(over)
            spare = connection.execute(
                select(WORKS.c.key)
                .where(ended, WORKS.c.kind.not_in(PRIVATE))
                .order_by(WORKS.c.looked.desc())
                .offset(self.limits.works_kept)
            ).scalars()
            gone |= set(spare)
        for key in gone | self.strays():
            self._forget(key)
        return len(gone)

    def _forget(self, key: str) -> None:
        with to_write(self.engine) as connection:
            connection.execute(delete(WORKS).where(WORKS.c.key == key, WORKS.c.state.in_(ENDED)))
            left = select(WORKS.c.key).where(WORKS.c.key == key).exists()
            connection.execute(delete(ASKERS).where(ASKERS.c.work == key, ~left))
            self.drop(connection, key, ~left)


def _waits(now: float) -> Any:
    """Of which works nobody is at it: a lease that has run out is anybody's."""
    return or_(WORKS.c.state == WAITING, and_(WORKS.c.state == RUNNING, WORKS.c.lease < now))
