"""What an environment says of an action that is no call, or none that is allowed now."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from hashmark.table.errors import IllegalCall, listed
from hashmark.table.readable import shown


def code_of(action: Any) -> int | None:
    """The whole number that an action is, if it is one."""
    try:
        return None if isinstance(action, bool) else operator.index(action)
    except TypeError:
        return None


def refusal(names: Sequence[str], mask: Any, action: Any, where: str = "") -> IllegalCall | None:
    """The sentence about an action that a mask of calls does not allow; None if it does."""
    code = code_of(action)
    known = code is not None and 0 <= code < len(names)
    if known and mask[code]:
        return None
    given = f"{code} ({names[code]})" if known and code is not None else shown(action)
    allowed = [f"{at} ({name})" for at, name in enumerate(names) if mask[at]]
    return IllegalCall(f"{where}action {given} is not allowed here; allowed: {listed(allowed)}")
