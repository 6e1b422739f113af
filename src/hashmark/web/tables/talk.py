"""Talk at a table: quick phrases, free text, and offers to take a call back.

Only players write; everybody at the table reads. The latest messages and the open offer are part of
the settings of the table, so that they survive a restart and reach every server as other changes
do. A player who turns the chat off turns it off for both; only they can turn it on again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.sanitize import one_line
from hashmark.session.game_session import HUMAN
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.tables.table_request import CHAT_FREE, CHAT_OFF

if TYPE_CHECKING:
    from hashmark.web.tables.table import Table, Viewer

PHRASES = ("Good luck!", "Nice play!", "Ouch!", "One moment, please.", "Good game!")
MAX_MESSAGE_LETTERS = 200
MAX_MESSAGES = 30  # the latest ones are kept
BURST_MESSAGES, BURST_SECONDS = 5, 10.0  # how many messages of a player in how much time
MESSAGES, QUIET, OFFER = "messages", "quiet", "offer"  # keys in the settings
EVERYBODY = -1  # author of what the table itself reports


@dataclass
class MessageRate:
    """When the players of a table have written last, at this server."""

    times: dict[int, deque[float]] = field(default_factory=dict)

    def check(self, team: int, now: float) -> None:
        """Count a message; raise if a player writes too fast."""
        times = self.times.setdefault(team, deque(maxlen=BURST_MESSAGES))
        if len(times) == BURST_MESSAGES and now - times[0] < BURST_SECONDS:
            wait_seconds = int(BURST_SECONDS - (now - times[0])) + 1
            raise LimitExceeded("you are writing too fast: wait a moment", wait_seconds)
        times.append(now)


def check_message(text: str) -> str:
    """Return a message as it is stored: one line without control characters."""
    message = one_line(text)
    if not message:
        raise HashmarkError("the message is empty")
    if len(text) > MAX_MESSAGE_LETTERS:
        raise HashmarkError(f"the message is longer than {MAX_MESSAGE_LETTERS} letters")
    return message


class Talk:
    """What players of one table say to each other."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rate = MessageRate()

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.table.row.settings

    @property
    def is_between_people(self) -> bool:
        """Whether two players at two screens hold the seats."""
        holders = [seat.holder for seat in self.table.seats.values()]
        return len(holders) == len(TEAMS) and all(holders) and holders[0] != holders[1]

    @property
    def quiet_teams(self) -> list[int]:
        """Return the teams whose players have turned the chat off."""
        return list(self.settings.get(QUIET, ()))

    @property
    def mode(self) -> str:
        """Return free, phrases or off, as the table stands now."""
        if self.quiet_teams:
            return CHAT_OFF
        return str(self.settings.get("chat", CHAT_OFF))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return the latest messages, the oldest first."""
        return list(self.settings.get(MESSAGES, ()))

    @property
    def offering_team(self) -> int | None:
        """Return the team that asks to take a call back, while its question stands."""
        offer, session = self.settings.get(OFFER), self.table.session
        if offer is None or session is None or offer["moment"] != session.moment:
            return None
        return int(offer["team"])

    # --- Messages ----------------------------------------------------------------------------

    async def say(self, viewer: Viewer, text: str) -> None:
        """Add a message of a player."""
        team = self._player(viewer)
        message = check_message(text)

        def add() -> dict[str, Any]:
            if self.mode == CHAT_OFF:
                raise HashmarkError("the chat is off at this table")
            if self.mode != CHAT_FREE and message not in PHRASES:
                raise HashmarkError("only the quick phrases are allowed at this table")
            self.rate.check(team, self.table.services.clock.monotonic())
            return self._with_message(team, message)

        await self.table.change_settings(add)

    def _with_message(self, team: int, text: str) -> dict[str, Any]:
        messages = [*self.messages, {"team": team, "text": text}]
        return {MESSAGES: messages[-MAX_MESSAGES:]}

    async def set_quiet(self, viewer: Viewer, is_quiet: bool) -> None:
        """Turn the chat off for this table, or take that back."""
        team = self._player(viewer)

        def change() -> dict[str, Any]:
            others = [other for other in self.quiet_teams if other != team]
            return {QUIET: sorted([*others, team]) if is_quiet else others}

        await self.table.change_settings(change)

    def _player(self, viewer: Viewer) -> int:
        """Return the team of a player with an opponent to talk to."""
        self.table.check_may_talk(viewer)
        if not self.is_between_people:
            raise HashmarkError("there is no other player at this table")
        return viewer.teams[0]

    # --- Taking a call back --------------------------------------------------------------------

    async def offer_takeback(self, viewer: Viewer, moment: int) -> None:
        """Ask the opponent to let this player take their last call back."""
        team = self._player(viewer)
        self.table.check_may_undo()

        def ask() -> dict[str, Any]:
            session = self.table.require_session()
            if reason := session.stale_reason(moment) or session.undo_target(team, agreed=True)[1]:
                raise HashmarkError(reason)
            return {OFFER: {"team": team, "moment": moment}}

        await self.table.change_settings(ask)

    async def answer_takeback(self, viewer: Viewer, is_accepted: bool) -> None:
        """Accept or decline the opponent's question."""
        team = self._player(viewer)
        asking = self.offering_team
        if asking is None or (asking == team and is_accepted):
            raise HashmarkError("there is no open question of your opponent")
        if is_accepted:
            await self.table.undo_agreed(asking, int(self.settings[OFFER]["moment"]))
        await self.table.change_settings(
            lambda: {OFFER: None, **self._with_message(EVERYBODY, _outcome(is_accepted))}
        )


def _outcome(is_accepted: bool) -> str:
    return "The call was taken back." if is_accepted else "The call stands."


def may_offer_takeback(table: Table, viewer: Viewer) -> bool:
    """Return whether this player would need, and could ask for, the opponent's consent."""
    session = table.session
    if session is None or not viewer.teams or table.league or session.is_over:
        return False
    if not table.talk.is_between_people or HUMAN not in session.seats:
        return False
    team = viewer.teams[0]
    return bool(session.undo_target(team)[1]) and not session.undo_target(team, agreed=True)[1]
