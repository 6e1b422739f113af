"""Saved games: where a game is stored when the player names no file."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hashmark.table import disk, folders, log
from hashmark.table.errors import HashmarkError
from hashmark.telling.report import scoreboard

LOOKED_AT = 20  # newest saved games that are searched for one to resume


def folder() -> Path:
    """Return the directory of saved games in the user's data directory."""
    return folders.data() / "games"


def new_path(rules: str) -> Path | None:
    """Return a path for a new game, or None if the directory is not writable."""
    directory = folder()
    try:
        disk.make_folders(directory)
    except OSError:
        return None
    if not os.access(directory, os.W_OK):
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = directory / f"{stamp}-{rules}.log"
    number = 1
    while path.exists():
        number += 1
        path = directory / f"{stamp}-{rules}-{number}.log"
    return path


@dataclass(frozen=True)
class Saved:
    """Saved game that is not over."""

    path: Path
    read: log.Replay


def unfinished(most: int = LOOKED_AT) -> list[Saved]:
    """Return the newest games that are not over; skip files that cannot be read."""
    games: list[Saved] = []
    for path in saved()[:LOOKED_AT]:
        if len(games) == most:
            break
        with suppress(HashmarkError):
            read = log.replay(path)
            if not read.game.is_over:
                games.append(Saved(path, read))
    return games


def last_unfinished() -> Path | None:
    """Return the newest saved game that is not over, preferably one that is not open elsewhere."""
    paths = [game.path for game in unfinished()]
    return next((path for path in paths if not log.is_being_played(path)), next(iter(paths), None))


def words(saved_game: Saved) -> str:
    """Return a saved game as one line: which, where it stands, and when it was left."""
    game = saved_game.read.game
    modified = time.strftime("%Y-%m-%d %H:%M", time.localtime(saved_game.path.stat().st_mtime))
    return f"{game.rules.title}, {' '.join(scoreboard(game).split())} ({modified})"


def saved() -> list[Path]:
    """Return the saved games, the newest first."""
    paths = [path for path in folder().glob("*.log") if path.is_file()]
    return sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True)
