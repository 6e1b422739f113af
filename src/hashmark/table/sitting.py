"""Game session: everything between a game and a user interface, and nothing of the latter.

A session knows the seats, the pending input and who must give it, which windows pass automatically,
which real die comes next, what each player may undo, and what each viewer may see. It is a value,
not a loop: nothing in it waits, prints or blocks. A user interface asks for the `pending_input`,
calls `advance` while there is none, and passes in answers as people give them.

    session = GameSession(header, header.new_game(), persist=writer.write)
    while session.advance(): ...                      # coaches, windows that pass, dice
    session.pending_input()                           # a call, a die, a player for a seat
    session.answer(session.moment, HOME, "punt")      # accepted, or refused with a reason
    session.feed_since(12, HOME)                      # what home may see after number 12

An answer names the moment that it is for. Moments are never used twice, not even after undo, so a
late or repeated answer changes nothing and is refused. Accepted input is passed to `persist` before
any viewer can see it; if that fails, nothing has happened. The persisted lines restore the same
session in another process or on another day (`resume`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashmark.table import log
from hashmark.table.errors import HashmarkError, OutOfDice, UnknownName
from hashmark.table.game import Game, Turn
from hashmark.table.happenings import Happening, Stream
from hashmark.table.header import Header
from hashmark.table.record import NOBODY, TEAMS
from hashmark.table.rules import NO_CALL, Coach, RuleSet
from hashmark.table.secrets import seen
from hashmark.table.thinking import Thought
from hashmark.table.wanted import CallWanted, DieWanted, SeatWanted, Waiting, Wanted, waiting_of

PERSON, OPEN = "human", "open"  # seats without a coach
ALWAYS, NEVER, WHEN_IT_MATTERS = "always", "never", "matters"
ORDERS = (WHEN_IT_MATTERS, ALWAYS, NEVER)
EVERY_WINDOW = "all"  # key of the order for windows without their own

Keep = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Reply:
    """Result of an answer: accepted, with the resulting events, or the reason for refusal."""

    accepted: bool
    reason: str = ""
    happened: tuple[Happening, ...] = ()


def read_seat(rules: RuleSet, seat: str) -> Coach | None:
    """Return the coach of a seat; None for a person or an open seat."""
    if seat in (PERSON, OPEN):
        return None
    kind, colon, name = seat.partition(":")
    if kind != "coach" or not colon:
        allowed = [PERSON, *(f"coach:{coach.name}" for coach in rules.coaches)]
        raise UnknownName("seat", seat, allowed)
    return rules.coach(name)


class Sitting:
    """One session: a game, the people and coaches who play it, and its event feed."""

    def __init__(self, header: Header, game: Game, keep: Keep | None = None) -> None:
        self.header, self.game = header, game
        self.keep: Keep = keep if keep is not None else lambda line: None
        self.seats = [header.seats[team] for team in TEAMS]
        self.coaches = [self._load_coach(seat) for seat in self.seats]
        self.orders: list[dict[str, str]] = [{}, {}]
        self.stream = Stream(game)
        self.waiting: Waiting | None = None
        self.by_persons: list[bool] = []  # for each turn, whether a person decided it
        self._pending_cache: tuple[int, Waiting | None, Wanted | None] = (-1, None, None)
        self._wait_for_dice()

    @classmethod
    def take_up(cls, path: Path | str) -> tuple[Sitting, log.Replay]:
        """Resume a session from its log file."""
        return cls._resume_with(lambda watch: log.replay(path, watch))

    @classmethod
    def take_up_bytes(cls, raw: bytes, name: str) -> tuple[Sitting, log.Replay]:
        """Resume a session from the bytes of its log; the name is used in messages."""
        return cls._resume_with(lambda watch: log.replay_bytes(raw, Path(name), watch))

    @classmethod
    def _resume_with(cls, replay: Callable[[log.Watch], log.Replay]) -> tuple[Sitting, log.Replay]:
        sessions: list[Sitting] = []

        def watch(header: Header, game: Game, folded: log.Folded | None) -> None:
            if folded is None:
                sessions.append(cls(header, game))
            else:
                sessions[0]._record_line(folded)

        result = replay(watch)
        sessions[0]._wait_for_dice()
        return sessions[0], result

    def follow(self, raw: bytes, place: log.Place) -> str:
        """Apply lines that another process has persisted since; return the chain after them.

        If they do not fit, the session is no longer usable and must be resumed from its log.
        """

        def watch(header: Header, game: Game, folded: log.Folded | None) -> None:
            assert folded is not None
            self._record_line(folded)

        chain = log.follow(self.game, self.header, raw, place, watch)
        self._wait_for_dice()
        return chain

    def _load_coach(self, seat: str) -> Coach | None:
        """Return the coach of a seat, after checking that it supports this match."""
        coach = read_seat(self.game.rules, seat)
        if coach is not None and coach.ready is not None and not self.game.is_over:
            coach.ready(self.game.match)
        return coach

    def _record_line(self, folded: log.Folded) -> None:
        """Record a replayed log line; the game has already played it."""
        line, turn = folded.line, folded.turn
        if turn is not None or folded.missing is not None or "dropped" in line:
            self.waiting = None
        if turn is not None and "undo" in line:
            self._record_undo()
        elif turn is not None:
            self._record_turn(turn)
        elif folded.missing is not None:
            waiting = waiting_of(line, self.game.drawn, folded.missing)
            self.game.drawn = waiting.drawn  # as it was after the coach called
            self._record_pending(waiting)
        elif "dropped" in line:
            self.stream.dropped(self.game.asked)
        elif "seat" in line:
            team = TEAMS.index(line["seat"])
            self.seats[team] = line["who"]
            self.coaches[team] = self._load_coach(line["who"])
            self.stream.seated(team, line["who"])
        elif "orders" in line:
            team = TEAMS.index(line["orders"])
            self.orders[team] = dict(line["windows"])
            self.stream.ordered(team, self.orders[team])

    # --- Pending input -------------------------------------------------------------------

    @property
    def moment(self) -> int:
        """The number that the next answer must name; it is never reused."""
        return self.stream.moment

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def persons(self) -> list[int]:
        """The teams that people play."""
        return [team for team in range(2) if self.seats[team] == PERSON]

    def wanted(self) -> Wanted | None:
        """Return the input that the session waits for; None if there is none or the game is over.

        It is asked for more often than it changes, so it is cached until the next event.
        """
        # Read once: another thread may add events meanwhile.
        length, pending_turn = len(self.stream.entries), self.waiting
        cached_length, cached_turn, cached = self._pending_cache
        if cached_length != length or cached_turn is not pending_turn:
            cached = self._found_wanted()
            self._pending_cache = (length, pending_turn, cached)
        return cached

    def _found_wanted(self) -> Wanted | None:
        if self.is_over:
            return None
        if OPEN in self.seats:
            return SeatWanted(self.moment, self.seats.index(OPEN))
        if self.waiting is not None:
            missing = self.waiting.missing
            assert missing is not None
            die_index = self.waiting.rolled
            return DieWanted(self.moment, missing.team, die_index, missing.die, missing.pool)
        if not self.game.wants_call or not self.asks_person():
            return None
        return self._pending_call()

    def _pending_call(self) -> CallWanted:
        game, question, team = self.game, self.game.question, self.game.asked
        view = game.rules.view(game.match, game.position, team)
        legal = game.rules.legal_calls(game.match, view)
        default = game.rules.calls[question.default] if question.is_window else None
        return CallWanted(
            self.moment,
            team,
            question,
            tuple(game.rules.calls[call] for call in legal),
            default,
            any(call in question.secret for call in legal),
        )

    def asks_person(self) -> bool:
        """Return whether a person must be asked now: there is a choice worth a prompt."""
        team = self.game.asked
        return self.seats[team] == PERSON and self._has_choice(team, self.game.position)

    def _has_choice(self, team: int, position: Any) -> bool:
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
        return order == ALWAYS or (order == WHEN_IT_MATTERS and bool(rules.matters(m, view)))

    def had_no_choice(self, team: int, position: Any) -> bool:
        """Return whether a person's call was made automatically because no other is legal.

        A window that passes does not count: no call is made there.
        """
        if team == NOBODY or self.seats[team] != PERSON:
            return False
        rules, m = self.game.rules, self.game.match
        question = rules.questions[rules.question(m, position)]
        return not question.is_window and not self._has_choice(team, position)

    def order_for(self, team: int, window: str) -> str:
        """Return the standing order of a team for a window."""
        orders = self.orders[team]
        return orders.get(window, orders.get(EVERY_WINDOW, WHEN_IT_MATTERS))

    # --- Player input ---------------------------------------------------------------------

    def answer(self, moment: int, team: int, call: str) -> Reply:
        """Play a person's call for the question of a moment."""
        pending = self.wanted()
        stale = self.late(moment)
        if stale:
            return Reply(False, stale)
        if not isinstance(pending, CallWanted):
            return Reply(False, f"no call is wanted now: {self._describe_pending(pending)}")
        if team != pending.team:
            return Reply(False, f"{TEAMS[pending.team]} is asked now, not {TEAMS[team]}")
        game = self.game
        try:
            view = game.rules.view(game.match, game.position, team)
            code = game.rules.read_call(game.match, view, call)
        except HashmarkError as fault:
            return Reply(False, str(fault))
        return Reply(True, "", self._play_call(team, game.rules.calls[code]))

    def roll(self, moment: int, team: int, at: int, face: int) -> Reply:
        """Enter the face of a real die, number `die_index` of its turn."""
        pending = self.wanted()
        stale = self.late(moment)
        if stale:
            return Reply(False, stale)
        if not isinstance(pending, DieWanted) or self.waiting is None:
            return Reply(False, f"no die is wanted now: {self._describe_pending(pending)}")
        if at != pending.at:
            return Reply(False, f"die number {at + 1} of this turn has been rolled, or is not due")
        if team != pending.team:
            return Reply(False, f"{TEAMS[pending.team]} must roll now, not {TEAMS[team]}")
        if not pending.die.shows(face):
            die = pending.die
            return Reply(False, f"A {die.name} cannot show {face}, only {die.range()}.")
        return Reply(True, "", self._try_turn(self.waiting.with_face(team, face)))

    def sit(self, team: int, who: str) -> Reply:
        """Seat a person or a coach, or open a seat."""
        coach = self._load_coach(who)
        if who == self.seats[team]:
            return Reply(False, f"{TEAMS[team]} is {who} already")
        self.keep({"seat": TEAMS[team], "who": who})
        self.seats[team], self.coaches[team] = who, coach
        return Reply(True, "", (self.stream.seated(team, who),))

    def order(self, team: int, when: str, window: str = EVERY_WINDOW) -> Reply:
        """Set a standing order: prompt for a window always, never, or when it matters."""
        self._check_order(when, window)
        orders = {**self.orders[team], window: when}
        if window == EVERY_WINDOW:
            orders = {window: when}
        self.keep({"orders": TEAMS[team], "windows": orders})
        self.orders[team] = orders
        return Reply(True, "", (self.stream.ordered(team, orders),))

    def _check_order(self, when: str, window: str) -> None:
        windows = [question.name for question in self.game.rules.questions if question.is_window]
        if when not in ORDERS:
            raise UnknownName("standing order", when, ORDERS)
        if window not in (EVERY_WINDOW, *windows):
            raise UnknownName("window", window, (EVERY_WINDOW, *windows))

    def late(self, moment: int) -> str:
        """Return why an answer for another moment is refused; empty for the current moment."""
        if moment == self.moment:
            return ""
        if moment < self.moment:
            return f"moment {moment} has passed: it was answered, or taken back"
        return f"moment {moment} has not come yet: this is moment {self.moment}"

    def _describe_pending(self, pending: Wanted | None) -> str:
        if self.is_over:
            return "the game is over"
        if isinstance(pending, CallWanted):
            return f"{TEAMS[pending.team]} is asked for a call"
        if isinstance(pending, DieWanted):
            return f"{TEAMS[pending.team]} must roll a {pending.die.name}"
        if isinstance(pending, SeatWanted):
            return f"nobody sits at {TEAMS[pending.team]} yet"
        return "the table goes on by itself"

    # --- Undo ------------------------------------------------------------------------------

    def take_back(self, moment: int, team: int = NOBODY) -> Reply:
        """Undo to the last decision of a person: of this team, or of either at a shared screen.

        Against a coach everything may be undone. Between two people only a call after which no
        information was revealed: no roll, no revealed secret, no call of the other. Real dice stay
        on the table, so with them undo only removes what was typed.
        """
        stale = self.late(moment)
        if stale:
            return Reply(False, stale)
        was_automatic = self.waiting is not None and self._was_automatic(self.waiting)
        if self.waiting is not None and self.waiting.is_called and not was_automatic:
            return self._drop_pending(team)
        number, reason = self.may_take_back(team)
        if reason:
            return Reply(False, reason)
        events: list[Happening] = [self._drop_call()] if was_automatic else []
        while len(self.game.turns) >= number:
            self.keep(log.undo_line(len(self.game.turns), self.game.turns[-1]))
            self.game.undo()
            events.append(self._record_undo())
        self.waiting = None
        self._wait_for_dice()
        return Reply(True, "", tuple(events))

    def _record_undo(self) -> Happening:
        self.by_persons.pop()
        return self.stream.undone(len(self.game.turns) + 1)

    def _drop_pending(self, team: int) -> Reply:
        """Withdraw a call whose dice are still being rolled, unless it is another player's."""
        waiting = self.waiting
        assert waiting is not None
        is_own = waiting.call is not None and self.seats[waiting.team] == PERSON
        if not is_own or team not in (NOBODY, waiting.team):
            if not waiting.rolled:
                return Reply(False, "That was not a call of yours: it stands.")
            retry = Waiting(waiting.team, waiting.call, waiting.drawn)
            return Reply(True, "That was not a call of yours: it stands.", self._try_turn(retry))
        return Reply(True, "", (self._drop_call(),))

    def _drop_call(self) -> Happening:
        """Discard the call that waits for its dice."""
        assert self.waiting is not None
        team = self.waiting.team
        self.keep({"dropped": len(self.game.turns) + 1})
        self.waiting = None
        return self.stream.dropped(team)

    def _was_automatic(self, waiting: Waiting) -> bool:
        """Return whether a call that waits for its first die was made automatically."""
        if waiting.rolled or waiting.call is None or self.seats[waiting.team] != PERSON:
            return False
        return not self._has_choice(waiting.team, self.game.position)

    def may_take_back(self, team: int = NOBODY) -> tuple[int, str]:
        """Return the number of the turn that a team can undo to, or why it cannot."""
        turns, both_human = self.game.turns, self.persons == [0, 1]
        last = next(self._decided_by_persons(), 0)
        own_turns = (
            number
            for number in self._decided_by_persons()
            if team == NOBODY or turns[number - 1].team in (team, NOBODY)
        )
        number = next(own_turns, 0)
        if not number:
            return 0, "Nothing to undo: no call of yours was made yet."
        if both_human and number != last:
            return 0, "No undo: the other coach has called since."
        if not both_human or self.header.dice == "typed":
            return number, ""
        if self.is_over:
            return 0, "No undo: the game is over."
        if any(turn.rolled for turn in turns[number - 1 :]):
            return 0, "No undo: in a game between two people no roll is taken back."
        if self._reveals(turns[number - 1 :]):
            return 0, "No undo: in a game between two people no open call is taken back."
        return number, ""

    def _decided_by_persons(self) -> Iterator[int]:
        """Yield the numbers of the turns that people decided, the last one first."""
        count = len(self.by_persons)
        return (
            count - index for index, by_person in enumerate(reversed(self.by_persons)) if by_person
        )

    def _reveals(self, turns: Sequence[Turn]) -> bool:
        """Return whether one of these turns has revealed secret calls."""
        names = {name for question in self.game.rules.questions for name in question.until}
        return any(event.name in names for turn in turns for event in turn.events)

    # --- Automatic turns ---------------------------------------------------------------------

    def proceed(self) -> tuple[Happening, ...]:
        """Play one turn that needs no person, if there is one; return its events."""
        if self.is_over or self.waiting is not None or OPEN in self.seats:
            return ()
        game = self.game
        if not game.wants_call:
            return self._play_call(NOBODY, None)
        request = self.to_think()
        if request is not None:
            return self.coach_calls(request, *request.decide())
        if self.asks_person():
            return ()
        return self._play_call(game.asked, self._automatic_call())

    def to_think(self) -> Thought | None:
        """Return the request to the coach to act, if any; it may be decided elsewhere."""
        game = self.game
        if self.is_over or self.waiting is not None or OPEN in self.seats or not game.wants_call:
            return None
        coach = self.coaches[game.asked]
        if coach is None:
            return None
        view = game.rules.view(game.match, game.position, game.asked)
        return Thought(self.moment, coach, game.rules, game.match, view, game.luck())

    def coach_calls(self, thought: Thought, call: str, drawn: int) -> tuple[Happening, ...]:
        """Play a coach's call, unless the session has moved on meanwhile."""
        game = self.game
        team, before = game.asked, game.drawn
        if thought.moment != self.moment or self.coaches[team] is not thought.coach:
            return ()
        game.drawn = drawn
        try:
            return self._play_call(team, call)
        except BaseException:
            game.drawn = before  # a call that was not persisted has drawn nothing
            raise

    def _automatic_call(self) -> str:
        """Return the automatic answer: the default of a window, or the only legal call."""
        game = self.game
        if game.question.is_window:
            return game.rules.calls[game.question.default]
        view = game.rules.view(game.match, game.position, game.asked)
        (call,) = game.rules.possible_calls(game.match, view)
        return game.rules.calls[call]

    def _play_call(self, team: int, call: str | None) -> tuple[Happening, ...]:
        """Play a call, or only dice; with real dice it may have to wait for them."""
        if self.header.dice == "typed":
            return self._try_turn(Waiting(team, call, self.game.drawn))
        return self._commit_turn(self.game.play(call))

    def _try_turn(self, waiting: Waiting) -> tuple[Happening, ...]:
        """Play a turn with the real dice rolled so far; if more are needed, it waits."""
        number, drawn = len(self.game.turns) + 1, self.game.drawn
        self.game.drawn = waiting.drawn
        try:
            turn = log.play_listed(self.game, waiting.call, waiting.faces)
        except OutOfDice as missing:
            self.game.drawn = drawn
            waiting.missing = missing
            faces = waiting.faces
            self.keep(log.called_line(number, waiting.team, waiting.call, faces, waiting.drawn))
            return (self._record_pending(waiting),)
        return self._commit_turn(turn)

    def _record_pending(self, waiting: Waiting) -> Happening:
        self.waiting = waiting
        return self.stream.called(waiting.team, waiting.call, waiting.faces)

    def _commit_turn(self, turn: Turn) -> tuple[Happening, ...]:
        """Persist a turn, then publish it; undo it if it cannot be persisted."""
        drawn = self.game.drawn
        try:
            self.keep(log.turn_line(self.game, len(self.game.turns), turn))
        except BaseException:
            self.game.undo()
            self.game.drawn = drawn  # the call stands, and so do its draws
            raise
        self.waiting = None
        events = self._record_turn(turn)
        self._wait_for_dice()
        return tuple(events)

    def _record_turn(self, turn: Turn) -> list[Happening]:
        self.by_persons.append(self._was_decided_by_person(turn))
        events = self.stream.played(turn, len(self.game.turns), self.game.still())
        if self.is_over:
            events.append(self.stream.over(self.header.opened()))
        return events

    def _was_decided_by_person(self, turn: Turn) -> bool:
        """Return whether a person made the call, or typed dice of a turn without one."""
        if turn.call == NO_CALL:
            return self.header.dice == "typed"
        return self.seats[turn.team] == PERSON and self._has_choice(turn.team, turn.before)

    def _wait_for_dice(self) -> None:
        """Ask for real dice at once where no team is to act."""
        game = self.game
        if self.header.dice != "typed" or self.waiting is not None or self.is_over:
            return
        if not game.wants_call:
            waiting = Waiting(NOBODY, None, game.drawn)
            try:
                log.play_listed(game, None, waiting.faces)
            except OutOfDice as missing:
                waiting.missing = missing
                self.waiting = waiting
            else:
                game.undo()  # a step without call and dice is left to `advance`

    # --- Views for viewers -----------------------------------------------------------------

    def since(self, number: int, viewer: int) -> list[dict[str, Any]]:
        """Return all events after this number that the viewer may see."""
        return self.stream.since(number, viewer)

    def seen(self, viewer: int) -> Game:
        """Return the game as the viewer may see it: for its history, box score, sheet and odds."""
        return seen(self.game, viewer)

    def glance(self, viewer: int) -> Game:
        """Return the current position as the viewer may see it, without the turns; fast."""
        game = self.game
        position = game.position
        if not game.is_over:
            position = game.rules.view(game.match, position, viewer)
        return game.as_told(position, [])

    def log(self, viewer: int) -> list[dict[str, Any]]:
        """Return what may leave the session before the end: the public header and the feed."""
        header = self.header.to_json() if self.is_over else self.header.public()
        return [header, *self.since(0, viewer)]
