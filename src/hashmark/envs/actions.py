"""Validation of actions: errors for actions that are no call, or no legal call."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from hashmark.envs.observation import Mask
from hashmark.errors import IllegalCall, join_names
from hashmark.sanitize import quote


def action_code(action: object) -> int | None:
    """Return an action as an integer, or None if it is not one."""
    try:
        return None if isinstance(action, bool) else operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        return None


def is_legal(mask: Mask, action: object) -> bool:
    """Return whether the action mask allows an action."""
    code = action_code(action)
    return code is not None and 0 <= code < len(mask) and bool(mask[code])


def check_action(names: Sequence[str], mask: Mask, action: object, where: str = "") -> int:
    """Return an action as a call; raise an error if the action mask does not allow it."""
    code = action_code(action)
    if code is not None and is_legal(mask, code):
        return code
    is_call = code is not None and 0 <= code < len(names)
    described = f"{code} ({names[code]})" if is_call and code is not None else quote(action)
    allowed = [f"{index} ({name})" for index, name in enumerate(names) if mask[index]]
    raise IllegalCall(
        f"{where}action {described} is not allowed here; allowed: {join_names(allowed)}"
    )
