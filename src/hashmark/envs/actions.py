"""Validation of actions: errors for actions that are no call, or no legal call."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from hashmark.errors import IllegalCall, join_names
from hashmark.sanitize import quote


def action_code(action: Any) -> int | None:
    """Return an action as an integer, or None if it is not one."""
    try:
        return None if isinstance(action, bool) else operator.index(action)
    except TypeError:
        return None


def illegal_action_error(
    names: Sequence[str], mask: Any, action: Any, where: str = ""
) -> IllegalCall | None:
    """Return the error about an action that the action mask does not allow, or None."""
    code = action_code(action)
    is_call = code is not None and 0 <= code < len(names)
    if is_call and mask[code]:
        return None
    described = f"{code} ({names[code]})" if is_call and code is not None else quote(action)
    allowed = [f"{index} ({name})" for index, name in enumerate(names) if mask[index]]
    return IllegalCall(
        f"{where}action {described} is not allowed here; allowed: {join_names(allowed)}"
    )
