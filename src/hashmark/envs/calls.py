"""What an environment says of an action that is no call, or none that is allowed now."""

from __future__ import annotations

import operator
from typing import Any

from hashmark.table.errors import IllegalCall, listed
from hashmark.table.readable import shown
from hashmark.table.rules import RuleSet


def code_of(action: Any) -> int | None:
    """The whole number that an action is, if it is one."""
    try:
        return None if isinstance(action, bool) else operator.index(action)
    except TypeError:
        return None


def refusal(rules: RuleSet, mask: Any, action: Any, where: str = "") -> IllegalCall | None:
    """The sentence about an action that a mask does not allow; None if it does."""
    code = code_of(action)
    known = code is not None and 0 <= code < len(rules.calls)
    if known and mask[code]:
        return None
    name = f"{code} ({rules.calls[code]})" if known and code is not None else shown(action)
    allowed = [f"{at} ({name})" for at, name in enumerate(rules.calls) if mask[at]]
    return IllegalCall(f"{where}action {name} is not allowed here; allowed: {listed(allowed)}")
