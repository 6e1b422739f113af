"""Saved games: where a game is stored when the player names no file."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.storage import fsync, user_dirs
from hashmark.text.game_report import scoreboard

MAX_SCANNED_SAVES = 20  # newest saved games that are searched for one to resume


def saves_dir() -> Path:
    """Return the directory of saved games in the user's data directory."""
    return user_dirs.data_dir() / "games"


def new_path(rules: str) -> Path | None:
    """Return a path for a new game, or None if the directory is not writable."""
    directory = saves_dir()
    try:
        fsync.make_dirs(directory)
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
class SavedGame:
    """Saved game that is not over."""

    path: Path
    replay: log.Replay


def unfinished_games(limit: int = MAX_SCANNED_SAVES) -> list[SavedGame]:
    """Return the newest games that are not over; skip files that cannot be read."""
    games: list[SavedGame] = []
    for path in list_saves()[:MAX_SCANNED_SAVES]:
        if len(games) == limit:
            break
        with suppress(HashmarkError):
            replay = log.replay(path)
            if not replay.game.is_over:
                games.append(SavedGame(path, replay))
    return games


def last_unfinished_path() -> Path | None:
    """Return the newest saved game that is not over, preferably one that is not open elsewhere."""
    paths = [game.path for game in unfinished_games()]
    return next((path for path in paths if not log.is_locked(path)), next(iter(paths), None))


def describe_save(saved_game: SavedGame) -> str:
    """Return a saved game as one line: which, where it stands, and when it was left."""
    game = saved_game.replay.game
    modified = time.strftime("%Y-%m-%d %H:%M", time.localtime(saved_game.path.stat().st_mtime))
    return f"{game.rules.title}, {' '.join(scoreboard(game).split())} ({modified})"


def list_saves() -> list[Path]:
    """Return the saved games, the newest first."""
    paths = [path for path in saves_dir().glob("*.log") if path.is_file()]
    return sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True)
