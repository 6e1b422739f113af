"""Temporary directories: those of killed servers are removed, those of live ones never."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from hashmark.storage import temp_dirs
from hashmark.storage.temp_dirs import LOCK_NAME, UNLOCKED_AGE_SECONDS, TempDir

PROGRAM = (
    "import os, signal; from hashmark.storage.temp_dirs import TempDir; "
    "kept = TempDir('job'); print(kept.name, flush=True); input(); "
    "os.kill(os.getpid(), signal.SIGKILL)"
)


@pytest.fixture(autouse=True)
def _own_temp_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_a_directory_is_private_and_removed_at_the_end(tmp_path: Path) -> None:
    with TempDir("charts") as name:
        assert Path(name).name.startswith("hashmark-charts-")
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o700
        assert temp_dirs.remove_abandoned() == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="directories are locked on Unix only")
def test_the_directory_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        directory = Path(process.stdout.readline().strip())
        assert temp_dirs.remove_abandoned() == []  # its owner lives
        process.communicate("\n")
    assert directory.is_dir()
    assert temp_dirs.remove_abandoned() == [directory]


def test_a_directory_that_is_just_being_made_stays(tmp_path: Path) -> None:
    young, old = tmp_path / "hashmark-job-young", tmp_path / "hashmark-job-old"
    for directory in (young, old):
        directory.mkdir()
    long_ago = old.stat().st_mtime - 2 * UNLOCKED_AGE_SECONDS
    os.utime(old, (long_ago, long_ago))
    assert temp_dirs.remove_abandoned() == [old]


def test_links_and_files_of_others_stay(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.mkdir()
    (target / LOCK_NAME).touch()
    (tmp_path / "hashmark-link").symlink_to(target)
    (tmp_path / "hashmark-file").touch()
    assert temp_dirs.remove_abandoned() == []
    assert target.is_dir()
