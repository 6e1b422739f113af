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
from functools import cache
from importlib import import_module
from typing import Any

from hashmark import extras
from hashmark.compiler import cache_dir
from hashmark.errors import HashmarkError, UnknownName
from hashmark.web.jobs.job_types import JobContext, JobResult, JobType, Settings

JOB_TYPES = {
    "season": "hashmark.web.jobs.season_job:KIND",
    "whatif": "hashmark.web.jobs.whatif_job:KIND",
    "charts": "hashmark.web.jobs.charts_job:KIND",
}
FINGERPRINTED_PACKAGES = (
    *cache_dir.RESULT_PACKAGES,
    "reports",
    "web/jobs",
    "web/seasons",
)  # packages that a result and its page depend on
KEY_BYTES = 16  # bytes


@cache
def fingerprint() -> str:
    """Return a digest of the program; only workers of the same program can run a job."""
    return cache_dir.source_digest(cache_dir.PACKAGE_DIR / room for room in FINGERPRINTED_PACKAGES)


def find_job_type(name: object) -> JobType:
    """Return the job type of this name."""
    if not isinstance(name, str) or name not in JOB_TYPES:
        raise UnknownName("kind of job", name, JOB_TYPES)
    module, _, value = JOB_TYPES[name].partition(":")
    job_type: JobType = getattr(import_module(module), value)
    return job_type


@dataclass(frozen=True)
class Job:
    """Background job; create one with `of`, which checks the settings."""

    kind: str
    settings: Settings
    key: str

    @classmethod
    def of(cls, kind: str, settings: Mapping[str, Any]) -> Job:
        """Create a job from checked settings; raise HashmarkError if they are invalid."""
        job_type = find_job_type(kind)
        if not isinstance(settings, Mapping):
            raise HashmarkError("settings: expected names and values")
        extras.require(f"a {kind} job", *job_type.required_libraries)
        parsed = job_type.parse_settings(settings)
        identity = json.dumps(
            [kind, parsed, job_type.digest_inputs(parsed), fingerprint()], sort_keys=True
        )
        digest = hashlib.blake2b(identity.encode(errors="surrogatepass"), digest_size=KEY_BYTES)
        return cls(kind, parsed, digest.hexdigest())

    @property
    def _kind(self) -> JobType:
        return find_job_type(self.kind)

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
    def is_resumable(self) -> bool:
        """Whether an interrupted job can be resumed."""
        return self._kind.is_resumable

    @property
    def is_sandboxed(self) -> bool:
        """Whether it reads untrusted uploads."""
        return self._kind.is_sandboxed

    def run(self, context: JobContext) -> JobResult:
        """Run the job in this process."""
        return self._kind.run(self.settings, context)
