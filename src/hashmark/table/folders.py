"""The user's folders: for data (saved games, reports, files of their own) and for compiled code.

The settings HASHMARK_DATA and HASHMARK_CACHE win; else they are where the system keeps such things.
"""

from __future__ import annotations

import os
from pathlib import Path

from hashmark.table.errors import HashmarkError

NAME = "hashmark"
EARLIER = Path(".local", "share", NAME)  # in the home folder, once on every system


def data() -> Path:
    """The user's data folder; one of an earlier version is kept where it is."""
    given = os.environ.get("HASHMARK_DATA")
    if given:
        return Path(given)
    from platformdirs import user_data_path

    usual = _known("HASHMARK_DATA", user_data_path(NAME, appauthor=False))
    earlier = Path(os.path.expanduser("~")) / EARLIER
    return earlier if not usual.exists() and earlier.is_dir() else usual


def cache() -> Path:
    """The folder of what can be made again."""
    given = os.environ.get("HASHMARK_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    return _known("HASHMARK_CACHE", user_cache_path(NAME, appauthor=False))


def _known(setting: str, folder: Path) -> Path:
    """Without a home folder the system's place is nowhere."""
    if not folder.is_absolute():
        raise HashmarkError(f"there is no home folder: name a folder with {setting}")
    return folder
