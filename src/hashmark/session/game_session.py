"""Game session: everything between a game and a user interface, and nothing of the latter.

A session knows the seats, the pending input and who must give it, which windows pass automatically,
which real die comes next, what each player may undo, and what each viewer may see. It is a value,
not a loop: nothing in it waits, prints or blocks. A user interface asks for the `pending_input`,
calls `advance` while there is none, and passes in answers as people give them.

    session = GameSession(header, header.new_game(), persist=writer.write)
    while session.advance(): ...                      # coaches, windows that pass, dice
    session.pending_input()                           # a call, a die, a player for a seat
    punt = session.parse_call("punt")                 # the code of a call, or an error
    session.answer(session.moment, HOME, punt)        # accepted, or refused with a reason
    session.feed_since(12, HOME)                      # what home may see after number 12

An answer names the moment that it is for. Moments are never used twice, not even after undo, so a
late or repeated answer changes nothing and is refused. Accepted input is passed to `persist` before
any viewer can see it; if that fails, nothing has happened. The persisted lines restore the same
session in another process or on another day (`resume`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashmark.engine.coach_requests import CoachRequest
from hashmark.engine.game import Game, Turn
from hashmark.engine.record import NOBODY, TEAMS, PositionRecord, Team
from hashmark.engine.rule_set import NO_CALL, CallCode, Coach, RuleSet
from hashmark.errors import IllegalCall, OutOfDice, UnknownName
from hashmark.session import log
from hashmark.session.feed import EventFeed, FeedEvent
from hashmark.session.header import Header
from hashmark.session.pending import PendingCall, PendingDie, PendingInput, PendingSeat, PendingTurn
from hashmark.session.redaction import view_for
from hashmark.session.undo import first_revealed_call, undo_target

HUMAN, OPEN_SEAT = "human", "open"  # seats without a coach
ALWAYS, NEVER, WHEN_IT_MATTERS = "always", "never", "matters"
STANDING_ORDERS = (WHEN_IT_MATTERS, ALWAYS, NEVER)
ALL_WINDOWS = "all"  # key of the order for windows without their own

Persist = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Reply:
    """Result of an answer: accepted, with the resulting events, or the reason for refusal."""

    accepted: bool
    reason: str = ""
    events: tuple[FeedEvent, ...] = ()


def parse_seat(rules: RuleSet, seat: str) -> Coach | None:
    """Return the coach of a seat; None for a person or an open seat."""
    if seat in (HUMAN, OPEN_SEAT):
        return None
    kind, colon, name = seat.partition(":")
    if kind != "coach" or not colon:
        allowed = [HUMAN, *(f"coach:{coach.name}" for coach in rules.coaches)]
        raise UnknownName("seat", seat, allowed)
    return rules.coach(name)


class GameSession:
    """One session: a game, the people and coaches who play it, and its event feed."""

    def __init__(self, header: Header, game: Game, persist: Persist | None = None) -> None:
        self.header, self.game = header, game
        self.persist: Persist = persist if persist is not None else lambda line: None
        self.seats = [header.seats[team] for team in TEAMS]
        self.coaches = [self._load_coach(seat) for seat in self.seats]
        self.orders: list[dict[str, str]] = [{}, {}]
        self.feed = EventFeed(game)
        self.pending_turn: PendingTurn | None = None
        self.turns_by_people: list[int] = []  # numbers of the turns that people decided
        self._pending_cache: tuple[int, PendingTurn | None, PendingInput | None] = (-1, None, None)
        self._wait_for_dice()

    @classmethod
    def resume(cls, path: Path | str) -> tuple[GameSession, log.Replay]:
        """Resume a session from its log file."""
        return cls._resume_with(lambda observer: log.replay(path, observer))

    @classmethod
    def resume_bytes(cls, raw: bytes, name: str) -> tuple[GameSession, log.Replay]:
        """Resume a session from the bytes of its log; the name is used in messages."""
        return cls._resume_with(lambda observer: log.replay_bytes(raw, Path(name), observer))

    @classmethod
    def _resume_with(
        cls, replay: Callable[[log.ReplayObserver], log.Replay]
    ) -> tuple[GameSession, log.Replay]:
        sessions: list[GameSession] = []

        def observe(header: Header, game: Game, replayed: log.ReplayedLine | None) -> None:
            if replayed is None:
                sessions.append(cls(header, game))
            else:
                sessions[0]._record_line(replayed)

        result = replay(observe)
        sessions[0]._wait_for_dice()
        return sessions[0], result

    def apply_lines(self, raw: bytes, log_position: log.LogPosition) -> str:
        """Apply lines that another process has persisted since; return the chain after them.

        If they do not fit, the session is no longer usable and must be resumed from its log.
        """

        def observe(header: Header, game: Game, replayed: log.ReplayedLine | None) -> None:
            assert replayed is not None
            self._record_line(replayed)

        chain = log.apply_lines(self.game, self.header, raw, log_position, observe)
        self._wait_for_dice()
        return chain

    def _load_coach(self, seat: str) -> Coach | None:
        """Return the coach of a seat, after checking that it supports this match."""
        coach = parse_seat(self.game.rules, seat)
        if coach is not None and coach.check_match is not None and not self.game.is_over:
            coach.check_match(self.game.match)
        return coach

    def _record_line(self, replayed: log.ReplayedLine) -> None:
        """Record a replayed log line; the game has already played it."""
        line, turn, pending = replayed.line, replayed.turn, replayed.pending_turn
        if turn is not None or pending is not None or "dropped" in line:
            self.pending_turn = None
        if turn is not None and "undo" in line:
            self._record_undo()
        elif turn is not None:
            self._record_turn(turn)
        elif pending is not None:
            self.game.draw_count = pending.draw_count  # as it was after the coach called
            self._record_pending(pending)
        elif "dropped" in line:
            self.feed.add_dropped_call(self.game.team_to_act)
        elif "seat" in line:
            team = TEAMS.index(line["seat"])
            self.seats[team] = line["who"]
            self.coaches[team] = self._load_coach(line["who"])
            self.feed.add_seat(team, line["who"])
        elif "orders" in line:
            team = TEAMS.index(line["orders"])
            self.orders[team] = dict(line["windows"])
            self.feed.add_orders(team, self.orders[team])

    # --- Pending input -------------------------------------------------------------------

    @property
    def moment(self) -> int:
        """The number that the next answer must name; it is never reused."""
        return self.feed.moment

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def human_teams(self) -> list[int]:
        """The teams that people play."""
        return [team for team in range(2) if self.seats[team] == HUMAN]

    def pending_input(self) -> PendingInput | None:
        """Return the input that the session waits for; None if there is none or the game is over.

        It is asked for more often than it changes, so it is cached until the next event.
        """
        # Read once: another thread may add events meanwhile.
        length, pending_turn = len(self.feed.events), self.pending_turn
        cached_length, cached_turn, cached = self._pending_cache
        if cached_length != length or cached_turn is not pending_turn:
            cached = self._find_pending_input()
            self._pending_cache = (length, pending_turn, cached)
        return cached

    def _find_pending_input(self) -> PendingInput | None:
        if self.is_over:
            return None
        if OPEN_SEAT in self.seats:
            return PendingSeat(self.moment, self.seats.index(OPEN_SEAT))
        if self.pending_turn is not None:
            missing = self.pending_turn.missing_die
            assert missing is not None
            die_index = self.pending_turn.rolled_count
            return PendingDie(self.moment, missing.team, die_index, missing.die, missing.pool)
        if not self.game.wants_call or not self.should_ask_person():
            return None
        return self._pending_call()

    def _pending_call(self) -> PendingCall:
        game, question, team = self.game, self.game.question, self.game.team_to_act
        legal = game.rules.legal_calls(game.match, game.view(team))
        is_secret = any(call in question.secret_calls for call in legal)
        return PendingCall(self.moment, team, question, tuple(legal), is_secret)

    def should_ask_person(self) -> bool:
        """Return whether a person must be asked now: there is a choice worth a prompt."""
        team = self.game.team_to_act
        return self.seats[team] == HUMAN and self._has_choice(team, self.game.position)

    def _has_choice(self, team: int, position: PositionRecord) -> bool:
        """Return whether a question is put to the person, or answered automatically.

        A question with one answer is not asked. A window passes if the standing orders say so, or
        if the rules say that it cannot matter.
        """
        rules, m = self.game.rules, self.game.match
        question, view = rules.questions[rules.question(m, position)], rules.view(m, position, team)
        if len(rules.possible_calls(m, view)) < 2:
            return False
        if not question.is_window:
            return True
        order = self.order_for(team, question.name)
        return order == ALWAYS or (order == WHEN_IT_MATTERS and bool(rules.should_prompt(m, view)))

    def was_forced(self, team: int, position: PositionRecord) -> bool:
        """Return whether a person's call was made automatically because no other is legal.

        A window that passes does not count: no call is made there.
        """
        if team == NOBODY or self.seats[team] != HUMAN:
            return False
        rules, m = self.game.rules, self.game.match
        question = rules.questions[rules.question(m, position)]
        return not question.is_window and not self._has_choice(team, position)

    def order_for(self, team: int, window: str) -> str:
        """Return the standing order of a team for a window."""
        orders = self.orders[team]
        return orders.get(window, orders.get(ALL_WINDOWS, WHEN_IT_MATTERS))

    # --- Player input ---------------------------------------------------------------------

    def parse_call(self, name: str) -> CallCode:
        """Return the code of a call by name, judged by what the team to act may see."""
        game = self.game
        return game.rules.parse_call(game.match, game.view(game.team_to_act), name)

    def answer(self, moment: int, team: Team, code: CallCode) -> Reply:
        """Play a person's call for the question of a moment."""
        pending = self.pending_input()
        stale = self.stale_reason(moment)
        if stale:
            return Reply(False, stale)
        if not isinstance(pending, PendingCall):
            return Reply(False, f"no call is due now: {self._describe_pending(pending)}")
        if team != pending.team:
            return Reply(False, f"it is {TEAMS[pending.team]}'s call, not {TEAMS[team]}'s")
        game = self.game
        try:
            game.rules.check_call(game.match, game.view(team), code)
        except IllegalCall as fault:
            return Reply(False, str(fault))
        return Reply(True, "", self._play_call(team, code))

    def roll(self, moment: int, team: int, die_index: int, face: int) -> Reply:
        """Enter the face of a real die, number `die_index` of its turn."""
        pending = self.pending_input()
        stale = self.stale_reason(moment)
        if stale:
            return Reply(False, stale)
        if not isinstance(pending, PendingDie) or self.pending_turn is None:
            return Reply(False, f"no die is due now: {self._describe_pending(pending)}")
        if die_index != pending.die_index:
            return Reply(
                False, f"die number {die_index + 1} of this turn is already rolled or not due yet"
            )
        if team != pending.team:
            return Reply(False, f"{TEAMS[pending.team]} must roll now, not {TEAMS[team]}")
        if not pending.die.has_face(face):
            die = pending.die
            return Reply(False, f"A {die.name} cannot show {face}, only {die.describe_faces()}.")
        return Reply(True, "", self._try_turn(self.pending_turn.with_face(team, face)))

    def take_seat(self, team: int, occupant: str) -> Reply:
        """Seat a person or a coach, or open a seat."""
        coach = self._load_coach(occupant)
        if occupant == self.seats[team]:
            return Reply(False, f"{TEAMS[team]} is already taken by {occupant}")
        self.persist({"seat": TEAMS[team], "who": occupant})
        self.seats[team], self.coaches[team] = occupant, coach
        return Reply(True, "", (self.feed.add_seat(team, occupant),))

    def set_order(self, team: int, when: str, window: str = ALL_WINDOWS) -> Reply:
        """Set a standing order: prompt for a window always, never, or when it matters."""
        self._check_order(when, window)
        earlier = {} if window == ALL_WINDOWS else self.orders[team]
        orders = {**earlier, window: when}
        self.persist({"orders": TEAMS[team], "windows": orders})
        self.orders[team] = orders
        return Reply(True, "", (self.feed.add_orders(team, orders),))

    def _check_order(self, when: str, window: str) -> None:
        windows = [question.name for question in self.game.rules.questions if question.is_window]
        if when not in STANDING_ORDERS:
            raise UnknownName("standing order", when, STANDING_ORDERS)
        if window not in (ALL_WINDOWS, *windows):
            raise UnknownName("window", window, (ALL_WINDOWS, *windows))

    def stale_reason(self, moment: int) -> str:
        """Return why an answer for another moment is refused; empty for the current moment."""
        if moment == self.moment:
            return ""
        if moment < self.moment:
            return f"moment {moment} has passed: it was answered or undone"
        return f"moment {moment} has not come yet: this is moment {self.moment}"

    def _describe_pending(self, pending: PendingInput | None) -> str:
        if pending is not None:
            return pending.description
        return "the game is over" if self.is_over else "the coaches are playing"

    # --- Undo ------------------------------------------------------------------------------

    def undo(self, moment: int, team: int = NOBODY, *, agreed: bool = False) -> Reply:
        """Undo to the last decision of a person: of this team, or of either at a shared screen.

        Against a coach everything may be undone, but nothing can be peeked at: undone dice stay
        rolled, and a coach whose secret call was revealed calls again. Between two people only a
        call after which no information was revealed: no roll, no revealed secret, no call of the
        other. If both have agreed, everything may be undone as against a coach. Real dice stay on
        the table, so with them undo only removes what was typed.
        """
        stale = self.stale_reason(moment)
        if stale:
            return Reply(False, stale)
        was_automatic = self.pending_turn is not None and self._was_automatic(self.pending_turn)
        if self.pending_turn is not None and self.pending_turn.is_started and not was_automatic:
            return self._drop_pending(team)
        number, reason = self.undo_target(team, agreed=agreed)
        if reason:
            return Reply(False, reason)
        if self.header.has_new_rolls_after_undo:
            number = first_revealed_call(self.game, number)
        events: list[FeedEvent] = [self._drop_call()] if was_automatic else []
        while len(self.game.turns) >= number:
            self.persist(log.undo_line(len(self.game.turns), self.game.turns[-1]))
            log.undo_turn(self.game, self.header)
            events.append(self._record_undo())
        self.pending_turn = None
        self._wait_for_dice()
        return Reply(True, "", tuple(events))

    def _record_undo(self) -> FeedEvent:
        number = len(self.game.turns) + 1
        if number in self.turns_by_people[-1:]:
            self.turns_by_people.pop()
        return self.feed.add_undo(number)

    def _drop_pending(self, team: int) -> Reply:
        """Withdraw a call whose dice are still being rolled, unless it is another player's."""
        pending = self.pending_turn
        assert pending is not None
        is_own = pending.call != NO_CALL and self.seats[pending.team] == HUMAN
        if is_own and team in (NOBODY, pending.team):
            return Reply(True, "", (self._drop_call(),))
        reason = "That was not your call, so it stands."
        if not pending.rolled_count:
            return Reply(False, reason)
        retry = PendingTurn(pending.team, pending.call, pending.draw_count)
        return Reply(True, reason, self._try_turn(retry))

    def _drop_call(self) -> FeedEvent:
        """Discard the call that waits for its dice."""
        assert self.pending_turn is not None
        team = self.pending_turn.team
        self.persist({"dropped": len(self.game.turns) + 1})
        self.pending_turn = None
        return self.feed.add_dropped_call(team)

    def _was_automatic(self, pending: PendingTurn) -> bool:
        """Return whether a call that waits for its first die was made automatically."""
        if pending.rolled_count or pending.call == NO_CALL or self.seats[pending.team] != HUMAN:
            return False
        return not self._has_choice(pending.team, self.game.position)

    def undo_target(self, team: int = NOBODY, *, agreed: bool = False) -> tuple[int, str]:
        """Return the number of the turn that a team can undo to, or why it cannot."""
        return undo_target(
            self.game,
            self.turns_by_people,
            team,
            between_people=self.human_teams == [0, 1] and not agreed,
            real_dice=self.header.dice == "typed",
        )

    # --- Automatic turns ---------------------------------------------------------------------

    def advance(self) -> tuple[FeedEvent, ...]:
        """Play one turn that needs no person, if there is one; return its events."""
        if self._is_blocked:
            return ()
        game = self.game
        if not game.wants_call:
            return self._play_call(NOBODY, NO_CALL)
        request = self.coach_request()
        if request is not None:
            return self.apply_coach_call(request, *request.decide())
        if self.should_ask_person():
            return ()
        return self._play_call(game.team_to_act, self._automatic_call())

    @property
    def _is_blocked(self) -> bool:
        """Whether no turn can begin: the game is over, or waits for a die or a player."""
        return self.is_over or self.pending_turn is not None or OPEN_SEAT in self.seats

    def coach_request(self) -> CoachRequest | None:
        """Return the request to the coach to act, if any; it may be decided elsewhere."""
        game = self.game
        if self._is_blocked or not game.wants_call:
            return None
        coach = self.coaches[game.team_to_act]
        if coach is None:
            return None
        view = game.view(game.team_to_act)
        return CoachRequest(self.moment, coach, game.rules, game.match, view, game.coach_stream())

    def apply_coach_call(
        self, request: CoachRequest, code: CallCode, draw_count: int
    ) -> tuple[FeedEvent, ...]:
        """Play a coach's call, unless the session has moved on meanwhile."""
        game = self.game
        team, before = game.team_to_act, game.draw_count
        if request.moment != self.moment or self.coaches[team] is not request.coach:
            return ()
        game.draw_count = draw_count
        try:
            return self._play_call(team, code)
        except BaseException:
            game.draw_count = before  # a call that was not persisted has drawn nothing
            raise

    def _automatic_call(self) -> CallCode:
        """Return the automatic answer: the default of a window, or the only legal call."""
        game = self.game
        if game.question.is_window:
            return game.question.default
        (code,) = game.rules.possible_calls(game.match, game.view(game.team_to_act))
        return code

    def _play_call(self, team: Team, code: CallCode) -> tuple[FeedEvent, ...]:
        """Play a call, or only dice; with real dice it may have to wait for them."""
        if self.header.dice == "typed":
            return self._try_turn(PendingTurn(team, code, self.game.draw_count))
        return self._commit_turn(self.game.play(code))

    def _try_turn(self, pending: PendingTurn) -> tuple[FeedEvent, ...]:
        """Play a turn with the real dice rolled so far; if more are needed, it waits."""
        draw_count = self.game.draw_count
        self.game.draw_count = pending.draw_count
        try:
            turn = log.play_with_faces(self.game, pending.call, pending.faces)
        except OutOfDice as missing:
            self.game.draw_count = draw_count
            pending.missing_die = missing
            self.persist(log.called_line(self.game, pending))
            return (self._record_pending(pending),)
        return self._commit_turn(turn)

    def _record_pending(self, pending: PendingTurn) -> FeedEvent:
        self.pending_turn = pending
        return self.feed.add_call(pending.team, pending.call, pending.faces)

    def _commit_turn(self, turn: Turn) -> tuple[FeedEvent, ...]:
        """Persist a turn, then publish it; undo it if it cannot be persisted."""
        draw_count = self.game.draw_count
        try:
            self.persist(log.turn_line(self.game, len(self.game.turns), turn))
        except BaseException:
            self.game.undo()
            self.game.draw_count = draw_count  # the call stands, and so do its draws
            raise
        self.pending_turn = None
        events = self._record_turn(turn)
        self._wait_for_dice()
        return tuple(events)

    def _record_turn(self, turn: Turn) -> list[FeedEvent]:
        number = len(self.game.turns)
        if self._was_decided_by_person(turn):
            self.turns_by_people.append(number)
        events = self.feed.add_turn(turn, number, self.game.snapshot())
        if self.is_over:
            events.append(self.feed.add_game_over(self.header.reveal_json()))
        return events

    def _was_decided_by_person(self, turn: Turn) -> bool:
        """Return whether a person made the call, or typed dice of a turn without one."""
        if turn.call == NO_CALL:
            return self.header.dice == "typed"
        return self.seats[turn.team] == HUMAN and self._has_choice(turn.team, turn.before)

    def _wait_for_dice(self) -> None:
        """Ask for real dice at once where no team is to act."""
        game = self.game
        if self.header.dice != "typed" or self.pending_turn is not None or self.is_over:
            return
        if not game.wants_call:
            pending = PendingTurn(NOBODY, NO_CALL, game.draw_count)
            try:
                log.play_with_faces(game, NO_CALL, pending.faces)
            except OutOfDice as missing:
                pending.missing_die = missing
                self.pending_turn = pending
            else:
                game.undo()  # a step without call and dice is left to `advance`

    # --- Views for viewers -----------------------------------------------------------------

    def feed_since(self, number: int, viewer: int) -> list[dict[str, Any]]:
        """Return all events after this number that the viewer may see."""
        return self.feed.since(number, viewer)

    def view_for(self, viewer: int) -> Game:
        """Return the game as the viewer may see it: for its history, box score, sheet and odds."""
        return view_for(self.game, viewer)

    def public_summary(self, viewer: int) -> Game:
        """Return the current position as the viewer may see it, without the turns; fast."""
        game = self.game
        return game.read_only_copy(game.position if game.is_over else game.view(viewer), [])

    def public_log(self, viewer: int) -> list[dict[str, Any]]:
        """Return what may leave the session before the end: the public header and the feed."""
        header = self.header.to_json() if self.is_over else self.header.public_json()
        return [header, *self.feed_since(0, viewer)]
