"""Temporary directories of a server, removed at the next start if the server was killed.

The process that made a directory holds a lock on a file in it, which the system releases when the
process ends in any way. So a directory whose lock can be taken has no owner any more. Directories
are readable by their owner only.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PREFIX = "hashmark-"
LOCK_NAME = ".lock"
UNLOCKED_AGE_SECONDS = 24 * 3600.0  # a directory without a lock file is younger: just being made


class TempDir(tempfile.TemporaryDirectory[str]):
    """Temporary directory with a lock of this process."""

    def __init__(self, purpose: str) -> None:
        super().__init__(prefix=f"{PREFIX}{purpose}-")
        self._lock = _take_lock(Path(self.name))

    def cleanup(self) -> None:
        """Remove the directory and release the lock."""
        super().cleanup()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def remove_abandoned() -> list[Path]:
    """Remove the directories of servers that ended without removing them; return them."""
    folder = Path(tempfile.gettempdir())
    return [path for path in sorted(folder.glob(f"{PREFIX}*")) if _remove_if_abandoned(path)]


def _remove_if_abandoned(path: Path) -> bool:
    lock: int | None = None
    try:
        status = path.lstat()
        if path.is_symlink() or not path.is_dir() or status.st_uid != os.getuid():
            return False
        if (path / LOCK_NAME).exists():
            lock = _take_lock(path)
            if lock is None:
                return False
        elif time.time() - status.st_mtime < UNLOCKED_AGE_SECONDS:
            return False
        shutil.rmtree(path, ignore_errors=True)
    except (OSError, AttributeError):  # removed meanwhile; or a system without owners of files
        return False
    finally:
        if lock is not None:
            os.close(lock)
    return not path.exists()


def _take_lock(folder: Path) -> int | None:
    """Return the locked file of a directory; None if another process holds the lock."""
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return None
    file = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return file
    os.close(file)
    return None
