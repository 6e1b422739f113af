"""How long tests wait for what they act on: only a test that fails waits that long.

A busy machine takes minutes for what takes moments, and that is no fault of anybody.
"""

from __future__ import annotations

PATIENCE = 900  # seconds
MILLISECONDS = 1000 * PATIENCE  # as browsers count
