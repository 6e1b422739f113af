"""Background job about real teams as a value: its question, key, command and execution.

    job = Job.of("season", {"season": 2008, "runs": 1000})
    job.key        # the same question always has the same key
    job.command    # hashmark season 2008 --runs 1000 --seed 0
    job.run(JobContext(progress=...))

Other modules queue jobs and assign them to workers.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache as once
from importlib import import_module
from typing import Any

from hashmark.club.kinds import Kind, Result, Running, Settings
from hashmark.table import cache, extras
from hashmark.table.errors import HashmarkError, UnknownName

KINDS = {
    "season": "hashmark.club.season_work:KIND",
    "whatif": "hashmark.club.whatif_work:KIND",
    "charts": "hashmark.club.charts_work:KIND",
}
ROOMS = (*cache.PROGRAM, "pages", "club")  # packages that a result and its page depend on
KEY = 16  # bytes


@once
def fingerprint() -> str:
    """Return a digest of the program; only workers of the same program can run a job."""
    return cache.digest(cache.PACKAGE / room for room in ROOMS)


def kind_of(name: object) -> Kind:
    """Return the job type of this name."""
    if not isinstance(name, str) or name not in KINDS:
        raise UnknownName("kind of work", name, KINDS)
    module, _, value = KINDS[name].partition(":")
    job_type: Kind = getattr(import_module(module), value)
    return job_type


@dataclass(frozen=True)
class Work:
    """Background job; create one with `of`, which checks the settings."""

    kind: str
    settings: Settings
    key: str

    @classmethod
    def of(cls, kind: str, settings: Mapping[str, Any]) -> Work:
        """Create a job from checked settings; raise HashmarkError if they are invalid."""
        job_type = kind_of(kind)
        if not isinstance(settings, Mapping):
            raise HashmarkError("settings: expected names and values")
        extras.need(f"a work of the kind {kind!r}", *job_type.needs)
        parsed = job_type.read(settings)
        identity = json.dumps(
            [kind, parsed, job_type.materials(parsed), fingerprint()], sort_keys=True
        )
        digest = hashlib.blake2b(identity.encode(errors="surrogatepass"), digest_size=KEY)
        return cls(kind, parsed, digest.hexdigest())

    @property
    def _kind(self) -> Kind:
        return kind_of(self.kind)

    @property
    def title(self) -> str:
        return self._kind.title(self.settings)

    @property
    def command(self) -> str:
        """Shell command that computes the same figures, and with --json the same JSON."""
        commands = (
            shlex.join(["hashmark", *arguments]) for arguments in self._kind.commands(self.settings)
        )
        return " && ".join(commands)

    @property
    def files(self) -> dict[str, str]:
        """Input files of the command."""
        return self._kind.files(self.settings)

    @property
    def goes_on(self) -> bool:
        """Whether an interrupted job can be resumed."""
        return self._kind.goes_on

    @property
    def bounded(self) -> bool:
        """Whether it reads untrusted uploads."""
        return self._kind.bounded

    def run(self, running: Running) -> Result:
        """Run the job in this process."""
        return self._kind.run(self.settings, running)
