"""A game at the terminal: ask the people, let the coaches call, write the log, show it all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hashmark.table import registry
from hashmark.table.columns import table
from hashmark.table.dice import Die
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.game import AskedDice, Game, Turn
from hashmark.table.log import Header, Writer
from hashmark.table.record import TEAMS
from hashmark.table.report import (
    choices,
    on_the_table,
    print_history,
    print_summary,
    print_turn,
    standing,
)
from hashmark.table.rules import NO_CALL, Coach, RuleSet
from hashmark.terminal.screen import Quit, Screen, whole_number

HELP = "? odds   u undo   h history   b box score   q save and quit"


class TakeBack(Exception):
    """The player takes a call back while its dice are still to be read."""


def default_opponent(rules: str) -> str:
    """The seat of the opponent if the player names none: the book's coach, or any."""
    names = [coach.name for coach in registry.load(rules).coaches]
    return f"coach:{'book' if 'book' in names else names[-1]}"


def read_seat(rules: RuleSet, seat: str) -> Coach | None:
    """`human` or `coach:NAME`."""
    if seat == "human":
        return None
    kind, colon, name = seat.partition(":")
    if kind != "coach" or not colon:
        raise UnknownName("seat", seat, ["human", *(f"coach:{c.name}" for c in rules.coaches)])
    return rules.coach(name)


class Session:
    """One sitting at the table."""

    def __init__(
        self, screen: Screen, header: Header, game: Game, writer: Writer | None, where: str | None
    ) -> None:
        self.screen, self.game, self.writer, self.where = screen, game, writer, where
        self.seats = [read_seat(game.rules, header.seats[team]) for team in TEAMS]
        self.header = header

    def run(self) -> None:
        """Play until the game is over or the player leaves, at a prompt or with Ctrl-C anywhere."""
        left = False
        try:
            while not self.game.is_over or self._changes_the_end():
                self._turn()
        except (Quit, KeyboardInterrupt):
            left = True
        finally:
            if self.writer is not None:
                self.writer.close()
        if left:
            self._leave()
        elif self.where is not None:
            self.screen.say(f"\nThe game is in {self.where}")

    def _changes_the_end(self) -> bool:
        """The game is over: show it, and let a person at the terminal take the last call back."""
        print_summary(self.game, self.screen.say)
        if not self.screen.is_terminal or None not in self.seats:
            return False
        while self.game.is_over:
            if self.screen.ask("The game is over. Enter to leave, u to take it back:") != "u":
                return False
            self._undo()
            if self.game.is_over:
                return False
        return True

    def _leave(self) -> None:
        if self.where is None:
            self.screen.say("Stopped; this game was not being saved.")
        else:
            self.screen.say(f"Saved. Go on with: hashmark resume {self.where}")

    def _turn(self) -> None:
        """One call by whoever is asked, or the dice alone."""
        call = None
        if self.game.wants_call:
            coach = self.seats[self.game.asked]
            if coach is not None:
                call = self.game.decide(coach)
            elif self._has_choice(self.game.position):
                call = self._ask()
            else:
                call = self.game.rules.calls[self.game.question.default]
            if call is None:
                return
            if coach is not None and self.header.dice == "typed":
                self.screen.say(f"- {TEAMS[self.game.asked]} calls {call}")
        turn = self._play(call)
        if turn is None:
            self.screen.say("Taken back.")
            return
        if self.writer is not None:
            self.writer.turn(self.game, turn)
        print_turn(self.game, turn, self.screen.say)

    def _play(self, call: str | None) -> Turn | None:
        """Play a call; None if a person takes the own call back before all dice are read."""
        while True:
            try:
                return self.game.play(call)
            except TakeBack:
                if call is not None and self.seats[self.game.asked] is None:
                    return None
                self.screen.say("That was not a call of yours: it stands.", "red")

    def _ask(self) -> str | None:
        """Show the position and the question; a call, or None if a call was taken back."""
        game, screen = self.game, self.screen
        screen.say()
        lines = standing(game)
        screen.say(lines[0], "bold")
        for line in lines[1:-1]:
            screen.field(line)
        screen.say(lines[-1])
        for line in on_the_table(game):
            screen.say(line)
        question, *answers = choices(game)
        screen.say(question, "bold")
        for line in answers:
            screen.say(line)
        if screen.is_terminal:
            screen.say(f" {HELP}", "dim")
        return self._answer()

    def _answer(self) -> str | None:
        """Ask until there is a call; the other commands are carried out on the way."""
        from hashmark.odds.advice import calls_in_secret

        legal, question = self.game.legal(), self.game.question
        default = self.game.rules.calls[question.default] if question.is_window else None
        turns = len(self.game.turns)
        hidden = self.seats == [None, None] and calls_in_secret(self.game)
        while len(self.game.turns) == turns:
            prompt = f"{TEAMS[self.game.asked]}>"
            answer = self.screen.ask(prompt, hidden).lower().rstrip(".")
            answer = "-".join(answer.split())
            command = self._commands().get(answer)
            if command is not None:
                command()
            elif not answer and default is not None:
                return default
            elif (number := whole_number(answer)) is not None and 1 <= number <= len(legal):
                return legal[number - 1]
            elif answer or self.screen.is_terminal:
                try:
                    m, g = self.game.match, self.game.position
                    return self.game.rules.calls[self.game.rules.read_call(m, g, answer)]
                except HashmarkError as fault:
                    self.screen.say(str(fault), "red")
        return None

    def _commands(self) -> dict[str, Callable[[], None]]:
        commands: dict[tuple[str, ...], Callable[[], None]] = {
            ("?", "odds"): self._odds,
            ("u", "undo"): self._undo,
            ("h", "history"): lambda: print_history(self.game, self.screen.say),
            ("b", "box"): lambda: print_summary(self.game, self.screen.say),
            ("q", "quit", "exit"): self._quit,
        }
        return {name: command for names, command in commands.items() for name in names}

    def _quit(self) -> None:
        raise Quit

    def _odds(self) -> None:
        """The exact odds of each answer; of secret calls, each against each."""
        from hashmark.odds.advice import before_secret_calls, odds_of_answers

        if before_secret_calls(self.game) is not None:
            self.screen.say("Working out every call against every answer ...", "dim")
        try:
            shown = odds_of_answers(self.game)
        except HashmarkError as fault:
            self.screen.say(f"No odds: {fault}", "red")
            return
        for title, headings, rows in shown:
            if title:
                self.screen.say(f"\n  {title}")
            for line in table(headings, rows):
                self.screen.say(f"  {line}")

    def _undo(self) -> None:
        """Go back to the last decision of a person.

        Between two people never past a roll, unless they roll real dice: those still lie on
        the table, and what is taken back is only what was typed.
        """
        turns, typed = self.game.turns, self.header.dice == "typed"
        human = [at for at, turn in enumerate(turns) if self._was_human(turn, typed)]
        if not human:
            self.screen.say("Nothing to undo: no call of yours was made yet.", "red")
            return
        rolled = any(turn.rolled for turn in turns[human[-1] :])
        if self.seats == [None, None] and rolled and not typed:
            self.screen.say("No undo: in a game between two people no roll is taken back.", "red")
            return
        while len(self.game.turns) > human[-1]:
            self.game.undo()
            if self.writer is not None:
                self.writer.undo(self.game)
        self.screen.say("Taken back.")

    def _has_choice(self, position: Any) -> bool:
        """A window in which only the default is allowed is passed without a word."""
        rules, m = self.game.rules, self.game.match
        window = rules.questions[rules.question(m, position)].is_window
        return not window or len(rules.legal_calls(m, position)) > 1

    def _was_human(self, turn: Turn, typed: bool) -> bool:
        """Whether a person made the call, or typed dice that nobody called for."""
        if turn.call == NO_CALL:
            return typed
        return self.seats[turn.team] is None and self._has_choice(turn.before)


