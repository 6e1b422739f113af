"""Resolution of what a player typed at the prompt: a number, a name or a prefix."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hashmark.table.errors import HashmarkError, listed
from hashmark.table.readable import shown
from hashmark.terminal.screen import whole_number


def the_call(typed: str, calls: Sequence[str], also: Collection[str] = ()) -> str:
    """Return the call that a player meant; anything unknown is returned for the rules to judge.

    A prefix is enough if it fits only one call; `also` holds legal names that no list shows.
    """
    number = whole_number(typed)
    if number is not None and 1 <= number <= len(calls):
        return calls[number - 1]
    if not typed or typed in calls or typed in also:
        return typed
    matches = [call for call in calls if call.startswith(typed)]
    if len(matches) > 1:
        raise HashmarkError(f"{shown(typed)} may be {listed(matches)}: type more of it")
    return matches[0] if matches else typed
