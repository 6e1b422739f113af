"""Which source knows the values of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.table.errors import HashmarkError
from hashmark.table.rules import RuleSet
from hashmark.values.value import HALF, Source


def source_of(
    rules: RuleSet, options: Mapping[str, Any] | None = None, *, tie: float = HALF
) -> Source:
    """The best source for a match of these options; refused where nobody knows its values."""
    rules.new_match(options)
    raise HashmarkError(f"nobody knows the values of {rules.name} yet")
