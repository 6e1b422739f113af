"""The built-in coaches."""
from __future__ import annotations
from hashmark.table.rules import RANDOM
COACHES = (RANDOM,)
