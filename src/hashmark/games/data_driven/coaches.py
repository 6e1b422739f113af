"""The built-in coaches of Data-Driven Football; none looks at the other side's secret call."""

from __future__ import annotations

from hashmark.table.rules import RANDOM

COACHES = (RANDOM,)
