"""Requests for new tables: validated, and turned into the header and the row of a table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hashmark.engine import registry
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.team_names import check_names
from hashmark.errors import HashmarkError, UnknownName
from hashmark.session.game_session import HUMAN, GameSession, parse_seat
from hashmark.session.header import Header, new_salt, new_seed
from hashmark.session.opponents import default_opponent
from hashmark.web import tokens
from hashmark.web.tables.table_store import Seat, TableRow

SEAT_ME, SEAT_FRIEND = "me", "friend"  # seats in a request, besides coach:NAME
COMPUTER_DICE, TYPED_DICE = "computer", "typed"
DICE_MODES = {COMPUTER_DICE: "auto", TYPED_DICE: "typed"}
HINTS_ON_DEMAND, HINTS_NEVER = "demand", "never"
CHAT_FREE, CHAT_PHRASES, CHAT_OFF = CHAT_MODES = ("free", "phrases", "off")
HINT_MODES = (HINTS_ON_DEMAND, HINTS_NEVER)
REMATCH_SETTING = "rematch_of"  # key in the settings of a rematch: the table before it
MAX_PACE_SECONDS = 30.0  # between plays of a game between coaches


@dataclass
class TableRequest:
    """Request for a new table."""

    rules: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    dice: str = COMPUTER_DICE
    names: dict[str, str] = field(default_factory=dict)
    hints: str = HINTS_ON_DEMAND
    listed: bool = False
    pace: float | None = None
    chat: str = CHAT_FREE

    def build_header(self) -> Header:
        """Return the header of the game with new random dice; raise if the request is invalid."""
        rules = registry.load(self.rules)
        if self.dice not in DICE_MODES:
            raise UnknownName("kind of dice", self.dice, DICE_MODES)
        header = Header(
            rules=rules.name,
            options=dict(self.options),
            seats=self._seats(rules),
            dice=DICE_MODES[self.dice],
            seed=new_seed(),
            salt=new_salt(),
            rules_version=rules.version,
            names=self._names(rules),
        )
        session = GameSession(header, header.new_game())
        if not rules.is_solo(session.game.match):
            return header
        return replace(header, seats={**header.seats, TEAMS[1]: default_opponent(rules.name)})

    def _seats(self, rules: RuleSet) -> dict[str, str]:
        seats = {TEAMS[0]: SEAT_ME, TEAMS[1]: default_opponent(rules.name), **self.seats}
        for team, seat in seats.items():
            if team not in TEAMS:
                raise UnknownName("team", team, TEAMS)
            if seat not in (SEAT_ME, SEAT_FRIEND):
                parse_seat(rules, seat)
        return {
            team: HUMAN if seat in (SEAT_ME, SEAT_FRIEND) else seat for team, seat in seats.items()
        }

    @property
    def is_public(self) -> bool:
        """Whether the lobby lists the game; a person's game against a coach is private."""
        seats = self._seats(registry.load(self.rules))
        return self.listed and len(set(map(_is_person, seats.values()))) == 1

    def _names(self, rules: RuleSet) -> tuple[str, str]:
        defaults = rules.team_names(self.options)
        names = [
            str(self.names.get(team) or defaults[index]).strip() for index, team in enumerate(TEAMS)
        ]
        return check_names(names[0], names[1])

    def settings(self) -> dict[str, Any]:
        """Return the settings of the table apart from its game."""
        if self.hints not in HINT_MODES:
            raise UnknownName("kind of hints", self.hints, HINT_MODES)
        if self.chat not in CHAT_MODES:
            raise UnknownName("kind of chat", self.chat, CHAT_MODES)
        settings: dict[str, Any] = {"hints": self.hints, "chat": self.chat, "wish": self._to_json()}
        if self.pace is not None:
            if not 0 <= self.pace <= MAX_PACE_SECONDS:
                raise HashmarkError(
                    f"pace {self.pace:g}: expected 0 to {MAX_PACE_SECONDS:g} seconds"
                )
            settings["pace"] = self.pace
        return settings

    def _to_json(self) -> dict[str, Any]:
        """Return this request as JSON, for a rematch."""
        return {key: value for key, value in vars(self).items() if value is not None}


def _is_person(seat: str) -> bool:
    return seat == HUMAN


@dataclass
class NewTable:
    """Table to be created: its game, seats and settings."""

    header: Header
    seats: list[Seat]
    settings: dict[str, Any]
    caller: str
    listed: bool
    key: str = ""  # its ID if it is decided already

    def to_row(self, now: float, **more: Any) -> TableRow:
        """Return its row, created at this wall-clock time."""
        header = self.header
        key = self.key or tokens.new_table_id()
        values = (header.rules, header.to_json(), self.settings, self.caller, now, now)
        return TableRow(key, *values, self.listed, **more)
