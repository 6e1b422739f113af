"""User directories: for data (saved games, reports, the user's files) and for compiled code.

The settings HASHMARK_DATA and HASHMARK_CACHE win over the usual places of the system.
"""

from __future__ import annotations

import os
from pathlib import Path

from hashmark.errors import HashmarkError

APP_NAME = "hashmark"
# In the home directory, formerly on every system.
LEGACY_DATA_DIR = Path(".local", "share", APP_NAME)


def data_dir() -> Path:
    """Return the user's data directory; an existing one of an earlier version is kept."""
    setting = os.environ.get("HASHMARK_DATA")
    if setting:
        return Path(setting)
    from platformdirs import user_data_path

    default = _checked("HASHMARK_DATA", user_data_path(APP_NAME, appauthor=False))
    earlier = Path(os.path.expanduser("~")) / LEGACY_DATA_DIR
    return earlier if not default.exists() and earlier.is_dir() else default


def cache_dir() -> Path:
    """Return the directory of files that can be made again."""
    setting = os.environ.get("HASHMARK_CACHE")
    if setting:
        return Path(setting)
    from platformdirs import user_cache_path

    return _checked("HASHMARK_CACHE", user_cache_path(APP_NAME, appauthor=False))


def _checked(setting: str, folder: Path) -> Path:
    """Raise an error if the system has no home directory."""
    if not folder.is_absolute():
        raise HashmarkError(f"there is no home folder: set {setting}")
    return folder
