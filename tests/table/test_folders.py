"""User directories: the usual places, or where the settings say."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from hashmark.league.seasons import saved
from hashmark.table import cache, folders
from hashmark.table.errors import HashmarkError
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
    assert folders.data() == home / ".local" / "share" / "hashmark"
    assert folders.cache() == home / ".cache" / "hashmark"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cached")
    assert folders.data() == Path("/data/hashmark")
    assert folders.cache() == Path("/cached/hashmark")


def test_the_settings_take_precedence_everywhere(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", "/mine")
    monkeypatch.setenv("HASHMARK_CACHE", "/quick")
    assert folders.data() == Path("/mine")
    assert saves.folder() == Path("/mine/games")
    assert saved.usual_path(2008, 10, "x").parent == Path("/mine/seasons")
    assert cache.folder().parent == Path("/quick")


def test_saved_games_of_an_earlier_version_are_found(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They used to be in one place on every system."""
    usual, earlier = home / "Library" / "hashmark", home / folders.EARLIER
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: usual)
    assert folders.data() == usual
    earlier.mkdir(parents=True)
    assert folders.data() == earlier
    usual.mkdir(parents=True)
    assert folders.data() == usual


def test_a_missing_home_directory_is_an_error_only_for_data(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = Path("~", "hashmark")
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: nowhere)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: nowhere)
    with pytest.raises(HashmarkError, match="name a folder with HASHMARK_DATA"):
        folders.data()
    assert cache.prepare("fourth-down") is None
