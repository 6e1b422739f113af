"""The command: hunt the mutants of one rule set or of all, and say what survived."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from hashmark.table import registry
from mutants.hunt import Hunt
from mutants.report import Score, difference, equivalent, kind_of, sample, stale

WANTED = 0.98


def main(given: list[str] | None = None) -> int:
    """Exit status 1 if fewer are noticed than wanted, in any game; 2 if an equivalent is stale."""
    asked = _parser().parse_args(given)
    old = stale(equivalent())
    if old:
        print("No mutant is like these of equivalent.toml:", *old, sep="\n  ", file=sys.stderr)
        return 2
    os.environ["COLUMNS"] = "100"
    score, names = Score(), asked.rules or registry.built_in()
    for rules in names:
        hunt_one(rules, asked, score)
    for line in score.lines():
        print(line)
    spent = os.times()
    print(f"{spent.user:.0f} s of processor time, and {spent.children_user:.0f} s of children")
    return int(any(score.share(rules) < asked.wanted for rules in names))


def hunt_one(rules: str, asked: argparse.Namespace, score: Score) -> None:
    hunt = Hunt(rules, Path(os.environ.get("HASHMARK_CACHE", ".cache")))
    hunt.prepare()
    same = set(equivalent())
    mutants = [one for one in hunt.mutants() if one.key not in same]
    if asked.file:
        mutants = [one for one in mutants if any(part in one.file for part in asked.file)]
    if asked.kind:
        mutants = [one for one in mutants if kind_of(one.file) in asked.kind]
    chosen = sample(mutants, asked.sample, asked.seed)
    for number, verdict in enumerate(hunt.verdicts(chosen), 1):
        score.add(verdict)
        if verdict.noticed_by is None:
            print("\n".join(difference(verdict.mutant)), flush=True)
        if number % 100 == 0:
            print(f"{rules}: {number} of {len(chosen)}, {score.share(rules):.2%}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--rules", action="append", help="a rule set; all if none is named")
    parser.add_argument("--file", action="append", help="only files whose path has this in it")
    parser.add_argument("--kind", action="append", help="rules, coaches, words, sheets, ...")
    parser.add_argument("--sample", type=int, default=0, help="so many of each rule set; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="draws the sample")
    parser.add_argument("--wanted", type=float, default=WANTED, help="the least share noticed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
