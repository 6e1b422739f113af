"""Fuzzes game logs: a changed log is refused with its line, or replays and can be shown.

Most cases are forged: the sums of their lines fit, so that a reader has to look at what they
say.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hashmark.sheet import render, sheet_of
from hashmark.table import log, registry
from hashmark.table.files import loads
from hashmark.table.header import DICE, Header
from hashmark.telling import report, summary

from . import hostile
from .harness import Fuzzer, main

TURNS = 6


@cache
def honest(rules: str, seed: int, dice: str) -> list[dict[str, Any]]:
    """The first lines of a game between two coaches, without their sums."""
    header = Header(rules, dice="auto", seed=seed, rules_version=registry.load(rules).version)
    game = header.new_game()
    coach = registry.load(rules).coaches[0]
    lines = [{**header.to_json(), "dice": dice}]
    while not game.is_over and len(lines) <= TURNS:
        turn = game.play(game.decide(coach) if game.wants_call else None)
        lines.append(log.turn_line(game, len(lines), turn))
    return lines


def make(random: Random) -> bytes:
    """The lines of a game, some of them changed, most with sums that fit."""
    rules = random.choice(registry.built_in())
    lines: list[Any] = list(honest(rules, random.randrange(3), random.choice(DICE)))
    if random.random() < 0.2:
        lines.insert(random.randrange(1, len(lines) + 1), {"undo": True})
    for _ in range(random.choice((1, 1, 2))):
        at = random.choice((0, random.randrange(len(lines))))
        lines[at] = hostile.mutated(random, lines[at])
    if random.random() < 0.1:
        lines = hostile.mutated(random, lines)
    text = forged(lines if isinstance(lines, list) else [lines], random.random() < 0.9)
    if random.random() < 0.1:
        text = hostile.mutated_text(random, text)
    raw = text.encode(errors="surrogatepass")
    return hostile.mutated_bytes(random, raw) if random.random() < 0.05 else raw


def forged(lines: list[Any], fitting: bool) -> str:
    """The lines as a file; with sums that fit, as far as they can be read at all."""
    written, chain = "", ""
    for line in lines:
        text = hostile.json_text(line)
        try:
            read = loads(text)
        except ValueError:
            read = None
        if isinstance(read, dict):
            chain = log._digest(chain, log._written(read)) if fitting else "0" * 12
            text = hostile.json_text({**read, "sum": chain})
        written += text + "\n"
    return written


def check(case: bytes) -> None:
    """Replay the log; what is accepted can be told, summed up and drawn."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.log"
        path.write_bytes(case)
        log.read_header(path)
        game = log.replay(path).game
    said: list[str] = []
    report.print_history(game, said.append)
    report.print_summary(game, said.append)
    hostile.json_text(summary.to_json(game))
    render(sheet_of(game), "text")


FUZZER = Fuzzer("log", ".log", make, check)

if __name__ == "__main__":
    main(FUZZER)
