"""Talk of a table as data for its page: messages with their authors, and what a player may do."""

from __future__ import annotations

from typing import Any

from hashmark.text.phrases import capitalize
from hashmark.web.tables.table import Table, Viewer
from hashmark.web.tables.table_request import CHAT_OFF
from hashmark.web.tables.talk import (
    EVERYBODY,
    MAX_MESSAGE_LETTERS,
    PHRASES,
    may_offer_takeback,
)


def talk_values(table: Table, viewer: Viewer) -> dict[str, Any] | None:
    """Return what the talk of a table shows to a viewer; None if there is nobody to talk."""
    talk = table.talk
    if not talk.is_between_people:
        return None
    own = viewer.teams[0] if viewer.teams else None
    asking = talk.offering_team
    mode = talk.mode
    return {
        "mode": mode,
        "is_off": mode == CHAT_OFF,
        "messages": [_message(table, own, message) for message in talk.messages],
        "phrases": PHRASES,
        "max_letters": MAX_MESSAGE_LETTERS,
        "may_write": own is not None,
        "may_mute": talk.settings.get("chat") != CHAT_OFF
        and (own in talk.quiet_teams or not talk.quiet_teams),
        "is_muted": own in talk.quiet_teams,
        "asked": table.header.names[asking]
        if asking is not None and own is not None and own != asking
        else "",
        "is_waiting": asking is not None and own == asking,
        "may_offer": asking is None and may_offer_takeback(table, viewer),
    }


def _message(table: Table, own: int | None, message: dict[str, Any]) -> dict[str, Any]:
    team = message["team"]
    is_own = team == own
    author = "" if team == EVERYBODY else "You" if is_own else capitalize(table.header.names[team])
    return {"author": author, "text": message["text"], "own": is_own}
