"""User directories: the usual places, or where the settings say."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from hashmark.compiler import cache_dir
from hashmark.errors import HashmarkError
from hashmark.league.seasons import checkpoints
from hashmark.storage import user_dirs
from hashmark.terminal import saves


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HASHMARK_DATA", "HASHMARK_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
def test_default_directories_follow_the_platform(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert user_dirs.data_dir() == home / ".local" / "share" / "hashmark"
    assert user_dirs.cache_dir() == home / ".cache" / "hashmark"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cached")
    assert user_dirs.data_dir() == Path("/data/hashmark")
    assert user_dirs.cache_dir() == Path("/cached/hashmark")


def test_the_settings_take_precedence_everywhere(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", "/mine")
    monkeypatch.setenv("HASHMARK_CACHE", "/quick")
    assert user_dirs.data_dir() == Path("/mine")
    assert saves.saves_dir() == Path("/mine/games")
    assert checkpoints.default_path(2008, 10, "x").parent == Path("/mine/seasons")
    assert cache_dir.dir_for_sources().parent == Path("/quick")


def test_saved_games_of_an_earlier_version_are_found(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They used to be in one place on every system."""
    usual, earlier = home / "Library" / "hashmark", home / user_dirs.LEGACY_DATA_DIR
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: usual)
    assert user_dirs.data_dir() == usual
    earlier.mkdir(parents=True)
    assert user_dirs.data_dir() == earlier
    usual.mkdir(parents=True)
    assert user_dirs.data_dir() == usual


def test_a_missing_home_directory_is_an_error_only_for_data(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = Path("~", "hashmark")
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: nowhere)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: nowhere)
    with pytest.raises(HashmarkError, match="no home folder: set HASHMARK_DATA"):
        user_dirs.data_dir()
    assert cache_dir.prepare_game_dir("fourth-down") is None
