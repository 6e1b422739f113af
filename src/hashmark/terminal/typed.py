"""What a person typed at the prompt: a number, a name, or the beginning of one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hashmark.table.errors import HashmarkError, listed
from hashmark.table.readable import shown
from hashmark.terminal.screen import whole_number


def the_call(typed: str, calls: Sequence[str], also: Collection[str] = ()) -> str:
    """The call that is meant; what is none of these is left to the rules to judge.

    A beginning that fits one call alone is enough; `also` are names that no list shows.
    """
    number = whole_number(typed)
    if number is not None and 1 <= number <= len(calls):
        return calls[number - 1]
    if not typed or typed in calls or typed in also:
        return typed
    fitting = [call for call in calls if call.startswith(typed)]
    if len(fitting) > 1:
        raise HashmarkError(f"{shown(typed)} may be {listed(fitting)}: type more of it")
    return fitting[0] if fitting else typed
