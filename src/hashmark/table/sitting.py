"""The sitting: everything between a game and a screen, and nothing of any screen.

A sitting knows who sits where, what is asked of whom, which windows pass by themselves, which
real die is wanted next, what may be taken back by whom, and what each viewer may know. It is a
value, not a loop: nothing in it waits, prints or blocks. A screen asks what is `wanted`, lets
the table `proceed` where nobody is wanted, and hands in answers as people give them.

    sitting = Sitting(header, header.new_game(), keep=writer.write)
    while sitting.proceed(): ...                      # coaches, windows that pass, dice
    sitting.wanted()                                  # a call, a die, somebody for a seat
    sitting.answer(sitting.moment, HOME, "punt")      # taken, or refused with a reason
    sitting.since(12, HOME)                           # what home may know, after number 12

An answer names the moment that it is for. Moments are never used twice, not even after undo:
an answer that comes late or a second time changes nothing and is told so. What is accepted is
handed to `keep` before anybody can see it; if that fails, nothing has happened. The lines that
were kept make the same sitting again, in another process or on another day (`take_up`).
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

PERSON, OPEN = "human", "open"  # seats that are not a coach's
ALWAYS, NEVER, WHEN_IT_MATTERS = "always", "never", "matters"
ORDERS = (WHEN_IT_MATTERS, ALWAYS, NEVER)
EVERY_WINDOW = "all"  # the order for windows that have none of their own

Keep = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Reply:
    """What became of an answer: taken, with what happened then, or why not."""

    accepted: bool
    reason: str = ""
    happened: tuple[Happening, ...] = ()


def read_seat(rules: RuleSet, seat: str) -> Coach | None:
    """The coach of a seat; None for a person, or for nobody yet."""
    if seat in (PERSON, OPEN):
        return None
    kind, colon, name = seat.partition(":")
    if kind != "coach" or not colon:
        allowed = [PERSON, *(f"coach:{coach.name}" for coach in rules.coaches)]
        raise UnknownName("seat", seat, allowed)
    return rules.coach(name)


class Sitting:
    """One table: a game, the people and coaches around it, and all that has happened."""

    def __init__(self, header: Header, game: Game, keep: Keep | None = None) -> None:
        self.header, self.game = header, game
        self.keep: Keep = keep if keep is not None else lambda line: None
        self.seats = [header.seats[team] for team in TEAMS]
        self.coaches = [self._coach(seat) for seat in self.seats]
        self.orders: list[dict[str, str]] = [{}, {}]
        self.stream = Stream(game)
        self.waiting: Waiting | None = None
        self.by_persons: list[bool] = []  # of each turn, whether a person decided it
        self._wanted: tuple[int, Waiting | None, Wanted | None] = (-1, None, None)
        self._wait_for_dice()

    @classmethod
    def take_up(cls, path: Path | str) -> tuple[Sitting, log.Replay]:
        """The sitting that a log was kept of, with everything that has happened at it."""
        return cls._taken_up(lambda watch: log.replay(path, watch))

    @classmethod
    def take_up_bytes(cls, raw: bytes, name: str) -> tuple[Sitting, log.Replay]:
        """The same from the lines themselves, whoever has kept them under which name."""
        return cls._taken_up(lambda watch: log.replay_bytes(raw, Path(name), watch))

    @classmethod
    def _taken_up(cls, replay: Callable[[log.Watch], log.Replay]) -> tuple[Sitting, log.Replay]:
        made: list[Sitting] = []

        def watch(header: Header, game: Game, folded: log.Folded | None) -> None:
            if folded is None:
                made.append(cls(header, game))
            else:
                made[0]._take_line(folded)

        read = replay(watch)
        made[0]._wait_for_dice()
        return made[0], read

    def follow(self, raw: bytes, place: log.Place) -> str:
        """Take in lines that somebody else has kept of this sitting since; the chain after them.

        If they do not fit, the sitting is of no use any more: take it up anew.
        """

        def watch(header: Header, game: Game, folded: log.Folded | None) -> None:
            assert folded is not None
            self._take_line(folded)

        chain = log.follow(self.game, self.header, raw, place, watch)
        self._wait_for_dice()
        return chain

    def _coach(self, seat: str) -> Coach | None:
        """The coach of a seat, who must know this match."""
        coach = read_seat(self.game.rules, seat)
        if coach is not None and coach.ready is not None and not self.game.is_over:
            coach.ready(self.game.match)
        return coach

    def _take_line(self, folded: log.Folded) -> None:
        """Note what a kept line says; the game has played it already."""
        line, turn = folded.line, folded.turn
        if turn is not None or folded.missing is not None or "dropped" in line:
            self.waiting = None
        if turn is not None and "undo" in line:
            self._note_undo()
        elif turn is not None:
            self._note_turn(turn)
        elif folded.missing is not None:
            waiting = waiting_of(line, self.game.drawn, folded.missing)
            self.game.drawn = waiting.drawn  # as it was when the coach had called
            self._note_waiting(waiting)
        elif "dropped" in line:
            self.stream.dropped(self.game.asked)
        elif "seat" in line:
            team = TEAMS.index(line["seat"])
            self.seats[team] = line["who"]
            self.coaches[team] = self._coach(line["who"])
            self.stream.seated(team, line["who"])
        elif "orders" in line:
            team = TEAMS.index(line["orders"])
            self.orders[team] = dict(line["windows"])
            self.stream.ordered(team, self.orders[team])

    # --- What is wanted ------------------------------------------------------------------

    @property
    def moment(self) -> int:
        """The number that the next answer must name; it never comes twice."""
        return self.stream.moment

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def persons(self) -> list[int]:
        """The teams that people play."""
        return [team for team in range(2) if self.seats[team] == PERSON]

    def wanted(self) -> Wanted | None:
        """What somebody must do before the table can go on; None: nothing, or it is over.

        It is asked for more often than anything happens, so it is remembered until then.
        """
        length, pending = len(self.stream.entries), self.waiting  # another thread may play on
        count, waiting, found = self._wanted
        if count != length or waiting is not pending:
            found = self._found_wanted()
            self._wanted = (length, pending, found)
        return found

    def _found_wanted(self) -> Wanted | None:
        if self.is_over:
            return None
        if OPEN in self.seats:
            return SeatWanted(self.moment, self.seats.index(OPEN))
        if self.waiting is not None:
            missing = self.waiting.missing
            assert missing is not None
            at = self.waiting.rolled
            return DieWanted(self.moment, missing.team, at, missing.die, missing.pool)
        if not self.game.wants_call or not self.asks_person():
            return None
        return self._question()

    def _question(self) -> CallWanted:
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
        """Whether a person is to be asked now: there is a choice, and windows follow the orders."""
        team = self.game.asked
        return self.seats[team] == PERSON and self._has_choice(team, self.game.position)

    def _has_choice(self, team: int, position: Any) -> bool:
        """Whether a question in a position is put to the person, or answered by itself.

        A question with one answer is not asked. A window is passed if the standing orders say
        so, or if by the rules it cannot matter.
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
        """Whether a person's call was made by the table since the rules allow no other.

        A window that passes is something else: there nobody does anything.
        """
        if team == NOBODY or self.seats[team] != PERSON:
            return False
        rules, m = self.game.rules, self.game.match
        question = rules.questions[rules.question(m, position)]
        return not question.is_window and not self._has_choice(team, position)

    def order_for(self, team: int, window: str) -> str:
        """The standing order of a team for a window."""
        orders = self.orders[team]
        return orders.get(window, orders.get(EVERY_WINDOW, WHEN_IT_MATTERS))

    # --- What people do --------------------------------------------------------------------

    def answer(self, moment: int, team: int, call: str) -> Reply:
        """A person's call for the question of a moment."""
        wanted = self.wanted()
        late = self.late(moment)
        if late:
            return Reply(False, late)
        if not isinstance(wanted, CallWanted):
            return Reply(False, f"no call is wanted now: {self._what_else(wanted)}")
        if team != wanted.team:
            return Reply(False, f"{TEAMS[wanted.team]} is asked now, not {TEAMS[team]}")
        game = self.game
        try:
            view = game.rules.view(game.match, game.position, team)
            code = game.rules.read_call(game.match, view, call)
        except HashmarkError as fault:
            return Reply(False, str(fault))
        return Reply(True, "", self._call(team, game.rules.calls[code]))

    def roll(self, moment: int, team: int, at: int, face: int) -> Reply:
        """A real die that somebody has rolled, the one number `at` of its turn."""
        wanted = self.wanted()
        late = self.late(moment)
        if late:
            return Reply(False, late)
        if not isinstance(wanted, DieWanted) or self.waiting is None:
            return Reply(False, f"no die is wanted now: {self._what_else(wanted)}")
        if at != wanted.at:
            return Reply(False, f"die number {at + 1} of this turn has been rolled, or is not due")
        if team != wanted.team:
            return Reply(False, f"{TEAMS[wanted.team]} must roll now, not {TEAMS[team]}")
        if not wanted.die.shows(face):
            die = wanted.die
            return Reply(False, f"A {die.name} cannot show {face}, only {die.range()}.")
        return Reply(True, "", self._try(self.waiting.with_face(team, face)))

    def sit(self, team: int, who: str) -> Reply:
        """Somebody takes a seat, leaves it, or hands it to a coach."""
        coach = self._coach(who)
        if who == self.seats[team]:
            return Reply(False, f"{TEAMS[team]} is {who} already")
        self.keep({"seat": TEAMS[team], "who": who})
        self.seats[team], self.coaches[team] = who, coach
        return Reply(True, "", (self.stream.seated(team, who),))

    def order(self, team: int, when: str, window: str = EVERY_WINDOW) -> Reply:
        """A standing order: whether a window is asked always, never, or when it matters."""
        self._check_order(when, window)
        orders = {**self.orders[team], window: when}
        if window == EVERY_WINDOW:
            orders = {window: when}
        self.keep({"orders": TEAMS[team], "windows": orders})
        self.orders[team] = orders
        return Reply(True, "", (self.stream.ordered(team, orders),))

    def _check_order(self, when: str, window: str) -> None:
        windows = [one.name for one in self.game.rules.questions if one.is_window]
        if when not in ORDERS:
            raise UnknownName("standing order", when, ORDERS)
        if window not in (EVERY_WINDOW, *windows):
            raise UnknownName("window", window, (EVERY_WINDOW, *windows))

    def late(self, moment: int) -> str:
        """Why an answer for another moment than this one is refused."""
        if moment == self.moment:
            return ""
        if moment < self.moment:
            return f"moment {moment} has passed: it was answered, or taken back"
        return f"moment {moment} has not come yet: this is moment {self.moment}"

    def _what_else(self, wanted: Wanted | None) -> str:
        if self.is_over:
            return "the game is over"
        if isinstance(wanted, CallWanted):
            return f"{TEAMS[wanted.team]} is asked for a call"
        if isinstance(wanted, DieWanted):
            return f"{TEAMS[wanted.team]} must roll a {wanted.die.name}"
        if isinstance(wanted, SeatWanted):
            return f"nobody sits at {TEAMS[wanted.team]} yet"
        return "the table goes on by itself"

    # --- Taking back -----------------------------------------------------------------------

    def take_back(self, moment: int, team: int = NOBODY) -> Reply:
        """Back to the last decision of a person: of this team, or of any at a shared screen.

        With a coach on the other side everything may be taken back. Between two people only
        a call after which nobody has learnt anything: no roll, no secret that was opened, no
        call of the other. Real dice still lie on the table: what is taken back then is only
        what was typed.
        """
        late = self.late(moment)
        if late:
            return Reply(False, late)
        by_itself = self.waiting is not None and self._was_not_asked(self.waiting)
        if self.waiting is not None and self.waiting.is_called and not by_itself:
            return self._drop(team)
        number, reason = self.may_take_back(team)
        if reason:
            return Reply(False, reason)
        happened: list[Happening] = [self._drop_call()] if by_itself else []
        while len(self.game.turns) >= number:
            self.keep(log.undo_line(len(self.game.turns), self.game.turns[-1]))
            self.game.undo()
            happened.append(self._note_undo())
        self.waiting = None
        self._wait_for_dice()
        return Reply(True, "", tuple(happened))

    def _note_undo(self) -> Happening:
        self.by_persons.pop()
        return self.stream.undone(len(self.game.turns) + 1)

    def _drop(self, team: int) -> Reply:
        """Take a call back whose dice are still being rolled; one that is not his stands."""
        waiting = self.waiting
        assert waiting is not None
        own = waiting.call is not None and self.seats[waiting.team] == PERSON
        if not own or team not in (NOBODY, waiting.team):
            if not waiting.rolled:
                return Reply(False, "That was not a call of yours: it stands.")
            again = Waiting(waiting.team, waiting.call, waiting.drawn)
            return Reply(True, "That was not a call of yours: it stands.", self._try(again))
        return Reply(True, "", (self._drop_call(),))

    def _drop_call(self) -> Happening:
        """Forget a call that waits for its dice."""
        assert self.waiting is not None
        team = self.waiting.team
        self.keep({"dropped": len(self.game.turns) + 1})
        self.waiting = None
        return self.stream.dropped(team)

    def _was_not_asked(self, waiting: Waiting) -> bool:
        """Whether a call that waits for its first die was made for a person without asking."""
        if waiting.rolled or waiting.call is None or self.seats[waiting.team] != PERSON:
            return False
        return not self._has_choice(waiting.team, self.game.position)

    def may_take_back(self, team: int = NOBODY) -> tuple[int, str]:
        """The number of the turn that a team can go back to, or why it cannot."""
        turns, two = self.game.turns, self.persons == [0, 1]
        last = next(self._decided_by_persons(), 0)
        own = (
            number
            for number in self._decided_by_persons()
            if team == NOBODY or turns[number - 1].team in (team, NOBODY)
        )
        number = next(own, 0)
        if not number:
            return 0, "Nothing to undo: no call of yours was made yet."
        if two and number != last:
            return 0, "No undo: the other coach has called since."
        if not two or self.header.dice == "typed":
            return number, ""
        if self.is_over:
            return 0, "No undo: the game is over."
        if any(turn.rolled for turn in turns[number - 1 :]):
            return 0, "No undo: in a game between two people no roll is taken back."
        if self._opens(turns[number - 1 :]):
            return 0, "No undo: in a game between two people no open call is taken back."
        return number, ""

    def _decided_by_persons(self) -> Iterator[int]:
        """The numbers of the turns that persons decided, the last one first."""
        count = len(self.by_persons)
        return (count - at for at, was in enumerate(reversed(self.by_persons)) if was)

    def _opens(self, turns: Sequence[Turn]) -> bool:
        """Whether one of these turns has opened secret calls."""
        names = {name for question in self.game.rules.questions for name in question.until}
        return any(told.name in names for turn in turns for told in turn.events)

    # --- What goes on by itself --------------------------------------------------------------

    def proceed(self) -> tuple[Happening, ...]:
        """One turn that no person is needed for, if there is one: what happened."""
        if self.is_over or self.waiting is not None or OPEN in self.seats:
            return ()
        game = self.game
        if not game.wants_call:
            return self._call(NOBODY, None)
        thought = self.to_think()
        if thought is not None:
            return self.coach_calls(thought, *thought.decide())
        if self.asks_person():
            return ()
        return self._call(game.asked, self._only_answer())

    def to_think(self) -> Thought | None:
        """What a coach is asked now, if one is; it may think elsewhere, and take its time."""
        game = self.game
        if self.is_over or self.waiting is not None or OPEN in self.seats or not game.wants_call:
            return None
        coach = self.coaches[game.asked]
        if coach is None:
            return None
        view = game.rules.view(game.match, game.position, game.asked)
        return Thought(self.moment, coach, game.rules, game.match, view, game.luck())

    def coach_calls(self, thought: Thought, call: str, drawn: int) -> tuple[Happening, ...]:
        """The coach has thought: its call is played, unless the table has gone on meanwhile."""
        game = self.game
        team, before = game.asked, game.drawn
        if thought.moment != self.moment or self.coaches[team] is not thought.coach:
            return ()
        game.drawn = drawn
        try:
            return self._call(team, call)
        except BaseException:
            game.drawn = before  # what was not kept was not drawn either
            raise

    def _only_answer(self) -> str:
        """What a person says who is not asked: the default of a window, or all that is allowed."""
        game = self.game
        if game.question.is_window:
            return game.rules.calls[game.question.default]
        view = game.rules.view(game.match, game.position, game.asked)
        (call,) = game.rules.possible_calls(game.match, view)
        return game.rules.calls[call]

    def _call(self, team: int, call: str | None) -> tuple[Happening, ...]:
        """Play a call, or the dice alone; with real dice it may have to wait for them."""
        if self.header.dice == "typed":
            return self._try(Waiting(team, call, self.game.drawn))
        return self._played(self.game.play(call))

    def _try(self, waiting: Waiting) -> tuple[Happening, ...]:
        """Play a turn with the real dice that were rolled; if more are wanted, it waits."""
        number, drawn = len(self.game.turns) + 1, self.game.drawn
        self.game.drawn = waiting.drawn
        try:
            turn = log.play_listed(self.game, waiting.call, waiting.faces)
        except OutOfDice as missing:
            self.game.drawn = drawn
            waiting.missing = missing
            faces = waiting.faces
            self.keep(log.called_line(number, waiting.team, waiting.call, faces, waiting.drawn))
            return (self._note_waiting(waiting),)
        return self._played(turn)

    def _note_waiting(self, waiting: Waiting) -> Happening:
        self.waiting = waiting
        return self.stream.called(waiting.team, waiting.call, waiting.faces)

    def _played(self, turn: Turn) -> tuple[Happening, ...]:
        """Keep a turn that was played, then tell it; if it cannot be kept it never was."""
        drawn = self.game.drawn
        try:
            self.keep(log.turn_line(self.game, len(self.game.turns), turn))
        except BaseException:
            self.game.undo()
            self.game.drawn = drawn  # the call stands, and so does what was drawn for it
            raise
        self.waiting = None
        happened = self._note_turn(turn)
        self._wait_for_dice()
        return tuple(happened)

    def _note_turn(self, turn: Turn) -> list[Happening]:
        self.by_persons.append(self._was_persons(turn))
        happened = self.stream.played(turn, len(self.game.turns), self.game.still())
        if self.is_over:
            happened.append(self.stream.over(self.header.opened()))
        return happened

    def _was_persons(self, turn: Turn) -> bool:
        """Whether a person made the call, or typed dice that nobody called for."""
        if turn.call == NO_CALL:
            return self.header.dice == "typed"
        return self.seats[turn.team] == PERSON and self._has_choice(turn.team, turn.before)

    def _wait_for_dice(self) -> None:
        """Where nobody is asked and the dice are real, they are wanted at once."""
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
                game.undo()  # a step without call and dice is left to `proceed`

    # --- What viewers may know -------------------------------------------------------------

    def since(self, number: int, viewer: int) -> list[dict[str, Any]]:
        """Everything that happened after this number, as far as the viewer may know it."""
        return self.stream.since(number, viewer)

    def seen(self, viewer: int) -> Game:
        """The game as the viewer may see it: for its history, box score, sheet and odds."""
        return seen(self.game, viewer)

    def glance(self, viewer: int) -> Game:
        """Only where the game stands, as the viewer may see it: quick, and without its turns."""
        game = self.game
        position = game.position
        if not game.is_over:
            position = game.rules.view(game.match, position, viewer)
        return game.as_told(position, [])

    def log(self, viewer: int) -> list[dict[str, Any]]:
        """What may leave the table before the end: a header without the dice, and the stream."""
        header = self.header.to_json() if self.is_over else self.header.public()
        return [header, *self.since(0, viewer)]
