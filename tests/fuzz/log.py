"""Fuzzer of game logs: a changed log is refused with its line, or replays and can be shown.

Most cases are forged: the checksums of their lines are valid, so that the reader must check the
content.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hashmark.engine import registry
from hashmark.session import log
from hashmark.session.header import DICE_MODES, Header
from hashmark.sheets import render, sheet_of
from hashmark.storage.user_files import loads_json
from hashmark.text import game_report, summary

from . import hostile
from .harness import Fuzzer, main

MAX_TURNS = 6


@cache
def valid_lines(rules: str, seed: int, dice: str) -> list[dict[str, Any]]:
    """Return the first lines of a game between two coaches, without checksums."""
    header = Header(rules, dice="auto", seed=seed, rules_version=registry.load(rules).version)
    game = header.new_game()
    coach = registry.load(rules).coaches[0]
    lines = [{**header.to_json(), "dice": dice}]
    while not game.is_over and len(lines) <= MAX_TURNS:
        turn = game.play(game.decide(coach))
        lines.append(log.turn_line(game, len(lines), turn))
    return lines


def make(random: Random) -> bytes:
    """Return the lines of a game, some changed, most with valid checksums."""
    rules = random.choice(registry.builtin_names())
    lines: list[Any] = list(valid_lines(rules, random.randrange(3), random.choice(DICE_MODES)))
    if random.random() < 0.2:
        lines.insert(random.randrange(1, len(lines) + 1), {"undo": True})
    for _ in range(random.choice((1, 1, 2))):
        index = random.choice((0, random.randrange(len(lines))))
        lines[index] = hostile.mutate(random, lines[index])
    if random.random() < 0.1:
        lines = hostile.mutate(random, lines)
    text = forge_file(lines if isinstance(lines, list) else [lines], random.random() < 0.9)
    if random.random() < 0.1:
        text = hostile.mutate_text(random, text)
    raw = text.encode(errors="surrogatepass")
    return hostile.mutate_bytes(random, raw) if random.random() < 0.05 else raw


def forge_file(lines: list[Any], fitting: bool) -> str:
    """Return the lines as a file, with valid checksums where the lines are readable."""
    file_text, checksum = "", ""
    for line in lines:
        text = hostile.json_text(line)
        try:
            data = loads_json(text)
        except ValueError:
            data = None
        if isinstance(data, dict):
            checksum = log._digest(checksum, log._canonical_json(data)) if fitting else "0" * 12
            text = hostile.json_text({**data, "sum": checksum})
        file_text += text + "\n"
    return file_text


def check(case: bytes) -> None:
    """Replay the log; an accepted log can be narrated, summarized and drawn."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.log"
        path.write_bytes(case)
        log.read_header(path)
        game = log.replay(path).game
    output: list[str] = []
    game_report.print_history(game, output.append)
    game_report.print_summary(game, output.append)
    hostile.json_text(summary.game_json(game))
    render(sheet_of(game), "text")


FUZZER = Fuzzer("log", ".log", make, check)

if __name__ == "__main__":
    main(FUZZER)
