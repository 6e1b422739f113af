"""Long work about real teams as a value: what is asked, its key, its command, and how it is done.

    work = Work.of("season", {"season": 2008, "runs": 1000})
    work.key        # the same question, asked by anybody, is the same work
    work.command    # hashmark season 2008 --runs 1000 --seed 0
    work.run(Running(progress=...))

Who asks, who waits and who does it is the business of `web`.
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
ROOMS = (*cache.PROGRAM, "pages", "club")  # what a result and its page depend on
KEY = 16  # bytes of a key


@once
def fingerprint() -> str:
    """A digest of the program: only workers of the same one may do a work."""
    return cache.digest(cache.PACKAGE / room for room in ROOMS)


def kind_of(name: object) -> Kind:
    """The kind of this name."""
    if not isinstance(name, str) or name not in KINDS:
        raise UnknownName("kind of work", name, KINDS)
    module, _, value = KINDS[name].partition(":")
    found: Kind = getattr(import_module(module), value)
    return found


@dataclass(frozen=True)
class Work:
    """A question that takes its time; made by `of`, which checks it."""

    kind: str
    settings: Settings
    key: str

    @classmethod
    def of(cls, kind: str, settings: Mapping[str, Any]) -> Work:
        """The question, checked; HashmarkError in a sentence if it cannot be asked."""
        made = kind_of(kind)
        if not isinstance(settings, Mapping):
            raise HashmarkError("settings: expected names and values")
        extras.need(f"a work of the kind {kind!r}", *made.needs)
        read = made.read(settings)
        said = json.dumps([kind, read, made.materials(read), fingerprint()], sort_keys=True)
        seen = hashlib.blake2b(said.encode(errors="surrogatepass"), digest_size=KEY)
        return cls(kind, read, seen.hexdigest())

    @property
    def _kind(self) -> Kind:
        return kind_of(self.kind)

    @property
    def title(self) -> str:
        return self._kind.title(self.settings)

    @property
    def command(self) -> str:
        """What makes the same figures at a terminal; with --json the first the same JSON."""
        made = (shlex.join(["hashmark", *words]) for words in self._kind.commands(self.settings))
        return " && ".join(made)

    @property
    def files(self) -> dict[str, str]:
        """Files that the command wants beside it."""
        return self._kind.files(self.settings)

    @property
    def goes_on(self) -> bool:
        """Whether what is done of it can be gone on with."""
        return self._kind.goes_on

    @property
    def bounded(self) -> bool:
        """Whether it reads what strangers bring."""
        return self._kind.bounded

    def run(self, running: Running) -> Result:
        """Do it, here and now."""
        return self._kind.run(self.settings, running)
