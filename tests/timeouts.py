"""Timeouts of the tests: only a failing test waits that long.

A busy machine may take minutes for what usually takes moments.
"""

from __future__ import annotations

TIMEOUT_SECONDS = 900  # seconds
TIMEOUT_MILLISECONDS = 1000 * TIMEOUT_SECONDS  # the unit of Playwright
