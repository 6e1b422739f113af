"""Command that tests the mutants of one or all rule sets and prints the survivors."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from hashmark.engine import registry
from mutants.report import Score, equivalent, find_stale, format_mutant, kind_of, sample
from mutants.runner import MutationRun

MIN_SHARE_NOTICED = 0.98


def main(argv: list[str] | None = None) -> int:
    """Return 1 if any game falls below the wanted share, 2 if an equivalent is stale, else 0."""
    arguments = _parser().parse_args(argv)
    stale_keys = find_stale(equivalent())
    if stale_keys:
        print(
            "No mutant is like these of equivalent.toml:", *stale_keys, sep="\n  ", file=sys.stderr
        )
        return 2
    os.environ["COLUMNS"] = "100"
    score, names = Score(), arguments.rules or registry.builtin_names()
    for rules in names:
        run_one(rules, arguments, score)
    for line in score.lines():
        print(line)
    times = os.times()
    print(f"{times.user:.0f} s of processor time, and {times.children_user:.0f} s of children")
    return int(any(score.share(rules) < arguments.wanted for rules in names))


def run_one(rules: str, arguments: argparse.Namespace, score: Score) -> None:
    hunt = MutationRun(rules, Path(os.environ.get("HASHMARK_CACHE", ".cache")))
    hunt.prepare()
    equivalents = set(equivalent())
    mutants = [mutant for mutant in hunt.mutants() if mutant.key not in equivalents]
    if arguments.file:
        mutants = [
            mutant for mutant in mutants if any(part in mutant.file for part in arguments.file)
        ]
    if arguments.kind:
        mutants = [mutant for mutant in mutants if kind_of(mutant.file) in arguments.kind]
    chosen = sample(mutants, arguments.sample, arguments.seed)
    for number, verdict in enumerate(hunt.verdicts(chosen), 1):
        score.add(verdict)
        if verdict.noticed_by is None:
            print("\n".join(format_mutant(verdict.mutant)), flush=True)
        if number % 100 == 0:
            print(f"{rules}: {number} of {len(chosen)}, {score.share(rules):.2%}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--rules", action="append", help="a rule set; all if none is named")
    parser.add_argument("--file", action="append", help="only files whose path has this in it")
    parser.add_argument("--kind", action="append", help="rules, coaches, words, sheets, ...")
    parser.add_argument("--sample", type=int, default=0, help="so many of each rule set; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="draws the sample")
    parser.add_argument(
        "--wanted", type=float, default=MIN_SHARE_NOTICED, help="the least share noticed"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
