"""Timeouts of the tests: only a failing test waits that long.

A busy machine may take minutes for what usually takes moments.
"""

from __future__ import annotations

PATIENCE = 900  # seconds
MILLISECONDS = 1000 * PATIENCE  # the unit of Playwright
