"""The built-in coaches of Roll For Yardage!"""

from __future__ import annotations

from hashmark.table.rules import RANDOM

COACHES = (RANDOM,)
