"""What all tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from failing_disk import tape  # noqa: F401  (a fixture)

# No example fails for taking long: a busy machine is not a fault.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
os.environ.setdefault("COLUMNS", "100")
os.environ.setdefault("HASHMARK_CACHE", str(Path(__file__).parent.parent / ".cache"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background with interrupts ignored, and every program
    # that a test starts would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's saved games."""
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path / "data"))
