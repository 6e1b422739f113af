"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from failing_disk import tape  # noqa: F401  (a fixture)

settings.register_profile("house", deadline=None)
settings.load_profile("house")
os.environ.setdefault("COLUMNS", "100")
os.environ.setdefault("HASHMARK_CACHE", str(Path(__file__).parent.parent / ".cache"))


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's saved games."""
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path / "data"))
