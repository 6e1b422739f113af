"""Score of a mutation run by file and by kind, with the survivors as differences."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from mutants.injection import GAMES, MutableModule
from mutants.operators import Mutant
from mutants.runner import Verdict

EQUIVALENT = Path(__file__).parent / "equivalent.toml"
# Kinds of modules with the names of their files; all other modules hold rules.
KINDS = {
    "coaches": {
        *("coaches", "reader", "heuristic_value", "search", "lookahead", "best_use", "value"),
        *("value_table", "plans", "plan_text", "plan_check"),
    },
    "words": {"words", "meaning", "drives"},
    "sheets": {"sheet", "team_sheet", "rows"},
    "charts": {"charts", "cells", "figures", "layout"},
    "set-up": {"options", "setup", "__init__", "position"},
}

Key = tuple[str, str, str, str]


def kind_of(file: str) -> str:
    """Return the kind of a file, or of a folder that contains it."""
    if file == "rapid_roll/cells.py":
        return "rules"
    parts = [part for part in Path(file).with_suffix("").parts[1:] if part != "__init__"]
    parts = parts or ["__init__"]
    return next((kind for kind, stems in KINDS.items() if stems & set(parts)), "rules")


def equivalent() -> dict[Key, str]:
    """Return the mutants that cannot be observed to change anything, each with the reason."""
    if not EQUIVALENT.exists():
        return {}
    by_file = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {
        (file, entry["function"], entry["was"], entry["now"]): entry["reason"]
        for file, entries in by_file.items()
        for entry in entries
    }


def find_stale(known: Iterable[Key]) -> list[Key]:
    """Return the known mutants that no operator makes any more."""
    known = list(known)
    files = {key[0] for key in known if (GAMES / key[0]).exists()}
    existing = {mutant.key for file in files for mutant in MutableModule(file).mutants}
    return [key for key in known if key not in existing]


def sample(mutants: Sequence[Mutant], size: int, seed: int) -> list[Mutant]:
    """Return so many of the mutants, drawn by the seed, in their own order; 0 for all.

    Each mutant has its own lot: adding or removing mutants elsewhere does not affect it, and one
    that turns out to be equivalent makes room for one other.
    """
    if not 0 < size < len(mutants):
        return list(mutants)
    seen: Counter[Key] = Counter()
    lots = []
    for index, mutant in enumerate(mutants):
        seen[mutant.key] += 1
        lot = hashlib.blake2b(repr((seed, mutant.key, seen[mutant.key])).encode(), digest_size=8)
        lots.append((lot.digest(), index))
    return [mutants[index] for index in sorted(index for _, index in sorted(lots)[:size])]


class Score:
    """Counts of mutants and of noticed mutants, by group."""

    def __init__(self) -> None:
        self.all: Counter[str] = Counter()
        self.noticed: Counter[str] = Counter()
        self.survivors: list[Verdict] = []

    def add(self, verdict: Verdict) -> None:
        mutant = verdict.mutant
        game = mutant.file.partition("/")[0].replace("_", "-")
        for name in (
            "all",
            game,
            kind_of(mutant.file),
            f"{game} {kind_of(mutant.file)}",
            mutant.file,
        ):
            self.all[name] += 1
            self.noticed[name] += verdict.noticed_by is not None
        if verdict.noticed_by is None:
            self.survivors.append(verdict)

    def share(self, name: str = "all") -> float:
        """Return the share that was noticed."""
        return self.noticed[name] / self.all[name] if self.all[name] else 1.0

    def lines(self) -> Iterable[str]:
        for name in sorted(self.all, key=lambda name: (name != "all", "/" in name, name)):
            yield f"{self.share(name):7.2%}  {self.noticed[name]:5} of {self.all[name]:5}  {name}"

    def report(self) -> Iterable[str]:
        """Yield the shares and every survivor."""
        yield from self.lines()
        for verdict in self.survivors:
            yield from format_mutant(verdict.mutant)


def format_mutant(mutant: Mutant) -> list[str]:
    """Format a mutant as a difference."""
    place = f"{mutant.file}:{mutant.lines[0]} {mutant.function} ({mutant.kind})"
    return [place, f"  - {mutant.was}", f"  + {mutant.now}"]