class RealDice(AskedDice):
    """The dice of a person, who types their faces; several may be typed in one line."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(self._read, screen.say)
        self.screen = screen
        self.waiting: list[tuple[int, int]] = []

    def mark(self) -> None:
        """A new turn: faces typed beyond the last one are not carried over."""
        self._drop()

    def _drop(self) -> None:
        """Leave out faces that were typed for dice that were not rolled."""
        if self.waiting:
            faces = " ".join(str(face) for _, face in self.waiting)
            self.screen.say(f"Not needed and left out: {faces}")
            self.waiting.clear()

    def _read(self, die: Die, team: int) -> int:
        """The face of one die."""
        while True:
            if self.waiting and self.waiting[0][0] != team:
                self._drop()
            if self.waiting:
                face = self.waiting.pop(0)[1]
                if die.shows(face):
                    return face
                self.waiting.clear()
                self.screen.say(f"A {die.name} cannot show {face}, only {die.range()}.", "red")
            self._ask(die, team)

    def _ask(self, die: Die, team: int) -> None:
        answer = self.screen.ask(f"{TEAMS[team]} rolls a {die.say} ({die.range()}):")
        if answer == "q":
            raise Quit
        if answer == "u":
            raise TakeBack
        faces = [whole_number(word) for word in answer.replace(",", " ").split()]
        if not faces or None in faces:
            self.screen.say("Type the face that the die shows, u to take the call back, q to quit.")
            return
        self.waiting = [(team, face) for face in faces if face is not None]
