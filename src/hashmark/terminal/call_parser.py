"""Resolution of what a player typed at the prompt: a number, a name or a prefix."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hashmark.errors import HashmarkError, join_names
from hashmark.sanitize import quote
from hashmark.terminal.screen import parse_int


def resolve_call(typed: str, calls: Sequence[str], unlisted: Collection[str] = ()) -> str:
    """Return the call that a player meant; anything unknown is returned for the rules to judge.

    A prefix is enough if it fits only one call; `unlisted` holds legal names that no list shows.
    """
    number = parse_int(typed)
    if number is not None and 1 <= number <= len(calls):
        return calls[number - 1]
    if not typed or typed in calls or typed in unlisted:
        return typed
    matches = [call for call in calls if call.startswith(typed)]
    if len(matches) > 1:
        raise HashmarkError(f"{quote(typed)} may be {join_names(matches)}: type more of it")
    return matches[0] if matches else typed
